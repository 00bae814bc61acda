"""Measures of trec_eval with a table of gains that gains= cannot express.

Such a table may give gains to unjudged documents and to negative grades. trec_eval treats gains
less than 1 apart as equal when it sorts them.
"""

import math
from collections import Counter
from collections.abc import Sequence
from functools import cmp_to_key
from itertools import chain, pairwise
from typing import Annotated, Literal

import numpy as np

from rankeval.base.arrays import offsets_of
from rankeval.base.frozen import replace
from rankeval.errors import MeasureError
from rankeval.measures.facts import Meaning, Rel, Values
from rankeval.measures.measure_catalogue import catalogued
from rankeval.measures.precision import Placeholder
from rankeval.measures.rank_biased import Persistence, rank_biased_precision
from rankeval.ranking import Ideal, RankedJudgments

UNJUDGED, POOLED = -1, -2
"""The levels of retrieved documents that are not in the qrels, and of those below 0 there."""


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


Line = tuple[int, float, int]
"""A line of a table of gains: a level, its gain, and its number of judged documents."""


def table_of(pairs: Sequence[tuple[int, float]], judged_levels: Sequence[int]) -> list[Line]:
    """Tabulate pairs of level and gain, and a topic's other levels from 0 on, least gain first."""
    counts = Counter(level for level in judged_levels if level >= 0)
    levels = range(max(counts, default=-1) + 1)
    named = {level for level, _ in pairs}
    # The first of two pairs of a level has its documents.
    lines = [(level, gain, counts.pop(level, 0)) for level, gain in pairs]
    lines += [(level, float(level), counts[level]) for level in levels if level not in named]

    def whole_difference(a: Line, b: Line) -> int:
        difference = a[1] - b[1]
        return int(difference) if abs(difference) < 2**31 else -(2**31)

    return sorted(lines, key=cmp_to_key(whole_difference))


def ideal_of(table: Sequence[Line]) -> list[float]:
    """Return the gains of the ideal ranking, down to the last positive one.

    There are none if the greatest gain is not positive, even that of a level without documents.
    """
    best: list[float] = []
    for _, gain, number in reversed(table if table and table[-1][1] > 0 else []):
        if number and not gain > 0:
            break
        best += [gain] * number
    return best


def _scaled(table: list[Line]) -> list[Line]:
    """Return the table with its gains scaled to lie from 0 to 1, as for RBP."""
    gains = [0.0, *(gain for _, gain, _ in table)]
    low, high = min(gains), max(gains)
    if low >= 0 and high <= 1:
        return table
    return [(level, (gain - low) / (high - low), number) for level, gain, number in table]


def tabulated(
    judged: RankedJudgments, pairs: Sequence[tuple[int, float]], of: str, p: float
) -> Values:
    """Return a measure of gains from pairs of level and gain, as trec_eval computes it.

    That is the measure of a ranking whose grades are the gains.
    """
    rows = with_unjudged_rows(judged)
    retrieved = np.trunc(rows.grade).astype(int).tolist()
    levels = np.trunc(judged.judged_grade).astype(int).tolist()
    bounds = pairwise(rows.offsets.tolist()), pairwise(judged.judged_offsets.tolist())
    gains: list[float] = []
    best: list[list[float]] = []
    # Topic by topic: a table orders the levels of each topic anew.
    for (first, last), (start, stop) in zip(*bounds, strict=True):
        table = table_of(pairs, levels[start:stop])
        if of == "RBP":
            table = _scaled(table)
        gain_of = {level: gain for level, gain, _ in reversed(table)}
        gains += [gain_of.get(level, 0.0) for level in retrieved[first:last]]
        best.append(ideal_of(table))
    ideal = Ideal(offsets_of(np.array([*map(len, best)], dtype=int)), np.array([*chain(*best)]))
    ranking = replace(rows, grade=np.array(gains, dtype=float), ideal=ideal)
    if of == "RBP":
        return rank_biased_precision(ranking, p=p, max_rel="topic")
    undefined = (of == "Rndcg") & (ideal.sum(ideal.grade) <= 0)
    if not len(ideal.grade) and of != "DCG":
        return np.where(undefined, np.nan, 0.0)
    more = {"rel": -math.inf} if of == "Rndcg" else {}
    negative = tuple((gain, gain) for gain in sorted({*gains}) if gain < 0)
    values = catalogued(of).function(ranking, gains=negative or None, **more)
    if of == "nDCG_rel":
        values = np.maximum(values, 0.0)
    return np.where(undefined, np.nan, values)


def _pairs(table: str) -> list[tuple[int, float]]:
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
    if placeholder:
        judged = replace(judged, retrieved=np.maximum(judged.retrieved, 1))
    values = tabulated(judged, _pairs(table), of, p)
    if of == "Rndcg":
        values = np.where(judged.count_judged(min_grade=rel) > 0, values, 0.0)
    return np.where(np.isfinite(values), values, np.nan)
