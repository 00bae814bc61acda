"""Plan topics for the paired t test, by testing topics drawn from those observed."""

import math

import numpy as np
import numpy.typing as npt

from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import NOISE, Floats, as_vector, require_fraction, require_power
from rankeval.stats.planning_search import (
    Draws,
    FirstGuess,
    Planned,
    TopicPool,
    fewest_topics,
    mean_and_error,
    normal_quantile,
    pool,
    share_met,
    smallest_effect,
    unbiased,
)


def topics_to_detect(
    differences: npt.ArrayLike,
    difference: float,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    seed: int = 0,
) -> Planned | None:
    r"""Return the fewest topics with which the paired t test detects a true difference.

    The observed differences, moved to the mean in question, are the population of topics. Samples
    of it are tested, two-sided: a sample detects the difference if the test rejects "no difference"
    and the sample's mean is on the side of the true one. The power is that on the harder of the two
    sides, because few large differences on one side make it harder to detect a difference to one
    side than to the other. `topics_needed` is the formula for normal differences.

    Shapes: differences (n,). The result has the number and the simulated power.

    Edge cases
        - NaN: the topic is left out.
        - Fewer than two topics, or all differ by the same: None, as their variance is unknown.
        - More than a million topics: None.
        - Difference 0 has no such number: UsageError. Its sign has no effect.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 25.

    >>> topics_to_detect([0.3, -0.1, 0.0, 0.1, -0.2, 0.2, 0.1], 0.1).value
    26
    """
    require_power(alpha, power)
    if not (math.isfinite(difference) and difference != 0.0):
        problem = f"the difference to be found is {difference}"
        raise UsageError(problem, expected="a number other than 0")
    gains = _spread(differences)
    if gains is None:
        return None
    topics = _topics(gains)
    effect = abs(difference)

    def power_of(n_topics: int) -> float:
        return _power(topics, effect, n_topics, alpha, seed)

    slope = effect / float(gains.std())
    root = (-normal_quantile(alpha / 2.0) + normal_quantile(power)) / slope
    return fewest_topics(power_of, power, FirstGuess(root, slope))


def simulated_power(
    differences: npt.ArrayLike,
    difference: float,
    n_topics: int,
    *,
    alpha: float = 0.05,
    seed: int = 0,
) -> float | None:
    """Return how often the paired t test of `n_topics` topics detects a true difference.

    Simulated as in `topics_to_detect`; `power_of_t` is the formula for normal differences.

    Shapes: differences (n,).

    Edge cases
        - NaN: the topic is left out.
        - Fewer than two topics, observed or planned, or all differ by the same: None.

    Source: as `topics_to_detect`.

    >>> round(simulated_power([0.3, -0.1, 0.0, 0.1, -0.2, 0.2, 0.1], 0.1, 26), 1)
    0.8
    """
    require_fraction(alpha, "alpha")
    gains = _spread(differences)
    if gains is None or n_topics < 2:
        return None
    return _power(_topics(gains), abs(difference), n_topics, alpha, seed)


def detectable_difference(
    differences: npt.ArrayLike,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    seed: int = 0,
) -> Planned | None:
    """Return the smallest true difference that as many topics as were observed detect by t.

    Simulated as in `topics_to_detect`; `smallest_difference` is the formula for normal differences.

    Shapes: differences (n,). The result has the difference, above 0, and the simulated power.

    Edge cases
        - NaN: the topic is left out.
        - Fewer than two topics, or all differ by the same: None.

    Source: as `topics_to_detect`.

    >>> found = detectable_difference([0.3, -0.1, 0.0, 0.1, -0.2, 0.2, 0.1])
    >>> round(found.value, 1)
    0.2
    """
    require_power(alpha, power)
    gains = _spread(differences)
    if gains is None:
        return None
    draws = _topics(gains).draw(gains.size, seed)
    sides = [smallest_effect(needed, draws, power) for needed in _needed(draws, alpha)]
    return max(sides, key=lambda found: found.value)


def _spread(differences: npt.ArrayLike) -> Floats | None:
    """Return the differences around a mean of 0; None if they do not vary."""
    found = as_vector(differences, "differences")
    found = found[~np.isnan(found)]
    return unbiased(found) if found.size > 1 and float(np.ptp(found)) > NOISE else None


def _topics(gains: Floats) -> TopicPool:
    return pool(gains, np.ones_like(gains), gains != 0.0)


def _power(topics: TopicPool, effect: float, n_topics: int, alpha: float, seed: int) -> float:
    """Return how often `n_topics` topics detect a true effect, on the side where it is rarer."""
    draws = topics.draw(n_topics, seed)
    weights = draws.sample_weights
    return min(share_met(needed < effect, weights) for needed in _needed(draws, alpha))


def _needed(draws: Draws, alpha: float) -> tuple[Floats, Floats]:
    r"""Return the true gain, and the true loss, from which on each sample shows it.

    A sample whose gains around the true mean :math:`\mu` have mean g and deviation s shows a gain
    if :math:`\mu + g > t_{1-\alpha/2,\,n-1}\, s / \sqrt n`, and a loss if
    :math:`-\mu - g` is above it.
    """
    from scipy.special import stdtrit

    gains, n_topics = draws.population.gains, draws.n_topics
    mean, error = mean_and_error(draws.added(np.stack((gains, gains**2), axis=1)), n_topics)
    reach = -float(stdtrit(n_topics - 1, alpha / 2.0)) * error
    return reach - mean, reach + mean
