"""Measures of the first k documents: P, R, F, R_cap, Success; and R-precision."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any

import numpy as np

from rankeval.base.arrays import Integers
from rankeval.measures.arithmetic.expected_ties import expected_at_first, share_within
from rankeval.measures.arithmetic.walk import Reader, measure_reader
from rankeval.measures.counts import found, hits, share, share_of_relevant
from rankeval.measures.declare.definition import Alias, JudgedOnly, Rel, RequiredCutoff, Values
from rankeval.measures.declare.measure_parameters import Meaning, MoreThan
from rankeval.measures.declare.measure_registry import measure
from rankeval.measures.declare.needs import Steps
from rankeval.measures.declare.readers import (
    OutOfReader,
    chances_of,
    of_the_measure_itself,
    spending_where_reported,
)
from rankeval.measures.declare.value_bounds import (
    Bounds,
    Unjudged,
    extremes,
    rows_down_to,
    top_grade,
    within_and_below,
)
from rankeval.measures.sets import Beta, f_beta
from rankeval.ranking import RankedJudgments


def _reader(judged: RankedJudgments, *, rel: float, cutoff: int, **_: object) -> Reader:
    """Return a reader who always stops at rank k."""
    return Reader(found(judged, rel=rel).astype(float), lambda _place: 1.0, cutoff)


Multiple = Annotated[float, MoreThan(0), Meaning("cut at this multiple of R")]


of_first = partial(measure, at="cutoff", expected=True, relevant_only=True)
"""Register a measure of the first k documents, which tells relevant ones from all others."""


@of_first(
    "P",
    aliases=("precision@", "prec@"),
    steps=Steps(places=chances_of(_reader)),
    takes=spending_where_reported,
    bounds=of_the_measure_itself(extremes),
)
def precision(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    judged_only: JudgedOnly = False,
    out: OutOfReader = "EU",
    cutoff: RequiredCutoff,
) -> Values:
    """Precision at k: the share of relevant documents among the first k.

        P@k = h(k) / k

    with h(k) relevant documents among the first k.

    Edge cases
        - Fewer than k retrieved: the missing places count as not relevant.
        - out= other than 'EU' reports another quantity of the reader in the C/W/L framework,
          with 1000 places and C_i = 1 for i < k, else 0.

    Source
        trec_eval, P.
    """
    judged = judged.condensed if judged_only else judged
    if out != "EU":
        return measure_reader(judged, _reader(judged, rel=rel, cutoff=cutoff), out)
    return hits(judged, rel=rel, cutoff=cutoff) / cutoff


@of_first("R", aliases=("recall", "Recall@", "ContextRecall"), bounds=within_and_below)
def recall(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    judged_only: JudgedOnly = False,
    cutoff: RequiredCutoff,
) -> Values:
    """Recall at k: the share of the relevant documents that are among the first k.

        R@k = h(k) / R

    with h(k) relevant documents among the first k, and R in all.

    Edge cases
        - R = 0: 0.

    Differences
        - "Recall@k" in papers on passage retrieval for question answering is Success@k.

    Source
        trec_eval, recall.
    """
    judged = judged.condensed if judged_only else judged
    return share_of_relevant(hits(judged, rel=rel, cutoff=cutoff), judged, rel=rel)


@of_first("F", aliases=("F1@", "f1@"), steps=Steps(parts=("P", "R")), bounds=within_and_below)
def f_measure(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    beta: Beta = 1.0,
    judged_only: JudgedOnly = False,
    cutoff: RequiredCutoff,
) -> Values:
    """F measure at k: the weighted harmonic mean of P@k and R@k.

        F@k = (1+β²)·P@k·R@k / (β²·P@k + R@k);  for β = 1 it is 2·h(k) / (k + R)

    Edge cases
        - h(k) = 0: 0.

    Source
        van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7; ranx, f1@k.
    """
    judged = judged.condensed if judged_only else judged
    n_relevant = judged.count_judged(min_grade=rel)
    return f_beta(hits(judged, rel=rel, cutoff=cutoff), cutoff, n_relevant, beta)


@of_first("R_cap", aliases=("relative_P", "RelP"), tier=2, bounds=within_and_below)
def capped_recall(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    judged_only: JudgedOnly = False,
    cutoff: RequiredCutoff,
) -> Values:
    """Capped recall at k: relevant documents found, divided by the most that k places can hold.

        R_cap@k = h(k) / min(k, R)

    Edge cases
        - R = 0: 0 (BEIR divides by zero).

    Source
        trec_eval, relative_P; Thakur et al., BEIR, NeurIPS Datasets and Benchmarks, 2021.
    """
    judged = judged.condensed if judged_only else judged
    n_relevant = judged.count_judged(min_grade=rel)
    return share(hits(judged, rel=rel, cutoff=cutoff), np.minimum(cutoff, n_relevant))


@of_first(
    "Success",
    aliases=("hit_rate", "HitRate", "Hit", "top_k_accuracy", "accuracy@"),
    bounds=extremes,
)
def success(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    judged_only: JudgedOnly = False,
    cutoff: RequiredCutoff,
) -> Values:
    """Success at k: 1 when a relevant document is among the first k.

        Success@k = [h(k) ≥ 1]

    Source
        trec_eval, success; "top-k accuracy" and "Recall@k" in question answering; accuracy@k of
        Sentence Transformers.
    """
    judged = judged.condensed if judged_only else judged
    if judged.ties_open:
        return expected_at_first(judged, found(judged, rel=rel), np.ones_like, cutoff)
    return (hits(judged, rel=rel, cutoff=cutoff) > 0).astype(float)


def _precision_at_r_bounds(
    values: Callable[[RankedJudgments], Values],
    judged: RankedJudgments,
    parameters: Mapping[str, Any],
) -> Bounds | None:
    """Bound R-precision: each document judged relevant raises R, and with it the cutoff."""
    rel, mult = parameters["rel"], parameters["mult"]
    value = values(judged)
    if top_grade(judged) < rel:
        return Bounds(value, value)
    unjudged = Unjudged.from_judgments(judged)
    topic, n_relevant = unjudged.topic, judged.count_judged(min_grade=rel)
    rows = np.flatnonzero(found(judged, rel=rel))

    def precision(more: Integers, *, top: bool) -> Values:
        whole = n_relevant[topic] + more
        depth = (whole if mult == 1 else np.floor(mult * whole + 0.9)).astype(np.int64)
        reach = np.minimum(depth, judged.retrieved[topic])
        # What the first ranks hold is judged or not.
        n_judged = rows_down_to(judged, np.arange(len(judged.rank)), topic, reach)
        n_unjudged = reach - n_judged
        all_unjudged = np.diff(unjudged.offsets)[topic]
        hit = np.minimum(more, n_unjudged) if top else n_unjudged - (all_unjudged - more)
        return share(rows_down_to(judged, rows, topic, reach) + np.maximum(hit, 0), depth)

    return Bounds(
        unjudged.least(value, precision(unjudged.from_bottom, top=False)),
        unjudged.greatest(value, precision(unjudged.number, top=True)),
    )


@measure(
    "Rprec",
    aliases=(
        "R-prec",
        "RPrec",
        "R-precision",
        "r-precision",
        "r_precision",
        Alias("Rprec_mult", suffix="mult"),
    ),
    expected=True,
    bounds=_precision_at_r_bounds,
    relevant_only=True,
)
def r_precision(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    mult: Multiple = 1.0,
    judged_only: JudgedOnly = False,
) -> Values:
    """R-precision: precision at rank R, where precision and recall are equal.

        Rprec         = h(R) / R
        Rprec(mult=m) = h(c) / c  with c = ⌊m·R + 0.9⌋

    Edge cases
        - R = 0: 0.
        - Fewer than R retrieved: the missing places count as not relevant.

    Source
        Buckley and Voorhees, Retrieval System Evaluation, in TREC: Experiment and
        Evaluation in Information Retrieval, MIT Press, 2005, chapter 3.
    """
    judged = judged.condensed if judged_only else judged
    n_relevant = judged.count_judged(min_grade=rel)
    cutoff = n_relevant if mult == 1 else np.floor(mult * n_relevant + 0.9)
    relevant, depth = found(judged, rel=rel), cutoff[judged.topic]
    if judged.ties_open:
        within = np.where(relevant, share_within(judged, depth), 0.0)
        return share(judged.sum_per_topic(within), cutoff)
    return share(judged.count_per_topic(relevant & (judged.rank <= depth)), cutoff)
