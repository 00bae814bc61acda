"""What is expected where equal scores leave the order open: the mean over all their orders.

A document of a group of equal scores has each of the group's ranks equally often, as McSherry and
Najork have it (Computing information retrieval performance measures efficiently in the presence
of tied scores, ECIR 2008). All functions here are exact.
"""

from collections.abc import Callable

import numpy as np

from rankeval.errors import MeasureError
from rankeval.judgments import RankedJudgments
from rankeval.support.arrays import Booleans, Floats, Integers, accumulate, shifted

WeightOfRank = Callable[[Integers], Floats]
"""What a rank weighs, for an array of ranks."""


def no_closed_form(what: str, instead: str) -> MeasureError:
    """Say that something has no exact mean over all orders, and what to ask for instead."""
    return MeasureError(
        f"{what} has no closed form of its mean over all orders of equal scores",
        remedy=f"{instead}, or break ties by another rule",
    )


def share_within(judged: RankedJudgments, cutoff: Integers | int) -> Floats:
    """The share of its possible ranks that each row has within the cutoff, shape (N,).

    The cutoff is one for all rows, or one per row.
    """
    size = judged.tie_last - judged.tie_first + 1
    return np.clip(cutoff - judged.tie_first + 1, 0, size) / size


def mean_weight(judged: RankedJudgments, weight: WeightOfRank, cutoff: int | None = None) -> Floats:
    """The mean weight of each row's possible ranks, those below the cutoff 0, shape (N,)."""
    ranks = np.arange(1, judged.tie_last.max(initial=0) + 1)
    weights = weight(ranks)
    down_to = np.concatenate(([0.0], np.cumsum(weights)))
    last = judged.tie_last if cutoff is None else np.minimum(judged.tie_last, cutoff)
    above = judged.tie_first - 1
    size = judged.tie_last - above
    mean = (down_to[np.maximum(last, above)] - down_to[above]) / size
    # One possible rank has its weight and not a difference of sums.
    return np.where((size == 1) & (last > above), weights[above], mean)


def expected_precision_sum(
    judged: RankedJudgments, relevant: Booleans, cutoff: int | None
) -> Floats:
    """The expected sum of the precision at the ranks of the relevant documents, shape (T,).

    At rank i, in a group of m with r relevant documents that begins after a ranks with c: a
    relevant document that stands there has the expected precision
    (c + 1 + (i-a-1)·(r-1)/(m-1)) / i, which is x/i + y with the x and y below.
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
    """The expected weight of the rank of the first relevant document, shape (T,).

    It stands in the first group that has one. After t ranks of the group none was relevant with
    the probability Π_{j<t} (m-r-j)/(m-j), and then the next one is with r/(m-t).
    """
    first = np.flatnonzero(relevant & (judged.cumulative_count(relevant) == 1))
    group, start = judged.tie_groups
    r = np.bincount(group, weights=relevant, minlength=len(start))[group[first]].astype(np.int64)
    m = (judged.tie_last - judged.tie_first + 1)[first]
    lengths = m - r + 1  # places that may be the first relevant document's
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
