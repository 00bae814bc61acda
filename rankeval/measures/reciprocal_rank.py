"""Reciprocal rank, and the cascade: a reader who stops when a document satisfies."""

from typing import Annotated, Literal

import numpy as np

from rankeval.base.arrays import Floats, Grades, Integers, accumulate
from rankeval.errors import MeasureError
from rankeval.measures.arithmetic import expected_at_first, found, share, shifted
from rankeval.measures.facts import Cutoff, Meaning, Range, Rel, Terms, Values
from rankeval.measures.precision import relevant_rows
from rankeval.measures.walk import Place, Reader
from rankeval.ranking import RankedJudgments


def first_relevant_reader(
    judged: RankedJudgments, *, rel: float, cutoff: int | None, **_: object
) -> Reader:
    """Return a reader who goes on until the first relevant document."""

    def go_on(place: Place) -> Floats:
        return (place.total_gain == 0).astype(float)

    return Reader(found(judged, rel=rel).astype(float), go_on, cutoff)


def reciprocal_rank(judged: RankedJudgments, *, rel: Rel = 1, cutoff: Cutoff = None) -> Values:
    """Reciprocal rank: one over the rank of the first relevant document; its mean is MRR.

        RR@k = 1 / min{ i ≤ k : g_i ≥ rel }

    Edge cases
        - No relevant document within the cutoff: 0.
        - out= other than 'EU' reports another quantity of the reader in the C/W/L framework,
          with 1000 places and C_i = 1 before the first relevant document (and i < k), else 0.

    Source
        Voorhees, The TREC-8 Question Answering Track Report, TREC 1999.
    """
    if judged.ties_open:
        every = found(judged, rel=rel)
        return expected_at_first(judged, every, lambda rank: 1.0 / rank, cutoff)
    relevant = relevant_rows(judged, rel=rel, cutoff=cutoff)
    first = (relevant.number == 1).nonzero()[0]
    values = np.zeros(len(judged))
    values[relevant.topic[first]] = 1.0 / relevant.rank[first]
    return values


DEFAULT_SCALE = 4
"""Largest grade of gdeval, used by ir_measures and TREC's Web track too."""

MaxRel = Annotated[
    int | float | Literal["qrels"],
    Range(above=0),
    Meaning("largest grade of the scale; 'qrels' takes the largest in the qrels file"),
]


def stopping_probability(grade: Grades, judged: RankedJudgments, *, max_rel: float | str) -> Floats:
    """Return (2^g - 1) / 2^max_rel, the chance that a document of grade g satisfies the reader."""
    largest = judged.highest_grade if isinstance(max_rel, str) else max_rel
    if judged.highest_grade > largest:
        raise MeasureError(
            f"the qrels have the grade {judged.highest_grade:g}, above max_rel={largest:g}",
            remedy=f"state the scale, as in ERR(max_rel={judged.highest_grade:g})@20",
        )
    # As a difference of negative powers, because 2^1024 alone would not fit a double.
    return np.exp2(np.maximum(grade, 0.0) - largest) - np.exp2(-largest)


def reached(stop: Floats, offsets: Integers) -> Floats:
    """Return Π_{j<i}(1-p_j) for each row, the chance that the reader reaches it."""
    return shifted(accumulate(np.multiply, 1.0 - stop, offsets), offsets, first=1.0)


def reciprocal_rank_expected(stop: Floats, rank: Integers, offsets: Integers) -> Floats:
    """Return (1/i)·p_i·Π_{j<i}(1-p_j) for each row."""
    return stop * reached(stop, offsets) / rank


def scale_is_assumed(judged: RankedJudgments, *, max_rel: float | str, **_: object) -> str | None:
    """Return a warning if the largest grade of the qrels is not that of the default scale."""
    if max_rel != DEFAULT_SCALE or judged.highest_grade == DEFAULT_SCALE:
        return None
    return (
        f"max_rel={DEFAULT_SCALE} is assumed but the largest grade in the qrels is "
        f"{judged.highest_grade:g}: state the scale with max_rel=, or max_rel='qrels'"
    )


def cascade_terms(judged: RankedJudgments, *, max_rel: float | str, **_: object) -> Terms:
    """Return the chances that a reader stops at each row and that the reader reaches it."""
    stop = stopping_probability(judged.grade, judged, max_rel=max_rel)
    return {"stops": stop, "reached": reached(stop, judged.offsets)}


def expected_reciprocal_rank(
    judged: RankedJudgments, *, max_rel: MaxRel = DEFAULT_SCALE, cutoff: Cutoff = None
) -> Values:
    """Expected reciprocal rank: the mean of 1/rank at which a satisfied reader stops.

        ERR@k = Σ_{i=1..min(k,n)} (1/i)·p_i·Π_{j<i} (1 - p_j)
        p_i   = (2^g_i - 1) / 2^max_rel

    Edge cases
        - Negative grades and unjudged documents: p = 0.
        - A grade above max_rel is an error, as in gdeval.

    Differences
        - gdeval and ir_measures fix max_rel at 4, which is the default here.

    Source
        Chapelle, Metlzer, Zhang and Grinspan, Expected reciprocal rank for graded relevance,
        CIKM 2009.
    """
    top = judged.within(cutoff)
    stop = stopping_probability(top.grade, judged, max_rel=max_rel)
    return top.sum_per_topic(reciprocal_rank_expected(stop, top.rank, top.offsets))


def normalised_expected_reciprocal_rank(
    judged: RankedJudgments, *, max_rel: MaxRel = DEFAULT_SCALE, cutoff: Cutoff = None
) -> Values:
    """Normalised expected reciprocal rank: ERR divided by that of the best possible ranking.

        nERR@k = ERR@k / ERR@k of all judged documents, best first

    Edge cases
        - No document with a positive grade: 0.

    Source
        Chapelle, Metlzer, Zhang and Grinspan, Expected reciprocal rank for graded relevance,
        CIKM 2009; Sakai, Metrics, statistics, tests, PROMISE Winter School 2013.
    """
    stop = stopping_probability(judged.judged_grade, judged, max_rel=max_rel)
    terms = reciprocal_rank_expected(stop, judged.ideal_rank, judged.judged_offsets)
    ideal = judged.sum_judged(terms if cutoff is None else terms * (judged.ideal_rank <= cutoff))
    return share(expected_reciprocal_rank(judged, max_rel=max_rel, cutoff=cutoff), ideal)
