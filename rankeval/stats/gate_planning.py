"""Plan the number of topics for a gate's verdict, not only for one of its tests."""

import math
from collections.abc import Callable

import numpy as np

from rankeval.stats.arrays import NOISE, Floats
from rankeval.stats.betting import LARGEST_STAKE, stakes
from rankeval.stats.bounds import LEAST_TOPICS, Bound, Drop
from rankeval.stats.differences import standard_deviation
from rankeval.stats.power import MAX_TOPICS, power_of_t

NODES, NODE_WEIGHTS = np.polynomial.hermite_e.hermegauss(40)
NODE_WEIGHTS = NODE_WEIGHTS / NODE_WEIGHTS.sum()
FARTHEST = 8.0
"""Standard deviations beyond which a power is 0 or 1."""


def topics_to_clear(
    drop: Drop,
    limit: float,
    *,
    alpha: float,
    power: float,
    bound: Bound,
    two_sided: bool = False,
) -> int | None:
    r"""Return the topics with which an equal candidate is called "not worse" with this power.

    The excess over the limit is assumed to have the observed spread, around the mean of an equal
    candidate. For t the power is that of the noncentral t distribution. For bets the logarithm of
    the capital of each stake is a sum over topics; with the mean mu_j and the standard deviation
    sigma_j of its terms the power is Phi(z) with

    .. math:: \ln \sum_j w_j \exp \bigl(n \mu_j - z \sqrt n\, \sigma_j \bigr) = \ln (1 / \alpha)

    because the sums are nearly normal and rise and fall together. Two-sided, the candidate is to be
    called equivalent, which it is not if either of the two tests fails. Their excesses are spread
    differently if the limit is relative; the probabilities of failing are added.

    Edge cases
        - Limit 0, fewer than two topics, or for t no spread: None.
        - More than a million topics: None.

    Source: for t as `topics_needed`; for bets the central limit theorem.
    """
    sides = [(drop.excess(limit), -drop.least(limit))]
    if two_sided:
        sides.append((0.0 - drop.excess(-limit), -drop.least_shortfall(-limit)))
    n_topics = drop.gains.size
    centre = limit * float(drop.allowance.mean()) if n_topics else 0.0
    if n_topics < 2 or centre <= NOISE:
        return None
    powers: list[list[Callable[[int], float]]] = []
    for excess, loss in sides:
        ways: list[Callable[[int], float]] = []
        if bound is not Bound.BETTING:
            deviation = standard_deviation(excess)
            if not deviation:
                return None
            ways.append(_power_of_t(centre, deviation, alpha))
        if bound is not Bound.STUDENT_T:
            ways.append(_power_of_bets(excess, centre, loss, alpha))
        powers.append(ways)

    def enough(n_topics: int) -> bool:
        failing = (1.0 - min(way(n_topics) for way in ways) for ways in powers)
        return sum(failing) <= 1.0 - power

    return _smallest(enough)


def power_of_worse(
    n_topics: int, difference: float, deviation: float, *, limit: float, alpha: float
) -> float:
    r"""Return the probability that a candidate with this true drop is called "worse".

    .. math:: \Pr \Bigl(D > L \text{ and } \frac{D \sqrt n}{s} > t_{1-\alpha,\,n-1}\Bigr)
        = \mathrm{E}_s\, \Phi \Bigl(\frac{\sqrt n}{\sigma}
        \bigl(\delta - \max(L,\, t s / \sqrt n)\bigr)\Bigr)

    for normal differences: their mean D and deviation s are independent. `alpha` is that of the
    family: a share of it for each measure that is judged.

    Edge cases
        - Fewer than two topics: 0.0. Deviation 0: whether the drop is above the limit.

    >>> round(power_of_worse(50, 0.05, 0.1, limit=0.05, alpha=0.05), 3)  # a coin toss
    0.5
    """
    if n_topics < 2:
        return 0.0
    if deviation == 0.0:
        return float(difference > limit)
    from scipy.special import ndtr, stdtrit

    degrees, root = n_topics - 1, math.sqrt(n_topics)
    if limit == 0.0:
        return power_of_t(n_topics, difference, deviation, alpha=alpha, alternative="greater")
    # Wilson and Hilferty (1931): the cube root of a chi square over its degrees is nearly normal.
    cube = 1.0 - 2.0 / (9.0 * degrees) + NODES * math.sqrt(2.0 / (9.0 * degrees))
    seen = deviation * np.sqrt(np.maximum(cube, 0.0) ** 3)
    needed = np.maximum(limit, float(stdtrit(degrees, 1.0 - alpha)) * seen / root)
    return float(NODE_WEIGHTS @ ndtr((difference - needed) * root / deviation))


def topics_to_show(
    difference: float, deviation: float, *, limit: float, alpha: float, power: float
) -> int | None:
    """Return the topics with which a candidate of this true drop is called "worse" with this power.

    None where the drop is not above the limit: for a true drop equal to the limit, half of all
    samples show a larger one, with any number of topics.
    """
    if difference <= limit + NOISE or deviation == 0.0:
        return None

    def enough(n_topics: int) -> bool:
        found = power_of_worse(n_topics, difference, deviation, limit=limit, alpha=alpha)
        return found >= power

    return _smallest(enough)


def smallest_drop(
    n_topics: int, deviation: float, *, limit: float, alpha: float, power: float
) -> float | None:
    """Return the smallest true drop called "worse" with this power; see power_of_worse.

    None with fewer than two topics, or if all differences are equal.
    """
    if n_topics < 2 or deviation == 0.0:
        return None
    from scipy.optimize import brentq

    def lacking(difference: float) -> float:
        found = power_of_worse(n_topics, difference, deviation, limit=limit, alpha=alpha)
        return found - power

    low, high = limit, limit + deviation
    while lacking(high) < 0.0:
        low, high = high, 2.0 * high
    return float(brentq(lacking, low, high, xtol=1e-9 + 1e-6 * deviation))


def _power_of_t(centre: float, deviation: float, alpha: float) -> Callable[[int], float]:
    """Return the power of t for a number of topics."""

    def power(n_topics: int) -> float:
        if n_topics < LEAST_TOPICS:
            return 0.0
        return power_of_t(n_topics, centre, deviation, alpha=alpha, alternative="greater")

    return power


def _power_of_bets(
    excess: Floats, centre: float, loss: float, alpha: float
) -> Callable[[int], float]:
    """Return the power of bets for a number of topics."""
    from scipy.optimize import brentq
    from scipy.special import ndtr

    if loss <= 0.0:  # no candidate can reach this limit
        return lambda n_topics: float(n_topics >= 2)
    spread = (excess - excess.mean()) * math.sqrt(excess.size / (excess.size - 1))
    shares, _ = stakes(2 * MAX_TOPICS)
    factors = 1.0 + shares[:, None] * (spread + centre) / loss
    growth = np.log(np.maximum(factors, 1.0 - LARGEST_STAKE))
    mean, deviation = growth.mean(axis=1), growth.std(axis=1)
    needed = -math.log(alpha)

    def power(n_topics: int) -> float:
        _, weights = stakes(n_topics)
        levels = len(weights)

        def surplus(z: float) -> float:
            sums = n_topics * mean[:levels] - z * math.sqrt(n_topics) * deviation[:levels]
            top = float(sums.max())
            return top + math.log(float(weights @ np.exp(sums - top))) - needed

        if surplus(-FARTHEST) <= 0.0 or surplus(FARTHEST) >= 0.0:
            return float(surplus(0.0) >= 0.0)
        return float(ndtr(brentq(surplus, -FARTHEST, FARTHEST)))

    return power


def _smallest(enough: Callable[[int], bool]) -> int | None:
    """Return the smallest number of topics that is enough, if all larger numbers are too."""
    high = 2
    while not enough(high):
        high *= 2
        if high > 2 * MAX_TOPICS:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high if high <= MAX_TOPICS else None
