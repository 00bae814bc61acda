"""The judged documents of a report, topic by topic, with their ranks in each run."""

from collections.abc import Sequence

import numpy as np

from rankeval.commands.report.reports.report_content import (
    Documents,
    MeasureSection,
    TopicDocuments,
)
from rankeval.evaluation.rankings import Rankings
from rankeval.ranking.align import Alignment
from rankeval.ranking.qrels import Qrels

MOST_TOPICS, MOST_ROWS = 250, 12
"""The most topics, and the most documents of a topic, that a report lists: it is to be sent."""


def judged_documents(
    qrels: Qrels, alignments: Sequence[Alignment], section: MeasureSection, depth: int
) -> Documents:
    """Return the judged documents among the first `depth` ranks of any run.

    They are those of the topics on which the runs differ most in the measure of the section.
    """
    rankings = Rankings(qrels, alignments)
    chosen = _most_different(section)
    return Documents(
        depth=depth,
        topics=tuple(
            _of_topic(rankings, row.topic, depth) for row in section.topics if row.topic in chosen
        ),
        every=len(chosen) == len(section.topics),
    )


def _most_different(section: MeasureSection) -> frozenset[str]:
    """Return the topics with the largest span between the best run and the worst."""
    values = np.array(
        [[np.nan if v.value is None else v.value for v in row.values] for row in section.topics]
    )
    highest = np.where(np.isnan(values), -np.inf, values).max(axis=1)
    lowest = np.where(np.isnan(values), np.inf, values).min(axis=1)
    order = np.argsort(-np.maximum(highest - lowest, -1.0), kind="stable")[:MOST_TOPICS]
    return frozenset(section.topics[i].topic for i in order.tolist())


def _of_topic(rankings: Rankings, name: str, depth: int) -> TopicDocuments:
    topic = rankings.topic_of[name]
    found = rankings.judged(topic, depth)
    found.sort(key=lambda one: (-one.grade, one.best_rank, one.docno))
    return TopicDocuments(
        topic=name,
        documents=tuple(found[:MOST_ROWS]),
        left_out=max(0, len(found) - MOST_ROWS),
        unjudged=rankings.count_unjudged(topic, depth),
    )
