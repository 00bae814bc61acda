"""Student's t distribution, the paired t test, and means with Welch's standard error."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rankeval.base.frozen import record, replace
from rankeval.stats.checked_arrays import NOISE, Floats, as_columns, is_constant
from rankeval.stats.choices import TestName
from rankeval.stats.paired import (
    CONSTANT,
    NO_DIFFERENCE,
    NO_TOPIC,
    ONE_TOPIC,
    Alternative,
    Outcome,
    PairedTest,
    outcomes_by_column,
)

SMALL = 1e-300
"""Stands for 0 in divisors of a continued fraction."""

LEAST_CHANGE, LEAST_STEP = 1e-16, 1e-15

AS_GAMMA = 170.0
"""Up to here `math.gamma` does not overflow; from here the first terms of a series suffice."""


def t_lower_tail(freedom: float, t: float) -> float:
    r"""Return P(T <= t) for T with the given degrees of freedom, which need not be whole.

    .. math:: P(T \le -|t|) = \tfrac12 I_x(\nu/2, 1/2), \quad x = \nu / (\nu + t^2)

    with I the regularised incomplete beta function, by its continued fraction.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 1964, 26.5.8 and 26.7.1.

    >>> round(t_lower_tail(10, -2.2281), 4)
    0.025
    """
    if math.isnan(t) or math.isinf(t):
        return t if math.isnan(t) else float(t > 0.0)
    a, square = freedom / 2.0, t * t / freedom
    below = 0.5 * _incomplete_beta(a, square) if t else 0.5
    return below if t <= 0.0 else 1.0 - below


def _incomplete_beta(a: float, square: float) -> float:
    """Return I_x(a, 1/2) for x = 1 / (1 + square)."""
    x, y = 1.0 / (1.0 + square), square / (1.0 + square)
    weight = math.exp(-a * math.log1p(square)) * math.sqrt(y / math.pi) * _gamma_ratio(a)
    if x < (a + 1.0) / (a + 2.5):
        return weight * _fraction(a, 0.5, x) / a
    return 1.0 - weight * _fraction(0.5, a, y) / 0.5


def _gamma_ratio(a: float) -> float:
    """Return Gamma(a + 1/2) / Gamma(a)."""
    if a < AS_GAMMA:
        return math.gamma(a + 0.5) / math.gamma(a)
    z = 1.0 / a
    series = 1.0 - z / 8.0 + z**2 / 128.0 + 5.0 * z**3 / 1024.0 - 21.0 * z**4 / 32768.0
    return math.sqrt(a) * series


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of I_x(a, b), evaluated forwards (Lentz)."""
    above, below = 1.0, 1.0 / _not_zero(1.0 - (a + b) * x / (a + 1.0))
    value = below
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        for term in (even, odd):
            below = 1.0 / _not_zero(1.0 + term * below)
            above = _not_zero(1.0 + term / above)
            value *= above * below
        if abs(above * below - 1.0) < LEAST_CHANGE:
            break
    return value


def _not_zero(number: float) -> float:
    return number if abs(number) > SMALL else SMALL


def t_quantile(freedom: float, probability: float) -> float:
    """Return the t with P(T <= t) = probability.

    Newton's method finds the logarithm of -t, of which that of the tail is a concave function.

    >>> round(t_quantile(10, 0.025), 4)
    -2.2281
    """
    if probability > 0.5:
        return -t_quantile(freedom, 1.0 - probability)
    if not 0.0 < probability < 0.5:
        return 0.0 if probability == 0.5 else -math.inf if probability == 0.0 else math.nan
    scale = _gamma_ratio(freedom / 2.0) / math.sqrt(freedom * math.pi)
    distance = 1.0
    for _ in range(200):
        tail = t_lower_tail(freedom, -distance)
        density = scale * math.exp(-(freedom + 1.0) / 2.0 * math.log1p(distance**2 / freedom))
        if not tail or not density:  # far beyond, where both are 0
            distance /= 16.0
            continue
        step = math.log(tail / probability) * tail / (distance * density)
        distance *= math.exp(min(step, 8.0))
        if abs(step) < LEAST_STEP:
            break
    return -distance


@record
class EstimatedMean:
    """A mean with its standard error and the degrees of freedom of that error."""

    mean: float
    error: float
    freedom: float

    def p_positive(self) -> float:
        """Return the p-value of "the mean is at most 0" against "it is above"."""
        if self.error <= NOISE:
            return 0.0 if self.mean > NOISE else 1.0
        return t_lower_tail(self.freedom, -self.mean / self.error)

    def margin(self, alpha: float) -> float:
        """Return the distance of a one-sided confidence bound at 1 - alpha from the mean."""
        return -t_quantile(self.freedom, alpha) * self.error


def macro_mean(
    collections: Sequence[Floats], weights: Sequence[float], runs: Sequence[Floats] = ()
) -> EstimatedMean:
    r"""Return the weighted mean of collections' means over topics, and over runs of systems.

    With :math:`s_c^2`, the variance over the n_c topics of collection c of the means over runs, and
    :math:`s_j^2`, the variance over the k_j runs of system j of their weighted means:

    .. math::
        V = \sum_c w_c^2 \frac{s_c^2}{n_c} + \sum_j \frac{s_j^2}{k_j}, \quad
        \nu = V^2 \Big/ \left(\sum_c \frac{(w_c^2 s_c^2/n_c)^2}{n_c-1} +
            \sum_j \frac{(s_j^2/k_j)^2}{k_j-1}\right)

    Topics and runs are samples, and the collections are those of the sum. What topics and runs have
    together enters both variances, which makes V slightly too large where runs differ by chance
    only.

    Shapes: for each collection the means over runs of its n_c >= 2 topics, shape (n_c,); for each
    system of several runs the weighted means of its runs, shape (k_j,), k_j >= 2.

    Source: Satterthwaite, "An approximate distribution of estimates of variance components",
    Biometrics Bulletin 2(6), 1946; for means of strata, Cochran, Sampling Techniques, 3rd edition,
    1977, section 5.4; for systems that are samples themselves, Brennan, Generalizability Theory,
    Springer, 2001, chapter 6.
    """
    of_topics = [(w, *_mean_and_error(one)) for w, one in zip(weights, collections, strict=True)]
    mean = sum(w * found for w, found, _, _ in of_topics)
    components = [(w**2 * squared, freedom) for w, _, squared, freedom in of_topics]
    components += [_mean_and_error(run)[1:] for run in runs]
    total = sum(variance for variance, _ in components)
    spread = sum(variance**2 / freedom for variance, freedom in components)
    topics = sum(map(len, collections))
    freedom = total**2 / spread if spread > 0.0 else float(topics - len(collections))
    return EstimatedMean(mean, math.sqrt(total), freedom)


def _mean_and_error(values: Floats) -> tuple[float, float, int]:
    """Return the mean, its squared standard error and the degrees of freedom.

    For few values `np.var` takes five times as long, and bounds are searched for by many calls.
    """
    n = len(values)
    mean = float(values.sum()) / n
    apart = values - mean
    return mean, float(apart @ apart) / (n - 1) / n, n - 1


def student_t(
    differences: npt.ArrayLike, *, alternative: Alternative | str = Alternative.TWO_SIDED
) -> tuple[PairedTest, ...]:
    r"""Test the hypothesis that the mean difference of a population of topics is 0.

    .. math:: t = \frac{\bar d}{s_d / \sqrt n}, \qquad \text{with } n - 1 \text{ degrees of freedom}

    The differences are taken as a sample from a normal distribution; with some tens of topics
    their mean is near enough to normal for most measures, see docs/statistics.md.

    Shapes: differences (n, m), or (n,) for one column, give m outcomes.

    Edge cases
        - No topic, or one topic: no variance, p = 1.0, no statistic.
        - Every difference 0: t = 0.0, p = 1.0.
        - Every difference the same c != 0: t is infinite; the p-value is its limit, 0.0 (1.0 if the
          one-sided alternative points the other way), and there is no statistic.
        - NaN: the pair is left out.

    Source: Student, "The probable error of a mean", Biometrika 6(1), 1908; for retrieval, Smucker,
    Allan and Carterette, CIKM 2007.
    """
    return outcomes_by_column(TestName.STUDENT_T, differences, alternative, _outcomes)


def _outcomes(differences: Floats, alternative: Alternative) -> list[Outcome]:
    n_topics, n_columns = differences.shape
    if n_topics == 1:
        return [Outcome(None, 1.0, note=ONE_TOPIC)] * n_columns
    constant = is_constant(differences)
    mean = differences.mean(axis=0)
    error = differences.std(axis=0, ddof=1) / np.sqrt(n_topics)
    t = np.where(constant, 0.0, mean / np.where(constant, 1.0, error))
    return [
        _without_variance(float(mean[i]), alternative)
        if constant[i]
        else Outcome(float(t[i]), _p_value(float(t[i]), n_topics - 1, alternative), exact=True)
        for i in range(n_columns)
    ]


def _p_value(t: float, freedom: int, alternative: Alternative) -> float:
    if alternative is Alternative.TWO_SIDED:
        return 2.0 * t_lower_tail(freedom, -abs(t))
    return t_lower_tail(freedom, -t if alternative is Alternative.GREATER else t)


def seeds_test(
    baseline: npt.ArrayLike, run: npt.ArrayLike, *, level: float = 0.95
) -> tuple[PairedTest, tuple[float, float] | None]:
    r"""Test the hypothesis that two systems are equal, of which one or both have several runs.

    .. math:: t = \frac{\bar d}{\sqrt V}

    with the mean difference over topics of the means over runs, and V and its degrees of freedom
    those of `macro_mean`: the variance of topics and that of the runs of each system count. A
    system of one run is taken as it is. The interval of the difference, run - baseline, at a
    confidence level is that of the test; None with fewer than two topics.

    Shapes: baseline (n, k) and run (n, m), one column per run.

    Edge cases
        - A topic with NaN in some run: left out.
        - No topic, or one topic: no variance, p = 1.0, no statistic.
        - All topics and runs differ by the same: p = 0.0, or 1.0 where they do not differ.

    Source: as `macro_mean`.

    >>> old, new = [[0.4, 0.5], [0.2, 0.3], [0.6, 0.5]], [[0.6], [0.4], [0.5]]
    >>> test, interval = seeds_test(old, new)
    >>> round(test.statistic, 4), round(test.p_value, 4)
    (1.2127, 0.3376)
    """
    before, after = as_columns(baseline, "baseline"), as_columns(run, "run")
    known = ~np.isnan(before.sum(axis=1) + after.sum(axis=1))
    before, after = before[known], after[known]
    n_topics, n_excluded = len(before), int(len(known) - len(before))
    facts = (TestName.STUDENT_T, Alternative.TWO_SIDED, n_topics, n_excluded)
    if n_topics < 2:
        return PairedTest(*facts, None, 1.0, note=ONE_TOPIC if n_topics else NO_TOPIC), None
    several = [one.mean(axis=0) for one in (before, after) if one.shape[1] > 1]
    found = macro_mean([after.mean(axis=1) - before.mean(axis=1)], [1.0], several)
    margin = found.margin((1.0 - level) / 2.0)
    test = PairedTest(
        *facts,
        statistic=found.mean / found.error if found.error > NOISE else None,
        p_value=min(
            1.0, 2.0 * min(found.p_positive(), replace(found, mean=-found.mean).p_positive())
        ),
    )
    return test, (found.mean - margin, found.mean + margin)


def _without_variance(mean: float, alternative: Alternative) -> Outcome:
    if mean == 0.0:
        return Outcome(0.0, 1.0, note=NO_DIFFERENCE)
    opposite = Alternative.LESS if mean > 0 else Alternative.GREATER
    return Outcome(None, 1.0 if alternative is opposite else 0.0, note=CONSTANT)
