"""Rank-biased overlap of two rankings, whose items may be tied."""

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum

import numpy as np

from rankeval.base.checked import checked
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import Floats, require_fraction

Ranking = Sequence[Hashable | AbstractSet[Hashable]]
"""Items from the top; a set holds items that are tied."""


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
    kind: Overlap | str = Overlap.EXT,
) -> float:
    r"""Return the rank-biased overlap: the agreement of two rankings, weighted towards the top.

    .. math:: \mathrm{RBO} = \frac{1-p}{p} \sum_{d=1}^{\infty} p^d A_d, \qquad
        X_d = \sum_e c^1_{e|d}\, c^2_{e|d}

    With c = 1 for items down to rank d and 0 for those below, X_d counts the items that the first d
    of both rankings have in common, and the agreement is A_d = X_d / d. For a group of items that
    are tied at ranks t to b, c is (d - t + 1) / (b - t + 1) for t <= d < b, which gives the mean
    over all orders of the tied items.

    ======  =================  =======  ===========================================================
    name    type               default  meaning
    ======  =================  =======  ===========================================================
    p       0 < p < 1          0.9      chance of looking one rank further; the first 10 ranks carry
                                        86 % of the weight at 0.9
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
    2024, variant a.

    >>> round(rbo("abc", ["b", {"a", "c"}]), 6)  # .1 * (.9 * 1.5 / 2 + .81 * 3 / 3) + .9^3
    0.8775
    """
    require_fraction(p, "p")
    wanted = Overlap(kind)
    shorter, longer = sorted((_Spans(first), _Spans(second)), key=lambda one: one.size)
    if wanted is Overlap.RES:
        most, least = (_rbo(shorter, longer, p, end) for end in (Overlap.MAX, Overlap.MIN))
        return most - least
    return _rbo(shorter, longer, p, wanted)


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


def _rbo(shorter: _Spans, longer: _Spans, p: float, kind: Overlap) -> float:
    s, n = shorter.size, longer.size
    if not n:
        return float(kind is Overlap.MAX)
    common = _common(shorter, longer, n)
    at_s = float(common[s - 1]) / s if s else 0.0
    unseen = np.zeros(n)
    lacking = [span for item, span in longer.spans.items() if item not in shorter.spans]
    if kind is Overlap.EXT:
        unseen[s:] = at_s * np.arange(1, n - s + 1) * _mean_contribution(lacking, n)[s:]
    elif kind is Overlap.MAX:
        # The first items that the shorter ranking lacks may be those that follow in it.
        for place, span in enumerate(lacking[: n - s]):
            unseen[s + place :] += contribution(span, n)[s + place :]
    agreement = (common + unseen) / np.arange(1.0, n + 1.0)
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


def _mean_contribution(spans: Sequence[tuple[int, int]], end: int) -> Floats:
    """Return the mean c of items of these groups, over those that contribute at all."""
    total, active = np.zeros(end), np.zeros(end)
    for span, count in Counter(spans).items():
        each = contribution(span, end)
        total += count * each
        active += count * (each > 0.0)
    return total / np.maximum(active, 1.0)
