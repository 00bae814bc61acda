"""Expected values over all orders of documents with equal scores.

A document of a group of equal scores has each of the group's ranks equally often (McSherry and
Najork, Computing information retrieval performance measures efficiently in the presence of tied
scores, ECIR 2008). All functions here are exact.
"""

from collections.abc import Callable

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers, accumulate, shifted
from rankeval.errors import MeasureError
from rankeval.ranking import RankedJudgments

WeightOfRank = Callable[[Integers], Floats]
"""From an array of ranks to their weights."""


def no_closed_form(what: str, instead: str) -> MeasureError:
    """Return the error for a value without an exact mean over all orders, with an alternative."""
    return MeasureError(
        f"{what} has no closed form of its mean over all orders of equal scores",
        remedy=f"{instead}, or break ties by another rule",
    )


def share_within(judged: RankedJudgments, cutoff: Integers | int) -> Floats:
    """Return the share of each row's possible ranks within the cutoff, shape (N,).

    The cutoff is one for all rows, or one per row.
    """
    size = judged.tie_last - judged.tie_first + 1
    return np.clip(cutoff - judged.tie_first + 1, 0, size) / size


def mean_weight(judged: RankedJudgments, weight: WeightOfRank, cutoff: int | None = None) -> Floats:
    """Return the mean weight of each row's possible ranks, 0 below the cutoff, shape (N,)."""
    ranks = np.arange(1, judged.tie_last.max(initial=0) + 1)
    weights = weight(ranks)
    down_to = np.concatenate(([0.0], np.cumsum(weights)))
    last = judged.tie_last if cutoff is None else np.minimum(judged.tie_last, cutoff)
    above = judged.tie_first - 1
    size = judged.tie_last - above
    mean = (down_to[np.maximum(last, above)] - down_to[above]) / size
    # With one possible rank take its weight, not a rounded difference of sums.
    return np.where((size == 1) & (last > above), weights[above], mean)


def expected_precision_sum(
    judged: RankedJudgments, relevant: Booleans, cutoff: int | None
) -> Floats:
    """Return the expected sum of the precisions at the relevant documents' ranks, shape (T,).

    Take a group of m documents, r of them relevant, below a documents with c relevant ones. A
    relevant document of the group at rank i has the expected precision (c + 1 +
    (i-a-1)·(r-1)/(m-1)) / i, which is x/i + y with the x and y below.
    """
    group, start = judged.tie_groups
    n_relevant = np.bincount(group, weights=relevant, minlength=len(start))[group]
    before = (judged.cumulative_count(relevant) - relevant)[start][group]
    above = judged.tie_first - 1
    others = np.maximum(judged.tie_last - judged.tie_first, 1)
    y = np.where(judged.tie_last > judged.tie_first, (n_relevant - 1) / others, 0.0)
    x = before + 1 - (above + 1) * y
    gathered = x * mean_weight(judged, lambda rank: 1.0 / rank, cutoff)
    within = 1.0 if cutoff is None else share_within(judged, cutoff)
    return judged.sum_per_topic(np.where(relevant, gathered + y * within, 0.0))


def expected_at_first(
    judged: RankedJudgments, relevant: Booleans, weight: WeightOfRank, cutoff: int | None
) -> Floats:
    """Return the expected weight of the rank of the first relevant document, shape (T,).

    That document is in the first group with a relevant one. The first t ranks of the group have
    none with probability Π_{j<t} (m-r-j)/(m-j), and then the next rank has one with r/(m-t).
    """
    first = np.flatnonzero(relevant & (judged.cumulative_count(relevant) == 1))
    group, start = judged.tie_groups
    r = np.bincount(group, weights=relevant, minlength=len(start))[group[first]].astype(np.int64)
    m = (judged.tie_last - judged.tie_first + 1)[first]
    lengths = m - r + 1  # possible ranks of the first relevant document
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    t = np.arange(offsets[-1]) - np.repeat(offsets[:-1], lengths)
    r, m = np.repeat(r, lengths), np.repeat(m, lengths)
    none_before = shifted(
        accumulate(np.multiply, (m - r - t) / (m - t), offsets), offsets, first=1.0
    )
    rank = np.repeat(judged.tie_first[first], lengths) + t
    terms = none_before * r / (m - t) * weight(rank)
    if cutoff is not None:
        terms *= rank <= cutoff
    topic = np.repeat(judged.topic[first], lengths)
    expected: Floats = np.bincount(topic, weights=terms, minlength=len(judged)).astype(float)
    return expected
