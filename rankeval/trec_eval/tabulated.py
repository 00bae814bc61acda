"""Measures of trec_eval with a table of gains that gains= cannot express.

Such a table may give gains to unjudged documents and to negative grades. trec_eval treats gains
less than 1 apart as equal when it sorts them.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise, repeat
from typing import Annotated, Literal, TypeVar

import numpy as np

from rankeval.base.arrays import offsets_of
from rankeval.errors import MeasureError
from rankeval.measures.declare.definition import Rel, Values
from rankeval.measures.declare.measure_parameters import Meaning
from rankeval.measures.precision import Placeholder
from rankeval.measures.rank_biased import Persistence
from rankeval.ranking import Ideal, RankedJudgments

Item = TypeVar("Item")

NAN = -float("nan")
"""Result of 0/0 in C; trec_eval prints its sign."""

UNJUDGED, POOLED = -1, -2
"""The levels of retrieved documents that are not in the qrels, and of those below 0 there."""


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


def with_unjudged_rows(judged: RankedJudgments) -> RankedJudgments:
    """Give every retrieved document a row, unjudged ones with the levels trec_eval has for them.

    Documents with negative levels leave the ideal ranking, because they are never relevant.
    """
    rows = judged.with_unjudged_as(UNJUDGED)
    is_judged, counted = rows.judgment >= 0, judged.judged_grade >= 0
    sizes = np.bincount(judged.judged_topic[counted], minlength=len(judged))
    return replace(
        rows,
        grade=np.where(is_judged & (rows.grade < 0), POOLED, rows.grade),
        ideal=Ideal(offsets_of(sizes), judged.judged_grade[counted]),
    )


Pair = tuple[int, float]
"""A level and its gain."""

Line = tuple[int, float, int]
"""A line of a table of gains: a level, its gain, and its number of judged documents."""


def table_of(pairs: Sequence[Pair], judged_levels: Sequence[int]) -> list[Line]:
    """Tabulate the given pairs and a topic's levels from 0 to the highest, least gain first."""
    counts = Counter(level for level in judged_levels if level >= 0)
    named: set[int] = set()
    lines: list[Line] = []
    for level, gain in pairs:
        lines.append((level, gain, 0 if level in named else counts[level]))
        named.add(level)
    levels = range(max(counts, default=-1) + 1)
    lines += [(level, float(level), counts[level]) for level in levels if level not in named]

    def whole_difference(a: Line, b: Line) -> int:
        difference = a[1] - b[1]
        return int(difference) if abs(difference) < 2**31 else -(2**31)

    return merge_sorted(lines, whole_difference)


def _ideal(table: Sequence[Line]) -> list[float]:
    """Return the gains of the ideal ranking, down to the last positive one.

    There are none if the greatest gain is not positive, even that of a level without documents.
    """
    best: list[float] = []
    for _, gain, number in reversed(table if table and table[-1][1] > 0 else []):
        if number and not gain > 0:
            break
        best += [gain] * number
    return best


def _scaled(table: Sequence[Line]) -> list[Line]:
    """Return the table with its gains scaled to lie from 0 to 1, as for RBP."""
    gains = [0.0, *(gain for _, gain, _ in table)]
    low, high = min(gains), max(gains)
    if low >= 0 and high <= 1:
        return list(table)
    return [(level, over(gain - low, high - low), number) for level, gain, number in table]


def over(part: float, whole: float) -> float:
    """Return part / whole as C does: infinite or NaN where whole is 0."""
    if whole:
        return part / whole
    return math.copysign(math.inf, part) if part else NAN


def _discounted(gains: Sequence[float]) -> float:
    total = 0.0
    for i, gain in enumerate(gains, 1):
        total += gain / math.log2(i + 1)
    return total


def _ndcg(gains: Sequence[float], best: Sequence[float]) -> float:
    """Return DCG divided by its ideal, 0 where the ideal is not positive."""
    ideal = _discounted(best)
    return _discounted(gains) / ideal if ideal > 0 else 0.0


def _ndcg_rel(gains: Sequence[float], best: Sequence[float]) -> float:
    """Return the ratio of DCG and its ideal, averaged over the documents with a gain."""
    total = own = ideal = 0.0
    n_found = 0
    for i, (gain, g) in enumerate(zip(gains, chain(best, repeat(0.0)), strict=False), 1):
        own += gain / math.log2(i + 1)
        ideal += g / math.log2(i + 1)
        if gain > 0:
            total += over(own, ideal)
            n_found += 1
    if len(best) != n_found:
        total += over((len(best) - n_found) * own, _discounted(best))
    return over(total, len(best)) if total > 0 else 0.0


def _rndcg(gains: Sequence[float], best: Sequence[float]) -> float:
    """Return the ratio of DCG and its ideal, averaged over ranks where the ideal gain changes."""
    total = own = ideal = 0.0
    n_ratios = 0
    before = None
    for i, g in enumerate([*best, 0.0], 1):
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


def _g(gains: Sequence[float], best: Sequence[float]) -> float:
    """Return G, the gains discounted by the cost of reading that brought no gain."""
    total = gathered = cost = 0.0
    for i, gain in enumerate(gains):
        gathered += gain
        cost += max(best[i], 1.0) if i < len(best) else 1.0
        if gain != 0:
            left = 2.0 + cost - gathered
            whole = math.log2(left) if left > 0 else NAN if left < 0 else -math.inf
            total += over(gain, whole)
    sought = float(np.add.accumulate(best)[-1]) if best else 0.0
    return total / sought if sought > 0 else 0.0


MEASURES: Mapping[str, Callable[[Sequence[float], Sequence[float]], float]] = {
    "nDCG": _ndcg,
    "DCG": lambda gains, _: _discounted(gains),
    "IDCG": lambda _, best: _discounted(best),
    "nDCG_rel": _ndcg_rel,
    "Rndcg": _rndcg,
    "G": _g,
}
"""From the gains of a topic's ranking and of the ideal one to a value."""


def _rbp(gains: Sequence[float], p: float) -> float:
    total, power = 0.0, 1.0
    for gain in gains:
        total += gain * power
        power *= p
    return (1.0 - p) * total


def tabulated(
    judged: RankedJudgments,
    pairs: Sequence[Pair],
    of: str,
    p: float,
    *,
    placeholder: bool = False,
) -> Values:
    """Return a measure of gains from pairs of level and gain, as trec_eval computes it."""
    rows = with_unjudged_rows(judged)
    retrieved = np.trunc(rows.grade).astype(int).tolist()
    levels = np.trunc(judged.judged_grade).astype(int).tolist()
    bounds = pairwise(rows.offsets.tolist()), pairwise(judged.judged_offsets.tolist())
    values = np.zeros(len(judged))
    # Topic by topic: a table orders the levels of each topic anew.
    for t, ((first, last), (start, stop)) in enumerate(zip(*bounds, strict=True)):
        table = table_of(pairs, levels[start:stop])
        if of == "RBP":
            table = _scaled(table)
        gain_of = {level: gain for level, gain, _ in reversed(table)}
        found = retrieved[first:last] or ([UNJUDGED] if placeholder else [])
        gains = [gain_of.get(level, 0.0) for level in found]
        values[t] = _rbp(gains, p) if of == "RBP" else MEASURES[of](gains, _ideal(table))
    return values


def _pairs(table: str) -> list[Pair]:
    """Return the pairs that a text lists; MeasureError for another text."""
    try:
        items = [item.split("=") for item in table.split(",")] if table else []
        return [(int(grade), float(gain)) for grade, gain in items]
    except ValueError:
        raise MeasureError(
            f"table='{table}' is not possible", expected="GRADE=GAIN,… as in '1=0.5,2=0.7'"
        ) from None


def tabulated_gain(
    judged: RankedJudgments,
    *,
    of: Annotated[
        Literal["nDCG", "DCG", "IDCG", "nDCG_rel", "Rndcg", "G", "RBP"],
        Meaning("the measure computed from the gains"),
    ] = "nDCG",
    table: Annotated[
        str,
        Meaning(
            "GRADE=GAIN,… in trec_eval's order; -1 is any unjudged document, -2 one of a "
            "negative grade, and an unlisted grade keeps its own value"
        ),
    ] = "",
    p: Persistence = 0.9,
    rel: Rel = 1,
    placeholder: Placeholder = False,
) -> Values:
    """A measure of gains, computed from a table of gains as trec_eval does.

        TabulatedGain(of='nDCG') = Σ_{i=1..n} G_i/log2(i+1)  /  Σ_j G*_j/log2(j+1)

    with G_i the gain that the table has for the document at rank i. The table is sorted by
    increasing gain, where gains less than 1 apart keep their listed order and stand before
    grades that are not listed. The gains G*_j of the ideal ranking are read from its end, down
    to the first gain that is not positive. DCG, IDCG, nDCG_rel, Rndcg and G have the formulas
    of the measures of these names. For RBP the gains of a topic's table are shifted and scaled
    to lie between 0 and 1.

    Edge cases
        - p affects RBP only, and rel affects Rndcg only.
        - Undefined where trec_eval divides 0 by 0.
        - A fraction as a grade is cut to its integer part.

    Differences
        - Other measures take gains={grade:gain}, which follows none of these rules:
          nDCG(gains={1:0.5,2:0.7}) orders by gain alone.

    Source
        trec_eval, -m ndcg.1=0.5,2=0.7 and its kin.
    """
    values = tabulated(judged, _pairs(table), of, p, placeholder=placeholder)
    if of == "Rndcg":
        values = np.where(judged.count_judged(min_grade=rel) > 0, values, 0.0)
    return np.where(np.isfinite(values), values, np.nan)
