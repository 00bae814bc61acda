"""Reciprocal rank."""

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.measures.arithmetic.expected_ties import expected_at_first
from rankeval.measures.arithmetic.walk import Place, Reader, measure_reader
from rankeval.measures.counts import found, relevant_rows
from rankeval.measures.declare.definition import Cutoff, JudgedOnly, Rel, Values
from rankeval.measures.declare.measure_registry import measure
from rankeval.measures.declare.needs import Steps
from rankeval.measures.declare.readers import (
    OutOfReader,
    chances_of,
    of_the_measure_itself,
    spending_where_reported,
)
from rankeval.measures.declare.value_bounds import extremes
from rankeval.ranking import RankedJudgments


def _reader(judged: RankedJudgments, *, rel: float, cutoff: int | None, **_: object) -> Reader:
    """Return a reader who goes on until the first relevant document."""

    def go_on(place: Place) -> Floats:
        return (place.total_gain == 0).astype(float)

    return Reader(found(judged, rel=rel).astype(float), go_on, cutoff)


@measure(
    "RR",
    at="cutoff",
    aliases=("recip_rank", "MRR", "mrr", "reciprocal_rank", "mean_reciprocal_rank"),
    steps=Steps(places=chances_of(_reader)),
    takes=spending_where_reported,
    expected=True,
    bounds=of_the_measure_itself(extremes),
    relevant_only=True,
)
def reciprocal_rank(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    judged_only: JudgedOnly = False,
    out: OutOfReader = "EU",
    cutoff: Cutoff = None,
) -> Values:
    """Reciprocal rank: one over the rank of the first relevant document; its mean is MRR.

        RR@k = 1 / min{ i ≤ k : g_i ≥ rel }

    Edge cases
        - No relevant document within the cutoff: 0.
        - out= other than 'EU' reports another quantity of the reader in the C/W/L framework,
          with 1000 places and C_i = 1 before the first relevant document (and i < k), else 0.

    Source
        Voorhees, The TREC-8 Question Answering Track Report, TREC 1999.
    """
    judged = judged.condensed if judged_only else judged
    if out != "EU":
        return measure_reader(judged, _reader(judged, rel=rel, cutoff=cutoff), out)
    if judged.ties_open:
        every = found(judged, rel=rel)
        return expected_at_first(judged, every, lambda rank: 1.0 / rank, cutoff)
    relevant = relevant_rows(judged, rel=rel, cutoff=cutoff)
    first = (relevant.number == 1).nonzero()[0]
    values = np.zeros(len(judged))
    values[relevant.topic[first]] = 1.0 / relevant.rank[first]
    return values
