"""Bounds of a measure's value if the unjudged documents of a ranking were judged."""

from collections.abc import Callable, Mapping
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.base.frozen import frozen
from rankeval.ranking import RankedJudgments


@frozen(eq=False)
class Bounds:
    """Least and greatest value of each topic, shape (T,).

    `exact` is False where the bounds hold but perhaps no judging reaches them.
    """

    low: Floats
    high: Floats
    exact: bool = True


Compute = Callable[[RankedJudgments], Floats]
Parameters = Mapping[str, Any]
BoundsRule = Callable[[Compute, RankedJudgments, Parameters], Bounds | None]
"""From the measure's values, the judgments and the parameters; None where no rule is known."""


def top_grade(judged: RankedJudgments) -> float:
    """Return the highest grade that an unjudged document may have."""
    return max(judged.highest_grade, 1.0)


def extremes(values: Compute, judged: RankedJudgments, parameters: Parameters) -> Bounds | None:
    """Bound a measure that always rises, or always falls, with each document's grade.

    Unjudged documents count as grade 0, and documents below a cutoff do not count.
    """
    as_it_is = values(judged)
    best = judged.with_unjudged_as(top_grade(judged), within=parameters.get("cutoff"))
    at_best = values(best)
    return Bounds(np.minimum(as_it_is, at_best), np.maximum(as_it_is, at_best))


def pool(values: Compute, judged: RankedJudgments, _parameters: Parameters) -> Bounds | None:
    """Bound a measure of the judged documents alone that rises with each grade."""
    everything = judged.with_missed(top_grade(judged), np.diff(judged.unjudged[0]))
    return Bounds(values(judged), values(everything))


def within_and_below(
    values: Compute, judged: RankedJudgments, parameters: Parameters
) -> Bounds | None:
    """Bound a ratio of h(k) and a divisor that grows with R, such as recall at k.

    A relevant document within the cutoff raises the ratio, although R rises too; a relevant
    document below the cutoff lowers the ratio.
    """
    cutoff, grade = parameters["cutoff"], top_grade(judged)
    offsets, rank = judged.unjudged
    topic = np.repeat(np.arange(len(judged)), np.diff(offsets))
    below = np.bincount(topic[rank > cutoff], minlength=len(judged))
    return Bounds(
        values(judged.with_missed(grade, below)),
        values(judged.with_unjudged_as(grade, within=cutoff)),
    )


@frozen(eq=False)
class Unjudged:
    """The unjudged documents of all topics, U in all, from the top or from the bottom.

    For a measure that never falls when a relevant document moves up, the greatest value has the
    topmost unjudged documents relevant, for some number of them, and the least value has the
    bottommost ones relevant. So only U + 1 judgings of each kind need trying.

    ======= ============ ================================================================
    offsets (T+1,) int64 topic t has the documents offsets[t] to offsets[t+1]
    topic   (U,) int64   the topic of each
    rank    (U,) int64   the rank of each, increasing in a topic
    number  (U,) int64   the number of relevant documents with it, counted from the top: 1, 2, ...
    ======= ============ ================================================================
    """

    offsets: Integers
    topic: Integers
    rank: Integers
    number: Integers

    @classmethod
    def from_judgments(cls, judged: RankedJudgments, *, within: int | None = None) -> "Unjudged":
        """Find the unjudged documents of rankings, within the first ranks if `within` is given."""
        offsets, rank = judged.unjudged
        topic = np.repeat(np.arange(len(judged)), np.diff(offsets))
        if within is not None:
            topic, rank = topic[rank <= within], rank[rank <= within]
            offsets = np.searchsorted(topic, np.arange(len(judged) + 1))
        number = np.arange(len(rank)) - offsets[:-1][topic] + 1
        return cls(offsets, topic, rank, number)

    @property
    def from_bottom(self) -> Integers:
        """The number of relevant documents with each, counted from the bottom."""
        return np.diff(self.offsets)[self.topic] - self.number + 1

    def greatest(self, start: Floats, values: Floats) -> Floats:
        """Return the greatest of a topic's first value, shape (T,), and its others, shape (U,)."""
        found = start.copy()
        np.maximum.at(found, self.topic, values)
        return found

    def least(self, start: Floats, values: Floats) -> Floats:
        """Return the least of a topic's first value, shape (T,), and its others, shape (U,)."""
        found = start.copy()
        np.minimum.at(found, self.topic, values)
        return found


def rows_down_to(
    judged: RankedJudgments, chosen: Integers, topic: Integers, rank: Integers
) -> Integers:
    """Count the chosen rows of a topic down to a rank, for pairs of topic and rank."""
    width = max(int(judged.retrieved.max(initial=0)), int(rank.max(initial=0))) + 1
    keys = judged.topic[chosen] * width + judged.rank[chosen]
    return np.searchsorted(keys, topic * width + rank, side="right") - np.searchsorted(
        keys, topic * width
    )


MOST_JUDGINGS = 2_000
"""Largest number of judgings of a topic to try one by one for its greatest value."""


def normalised_gain_bounds(
    judged: RankedJudgments,
    value: Floats,
    best: Floats,
    gathered: Floats,
    worth: Floats,
    gains: Floats,
    *,
    cutoff: int | None,
    every_gain: bool,
) -> Bounds:
    """Bound gathered / ideal for each topic.

    ========== ===========================================================================
    value      (T,) the measure as it is
    best       (M,) gain of each judged document, best first
    gathered   (T,) discounted gain of the judged documents
    worth      what a gain counts at each rank, from rank 1 on, decreasing
    gains      what an unjudged document may turn out to be worth, increasing from 0
    every_gain False if values between these are possible, too
    ========== ===========================================================================

    The ideal is a maximum of linear functions of the gains, and so convex. Hence gains with at
    least a given value form a convex set, and the least value lies in a corner, where each
    unjudged document has gain 0 or the top gain. For a given number of top gains, giving them
    to the last documents lowers the value most. The greatest value need not lie in a corner:
    all gains that decrease from the top down are tried, while these are few; otherwise the
    greatest gain divided by the present ideal is the bound.

    Topics are taken one by one: their ideals have nothing in common.
    """
    offsets, ranks = judged.unjudged
    low, high = value.copy(), value.copy()
    exact = True
    for i in np.flatnonzero(np.diff(offsets)).tolist():
        ideal = best[judged.judged_offsets[i] : judged.judged_offsets[i + 1]][:cutoff]
        ideal = ideal[ideal > 0]
        rank = ranks[offsets[i] : offsets[i + 1]]
        depth = len(worth) if cutoff is None else min(cutoff, len(worth))
        counted = np.where(np.arange(len(worth)) < depth, worth, 0.0)
        weight = counted[rank - 1]
        bottom = np.append(0.0, np.cumsum(weight[::-1]))[: depth + 1] * gains[-1]
        ideals = _ideals_with(gains[-1], len(bottom) - 1, ideal, counted)
        low[i] = min(low[i], _least_ratio(gathered[i] + bottom, ideals))
        weight = weight[rank <= depth]
        if every_gain and comb(len(weight) + len(gains) - 1, len(gains) - 1) <= MOST_JUDGINGS:
            high[i] = max(high[i], _greatest(gathered[i], weight, ideal, counted, gains))
        else:
            most, as_it_is = gathered[i] + gains[-1] * weight.sum(), ideals[0]
            high[i] = max(high[i], min(1.0, most / as_it_is) if as_it_is > 0 else 1.0)
            exact = False
    return Bounds(low, high, exact)


def _ideals_with(top: float, most: int, ideal: Floats, worth: Floats) -> Floats:
    """Return the ideal gain with 0, 1, ..., `most` more documents of the top gain."""
    padded = np.append(worth, np.zeros(most + len(ideal)))
    shifted = np.lib.stride_tricks.sliding_window_view(padded, max(len(ideal), 1))[: most + 1]
    rest = shifted @ ideal if len(ideal) else np.zeros(most + 1)
    return rest + top * np.append(0.0, np.cumsum(padded[:most]))


def _least_ratio(gathered: Floats, ideals: Floats) -> float:
    ratios = np.divide(gathered, ideals, out=np.zeros_like(gathered), where=ideals > 0)
    return float(ratios.min())


def _greatest(
    gathered: float, weight: Floats, ideal: Floats, worth: Floats, gains: Floats
) -> float:
    """Return the greatest ratio over all gains that decrease from the top down."""
    if len(gains) == 2:  # all of them are above the rest, and need not be sorted
        top = gathered + gains[-1] * np.append(0.0, np.cumsum(weight))
        ideals = _ideals_with(gains[-1], len(weight), ideal, worth)
    else:
        judgings = _decreasing(len(weight), len(gains))
        given = gains[judgings]
        top = gathered + given @ weight
        every = np.concatenate((given, np.broadcast_to(ideal, (len(given), len(ideal)))), axis=1)
        every = -np.sort(-every, axis=1)[:, : len(worth)]
        ideals = every @ worth[: every.shape[1]]
    return float(np.divide(top, ideals, out=np.zeros_like(top), where=ideals > 0).max())


def _decreasing(length: int, n_gains: int) -> Integers:
    """Return all sequences of indices of gains that never increase, shape (C, length)."""
    every = list(combinations_with_replacement(range(n_gains - 1, -1, -1), length))
    return np.array(every, dtype=np.int64).reshape(len(every), length)
