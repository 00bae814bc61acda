"""Correlations of rankings and of orders of systems."""

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Hashable, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby

import numpy as np
import numpy.typing as npt

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import (
    Floats,
    as_pair,
    require_fraction,
)

Ranking = Sequence[Hashable]
TiedRanking = Sequence[Hashable | AbstractSet[Hashable]]
"""Items from the top; a set holds items that are tied."""


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


@checked
def rbo(first: TiedRanking, second: TiedRanking, *, p: float = 0.9) -> float:
    r"""Return the rank-biased overlap: the agreement of two rankings, weighted towards the top.

    .. math:: \mathrm{RBO} = \frac{1-p}{p} \sum_{d=1}^{\infty} p^d A_d, \qquad
        X_d = \sum_e c^1_{e|d}\, c^2_{e|d}

    With c = 1 for items down to rank d and 0 for those below, X_d counts the items that the first d
    of both rankings have in common, and the agreement is A_d = X_d / d. For a group of items that
    are tied at ranks t to b, c is (d - t + 1) / (b - t + 1) for t <= d < b, which gives the mean
    over all orders of the tied items. Below the ranks seen, agreement goes on as it was.

    p, between 0 and 1, is the chance of looking one rank further; the first 10 ranks carry 86 % of
    the weight at 0.9.

    Shapes: two sequences of items from the top, of any lengths; a set in place of an item is a
    group of tied items.

    Edge cases
        - A ranking without items: 0.0.
        - An item twice in one ranking, or an empty group: UsageError.

    Source: Webber, Moffat and Zobel, "A similarity measure for indefinite rankings", ACM TOIS
    28(4), 2010; with ties, Corsi and Urbano, "The treatment of ties in rank-biased overlap", SIGIR
    2024, variant a.

    >>> round(rbo("abc", ["b", {"a", "c"}]), 6)  # .1 * (.9 * 1.5 / 2 + .81 * 3 / 3) + .9^3
    0.8775
    """
    require_fraction(p, "p")
    shorter, longer = sorted((_Spans(first), _Spans(second)), key=lambda one: one.size)
    s, n = shorter.size, longer.size
    if not s:
        return 0.0
    common = _common(shorter, longer, n)
    at_s, at_n = float(common[s - 1]) / s, float(common[-1])
    unseen = np.zeros(n)
    lacking = [span for item, span in longer.spans.items() if item not in shorter.spans]
    unseen[s:] = at_s * np.arange(1, n - s + 1) * _mean_contribution(lacking, n)[s:]
    agreement = (common + unseen) / np.arange(1.0, n + 1.0)
    seen = float(p ** np.arange(1.0, n + 1.0) @ agreement)
    rest = (at_n + (n - s) * at_s) / n * p ** (n + 1) / (1.0 - p)
    return (1.0 - p) / p * (seen + rest)


class _Spans:
    """A ranking as the first and the last rank of each item's group, by item in rank order."""

    def __init__(self, ranking: TiedRanking) -> None:
        self.spans: dict[Hashable, tuple[int, int]] = {}
        rank = 0
        for one in ranking:
            group = one if isinstance(one, AbstractSet) else {one}
            if not group:
                raise UsageError("a group of tied items is empty", expected="one item or more")
            repeated = [item for item in group if item in self.spans]
            if repeated:
                problem = f"a ranking holds {repeated[0]!r} twice"
                raise UsageError(problem, expected="each item once")
            self.spans.update(dict.fromkeys(group, (rank + 1, rank + len(group))))
            rank += len(group)
        self.size = rank


def contribution(span: tuple[int, int], end: int) -> Floats:
    """Return c at ranks 1 to `end` of an item in a group at these ranks, shape (end,)."""
    top, bottom = span
    ranks = np.arange(1, end + 1)
    return np.clip((ranks - top + 1.0) / (bottom - top + 1.0), 0.0, 1.0)


def _common(one: _Spans, other: _Spans, end: int) -> Floats:
    """Return X at ranks 1 to `end`."""
    pairs = Counter(
        (span, other.spans[item]) for item, span in one.spans.items() if item in other.spans
    )
    total = np.zeros(end)
    for (left, right), count in pairs.items():
        total += count * contribution(left, end) * contribution(right, end)
    return total


def _mean_contribution(spans: Sequence[tuple[int, int]], end: int) -> Floats:
    """Return the mean c of items of these groups, over those that contribute at all."""
    total, active = np.zeros(end), np.zeros(end)
    for span, count in Counter(spans).items():
        each = contribution(span, end)
        total += count * each
        active += count * (each > 0.0)
    return total / np.maximum(active, 1.0)


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
