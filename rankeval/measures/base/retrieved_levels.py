"""The levels of all retrieved documents, judged or not, as trec_eval has them."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from rankeval.ranking import Ideal, RankedJudgments

UNJUDGED = -1
"""The level of a retrieved document that the qrels do not name."""


POOLED = -2
"""The level of a retrieved document whose level in the qrels is negative."""


def levels_by_rank(judged: RankedJudgments) -> list[list[int]]:
    """Return the levels of all retrieved documents of each topic, in rank order."""
    dense = with_unjudged_rows(judged)
    levels, bounds = dense.grade.tolist(), dense.offsets.tolist()
    return [levels[a:b] for a, b in pairwise(bounds)]


def with_unjudged_rows(judged: RankedJudgments) -> RankedJudgments:
    """Give every retrieved document a row, unjudged ones with the levels trec_eval has for them.

    Documents with negative levels leave the ideal ranking, because they are never relevant.
    """
    offsets = np.concatenate(([0], np.cumsum(judged.retrieved)))
    rank = np.arange(offsets[-1]) - np.repeat(offsets[:-1], judged.retrieved) + 1
    place = offsets[:-1][judged.topic] + judged.rank - 1
    grade = np.full(len(rank), UNJUDGED)
    grade[place] = np.where(judged.grade < 0, POOLED, judged.grade)
    counted = judged.judged_grade >= 0
    sizes = np.bincount(judged.judged_topic[counted], minlength=len(judged))
    nothing = np.full(len(rank), -1)
    return replace(
        judged,
        offsets=offsets,
        rank=rank,
        grade=grade,
        judgment=nothing,
        score=nothing.astype(float),
        tie_first=rank,
        tie_last=rank,
        ideal=Ideal(np.concatenate(([0], np.cumsum(sizes))), judged.judged_grade[counted]),
    )
