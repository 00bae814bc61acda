"""Precision at levels of recall by trec_eval's scan, and the levels of all retrieved documents."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from rankeval.ranking import Ideal, RankedJudgments

NAN = -float("nan")
"""Result of 0/0 in C; trec_eval prints its sign."""


def interpolated(relevant: Sequence[bool], n_found: int, needed: Sequence[int]) -> list[float]:
    """Return the interpolated precision at each number of documents needed.

    `relevant` marks the ranks treated as relevant; `n_found` counts the truly relevant ones.
    Values are assigned from the last to the first of `needed`, so one that is out of order
    delays those before it.
    """
    values = [0.0] * len(needed)
    pending = len(needed) - 1
    while pending >= 0 and needed[pending] > n_found:
        pending -= 1
    best = n_found / len(relevant) if relevant else NAN
    so_far = n_found
    for rank in range(len(relevant), 0, -1):
        if so_far <= 0:
            break
        best = max(best, so_far / rank)
        if relevant[rank - 1]:
            while pending >= 0 and needed[pending] == so_far:
                values[pending] = best
                pending -= 1
            so_far -= 1
    for waiting in range(pending + 1):
        values[waiting] = best
    return values


def precision_at(relevant: Sequence[bool], n_found: int, cutoffs: Sequence[int]) -> list[float]:
    """Return the precision at increasing cutoffs, counted back from the end of the ranking."""
    values = [0.0] * len(cutoffs)
    pending = len(cutoffs) - 1
    while pending >= 0 and cutoffs[pending] > len(relevant):
        values[pending] = n_found / cutoffs[pending]
        pending -= 1
    so_far = n_found
    for rank in range(len(relevant), 0, -1):
        if so_far <= 0:
            break
        while pending >= 0 and cutoffs[pending] == rank:
            values[pending] = so_far / rank
            pending -= 1
        so_far -= relevant[rank - 1]
    return values


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
