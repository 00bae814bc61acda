"""Power of the paired t test, and the topics that a comparison or a gate needs."""

import math
from statistics import NormalDist

import numpy as np

from rankeval.base.checked import checked
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import NOISE, Floats, require_fraction, require_power
from rankeval.stats.choices import Bound
from rankeval.stats.confidence_bounds import (
    LARGEST_STAKE,
    LEAST_CHANGED,
    LEAST_TOPICS,
    Drop,
    stakes,
)
from rankeval.stats.mean_tests import t_quantile

# No collection has more topics, so larger numbers would not help an experimenter.
MAX_TOPICS = 1_000_000
NORMAL_IS_NOTHING = 1e4


@checked
def power_of_t(
    n_topics: int,
    difference: float,
    standard_deviation: float,
    *,
    alpha: float = 0.05,
) -> float:
    r"""Return the probability that the paired t test rejects "no difference", given the true one.

    .. math:: \Pr(|T| \ge t_{1-\alpha/2,\,n-1}), \qquad
        T \sim \text{noncentral } t\bigl(n-1,\ \sqrt n\, \mathit{difference} / \sigma_d\bigr)

    No normal approximation is made. The variance of the differences is taken as known: an
    estimate from a pilot carries its error over.

    Edge cases
        - Fewer than two topics: 0.0, the test never rejects.
        - Standard deviation 0: 1.0, but 0.0 for a difference of 0.

    Source: Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988; Sakai, "Topic set
    size design", Information Retrieval Journal 19(3), 2016.
    """
    require_fraction(alpha, "alpha")
    _require_deviation(standard_deviation)
    if n_topics < 2 or standard_deviation == 0.0:
        return float(n_topics >= 2 and difference != 0.0)
    return _power(n_topics, difference / standard_deviation, alpha)


@checked
def topics_needed(
    difference: float,
    standard_deviation: float,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
) -> int | None:
    r"""Return the smallest number of topics with which the paired t test has this power.

    .. math::
        \min \{ n \ge 2 :
            \mathrm{power}(n, \mathit{difference}, \sigma_d, \alpha) \ge \mathit{power} \}

    found by bisection on the exact power, which grows with n. `difference` is the smallest one
    worth finding. Its sign has no effect.

    Edge cases
        - Standard deviation 0: 2 topics, the fewest that have a t test.
        - Difference 0 has no such number: UsageError.
        - More than a million topics: None.

    Source: Sakai, "Topic set size design", Information Retrieval Journal 19(3), 2016, in its
    variant for the t test, whose closed form this search replaces.
    """
    require_power(alpha, power)
    _require_deviation(standard_deviation)
    if not (math.isfinite(difference) and difference != 0.0):
        problem = f"the difference to be found is {difference}"
        raise UsageError(problem, expected="a number other than 0")
    if standard_deviation == 0.0:
        return 2
    effect = abs(difference) / standard_deviation

    def enough(n_topics: int) -> bool:
        return _power(n_topics, effect, alpha) >= power

    high = 2
    while not enough(high):
        high *= 2
        if high > 2 * MAX_TOPICS:
            return None
    low = high // 2  # not enough, or 1, which never is
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high if high <= MAX_TOPICS else None


@checked
def smallest_difference(
    n_topics: int,
    standard_deviation: float,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
) -> float | None:
    r"""Return the smallest true difference that this many topics show with this power.

    .. math:: \min \{ \delta > 0 : \mathrm{power}(n, \delta, \sigma_d, \alpha) \ge \mathit{power} \}

    Edge cases
        - Fewer than two topics: None, they show no difference.
        - Standard deviation 0: 0.0, any difference shows.

    Source: as `topics_needed`, solved for the difference.
    """
    require_power(alpha, power)
    _require_deviation(standard_deviation)
    if n_topics < 2:
        return None
    if standard_deviation == 0.0:
        return 0.0
    from scipy.optimize import brentq

    def lacking(effect: float) -> float:
        return _power(n_topics, effect, alpha) - power

    high = 1.0
    while lacking(high) < 0.0:
        high *= 2.0
    return float(brentq(lacking, 0.0, high, xtol=1e-12)) * standard_deviation


def _power(n_topics: int, effect: float, alpha: float) -> float:
    degrees = n_topics - 1
    noncentrality = effect * math.sqrt(n_topics)
    critical = -t_quantile(degrees, alpha / 2.0)
    # The lower tail is the mirrored upper one, which scipy computes where the lower one fails.
    upper = _upper_tail(critical, degrees, noncentrality)
    return min(1.0, upper + _upper_tail(critical, degrees, -noncentrality))


def _upper_tail(critical: float, degrees: int, noncentrality: float) -> float:
    """Return P(T > critical) of a noncentral t.

    T = (Z + noncentrality) / U with U the root of a chi square over its degrees of freedom. Above a
    noncentrality of 10,000 the normal Z is negligible and only the distribution of U counts;
    scipy's series does not always converge there.
    """
    if abs(noncentrality) > NORMAL_IS_NOTHING:
        from scipy.special import gammainc

        if critical <= 0.0 or noncentrality < 0.0:
            return float(noncentrality > 0.0)
        ratio = min(noncentrality / critical, NORMAL_IS_NOTHING)
        return float(gammainc(degrees / 2.0, degrees / 2.0 * ratio**2))
    from scipy.stats import nct

    return float(nct.sf(critical, degrees, noncentrality))


def _require_deviation(standard_deviation: float) -> None:
    if not (math.isfinite(standard_deviation) and standard_deviation >= 0.0):
        problem = f"the standard deviation is {standard_deviation}"
        raise UsageError(problem, expected="a finite number of at least 0")


def topics_to_clear(
    drop: Drop, limit: float, *, alpha: float, power: float, bound: Bound, two_sided: bool = False
) -> int | None:
    r"""Return about how many topics call an equal candidate "not worse" with a power.

    .. math:: t: n = \left(\frac{t_{1-\alpha,n-1} + z_p}{\bar x / s}\right)^2 \qquad
        \text{betting}: n \bar g_j - z_p \sqrt n \, s_j = -\ln(\alpha w_j)
        \text{ for the best stake } j

    with x the part of the limit that is left of each topic if the candidate were equal, and g_j the
    logarithm of what a bet of the stake j with the weight w_j wins on a topic. Two-sided, both
    bounds are to be within the margin, so that each has half of the risk of missing.

    Edge cases: limit 0, fewer than two topics, no spread for t, over a million topics: None.

    Source: Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988, chapter 2; for the
    bets see `log_capital`.
    """
    if drop.gains.size < 2 or limit * float(drop.allowance.mean()) <= NOISE:
        return None
    centred = drop.gains - drop.gains.mean()
    equal = centred * math.sqrt(centred.size / (centred.size - 1))  # with the unbiased variance
    reach = _normal_quantile((1.0 + power) / 2.0 if two_sided else power)
    losses = [(1.0, -drop.least(limit)), (-1.0, -drop.least_shortfall(-limit))]
    needed = [
        _topics_of_bets((sign * equal + limit * drop.allowance) / max(loss, NOISE), alpha, reach)
        if bound is Bound.BETTING
        else _topics_of_t(sign * equal + limit * drop.allowance, alpha, reach, drop.n_changed)
        for sign, loss in losses[: 1 + two_sided]
    ]
    found = max(needed)
    return math.ceil(found) if found <= MAX_TOPICS else None


def _topics_of_t(values: Floats, alpha: float, reach: float, n_changed: int) -> float:
    """Solve for t, which takes some topics, and some that differ."""
    deviation = float(values.std())
    if deviation <= NOISE:
        return math.inf
    effect, topics = float(values.mean()) / deviation, math.inf
    critical = -_normal_quantile(alpha)
    for _ in range(3):  # the quantile of t depends on the number of topics, a little
        topics = ((critical + reach) / effect) ** 2
        critical = -t_quantile(max(topics, 2.0) - 1.0, alpha)
    changed = LEAST_CHANGED + max(reach, 0.0) * math.sqrt(LEAST_CHANGED)
    return max(topics, float(LEAST_TOPICS), changed * values.size / max(n_changed, 1))


def _topics_of_bets(units: Floats, alpha: float, reach: float) -> float:
    """Solve for the best stake; the stakes depend on the number of topics, a little."""
    topics = float(units.size)
    for _ in range(4):
        shares, weights = stakes(min(max(2, round(topics)), MAX_TOPICS))
        growth = np.log(np.maximum(1.0 + np.outer(units, shares), 1.0 - LARGEST_STAKE))
        rising, spread = np.maximum(growth.mean(axis=0), NOISE), growth.std(axis=0)
        falling = reach * spread
        roots = (falling + np.sqrt(falling**2 - 4.0 * rising * np.log(alpha * weights))) / (
            2.0 * rising
        )
        topics = float(roots.min()) ** 2
    return max(topics, 2.0)


def _normal_quantile(probability: float) -> float:
    return NormalDist().inv_cdf(probability)
