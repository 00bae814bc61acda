"""Agreement of two orders of the same systems, by all correlations at once."""

from itertools import groupby

import numpy as np
import numpy.typing as npt

from rankeval.stats.arrays import Floats, as_pair
from rankeval.stats.overlap import rbo
from rankeval.stats.rankings import kendall_tau_of_values, tau_ap
from rankeval.support.frozen import frozen


@frozen
class OrderAgreement:
    """Correlations of two orders of systems; None where one is undefined.

    =============== ====================================================================
    tau             Kendall's tau: pairs in the same order minus pairs in the opposite
                    one, as a share of all pairs
    tau_b           the same as a share of pairs that are tied in neither order
    tau_ap          AP correlation of the second order with the first as the true one
    tau_ap_reverse  AP correlation of the first order with the second as the true one
    spearman        correlation of the ranks, tied systems at their mean rank
    rbo             rank-biased overlap, p = 0.9, extrapolated, ties shared (a)
    =============== ====================================================================
    """

    tau: float | None
    tau_b: float | None
    tau_ap: float | None
    tau_ap_reverse: float | None
    spearman: float | None
    rbo: float | None


def order_agreement(first: npt.ArrayLike, second: npt.ArrayLike) -> OrderAgreement:
    r"""Return how far two values, such as means in two measures, put systems in the same order.

    .. math:: \tau = \frac{C - D}{N (N - 1) / 2}

    with C pairs of the N systems in the same order and D in the opposite one. Tau-AP knows no ties:
    systems that are tied by one value are ordered as by the other, and then as given.

    Shapes: two arrays (N,), more being better, systems in the same order.

    Edge cases
        - A NaN on either side: the system is left out.
        - Fewer than two systems: all None.
        - All systems tied on one side: tau is 0, all others but rbo are None.

    Source: Kendall, Biometrika 30, 1938; Yilmaz, Aslam and Robertson, SIGIR 2008; Spearman,
    American Journal of Psychology 15(1), 1904; Webber, Moffat and Zobel, ACM TOIS 28(4), 2010.

    >>> found = order_agreement([5, 4, 3, 2, 1], [4, 5, 3, 1, 2])  # ABCDE and BACED
    >>> found.tau, round(found.spearman, 3)
    (0.6, 0.8)
    """
    one, other = as_pair(first, second, "system")
    if one.size < 2:
        return OrderAgreement(None, None, None, None, None, None)
    above, below = np.triu_indices(one.size, 1)
    same = np.sign(one[above] - one[below]) * np.sign(other[above] - other[below])
    tau_b = kendall_tau_of_values(one, other)
    by_first, by_second = _best_first(one, other), _best_first(other, one)
    return OrderAgreement(
        tau=float(same.mean()),
        tau_b=tau_b,
        tau_ap=None if tau_b is None else tau_ap(by_second, by_first),
        tau_ap_reverse=None if tau_b is None else tau_ap(by_first, by_second),
        spearman=None if tau_b is None else _spearman(one, other),
        rbo=rbo(tied_ranking(one), tied_ranking(other)),
    )


def tied_ranking(values: Floats) -> list[set[int]]:
    """Return the places of values in groups of equal ones, the highest first."""
    order = np.argsort(-values, kind="stable").tolist()
    return [set(places) for _, places in groupby(order, key=lambda place: values[place])]


def _best_first(values: Floats, among_ties: Floats) -> list[int]:
    order: list[int] = np.lexsort((-among_ties, -values)).tolist()
    return order


def _spearman(first: Floats, second: Floats) -> float:
    from scipy.stats import spearmanr

    return float(spearmanr(first, second).statistic)
