"""Gains by level as trec_eval tabulates them, sorted by the C library's merge sort."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, repeat
from typing import TypeVar

from rankeval.base.frozen import frozen
from rankeval.trec_eval.recall_scan import NAN

Item = TypeVar("Item")


def merge_sorted(items: Sequence[Item], compare: Callable[[Item, Item], float]) -> list[Item]:
    """Sort by merging halves, the left one being the shorter; ties keep their order.

    With NaN among the scores, or gains compared by the integer part of their difference, the
    result depends on which pairs are compared. This function compares the pairs that glibc
    compares.
    """
    if len(items) <= 1:
        return list(items)
    middle = len(items) // 2
    left = merge_sorted(items[:middle], compare)
    right = merge_sorted(items[middle:], compare)
    merged: list[Item] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if compare(left[i], right[j]) <= 0:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]


Pair = tuple[int, float]


@frozen
class LevelGain:
    """One line of the table: a level, its gain and its number of judged documents."""

    level: int
    gain: float
    number: int


@frozen
class GainTable:
    """The gains of one topic's levels, least gain first."""

    entries: tuple[LevelGain, ...]

    @classmethod
    def from_pairs(cls, pairs: Sequence[Pair], judged_levels: Sequence[int]) -> "GainTable":
        """Tabulate the given pairs and the topic's levels from 0 to the highest."""
        counts = Counter(level for level in judged_levels if level >= 0)
        named: set[int] = set()
        entries = []
        for level, gain in pairs:
            entries.append(LevelGain(level, gain, 0 if level in named else counts[level]))
            named.add(level)
        entries += [
            LevelGain(level, float(level), counts[level])
            for level in range(max(counts, default=-1) + 1)
            if level not in named
        ]
        return cls(tuple(merge_sorted(entries, _whole_difference)))

    def gains(self, levels: Sequence[int]) -> list[float]:
        """Return the gain of each retrieved document, 0 for a level that is not in the table."""
        first: dict[int, float] = {}
        for entry in self.entries:
            first.setdefault(entry.level, entry.gain)
        return [first.get(level, 0.0) for level in levels]

    def ideal(self) -> Iterator[float]:
        """Return the gains of the ideal ranking, down to the last positive one.

        The list is empty if the greatest gain is not positive, even that of a level without
        documents.
        """
        if self.entries and not self.entries[-1].gain > 0:
            return
        for entry in reversed(self.entries):
            if entry.number and not entry.gain > 0:
                return
            yield from repeat(entry.gain, entry.number)


def _whole_difference(a: LevelGain, b: LevelGain) -> int:
    difference = a.gain - b.gain
    return int(difference) if abs(difference) < 2**31 else -(2**31)


TableMeasure = Callable[[GainTable, Sequence[int]], float]
"""From a topic's table and the levels of its ranking to a value."""


def _discounted(gains: Iterator[float] | Sequence[float]) -> float:
    total = 0.0
    for i, gain in enumerate(gains, 1):
        total += gain / math.log2(i + 1)
    return total


def dcg(table: GainTable, levels: Sequence[int]) -> float:
    """Return DCG of the whole ranking."""
    return _discounted(table.gains(levels))


def ideal_dcg(table: GainTable, _levels: Sequence[int]) -> float:
    """Return DCG of the ideal ranking."""
    return _discounted(table.ideal())


def ndcg(table: GainTable, levels: Sequence[int]) -> float:
    """Return DCG divided by its ideal, 0 where the ideal is not positive."""
    ideal = ideal_dcg(table, levels)
    return dcg(table, levels) / ideal if ideal > 0 else 0.0


def ndcg_rel(table: GainTable, levels: Sequence[int]) -> float:
    """Return the ratio of DCG and its ideal, averaged over the documents with a gain."""
    best = list(table.ideal())
    total = own = ideal = 0.0
    n_found = 0
    ideals = chain(best, repeat(0.0))
    for i, (gain, g) in enumerate(zip(table.gains(levels), ideals, strict=False), 1):
        own += gain / math.log2(i + 1)
        ideal += g / math.log2(i + 1)
        if gain > 0:
            total += over(own, ideal)
            n_found += 1
    whole = _discounted(best)
    if len(best) != n_found:
        total += over((len(best) - n_found) * own, whole)
    return over(total, len(best)) if total > 0 else 0.0


def rndcg(table: GainTable, levels: Sequence[int]) -> float:
    """Return the ratio of DCG and its ideal, averaged over ranks where the ideal gain changes."""
    gains, best = table.gains(levels), list(table.ideal())
    total = own = ideal = 0.0
    n_ratios = 0
    before = None
    for i in range(1, len(best) + 2):
        g = best[i - 1] if i <= len(best) else 0.0
        if g != before and ideal > 0:
            total += own / ideal
            n_ratios += 1
        before = g
        own += gains[i - 1] / math.log2(i + 1) if i <= len(gains) else 0.0
        ideal += g / math.log2(i + 1)
    if len(gains) > len(best) + 1 and ideal > 0:
        for i in range(len(best) + 2, len(gains) + 1):
            own += gains[i - 1] / math.log2(i + 1)
        total += own / ideal
        n_ratios += 1
    return total / n_ratios if n_ratios else NAN


def cost_gain(table: GainTable, levels: Sequence[int]) -> float:
    """Return G, the gains discounted by the cost of reading that brought no gain."""
    best = list(table.ideal())
    total = gathered = cost = 0.0
    for i, gain in enumerate(table.gains(levels)):
        gathered += gain
        cost += max(best[i], 1.0) if i < len(best) else 1.0
        if gain != 0:
            total += over(gain, _log2(2.0 + cost - gathered))
    whole = 0.0
    for g in best:
        whole += g
    return total / whole if whole > 0 else 0.0


def rbp(table: GainTable, levels: Sequence[int], p: float) -> float:
    """Return rank-biased precision, the gains of the table scaled to lie from 0 to 1."""
    low = min((e.gain for e in table.entries), default=0.0)
    high = max((e.gain for e in table.entries), default=0.0)
    low, high = min(low, 0.0), max(high, 0.0)
    if low < 0 or high > 1:
        width = high - low
        table = GainTable(
            tuple(LevelGain(e.level, over(e.gain - low, width), e.number) for e in table.entries)
        )
    total, power = 0.0, 1.0
    for gain in table.gains(levels):
        total += gain * power
        power *= p
    return (1.0 - p) * total


def over(part: float, whole: float) -> float:
    """Return part / whole as C does: infinite or NaN where whole is 0."""
    if whole:
        return part / whole
    return math.copysign(math.inf, part) if part else NAN


def _log2(value: float) -> float:
    if value > 0:
        return math.log2(value)
    return -math.inf if value == 0 else NAN
