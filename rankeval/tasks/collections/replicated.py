"""The number of collections on which one system is shown to be better than another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rankeval.stats import replicability
from rankeval.stats.welch import EstimatedMean, macro_mean
from rankeval.support.arrays import Floats


class ShownOn(NamedTuple):
    """Numbers of collections: a system is better on so many or more, and worse likewise."""

    better: int
    worse: int


def shown_on(gains: Sequence[Sequence[Floats]], *, alpha: float) -> tuple[ShownOn, ...]:
    """Bound from below on how many collections a difference is there, for each pair of systems.

    Each collection gives a one-sided p-value of Student's t over its topics, Welch's over the
    topics of its parts. Partial conjunctions combine them by Fisher's method (`replicability`), in
    each direction at alpha / 2, so that with confidence 1 - alpha both numbers are right. This
    takes differences of topics that are nearly normal, and collections with topics of their own.

    Shapes: for each part of each collection the gains of topics by pairs, (n, p); gives p numbers.
    A part with fewer than two topics shows nothing.
    """
    n_pairs = gains[0][0].shape[1]
    found = [[_estimate([part[:, j] for part in parts]) for parts in gains] for j in range(n_pairs)]

    def at_least(sign: float, of_pair: Sequence[EstimatedMean | None]) -> int:
        p_values = [1.0 if one is None else _p_above(one, sign) for one in of_pair]
        return replicability(p_values, alpha=alpha / 2.0).at_least

    return tuple(ShownOn(at_least(1.0, of_pair), at_least(-1.0, of_pair)) for of_pair in found)


def _estimate(parts: Sequence[Floats]) -> EstimatedMean | None:
    """Return the mean over the parts of a collection; None if topics are too few for a variance."""
    defined = [part[~np.isnan(part)] for part in parts]
    if min(map(len, defined)) < 2:
        return None
    return macro_mean(defined, [1.0 / len(defined)] * len(defined))


def _p_above(one: EstimatedMean, sign: float) -> float:
    """Return the p-value of "the mean is at most 0", of the mean times `sign`."""
    return EstimatedMean(sign * one.mean, one.error, one.freedom).p_above(0.0)
