"""Dunnett's test: several systems, each against one baseline."""

import math
from functools import cache

import numpy.typing as npt

from rankeval.base.checked import checked
from rankeval.stats.anova import two_way_anova
from rankeval.stats.checked_arrays import NOISE, require_fraction
from rankeval.stats.tukey_tests import (
    PairwiseComparison,
    deviations,
    normals,
    quantile_of,
    system_pairs,
)


@checked
def dunnett(values: npt.ArrayLike, *, level: float = 0.95) -> PairwiseComparison:
    r"""Compare every system with the first one, the baseline, on the two-way residual variance.

    .. math::
        t_j = \frac{\bar x_j - \bar x_0}{\sqrt{2\,\mathit{MSE} / n}}, \qquad
        p_j = \Pr\Bigl(\max_{1 \le i < m} |T_i| \ge |t_j|\Bigr)

    with T of the (m - 1)-variate t distribution with (m - 1)(n - 1) degrees of freedom and
    correlations of 1/2, which differences from the same mean have:

    .. math::
        T_i = \frac{(Z_i - Z_0) / \sqrt 2}{U}, \qquad
        \Pr(\max |T_i| \le c) = \int_0^\infty f_\nu(u) \int \varphi(z)\,
        \bigl[\Phi(z + \sqrt 2\, c u) - \Phi(z - \sqrt 2\, c u)\bigr]^{m-1} dz\, du

    All systems were run on the same topics, so the error excludes the effects of topics. Dunnett's
    test for separate groups would count these effects as error and find little. It makes m - 1
    comparisons where Tukey's test makes m (m - 1) / 2, and finds more.

    Shapes: values (n, m), one row per topic, one column per system, the baseline first, m >= 2;
    gives the m - 1 pairs (0, 1), (0, 2), ...

    Edge cases
        - A topic with a NaN is left out for all systems.
        - Fewer than two topics: p = 1.0, no intervals.
        - No residual variance: p is its limit, 0.0 (1.0 for equal means); the interval is the
          difference.
        - Two systems: the paired t test's p-value and interval.

    Source: Dunnett, "A multiple comparison procedure for comparing several treatments with a
    control", Journal of the American Statistical Association 50(272), 1955.

    >>> values = [[0.2, 0.3, 0.25], [0.5, 0.6, 0.5], [0.1, 0.25, 0.2], [0.7, 0.75, 0.7]]
    >>> [(pair.second, round(pair.p_value, 4)) for pair in dunnett(values).pairs]
    [(1, 0.0039), (2, 0.1731)]
    """
    require_fraction(level, "level")
    anova = two_way_anova(values)
    n_compared, mean_square = anova.df_systems, anova.mean_square_error
    with_baseline = [(0, j) for j in range(1, n_compared + 1)]
    if anova.means is None or mean_square is None:
        return PairwiseComparison(anova, system_pairs(anova, lambda _: 1.0, None, with_baseline))
    error = math.sqrt(2.0 * mean_square / anova.n_topics)
    noise = NOISE * max(map(abs, anova.means))

    def p_value(size: float) -> float:
        if size <= noise:
            return 1.0
        return survival(size / error, n_compared, anova.df_error) if error else 0.0

    margin = quantile(level, n_compared, anova.df_error) * error if error else 0.0
    pairs = system_pairs(anova, p_value, margin, with_baseline)
    return PairwiseComparison(anova, pairs, level=level)


def survival(t: float, n_compared: int, degrees: int) -> float:
    """Return the probability that the largest |T| of `n_compared` comparisons is above t."""
    from scipy.special import ndtr

    u, density = deviations(degrees)
    z, normal = normals()
    reach = math.sqrt(2.0) * t * u[:, None]
    within = (ndtr(z + reach) - ndtr(z - reach)) ** n_compared @ normal
    return min(1.0, max(0.0, 1.0 - float(density @ within)))


@cache
def quantile(level: float, n_compared: int, degrees: int) -> float:
    """Return the t that the largest |T| stays below with probability `level`."""
    return quantile_of(lambda t: survival(t, n_compared, degrees), level)
