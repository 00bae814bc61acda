"""Power of the paired t test, and the topics that a comparison needs."""

import math

from rankeval.base.checked import checked
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import require_fraction, require_power
from rankeval.stats.paired import Alternative
from rankeval.stats.students_distribution import t_quantile

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
    alternative: Alternative | str = Alternative.TWO_SIDED,
) -> float:
    r"""Return the probability that the paired t test rejects "no difference", given the true one.

    .. math:: \Pr(|T| \ge t_{1-\alpha/2,\,n-1}), \qquad
        T \sim \text{noncentral } t\bigl(n-1,\ \sqrt n\, \mathit{difference} / \sigma_d\bigr)

    and one tail at level alpha if one-sided. No normal approximation is made. The variance of the
    differences is taken as known: an estimate from a pilot carries its error over.

    Edge cases
        - Fewer than two topics: 0.0, the test never rejects.
        - Standard deviation 0: 1.0 if the difference points to the alternative, else 0.0.

    Source: Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988; Sakai, "Topic set
    size design", Information Retrieval Journal 19(3), 2016.
    """
    side = Alternative(alternative)
    require_fraction(alpha, "alpha")
    _require_deviation(standard_deviation)
    signed = -difference if side is Alternative.LESS else difference
    if n_topics < 2:
        return 0.0
    if standard_deviation == 0.0:
        seen = difference != 0.0 if side is Alternative.TWO_SIDED else signed > 0.0
        return 1.0 if seen else 0.0
    return _power(
        n_topics, signed / standard_deviation, alpha, two_sided=side is Alternative.TWO_SIDED
    )


@checked
def topics_needed(
    difference: float,
    standard_deviation: float,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    alternative: Alternative | str = Alternative.TWO_SIDED,
) -> int | None:
    r"""Return the smallest number of topics with which the paired t test has this power.

    .. math::
        \min \{ n \ge 2 :
            \mathrm{power}(n, \mathit{difference}, \sigma_d, \alpha) \ge \mathit{power} \}

    found by bisection on the exact power, which grows with n. `difference` is the smallest one
    worth finding. Its sign has no effect: the alternative is the side of the difference.

    Edge cases
        - Standard deviation 0: 2 topics, the fewest that have a t test.
        - Difference 0 has no such number: UsageError.
        - More than a million topics: None.

    Source: Sakai, "Topic set size design", Information Retrieval Journal 19(3), 2016, in its
    variant for the t test, whose closed form this search replaces.
    """
    two_sided = Alternative(alternative) is Alternative.TWO_SIDED
    require_power(alpha, power)
    _require_deviation(standard_deviation)
    if not (math.isfinite(difference) and difference != 0.0):
        problem = f"the difference to be found is {difference}"
        raise UsageError(problem, expected="a number other than 0")
    if standard_deviation == 0.0:
        return 2
    effect = abs(difference) / standard_deviation

    def enough(n_topics: int) -> bool:
        return _power(n_topics, effect, alpha, two_sided=two_sided) >= power

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
    alternative: Alternative | str = Alternative.TWO_SIDED,
) -> float | None:
    r"""Return the smallest true difference that this many topics show with this power.

    .. math:: \min \{ \delta > 0 : \mathrm{power}(n, \delta, \sigma_d, \alpha) \ge \mathit{power} \}

    Edge cases
        - Fewer than two topics: None, they show no difference.
        - Standard deviation 0: 0.0, any difference shows.

    Source: as `topics_needed`, solved for the difference.
    """
    two_sided = Alternative(alternative) is Alternative.TWO_SIDED
    require_power(alpha, power)
    _require_deviation(standard_deviation)
    if n_topics < 2:
        return None
    if standard_deviation == 0.0:
        return 0.0
    from scipy.optimize import brentq

    def lacking(effect: float) -> float:
        return _power(n_topics, effect, alpha, two_sided=two_sided) - power

    high = 1.0
    while lacking(high) < 0.0:
        high *= 2.0
    return float(brentq(lacking, 0.0, high, xtol=1e-12)) * standard_deviation


def _power(n_topics: int, effect: float, alpha: float, *, two_sided: bool) -> float:
    degrees = n_topics - 1
    noncentrality = effect * math.sqrt(n_topics)
    if not two_sided:
        return _upper_tail(-t_quantile(degrees, alpha), degrees, noncentrality)
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
