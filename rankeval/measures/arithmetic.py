"""Logarithms as the C library takes them, grades on a scale, and expected values over ties.

A document of a group of equal scores has each of the group's ranks equally often (McSherry and
Najork, Computing information retrieval performance measures efficiently in the presence of tied
scores, ECIR 2008). Expected values over all orders are exact.
"""

import math
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Annotated, Any, Literal

import numpy as np

from rankeval.base.arrays import (
    Booleans,
    Floats,
    Grades,
    Integers,
    NDArray,
    accumulate,
    offsets_of,
    position,
)
from rankeval.errors import MeasureError
from rankeval.measures.facts import Meaning, Range
from rankeval.ranking import Ideal, RankedJudgments

MinRel = Annotated[int | float, Range(least=0), Meaning("grade of gain 0, and so are those below")]
MaxRel = Annotated[
    int | float | Literal["qrels"],
    Range(above=0),
    Meaning("grade of gain 1, and so are those above; 'qrels' takes the largest in the qrels file"),
]


def shifted(values: Floats, offsets: Integers, *, first: float) -> Floats:
    """Return the value of the row before in the topic, and `first` for a topic's first row."""
    before = np.concatenate(([first], values[:-1]))[: len(values)]
    before[offsets[:-1][np.diff(offsets) > 0]] = first
    return before


def scaled_gain(
    grade: Grades, judged: RankedJudgments, *, min_rel: float = 0, max_rel: float | str
) -> Floats:
    """Return (clip(g, min_rel, max_rel) - min_rel) / (max_rel - min_rel), from 0 to 1."""
    largest = judged.highest_grade if isinstance(max_rel, str) else max_rel
    if largest > min_rel:
        clipped: Floats = np.clip(grade, min_rel, largest).astype(float)
        return (clipped - min_rel) / (largest - min_rel)
    if isinstance(max_rel, str):
        return np.zeros(len(grade))
    raise MeasureError(
        f"max_rel={max_rel:g} is not above min_rel={min_rel:g}",
        expected="the lowest and the highest grade of the scale",
    )


def scale_is_exceeded(
    judged: RankedJudgments, *, max_rel: float | str | None, **_: object
) -> str | None:
    """Return a warning if grades are above the stated scale."""
    if max_rel is None or isinstance(max_rel, str) or judged.highest_grade <= max_rel:
        return None
    return (
        f"the largest grade in the qrels is {judged.highest_grade:g}: "
        f"grades above max_rel={max_rel:g} count as {max_rel:g}"
    )


def found(judged: RankedJudgments, *, rel: float, cutoff: int | None = None) -> Booleans:
    """Mark the rows that hold a relevant document, within the cutoff if there is one."""
    relevant = judged.grade >= rel
    return relevant if cutoff is None else relevant & (judged.rank <= cutoff)


def share(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    """Return part / whole per topic, and 0 where whole is not positive."""
    return np.divide(part, whole, out=np.zeros(whole.shape), where=whole > 0)


def share_of_relevant(part: NDArray[Any], judged: RankedJudgments, *, rel: float) -> Floats:
    """Return part / R per topic, where the part is 0 if R is."""
    return part / judged.ideal.once(_relevant_or_one, rel=rel)


def _relevant_or_one(ideal: Ideal, *, rel: float) -> Floats:
    return np.maximum(ideal.count(min_grade=rel), 1.0)


LOW = 1 << 16
"""Logarithms of smaller integers, such as ranks, are taken once and kept in a table."""

OfNumber = Callable[[float], float]


def log(values: NDArray[Any]) -> Floats:
    """Return natural logarithms; minus infinity for 0 and NaN below."""
    return _each(math.log, values)


def log2(values: NDArray[Any]) -> Floats:
    """Return logarithms to base 2; minus infinity for 0 and NaN below."""
    return _each(math.log2, values)


def _each(function: OfNumber, values: NDArray[Any]) -> Floats:
    if values.dtype == np.int64:
        # As unsigned integers, negative ones are large.
        greatest = int(values.view(np.uint64).max(initial=0))
        if greatest < LOW:
            return _table(function, greatest.bit_length())[values]
    distinct, which = np.unique(values, return_inverse=True)
    return _logarithms(function, distinct.tolist())[which].reshape(np.shape(values))


@lru_cache(maxsize=64)
def _table(function: OfNumber, bits: int) -> Floats:
    """Return the logarithms of all integers that have so many bits."""
    return _logarithms(function, range(1 << bits))


def _logarithms(function: OfNumber, values: Iterable[float]) -> Floats:
    return np.array(
        [function(v) if v > 0 else -math.inf if v == 0 else math.nan for v in values], dtype=float
    )


def row_sums(values: Floats) -> Floats:
    """Sum each row of a table, one value after the other."""
    return values.cumsum(axis=1)[:, -1] if values.shape[1] else np.zeros(len(values))


def counted_down(key: Integers, chosen: Booleans) -> Integers:
    """Count the chosen rows that have the key of each row, down to that row and with it."""
    together = np.argsort(key, kind="stable")
    ordered = key[together]
    running = np.append(0, np.cumsum(chosen[together]))
    count = np.empty(len(key), dtype=np.int64)
    count[together] = running[1:] - running[np.searchsorted(ordered, ordered)]
    return count


def earlier(key: Integers) -> Integers:
    """Count the earlier values that are equal to each value."""
    return counted_down(key, np.ones(len(key), dtype=bool)) - 1


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
    offsets = offsets_of(lengths)
    t = position(offsets)
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
