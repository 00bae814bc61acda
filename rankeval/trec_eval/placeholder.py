"""The placeholder document that version 10 retrieves, with -c, for topics that the run lacks."""

from dataclasses import replace

import numpy as np

from rankeval.ranking import RankedJudgments
from rankeval.ranking.qrels import Qrels
from rankeval.support.arrays import Booleans, Floats, Integers

PLACEHOLDER = b"ceci_nest_pas_un_docno"
"""Docno of the placeholder."""

CLEARED = frozenset({b"num_ret", b"utility", b"rbp_resid"})
CLEARED_PREFIX = b"unj"
CLEARED_TEXT = b"relstring"
"""Printed names whose values are 0, or empty, for such a topic; names with parameters differ."""


def with_placeholder(
    judged: RankedJudgments, qrels: Qrels, lacking: Booleans, topic: Integers
) -> RankedJudgments:
    """Retrieve the placeholder for the lacking topics; `topic` has their indices in the qrels.

    The placeholder may be judged, like any document.
    """
    retrieved = np.where(lacking, 1, judged.retrieved)
    docno = qrels.docnos.plain.get(PLACEHOLDER, -1)
    found = qrels.find(topic, np.full(len(topic), docno))
    new = np.flatnonzero(lacking & (found >= 0))
    ones = np.ones(len(new), dtype=np.int64)
    order = np.argsort(np.concatenate((judged.topic, new)), kind="stable")
    sizes = np.diff(judged.offsets) + np.bincount(new, minlength=len(judged))
    judgment = np.concatenate((judged.judgment, found[new]))[order]
    return replace(
        judged,
        retrieved=retrieved,
        offsets=np.concatenate(([0], np.cumsum(sizes))),
        rank=np.concatenate((judged.rank, ones))[order],
        grade=qrels.grade[judgment],
        judgment=judgment,
        score=np.concatenate((judged.score, ones.astype(float)))[order],
        tie_first=np.concatenate((judged.tie_first, ones))[order],
        tie_last=np.concatenate((judged.tie_last, ones))[order],
    )


def cleared(name: bytes, values: Floats | list[bytes], lacking: Booleans) -> Floats | list[bytes]:
    """Clear the values that the placeholder gave to lacking topics."""
    if isinstance(values, list):
        if name != CLEARED_TEXT:
            return values
        return [b"''" if gone else v for v, gone in zip(values, lacking.tolist(), strict=True)]
    if name in CLEARED or name.startswith(CLEARED_PREFIX):
        return np.where(lacking, 0.0, values)
    return values
