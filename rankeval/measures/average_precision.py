"""Average precision and its relatives."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import numpy as np

from rankeval.base.arrays import Floats, Integers, accumulate, sums
from rankeval.measures.arithmetic.expected_ties import expected_precision_sum, no_closed_form
from rankeval.measures.arithmetic.logarithms import log
from rankeval.measures.arithmetic.walk import DEPTH, Place, Reader, measure_reader
from rankeval.measures.counts import found, hits, relevant_rows, share, share_of_relevant
from rankeval.measures.declare.aggregates import GEOMETRIC
from rankeval.measures.declare.definition import Alias, Cutoff, JudgedOnly, Rel, Values
from rankeval.measures.declare.measure_parameters import Meaning
from rankeval.measures.declare.measure_registry import measure
from rankeval.measures.declare.needs import Steps, Terms
from rankeval.measures.declare.readers import (
    OutOfReader,
    chances_of,
    of_the_measure_itself,
    spending_where_reported,
)
from rankeval.measures.declare.value_bounds import Bounds, Unjudged, rows_down_to, top_grade
from rankeval.ranking import RankedJudgments

Norm = Annotated[
    Literal["rel", "min", "ret"],
    Meaning("divisor of the sum: R, min(k, R), or the relevant documents in the top k"),
]


def precision_where_relevant(
    judged: RankedJudgments, *, rel: float, cutoff: int | None = None
) -> Floats:
    """Return P@i at the rank i of each relevant document, 0 in the other rows, shape (N,)."""
    relevant = relevant_rows(judged, rel=rel, cutoff=cutoff)
    precision = np.zeros(len(judged.rank))
    precision[found(judged, rel=rel, cutoff=cutoff)] = relevant.number / relevant.rank
    return precision


def gathered_precision(judged: RankedJudgments, *, rel: float, cutoff: int | None = None) -> Values:
    """Return S(k), the sum of the precisions at the ranks of the relevant documents, shape (T,)."""
    if judged.ties_open:
        return expected_precision_sum(judged, found(judged, rel=rel), cutoff)
    relevant = relevant_rows(judged, rel=rel, cutoff=cutoff)
    return sums(relevant.topic, relevant.number / relevant.rank, len(judged))


def _terms(judged: RankedJudgments, *, rel: float, cutoff: int | None = None, **_: object) -> Terms:
    return {"P@i": precision_where_relevant(judged, rel=rel, cutoff=cutoff)}


STEPS = Steps(rows=_terms)


def _reader(
    judged: RankedJudgments, *, rel: float, cutoff: int | None = None, **_: object
) -> Reader:
    """Return AP's reader: C_i = Σ_{j>i} r_j/j / Σ_{j≥i} r_j/j, over the places of the framework."""
    relevant = found(judged, rel=rel, cutoff=min(cutoff or DEPTH, DEPTH))
    own = np.where(relevant, 1.0 / judged.rank, 0.0)
    ahead = accumulate(np.add, own[::-1], len(own) - judged.offsets[::-1])[::-1]
    goes_on = share(ahead - own, ahead)
    any_relevant = (judged.count_per_topic(relevant) > 0).astype(float)

    def go_on(place: Place) -> Floats:
        chance = any_relevant.copy()
        chance[judged.topic[place.rows]] = goes_on[place.rows]
        return chance

    return Reader(relevant.astype(float), go_on, cutoff)


def _bounds(
    values: Callable[[RankedJudgments], Values],
    judged: RankedJudgments,
    parameters: Mapping[str, Any],
) -> Bounds | None:
    """Bound AP by making unjudged documents relevant one by one, from the top and from the bottom.

    A document that becomes relevant at rank i adds P@i, and 1/j at the rank j of each relevant
    document below it.
    """
    rel, cutoff, norm = parameters["rel"], parameters.get("cutoff"), parameters.get("norm", "rel")
    value = values(judged)
    if top_grade(judged) < rel:
        return Bounds(value, value)
    # The relevant documents that count as retrieved are all that norm='ret' divides by.
    unjudged = Unjudged.from_judgments(judged, within=cutoff if norm == "ret" else None)
    topic, rank = unjudged.topic, unjudged.rank
    relevant = found(judged, rel=rel, cutoff=cutoff)
    rows = np.flatnonzero(relevant)
    inverse = np.where(relevant, 1.0 / judged.rank, 0.0)
    reached = np.append(0.0, judged.accumulate(np.add, inverse)[rows])
    first = np.searchsorted(judged.topic[rows], np.arange(len(judged)))[topic]
    above = rows_down_to(judged, rows, topic, rank)
    down_to_it = np.where(above > 0, reached[first + above], 0.0)
    below = judged.sum_per_topic(inverse)[topic] - down_to_it
    counts = 1.0 if cutoff is None else rank <= cutoff
    own = counts / rank
    gathered = gathered_precision(judged, rel=rel, cutoff=cutoff)[topic]
    rising = accumulate(np.add, own * (above + unjudged.number) + below, unjudged.offsets)
    weight_down_to = accumulate(np.add, own, unjudged.offsets)
    whole = np.zeros(len(judged))
    np.maximum.at(whole, topic, weight_down_to)
    added = own * (above + 1) + below + whole[topic] - weight_down_to
    falling = accumulate(np.add, added[::-1], len(added) - unjudged.offsets[::-1])[::-1]

    def divided(total: Values, more: Integers) -> Values:
        if norm == "ret":
            return share(total, hits(judged, rel=rel, cutoff=cutoff)[topic] + more)
        n_relevant = judged.count_judged(min_grade=rel)[topic] + more
        least = (
            np.minimum(cutoff, n_relevant) if norm == "min" and cutoff is not None else n_relevant
        )
        return share(total, least)

    return Bounds(
        unjudged.least(value, divided(gathered + falling, unjudged.from_bottom)),
        unjudged.greatest(value, divided(gathered + rising, unjudged.number)),
    )


@measure(
    "AP",
    at="cutoff",
    aliases=(
        "map",
        "MAP",
        "map_cut",
        "average_precision",
        "mean_average_precision",
        Alias("ContextPrecision", {"norm": "ret"}),
        Alias("TrAP", {"norm": "ret"}),
    ),
    steps=Steps(rows=_terms, places=chances_of(_reader)),
    takes=spending_where_reported,
    expected=True,
    bounds=of_the_measure_itself(_bounds),
    relevant_only=True,
)
def average_precision(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    norm: Norm = "rel",
    judged_only: JudgedOnly = False,
    out: OutOfReader = "EU",
    cutoff: Cutoff = None,
) -> Values:
    """Average precision: the mean precision at the ranks of the relevant documents.

        S(k) = Σ_{i=1..min(k,n)} [g_i ≥ rel]·P@i
        AP@k = S(k) / R                 norm='rel'
             = S(k) / min(k, R)         norm='min'
             = S(k) / h(k)              norm='ret'

    with n documents retrieved, g_i the grade at rank i, R relevant documents in all and
    h(k) of them among the first k.

    Edge cases
        - R = 0, or nothing relevant retrieved: 0.
        - R includes documents below the cutoff or never retrieved, so a perfect top k with
          k < R scores k/R; norm='min' gives it 1.
        - out= other than 'EU' reports another quantity of AP's reader in the C/W/L framework,
          with 1000 places and C_i = Σ_{j>i} r_j/j / Σ_{j≥i} r_j/j, where r_j = [g_j ≥ rel] (and
          0 below k); a reader of a ranking without relevant documents stops at rank 1.

    Differences
        - norm='min' is the MAP@k of the recommender literature and NTCIREVAL's AP; norm='ret'
          is RAG's context precision. trec_eval, ranx and ir_measures use norm='rel'.
        - In the C/W/L framework the expected utility per document of AP's reader is norm='ret';
          the other quantities, out='ETU' and so on, do not depend on norm=.

    Source
        Buckley and Voorhees, Retrieval System Evaluation, in TREC: Experiment and
        Evaluation in Information Retrieval, MIT Press, 2005, chapter 3.
    """
    judged = judged.condensed if judged_only else judged
    if out != "EU":
        return measure_reader(judged, _reader(judged, rel=rel, cutoff=cutoff), out)
    gathered = gathered_precision(judged, rel=rel, cutoff=cutoff)
    if norm == "ret":
        if judged.ties_open and cutoff is not None:
            raise no_closed_form("AP(norm='ret') with a cutoff", "leave out the cutoff")
        return share(gathered, hits(judged, rel=rel, cutoff=cutoff))
    if norm == "min" and cutoff is not None:
        return share(gathered, np.minimum(cutoff, judged.count_judged(min_grade=rel)))
    return share_of_relevant(gathered, judged, rel=rel)


@measure(
    "GMAP",
    aliases=("gm_map",),
    aggregate=GEOMETRIC,
    tier=2,
    steps=STEPS,
    expected=True,
    bounds=_bounds,
)
def geometric_mean_average_precision(judged: RankedJudgments, *, rel: Rel = 1) -> Values:
    """Geometric mean average precision: AP, aggregated by the geometric mean.

        GMAP = exp( (1/T)·Σ_t ln max(AP_t, 0.00001) )

    The value of a topic is its AP; hard topics weigh more in the aggregate than in MAP.

    Source
        Robertson, On GMAP and other transformations, CIKM 2006; trec_eval, gm_map.
    """
    return average_precision(judged, rel=rel)


@measure("YAAP", aliases=("yaap",), low=-float("inf"), high=float("inf"), tier=3, steps=STEPS)
def yet_another_average_precision(judged: RankedJudgments, *, rel: Rel = 1) -> Values:
    """Yet another average precision: AP on a logit-like, unbounded scale.

        YAAP = ln( (1 + S(n)) / (1 + R - S(n)) )

    with S(n) the sum of the precisions at the ranks of the relevant documents (see AP).

    Edge cases
        - R = 0: 0.

    Source
        Robertson, On the contributions of topics to system evaluation, ECIR 2011;
        trec_eval, yaap.
    """
    gathered = gathered_precision(judged, rel=rel)
    return log((1 + gathered) / (1 + judged.count_judged(min_grade=rel) - gathered))
