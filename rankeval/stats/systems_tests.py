"""Tests of several systems: analysis of variance, Tukey, Dunnett, Friedman and Nemenyi."""

import math
from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.threads import report_progress
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import (
    NOISE,
    Floats,
    as_columns,
    random_numbers,
    require_count,
    require_fraction,
    require_risk,
)


@frozen
class Anova:
    """The analysis of variance of values of n topics by m systems.

    ============  =================================================================================
    n_topics      topics with a value for every system
    n_excluded    topics left out because a value is NaN
    means         mean of each system over these topics; None without topics
    sum_squares_systems, sum_squares_topics, sum_squares_error
    df_systems, df_topics, df_error     m - 1, n - 1, (m - 1)(n - 1)
    f_systems, f_topics                 None where the error is 0 or unknown
    p_systems, p_topics                 always a number from 0 to 1
    ============  =================================================================================
    """

    n_topics: int
    n_excluded: int
    means: tuple[float, ...] | None
    sum_squares_systems: float
    sum_squares_topics: float
    sum_squares_error: float
    df_systems: int
    df_topics: int
    df_error: int
    f_systems: float | None
    f_topics: float | None
    p_systems: float
    p_topics: float

    @property
    def mean_square_error(self) -> float | None:
        """Variance that neither topic nor system explains; None without degrees of freedom."""
        return self.sum_squares_error / self.df_error if self.df_error > 0 else None


@checked
def two_way_anova(values: npt.ArrayLike) -> Anova:
    r"""Split the variance of values (topics by systems) into systems, topics and the rest.

    .. math::
        x_{ts} = \mu + \alpha_t + \beta_s + \varepsilon_{ts}, \qquad
        F = \frac{\mathit{SS}_\mathrm{systems} / (m-1)}{\mathit{SS}_\mathrm{error} / ((m-1)(n-1))}

    Shapes: values (n, m), one row per topic, one column per system, m >= 2.

    Edge cases
        - A topic with a NaN is left out for all systems: the design stays balanced.
        - Fewer than two topics: no F, p = 1.0.
        - No residual variance: no F; p is its limit, 0.0, or 1.0 if the means are equal too.
        - Two systems: F is the square of the paired t, with the same p.

    Source: Sakai, Laboratory Experiments in Information Retrieval, 2018, chapter 3.
    """
    complete, n_excluded = complete_topics(values)
    n_topics, n_systems = complete.shape
    if n_topics == 0:
        return Anova(0, n_excluded, None, 0.0, 0.0, 0.0, n_systems - 1, 0, 0, None, None, 1.0, 1.0)
    means = complete.mean(axis=0)
    systems = means - complete.mean()
    topics = complete.mean(axis=1) - complete.mean()
    residuals = complete - complete.mean() - systems - topics[:, np.newaxis]
    # Below this a sum of squares is the rounding of the means and not a variance.
    noise = complete.size * (NOISE * float(np.abs(complete).max())) ** 2
    between, across, rest = (
        0.0 if total <= noise else total
        for total in (
            n_topics * float((systems**2).sum()),
            n_systems * float((topics**2).sum()),
            float((residuals**2).sum()),
        )
    )
    df_systems, df_topics = n_systems - 1, n_topics - 1
    df_error = df_systems * df_topics
    f_systems, p_systems = _f_test(between, df_systems, rest, df_error)
    f_topics, p_topics = _f_test(across, df_topics, rest, df_error)
    return Anova(
        n_topics=n_topics,
        n_excluded=n_excluded,
        means=tuple(means.tolist()),
        sum_squares_systems=between,
        sum_squares_topics=across,
        sum_squares_error=rest,
        df_systems=df_systems,
        df_topics=df_topics,
        df_error=df_error,
        f_systems=f_systems,
        f_topics=f_topics,
        p_systems=p_systems,
        p_topics=p_topics,
    )


def complete_topics(values: npt.ArrayLike) -> tuple[Floats, int]:
    """Return the rows without NaN of values (topics, systems), and how many others there are."""
    table = as_columns(values, "values")
    if table.shape[1] < 2:
        problem = f"found {table.shape[1]} system to compare"
        raise UsageError(problem, expected="at least two systems, one column each")
    complete = table[~np.isnan(table).any(axis=1)]
    return complete, len(table) - len(complete)


def _f_test(
    effect: float, df_effect: int, error: float, df_error: int
) -> tuple[float | None, float]:
    from scipy.special import fdtrc

    if df_error == 0:
        return None, 1.0
    if error == 0.0:
        return None, 1.0 if effect == 0.0 else 0.0
    ratio = (effect / df_effect) / (error / df_error)
    return ratio, float(fdtrc(df_effect, df_error, ratio))


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
    return _by_largest(anova, level, survival, quantile, len(anova.means or ()))


def _by_largest(
    anova: Anova,
    level: float,
    tail: Callable[[float, int, int], float],
    point: Callable[[float, int, int], float],
    n: int,
    *,
    variances: float = 1.0,
    which: Iterable[tuple[int, int]] | None = None,
) -> PairwiseComparison:
    """Compare pairs by the distribution of the largest of their differences.

    `tail` and `point` are its upper tail and its quantile for `n` means or differences; the square
    of the standard error is `variances` times the residual variance of a mean.
    """
    mean_square = anova.mean_square_error
    if anova.means is None or mean_square is None:
        return PairwiseComparison(anova, system_pairs(anova, lambda _: 1.0, None, which))
    error = math.sqrt(variances * mean_square / anova.n_topics)
    noise = NOISE * max(map(abs, anova.means))

    def p_value(size: float) -> float:
        if size <= noise:
            return 1.0
        return tail(size / error, n, anova.df_error) if error else 0.0

    margin = point(level, n, anova.df_error) * error if error else 0.0
    return PairwiseComparison(anova, system_pairs(anova, p_value, margin, which), level=level)


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
    n_compared = anova.df_systems
    return _by_largest(
        anova,
        level,
        survival_of_largest,
        quantile_of_largest,
        n_compared,
        variances=2.0,
        which=[(0, j) for j in range(1, n_compared + 1)],
    )


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


# Values of a topic that are equal to this many digits of its largest one share a rank: rounding
# must not break ties.
DIGITS = 10


@frozen
class Friedman:
    """The outcome of Friedman's test of m systems on n topics.

    ===========  ==================================================================================
    n_topics     topics with a value for every system
    n_excluded   topics left out because a value is NaN
    mean_ranks   mean rank of each system, 1 for the largest value; None without topics
    statistic    chi square, as if no values were tied; None with fewer than two topics
    corrected    chi square corrected for ties; None with fewer than two topics
    df           m - 1, the degrees of freedom of both
    p_value      of the corrected chi square
    f            Iman and Davenport's F; None if all topics rank the systems alike
    df_f         its degrees of freedom, m - 1 and (m - 1)(n - 1)
    p_f          of F: less conservative than p_value, and to be preferred
    ===========  ==================================================================================
    """

    n_topics: int
    n_excluded: int
    mean_ranks: tuple[float, ...] | None
    statistic: float | None
    corrected: float | None
    df: int
    p_value: float
    f: float | None
    df_f: tuple[int, int]
    p_f: float


@frozen
class RankedPair:
    """Two of several systems, compared by their mean ranks.

    =============  ================================================================================
    first, second  their columns, first < second
    difference     mean rank of the second - mean rank of the first; None without topics. Above 0
                   the first has the larger values.
    p_value        adjusted for all pairs: compare it with alpha itself
    =============  ================================================================================
    """

    first: int
    second: int
    difference: float | None
    p_value: float


@frozen
class Nemenyi:
    """All pairs of several systems, compared by their mean ranks.

    ===================  ==========================================================================
    friedman             Friedman's test of the same values, with the mean ranks
    alpha                risk that any two equal systems differ significantly
    q                    quantile of the studentized range at 1 - alpha, over the root of 2
    critical_difference  mean ranks that differ by more differ significantly; None without topics
    pairs                (0, 1), (0, 2), ..., (m-2, m-1)
    ===================  ==========================================================================
    """

    friedman: Friedman
    alpha: float
    q: float
    critical_difference: float | None
    pairs: tuple[RankedPair, ...]


@checked
def friedman(values: npt.ArrayLike) -> Friedman:
    r"""Test whether all systems are equal, by the ranks of their values on each topic.

    .. math::
        \chi^2 = \frac{12}{n m (m + 1)} \sum_s R_s^2 - 3 n (m + 1), \qquad
        \chi^2_\mathrm{ties} = \frac{\chi^2}{1 - \sum_t (t^3 - t) / (n (m^3 - m))}, \qquad
        F = \frac{(n - 1) \chi^2_\mathrm{ties}}{n (m - 1) - \chi^2_\mathrm{ties}}

    with R_s the sum of a system's ranks over the n topics, and t the sizes of the groups of tied
    values. Chi square has m - 1 degrees of freedom, F has m - 1 and (m - 1)(n - 1). Rank 1 is the
    largest value and ties share their mean rank; negate the values of a measure where less is
    better.

    Shapes: values (n, m), one row per topic, one column per system, m >= 2.

    Edge cases
        - A topic with a NaN is left out for all systems.
        - Fewer than two topics: no statistics, p = 1.0.
        - All systems tied on every topic: the statistics are 0.0, p = 1.0.
        - All topics rank the systems alike: no F, and its p is the limit, 0.0.

    Source: Friedman, "The use of ranks to avoid the assumption of normality implicit in the
    analysis of variance", JASA 32, 1937; the correction for ties, Conover, Practical Nonparametric
    Statistics, 1999; F, Iman and Davenport, "Approximations of the critical region of the Friedman
    statistic", Communications in Statistics A9, 1980.

    >>> outcome = friedman([[0.9, 0.7, 0.5], [0.8, 0.6, 0.7], [0.4, 0.3, 0.1], [0.6, 0.6, 0.2]])
    >>> [round(rank, 3) for rank in outcome.mean_ranks], round(outcome.statistic, 3)
    ([1.125, 2.125, 2.75], 5.375)
    """
    complete, n_excluded = complete_topics(values)
    n, m = complete.shape
    df, df_f = m - 1, (m - 1, max(0, (m - 1) * (n - 1)))
    ranks = _ranks(complete)
    means = tuple(ranks.mean(axis=0).tolist()) if n else None
    if n < 2:
        return Friedman(n, n_excluded, means, None, None, df, 1.0, None, df_f, 1.0)
    # Sums of squares of doubled ranks, which are whole: no rounding hides that all topics agree.
    doubled = np.rint(2.0 * ranks)
    between = float(((doubled.sum(axis=0) - n * (m + 1)) ** 2).sum()) / (4.0 * n)
    within = float(((doubled - (m + 1)) ** 2).sum()) / 4.0
    statistic = 12.0 * between / (m * (m + 1))
    if within == 0.0:
        return Friedman(n, n_excluded, means, 0.0, 0.0, df, 1.0, 0.0, df_f, 1.0)
    from scipy.special import chdtrc, fdtrc

    # The same as dividing by 1 - sum(t^3 - t) / (n (m^3 - m)).
    corrected = n * df * between / within
    p_value = float(chdtrc(df, corrected))
    if between == within:
        return Friedman(n, n_excluded, means, statistic, corrected, df, p_value, None, df_f, 0.0)
    f = (n - 1) * between / (within - between)
    p_f = float(fdtrc(*df_f, f))
    return Friedman(n, n_excluded, means, statistic, corrected, df, p_value, f, df_f, p_f)


@checked
def nemenyi(values: npt.ArrayLike, *, alpha: float = 0.05) -> Nemenyi:
    r"""Compare every pair of systems by mean ranks, as critical-difference diagrams show it.

    .. math::
        \mathit{CD} = q_\alpha \sqrt{\frac{m (m + 1)}{6 n}}, \qquad
        p_{ij} = \Pr\Bigl( Q_m \ge \frac{\sqrt 2\, |\bar R_i - \bar R_j|}{\sqrt{m (m + 1) / (6 n)}}
        \Bigr)

    with Q the studentized range of m means and infinite degrees of freedom, and q its quantile over
    the root of 2. Systems whose mean ranks differ by no more than CD do not differ significantly.
    The mean rank of a system, and so the outcome of a pair, depends on the other systems compared.

    Shapes: values (n, m), one row per topic, one column per system, m >= 2; m (m - 1) / 2 pairs.

    Edge cases
        - A topic with a NaN is left out for all systems.
        - No topic: no critical difference, p = 1.0.
        - Ties within a topic: mean ranks; the critical difference is not corrected for them.

    Source: Nemenyi, Distribution-free Multiple Comparisons, thesis, Princeton 1963; Demsar,
    "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006.

    >>> compared = nemenyi([[0.9, 0.7, 0.5, 0.1]] * 14)
    >>> round(compared.q, 3), round(compared.critical_difference, 3)
    (2.569, 1.254)
    """
    require_risk(alpha, "alpha")
    test = friedman(values)
    m, n = test.df + 1, test.n_topics
    q = quantile(1.0 - alpha, m, math.inf) / math.sqrt(2.0)
    error = math.sqrt(m * (m + 1) / (6.0 * n)) if n else None

    def pair(first: int, second: int) -> RankedPair:
        if test.mean_ranks is None or error is None:
            return RankedPair(first, second, None, 1.0)
        difference = test.mean_ranks[second] - test.mean_ranks[first]
        p_value = survival(math.sqrt(2.0) * abs(difference) / error, m, math.inf)
        return RankedPair(first, second, difference, p_value)

    return Nemenyi(
        friedman=test,
        alpha=alpha,
        q=q,
        critical_difference=None if error is None else q * error,
        pairs=tuple(pair(first, second) for first, second in combinations(range(m), 2)),
    )


def _ranks(complete: Floats) -> Floats:
    """Return the rank of each value in its row, 1 for the largest; ties share their mean rank."""
    size = np.abs(complete).max(axis=1, keepdims=True, initial=0.0)
    rounded = np.round(complete / np.where(size == 0.0, 1.0, size), DIGITS)
    columns = [
        (rounded > column).sum(axis=1) + ((rounded == column).sum(axis=1) + 1.0) / 2.0
        for column in rounded.T[:, :, np.newaxis]
    ]
    return np.column_stack(columns)
