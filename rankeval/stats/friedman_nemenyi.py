"""Friedman's test of several systems by their ranks on each topic, and Nemenyi's and Holm's tests
of pairs."""

import math
from itertools import combinations

import numpy as np
import numpy.typing as npt

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.stats.anova import complete_topics
from rankeval.stats.checked_arrays import Floats, require_risk
from rankeval.stats.tukey_tests import quantile, survival

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
