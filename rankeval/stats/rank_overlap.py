"""Rank-biased overlap of two rankings, whose items may be tied."""

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum

import numpy as np

from rankeval.base.checked import checked
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import Floats, require_count, require_fraction

Ranking = Sequence[Hashable | AbstractSet[Hashable]]
"""Items from the top; a set holds items that are tied."""

SMALLEST = -746.0
"""The natural logarithm of a number that is 0 as a double."""


class RankTies(StrEnum):
    """Treatments of tied items in rank-biased overlap."""

    A = "a"
    B = "b"
    W = "w"


class Overlap(StrEnum):
    """Assumptions about the ranks below those seen."""

    EXT = "ext"  # agreement goes on as it was
    MIN = "min"  # nothing in common any more
    MAX = "max"  # as much in common as there can be
    RES = "res"  # max - min


@checked
def rbo(
    first: Ranking,
    second: Ranking,
    *,
    p: float = 0.9,
    ties: RankTies | str = RankTies.A,
    kind: Overlap | str = Overlap.EXT,
) -> float:
    r"""Return the rank-biased overlap: the agreement of two rankings, weighted towards the top.

    .. math:: \mathrm{RBO} = \frac{1-p}{p} \sum_{d=1}^{\infty} p^d A_d, \qquad
        X_d = \sum_e c^1_{e|d}\, c^2_{e|d}

    With c = 1 for items down to rank d and 0 for those below, X_d counts the items that the first d
    of both rankings have in common, and the agreement is A_d = X_d / d. A group of items that are
    tied at ranks t to b is taken in one of three ways:

    ======  ==========================================  ===========================================
    ties    c of a tied item, for t <= d < b            A_d
    ======  ==========================================  ===========================================
    a       (d - t + 1) / (b - t + 1)                   X_d / d
    b       as a                                        X_d / sqrt(sum of c1^2 * sum of c2^2)
    w       1: the group is at rank t                   2 X_d / (sum of c1 + sum of c2)
    ======  ==========================================  ===========================================

    `a` is the mean over all orders of the tied items, where the true order is not known; `b`
    corrects it for what ties conceal, so that a ranking agrees with itself by 1; `w` takes ties as
    equal.

    ======  =================  =======  ===========================================================
    name    type               default  meaning
    ======  =================  =======  ===========================================================
    p       0 < p < 1          0.9      chance of looking one rank further; the first 10 ranks carry
                                        86 % of the weight at 0.9
    ties    a, b or w          a        see above
    kind    ext, min, max or   ext      below the ranks seen, agreement goes on as it was (ext), or
            res                         as little or as much as possible is in common (min, max);
                                        res is max - min
    ======  =================  =======  ===========================================================

    Shapes: two sequences of items from the top, of any lengths; a set in place of an item is a
    group of tied items.

    Edge cases
        - A ranking without items: ext and min are 0.0, max is 1.0.
        - An item twice in one ranking, or an empty group: UsageError.

    Source: Webber, Moffat and Zobel, "A similarity measure for indefinite rankings", ACM TOIS
    28(4), 2010; with ties, Corsi and Urbano, "The treatment of ties in rank-biased overlap", SIGIR
    2024.

    >>> round(rbo("abc", ["b", {"a", "c"}]), 6)  # .1 * (.9 * 1.5 / 2 + .81 * 3 / 3) + .9^3
    0.8775
    """
    require_fraction(p, "p")
    way, wanted = RankTies(ties), Overlap(kind)
    shorter, longer = sorted((_Spans(first), _Spans(second)), key=lambda one: one.size)
    if wanted is Overlap.RES:
        return _rbo(shorter, longer, p, way, Overlap.MAX) - _rbo(
            shorter, longer, p, way, Overlap.MIN
        )
    return _rbo(shorter, longer, p, way, wanted)


@checked
def rbo_base(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    *,
    p: float = 0.9,
    depth: int | None = None,
) -> float:
    r"""Return rank-biased overlap down to a depth, divided by the largest value it can have there.

    .. math::
        \frac{\sum_{i=1}^{\mathit{depth}} p^{i-1} X_i / i} {\sum_{i=1}^{\mathit{depth}} p^{i-1}}

    with X_i the number of items that the first i of both have in common. A list that ends early
    just stops growing, and no item is tied. Depth None is the length of the longer list.

    Edge cases
        - Both rankings empty, or one: 0.0, nothing in common.
        - The same ranking twice: 1.0 if it reaches the depth.
        - An item twice in one ranking: UsageError.

    Source: Webber, Moffat and Zobel, "A similarity measure for indefinite rankings", ACM TOIS
    28(4), 2010, equation 9, cut and normalised; so in repro_eval (Breuer et al., SIGIR 2020).

    >>> round(rbo_base("abc", "bad", p=0.9), 6)  # (0 / 1 + .9 * 2 / 2 + .81 * 2 / 3) / 2.71
    0.531365
    """
    require_fraction(p, "p")
    if depth is not None:
        require_count(depth, "depth")
    one, other = _Spans(first[:depth]), _Spans(second[:depth])
    return rbo_bases(tuple(one.spans), tuple(other.spans), [depth or max(one.size, other.size)], p)[
        0
    ]


def rbo_bases(
    first: Sequence[Hashable], second: Sequence[Hashable], depths: Sequence[int], p: float
) -> list[float]:
    """Return `rbo_base` at several depths of two rankings without ties."""
    if not (first and second):
        return [0.0] * len(depths)
    end = min(max(depths), math.ceil(SMALLEST / math.log(p)))  # further down, p^d is 0
    place = {item: rank for rank, item in enumerate(second[:end])}
    met = [max(rank, place[item]) for rank, item in enumerate(first[:end]) if item in place]
    common = np.cumsum(np.bincount(met, minlength=end))
    weights = p ** np.arange(end)
    shares = weights * common / np.arange(1, end + 1)
    return [float(shares[:depth].sum() / weights[:depth].sum()) for depth in depths]


class _Spans:
    """A ranking as the first and the last rank of each item's group, by item in rank order."""

    def __init__(self, ranking: Ranking) -> None:
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

    def contribution(self, ties: RankTies, end: int, power: int = 1) -> Floats:
        """Return the sum of the items' c, or of its square, at ranks 1 to `end`, shape (end,)."""
        total = np.zeros(end)
        for span, count in Counter(self.spans.values()).items():
            total += count * contribution(span, ties, end) ** power
        return total


def contribution(span: tuple[int, int], ties: RankTies, end: int) -> Floats:
    """Return c at ranks 1 to `end` of an item in a group at these ranks, shape (end,)."""
    top, bottom = span
    ranks = np.arange(1, end + 1)
    if ties is RankTies.W:
        return (ranks >= top).astype(np.float64)
    return np.clip((ranks - top + 1.0) / (bottom - top + 1.0), 0.0, 1.0)


def _common(one: _Spans, other: _Spans, ties: RankTies, end: int) -> Floats:
    """Return X at ranks 1 to `end`."""
    pairs = Counter(
        (span, other.spans[item]) for item, span in one.spans.items() if item in other.spans
    )
    total = np.zeros(end)
    for (left, right), count in pairs.items():
        total += count * contribution(left, ties, end) * contribution(right, ties, end)
    return total


def _rbo(shorter: _Spans, longer: _Spans, p: float, ties: RankTies, kind: Overlap) -> float:
    s, n = shorter.size, longer.size
    if not n:
        return float(kind is Overlap.MAX)
    common = _common(shorter, longer, ties, n)
    at_s = float(_agreement(common, shorter, longer, ties)[s - 1]) if s else 0.0
    unseen = np.zeros(n)
    lacking = [span for item, span in longer.spans.items() if item not in shorter.spans]
    if kind is Overlap.EXT:
        unseen[s:] = at_s * np.arange(1, n - s + 1) * _mean_contribution(lacking, ties, n)[s:]
    elif kind is Overlap.MAX:
        # The first items that the shorter ranking lacks may be those that follow in it.
        for place, span in enumerate(lacking[: n - s]):
            unseen[s + place :] += contribution(span, ties, n)[s + place :]
    agreement = _agreement(common + unseen, shorter, longer, ties)
    weights = p ** np.arange(1.0, n + 1.0)
    seen = float(weights @ agreement)
    at_n = float(common[-1])
    if kind is Overlap.MIN:
        rest = at_n * (-math.log1p(-p) - float((weights / np.arange(1, n + 1)).sum()))
    elif kind is Overlap.MAX:
        joint = n + s - round(at_n)  # items of both, all of which have come up by that rank
        ranks = np.arange(n + 1, joint + 1)
        rest = float(((2 * ranks - n - s + at_n) / ranks * p**ranks).sum())
        rest += p ** (joint + 1) / (1.0 - p)
    else:
        rest = (at_n + (n - s) * at_s) / n * p ** (n + 1) / (1.0 - p)
    return (1.0 - p) / p * (seen + rest)


def _agreement(common: Floats, shorter: _Spans, longer: _Spans, ties: RankTies) -> Floats:
    """Return A from X; below the shorter ranking's end its items are taken as not tied."""
    ranks = np.arange(1.0, common.size + 1.0)
    if ties is RankTies.A:
        return common / ranks
    power = 1 if ties is RankTies.W else 2
    sums = [one.contribution(ties, common.size, power) for one in (shorter, longer)]
    sums[0][shorter.size :] = ranks[shorter.size :]
    if ties is RankTies.W:
        return 2.0 * common / (sums[0] + sums[1])
    return common / np.sqrt(sums[0] * sums[1])


def _mean_contribution(spans: Sequence[tuple[int, int]], ties: RankTies, end: int) -> Floats:
    """Return the mean c of items of these groups, over those that contribute at all."""
    total, active = np.zeros(end), np.zeros(end)
    for span, count in Counter(spans).items():
        each = contribution(span, ties, end)
        total += count * each
        active += count * (each > 0.0)
    return total / np.maximum(active, 1.0)
