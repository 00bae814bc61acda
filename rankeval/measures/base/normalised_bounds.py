"""Bounds of normalised gains, whose numerator and ideal both change with more judgments."""

from itertools import combinations_with_replacement
from math import comb

import numpy as np

from rankeval.measures.base.bounds import Bounds
from rankeval.ranking import RankedJudgments
from rankeval.support.arrays import Floats, Integers

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
