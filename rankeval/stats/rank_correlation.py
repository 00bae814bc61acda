"""Correlation of two rankings of items, and of two orders of the same systems."""

from bisect import bisect_left, insort
from collections.abc import Hashable, Sequence
from itertools import groupby

import numpy as np
import numpy.typing as npt

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import Floats, as_pair
from rankeval.stats.rank_overlap import rbo

Ranking = Sequence[Hashable]


@checked
def kendall_tau(first: Ranking, second: Ranking) -> float | None:
    r"""Return Kendall's tau of two rankings, over the items that are in both.

    .. math:: \tau = \frac{C - D}{N (N - 1) / 2}

    with C pairs of the N common items in the same order in both rankings, and D in opposite order.
    A ranking has no ties; for values that may have, see `kendall_tau_of_values`.

    Edge cases
        - Fewer than two common items: None.
        - An item twice in one ranking: UsageError.

    Source: Kendall, "A new measure of rank correlation", Biometrika 30, 1938.
    """
    _require_distinct(first, second)
    places = {item: place for place, item in enumerate(second)}
    common = np.array([places[item] for item in first if item in places], dtype=np.float64)
    return kendall_tau_of_values(np.arange(common.size, dtype=np.float64), common)


@checked
def kendall_tau_of_values(first: npt.ArrayLike, second: npt.ArrayLike) -> float | None:
    r"""Return Kendall's tau-b of two values of the same items, such as means in two measures.

    .. math:: \tau_b = \frac{C - D}{\sqrt{(N_0 - T_1)(N_0 - T_2)}}, \qquad N_0 = N (N - 1) / 2

    with T the pairs tied in the first, and in the second. Without ties it is tau-a.

    Shapes: two arrays (N,), items in the same order.

    Edge cases
        - A NaN on either side: the item is left out.
        - Fewer than two items, or all tied on one side: None.

    Source: Kendall, "The treatment of ties in ranking problems", Biometrika 33, 1945.
    """
    x, y = as_pair(first, second, "item")
    if x.size < 2 or np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        return None
    from scipy.stats import kendalltau

    return float(kendalltau(x, y, variant="b").statistic)


@checked
def tau_ap(ranking: Ranking, truth: Ranking) -> float | None:
    r"""Return a ranking's AP correlation with the true one: Kendall's tau, weighted to the top.

    Over the N items that are in both:

    .. math:: \tau_\mathrm{ap} = \frac{2}{N - 1} \sum_{i=2}^{N} \frac{c_i}{i - 1} - 1

    with c_i the items above rank i of the ranking that the truth also has above the item at rank
    i. Not symmetric; with the errors spread evenly over the ranks it is Kendall's tau on average.

    Edge cases
        - Fewer than two common items: None.
        - An item twice in one ranking: UsageError.

    Source: Yilmaz, Aslam and Robertson, "A new rank correlation coefficient for information
    retrieval", SIGIR 2008.
    """
    _require_distinct(ranking, truth)
    places = {item: place for place, item in enumerate(truth)}
    common = [places[item] for item in ranking if item in places]
    if len(common) < 2:
        return None
    above: list[int] = []
    total = 0.0
    # One pass in Python: each step needs the sorted places of all items above.
    for i, place in enumerate(common):
        if i:
            total += bisect_left(above, place) / i
        insort(above, place)
    return 2.0 * total / (len(common) - 1) - 1.0


def _require_distinct(*rankings: Ranking) -> None:
    for ranking in rankings:
        if len(set(ranking)) != len(ranking):
            problem = f"a ranking of {len(ranking)} items holds {len(set(ranking))} different ones"
            raise UsageError(problem, expected="each item once")


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
