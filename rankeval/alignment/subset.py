"""Judgments without some of them."""

from dataclasses import replace

import numpy as np

from rankeval.alignment.qrels import Qrels
from rankeval.judgments import Labels
from rankeval.support.arrays import Booleans, Integers, offsets_of
from rankeval.support.digest import short_digest


def with_judgments(qrels: Qrels, kept: Booleans) -> Qrels:
    """Keep some judgments, marked with True; a topic without any of them goes, too."""
    if kept.all():
        return qrels
    sizes = np.bincount(qrels.topic[kept], minlength=len(qrels.topics))
    topics = np.flatnonzero(sizes)
    judgments = np.flatnonzero(kept)
    return replace(
        qrels,
        topics=tuple(qrels.topics[i] for i in topics.tolist()),
        offsets=offsets_of(sizes[topics]),
        docno=qrels.docno[judgments],
        grade=qrels.grade[judgments],
        subtopics=_labels(qrels.subtopics, topics, judgments),
        strata=_labels(qrels.strata, topics, judgments),
    )


def _labels(labels: Labels | None, topics: Integers, judgments: Integers) -> Labels | None:
    """Return the labels of some judgments, whose topics are numbered anew."""
    if labels is None:
        return None
    _, found = labels.of_judgments(judgments)
    distinct, number = np.unique(labels.number[found], return_inverse=True)
    return replace(
        labels,
        offsets=offsets_of(np.diff(labels.offsets)[judgments]),
        number=number,
        topic=topics.searchsorted(labels.topic[distinct]),
        grade=labels.grade[found],
        docno_order=labels.docno_order[judgments],
        judged_topic=topics.searchsorted(labels.judged_topic[judgments]),
        digest=short_digest([labels.digest.encode(), judgments.tobytes()]),
    )
