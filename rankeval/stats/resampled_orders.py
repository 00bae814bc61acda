"""Intervals over topics of how far two kinds of values put systems in the same order."""

import numpy as np
import numpy.typing as npt

from rankeval.base.arrays import Integers
from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import Floats, as_columns, require_count, require_fraction
from rankeval.stats.resampling import sample_weights

SAMPLES = 2_000
PERSISTENCE = 0.9
"""p of rank-biased overlap."""
DIGITS = 12
"""Digits by which means may differ where they are equal but for rounding."""
CELLS = 1 << 21
"""Numbers of one block of samples at most, so that memory does not grow with their number."""

Interval = tuple[float, float]


@frozen
class OrderIntervals:
    """Intervals of Kendall's tau, of tau-AP with the first order as the true one, and of RBO.

    Each is (low, high), or None where it is not defined.
    """

    tau: Interval | None = None
    tau_ap: Interval | None = None
    rbo: Interval | None = None


@checked
def order_intervals(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    level: float = 0.95,
    samples: int = SAMPLES,
    seed: int = 0,
) -> OrderIntervals:
    r"""Bound the agreement of two orders of systems, by resampling topics.

    Each bootstrap sample draws topics with replacement, orders the systems by their means of both
    kinds over these topics, and compares the two orders as `order_agreement` does. An interval has
    the quantiles (1 - level)/2 and (1 + level)/2 of the samples.

    It says what other topics of the same kind would show. Systems that are close change places from
    sample to sample, so that samples agree less than the means over infinitely many topics would.

    Shapes: two arrays (n, S), the same topics in rows and systems in columns, more being better.

    Edge cases
        - NaN, as for a topic without a value: not in that mean. Samples in which a system has no
          value are left out.
        - Fewer than two topics, or two systems: all None.
        - Samples in which all systems are tied on one side: not counted for tau-AP.

    Source: Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13; for the
    numbers see `order_agreement`.

    >>> people = [[0.5, 0.4, 0.1], [0.6, 0.2, 0.1], [0.7, 0.3, 0.2]]
    >>> model = [[0.6, 0.5, 0.1], [0.6, 0.3, 0.1], [0.9, 0.3, 0.2]]
    >>> order_intervals(people, model).tau
    (1.0, 1.0)
    """
    level = require_fraction(level, "level")
    require_count(samples, "samples")
    one, other = as_columns(first, "first"), as_columns(second, "second")
    if one.shape != other.shape:
        raise UsageError(
            f"found values of shapes {one.shape} and {other.shape}",
            expected="the same topics and systems on both sides",
        )
    n_topics, n_systems = one.shape
    if n_topics < 2 or n_systems < 2:
        return OrderIntervals()
    found = np.concatenate(
        [
            _agreements(*(_means(part, values) for values in (one, other)))
            for weights in sample_weights(n_topics, samples, seed)
            for part in np.array_split(weights, max(1, weights.shape[0] * n_systems**2 // CELLS))
        ]
    )
    return OrderIntervals(*(_interval(column, level) for column in found.T))


def _means(weights: Floats, values: Floats) -> Floats:
    """Return the means of each sample, (samples, systems); NaN for a system without a value."""
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        means = weights @ np.where(known, values, 0.0) / (weights @ known)
    return np.asarray(means.round(DIGITS))


def _agreements(one: Floats, other: Floats) -> Floats:
    """Return tau, tau-AP and RBO of each sample, (samples, 3); NaN where one is not defined."""
    whole = ~(np.isnan(one) | np.isnan(other)).any(axis=1)
    one, other = one[whole], other[whole]
    found = np.stack([_taus(one, other), _taus_ap(one, other), _overlaps(one, other)], axis=1)
    tied = (np.ptp(one, axis=1) == 0) | (np.ptp(other, axis=1) == 0)
    found[tied, 1] = np.nan
    return found


def _signs(values: Floats) -> Floats:
    """Return 1 where the row's system is better than the column's, -1 where it is worse."""
    return np.sign(values[:, :, np.newaxis] - values[:, np.newaxis])


def _taus(one: Floats, other: Floats) -> Floats:
    n_systems = one.shape[1]
    same = np.einsum("sij,sij->s", _signs(one), _signs(other))
    return np.asarray(same / (n_systems * (n_systems - 1)))


def _taus_ap(one: Floats, other: Floats) -> Floats:
    """Return tau-AP with the order by `one` as the true one; ties are as in `order_agreement`."""
    true, place = _places(one, other), _places(other, one)
    above = (place[:, np.newaxis] < place[:, :, np.newaxis]) & (
        true[:, np.newaxis] < true[:, :, np.newaxis]
    )
    shares = above.sum(axis=2) / np.maximum(place, 1)
    return np.asarray(2.0 * shares.sum(axis=1) / (one.shape[1] - 1) - 1.0)


def _places(values: Floats, among_ties: Floats) -> Integers:
    """Return the place of each system from 0, the best first."""
    order = np.lexsort((-among_ties, -values), axis=-1)
    return np.argsort(order, axis=1)


def _overlaps(one: Floats, other: Floats) -> Floats:
    """Return rank-biased overlap of rankings of the same systems, ties shared; see `rbo`."""
    depth = np.arange(1.0, one.shape[1] + 1.0)
    common = np.einsum("sid,sid->sd", _shares_seen(one), _shares_seen(other))
    p = PERSISTENCE
    return np.asarray((1.0 - p) / p * (common / depth @ p**depth) + p ** one.shape[1])


def _shares_seen(values: Floats) -> Floats:
    """Return the share of each system that is seen down to each rank, (samples, systems, ranks)."""
    better = (_signs(values) < 0).sum(axis=2)[:, :, np.newaxis]
    tied = (_signs(values) == 0).sum(axis=2)[:, :, np.newaxis]
    return np.clip((np.arange(1, values.shape[1] + 1) - better) / tied, 0.0, 1.0)


def _interval(values: Floats, level: float) -> Interval | None:
    values = values[~np.isnan(values)]
    if not values.size:
        return None
    low, high = np.quantile(values, [(1.0 - level) / 2.0, (1.0 + level) / 2.0]).tolist()
    return low, high
