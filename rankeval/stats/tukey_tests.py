"""Tests of several systems at once: Tukey's, its randomized form, and Dunnett's."""

import math
from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.progress import report_progress
from rankeval.stats.anova import Anova, complete_topics, two_way_anova
from rankeval.stats.checked_arrays import (
    NOISE,
    Floats,
    random_numbers,
    require_count,
    require_fraction,
)

# Found by raising them until nothing changed in the ninth digit, for 2 to 20 means and 1 to 1e9
# degrees of freedom; 100 means with one degree of freedom, which no experiment has, keep six.
OUTER_NODES = 256
INNER_NODES = 160
# The standard normal density beyond is below 1e-16.
NORMAL_END = 8.5


def survival(q: float, n_means: int, degrees: float) -> float:
    r"""Return P(Q > q) for the range Q of n_means normal means over an independent deviation.

    .. math::
        \Pr(Q \le q) = \int_0^\infty f_\nu(u)\, W(q u)\, du, \qquad
        W(w) = m \int \varphi(z)\, [\Phi(z) - \Phi(z - w)]^{m-1} dz

    with f the density of the root of a chi square over its degrees of freedom. The outer integral
    is taken over log u, where the density is smooth for one degree of freedom as for a million.
    Degrees of freedom may be infinite.

    Source: Harter, "Tables of range and studentized range", Annals of Mathematical Statistics 31,
    1960.
    """
    from scipy.special import ndtr

    if q <= 0.0:
        return 1.0
    u, density = deviations(degrees)
    z, normal = normals()
    within = ndtr(z) - ndtr(z - q * u[:, np.newaxis])
    below = within ** (n_means - 1) @ (n_means * normal)
    return min(1.0, max(0.0, 1.0 - float(density @ below)))


@cache
def deviations(degrees: float) -> tuple[Floats, Floats]:
    """Return roots of a chi square over its degrees of freedom, and their integral weights.

    With infinite degrees of freedom the deviation is known: the root is 1.
    """
    if math.isinf(degrees):
        return np.ones(1), np.ones(1)
    from scipy.special import gammainccinv, gammaincinv

    half = degrees / 2.0
    # All but 1e-17 of the distribution of u lies between; the density beyond is negligible.
    low = np.log(max(float(gammaincinv(half, 1e-17)), 1e-300) / half) / 2.0
    high = np.log(float(gammainccinv(half, 1e-17)) / half) / 2.0
    nodes, weights = _rule(OUTER_NODES)
    log_u = low + (high - low) * (nodes + 1.0) / 2.0
    density = weights * np.exp(degrees * (log_u - np.expm1(2.0 * log_u) / 2.0))
    # Dividing by the density's own sum spares its normalizing constant, and most of its error.
    return np.exp(log_u), density / density.sum()


@cache
def normals() -> tuple[Floats, Floats]:
    """Return values of a standard normal variable, and their weights in an integral."""
    nodes, weights = _rule(INNER_NODES)
    z = NORMAL_END * nodes
    return z, NORMAL_END * weights * np.exp(-(z**2) / 2.0) / np.sqrt(2.0 * np.pi)


@cache
def quantile(level: float, n_means: int, degrees: float) -> float:
    """Return the q that the studentized range stays below with probability `level`."""
    return quantile_of(lambda q: survival(q, n_means, degrees), level)


def quantile_of(survival: Callable[[float], float], level: float) -> float:
    """Return the value, of 0 or more, that is exceeded with probability 1 - level."""
    from scipy.optimize import brentq

    def lacking(value: float) -> float:
        return 1.0 - survival(value) - level

    high = 4.0
    while lacking(high) < 0.0:
        high *= 2.0
    return float(brentq(lacking, 0.0, high, xtol=1e-10))


@cache
def _rule(size: int) -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(size)
    return np.asarray(nodes, dtype=np.float64), np.asarray(weights, dtype=np.float64)


# Each permutation shuffles every topic, which costs some ten times a flip of signs. Standard error
# of a p-value near 0.05 with this many: 0.002.
PERMUTATIONS = 10_000
BLOCK = 2**20


@frozen
class SystemPair:
    """Two of several systems.

    =============  ================================================================================
    first, second  their columns, first < second
    difference     mean of the second - mean of the first; None without topics
    p_value        adjusted for all pairs: compare it with alpha itself
    low, high      simultaneous confidence interval of the difference; None if the test gives none
    =============  ================================================================================
    """

    first: int
    second: int
    difference: float | None
    p_value: float
    low: float | None
    high: float | None


@frozen
class PairwiseComparison:
    """All pairs of several systems, with the analysis of variance they share.

    ============  =================================================================================
    anova         two-way, topics by systems
    pairs         (0, 1), (0, 2), ..., (m-2, m-1)
    level         of the confidence intervals; None if the test gives none
    permutations  drawn; None if the test draws none
    seed          of the permutations; None if the test draws none
    ============  =================================================================================
    """

    anova: Anova
    pairs: tuple[SystemPair, ...]
    level: float | None = None
    permutations: int | None = None
    seed: int | None = None


@checked
def tukey_hsd(values: npt.ArrayLike, *, level: float = 0.95) -> PairwiseComparison:
    r"""Compare every pair of systems with Tukey's test on the two-way residual variance.

    .. math::
        q = \frac{|\bar x_i - \bar x_j|}{\sqrt{\mathit{MSE} / n}}

    against the studentized range of m means with (m - 1)(n - 1) degrees of freedom: the chance that
    the largest difference of any pair is so large if all systems are equal. It assumes the same
    residual variance for all systems.

    Shapes: values (n, m), one row per topic, one column per system, m >= 2; m (m - 1) / 2 pairs.

    Edge cases
        - A topic with a NaN is left out for all systems.
        - Fewer than two topics: p = 1.0, no intervals.
        - No residual variance: p is its limit, 0.0 (1.0 for equal means); the interval is the
          difference.
        - Two systems: the paired t test's p-value and interval.

    Source: Tukey, The Problem of Multiple Comparisons, 1953; for retrieval, Carterette, ACM TOIS
    30(1), 2012.
    """
    require_fraction(level, "level")
    anova = two_way_anova(values)
    mean_square = anova.mean_square_error
    if anova.means is None or mean_square is None:
        return PairwiseComparison(anova, system_pairs(anova, lambda _: 1.0, None))
    n_systems = len(anova.means)
    error = math.sqrt(mean_square / anova.n_topics)
    noise = NOISE * max(map(abs, anova.means))

    def p_value(size: float) -> float:
        if size <= noise:
            return 1.0
        return survival(size / error, n_systems, anova.df_error) if error else 0.0

    margin = quantile(level, n_systems, anova.df_error) * error if error else 0.0
    return PairwiseComparison(anova, system_pairs(anova, p_value, margin), level=level)


@checked
def randomized_tukey_hsd(
    values: npt.ArrayLike, *, permutations: int = PERMUTATIONS, seed: int = 0
) -> PairwiseComparison:
    r"""Compare every pair of systems with the randomization version of Tukey's test.

    If all systems are equal, the values of a topic could belong to them in any order. Each
    permutation b shuffles every topic's values among the systems, and

    .. math::
        p_{ij} = \frac{1 + \#\{b : R_b \ge |\bar x_i - \bar x_j|\}}{1 + \mathit{permutations}},
        \qquad R_b = \max_s \bar x^{(b)}_s - \min_s \bar x^{(b)}_s

    Each pair is compared with the largest difference of any pair under the null hypothesis, which
    makes the p-values family-wise. Distributions may have any shape, but under the null hypothesis
    the systems are exchangeable within each topic: systems of equal means and unequal variances
    are not.

    Shapes: values (n, m), one row per topic, one column per system, m >= 2; m (m - 1) / 2 pairs.

    Edge cases
        - A topic with a NaN is left out for all systems.
        - No topic: p = 1.0. Equal means: p = 1.0.
        - Two systems: Fisher's randomization test, drawn and not enumerated.

    Source: Carterette, "Multiple testing in statistical analysis of systems-based information
    retrieval experiments", ACM TOIS 30(1), 2012; Sakai, Laboratory Experiments in Information
    Retrieval, 2018, chapter 4.
    """
    require_count(permutations, "permutations")
    anova = two_way_anova(values)
    complete, _ = complete_topics(values)
    if not len(complete):
        return PairwiseComparison(anova, system_pairs(anova, lambda _: 1.0, None))
    ranges = np.sort(_shuffled_ranges(complete, permutations, seed))
    # Largest rounding error of a mean; without it, ties with the observed difference are lost.
    noise = NOISE * float(np.abs(complete).max())

    def p_value(size: float) -> float:
        at_least = permutations - int(np.searchsorted(ranges, size - noise))
        return (1 + at_least) / (1 + permutations)

    return PairwiseComparison(
        anova, system_pairs(anova, p_value, None), permutations=permutations, seed=seed
    )


def _shuffled_ranges(complete: Floats, permutations: int, seed: int) -> Floats:
    n_topics, n_systems = complete.shape
    rng = random_numbers(seed)
    rows = max(1, BLOCK // complete.size)
    ranges = np.empty(permutations)
    for start in range(0, permutations, rows):
        size = min(rows, permutations - start)
        block = rng.permuted(np.broadcast_to(complete, (size, n_topics, n_systems)), axis=2)
        ranges[start : start + size] = np.ptp(block.mean(axis=1), axis=1)
        report_progress("permutations", start + size, permutations)
    return ranges


def system_pairs(
    anova: Anova,
    p_value: Callable[[float], float],
    margin: float | None,
    which: Iterable[tuple[int, int]] | None = None,
) -> tuple[SystemPair, ...]:
    """Return the pairs, by default all, with p-values of the size of a difference and a margin."""
    pairs = []
    for first, second in which or combinations(range(anova.df_systems + 1), 2):
        if anova.means is None:
            pairs.append(SystemPair(first, second, None, 1.0, None, None))
            continue
        difference = anova.means[second] - anova.means[first]
        pairs.append(
            SystemPair(
                first=first,
                second=second,
                difference=difference,
                p_value=p_value(abs(difference)),
                low=None if margin is None else difference - margin,
                high=None if margin is None else difference + margin,
            )
        )
    return tuple(pairs)


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
        return survival_of_largest(size / error, n_compared, anova.df_error) if error else 0.0

    margin = quantile_of_largest(level, n_compared, anova.df_error) * error if error else 0.0
    pairs = system_pairs(anova, p_value, margin, with_baseline)
    return PairwiseComparison(anova, pairs, level=level)


def survival_of_largest(t: float, n_compared: int, degrees: int) -> float:
    """Return the probability that the largest |T| of `n_compared` comparisons is above t."""
    from scipy.special import ndtr

    u, density = deviations(degrees)
    z, normal = normals()
    reach = math.sqrt(2.0) * t * u[:, None]
    within = (ndtr(z + reach) - ndtr(z - reach)) ** n_compared @ normal
    return min(1.0, max(0.0, 1.0 - float(density @ within)))


@cache
def quantile_of_largest(level: float, n_compared: int, degrees: int) -> float:
    """Return the t that the largest |T| stays below with probability `level`."""
    return quantile_of(lambda t: survival_of_largest(t, n_compared, degrees), level)
