"""Diversity: a ranking is to serve all subtopics of a topic, which the qrels name.

A document may be relevant to several subtopics; M subtopics have a relevant document. The novelty
n_i of the document at rank i is Σ_s (1-α)^c over the subtopics s that it is relevant to, with c
documents above it relevant to s. An ideal ranking takes the judged document of largest novelty at
each rank, the larger docno among equals.
"""

from typing import Annotated

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.measures.arithmetic.logarithms import log2
from rankeval.measures.arithmetic.subtopic_cover import (
    ideal_novelty,
    novelty,
    number_of_subtopics,
    relevances,
    subtopics_of,
)
from rankeval.measures.counts import INFINITY, share
from rankeval.measures.declare.definition import (
    Alias,
    Cutoff,
    JudgedOnly,
    Rel,
    RequiredCutoff,
    Values,
)
from rankeval.measures.declare.measure_parameters import AtLeast, AtMost, LessThan, Meaning
from rankeval.measures.declare.measure_registry import measure
from rankeval.measures.declare.needs import SUBTOPICS, Steps, Terms
from rankeval.ranking import RankedJudgments

NEEDS = (SUBTOPICS,)

Alpha = Annotated[
    float,
    AtLeast(0),
    AtMost(1),
    Meaning("share of its novelty that a document loses for each earlier one of a subtopic"),
]
Patience = Annotated[
    float, AtLeast(0), LessThan(1), Meaning("probability of going on to the next document")
]

HALF = 0.5
"""α of the intent-aware ERR, the chance that a relevant document stops a reader."""


def _within(values: Floats, judged: RankedJudgments, cutoff: int | None) -> Floats:
    return values if cutoff is None else values * (judged.rank <= cutoff)


def _discounted(judged: RankedJudgments, weight: Floats, *, alpha: float, rel: float) -> Values:
    """Return Σ n_i·weight over the rows, shape (T,)."""
    return judged.sum_per_topic(novelty(judged, rel=rel, alpha=alpha) * weight)


def _ideal(judged: RankedJudgments, weight: Floats, *, alpha: float, rel: float) -> Values:
    """Return Σ n_i·weight over the ideal ranking, for weights from rank 1 on, shape (T,)."""
    gains = ideal_novelty(judged, rel=rel, alpha=alpha, depth=len(weight))
    terms = gains * weight[: gains.shape[1]]
    return terms.cumsum(axis=1)[:, -1] if terms.shape[1] else np.zeros(len(judged))


def _beyond_ideal(
    judged: RankedJudgments, weight: Floats, *, alpha: float, rel: float, cutoff: int | None
) -> Values:
    """Return M·Σ (1-α)^(i-1)·weight, for a ranking whose every document serves all subtopics."""
    total = np.cumsum(np.power(1.0 - alpha, np.arange(len(weight))) * weight)
    last = judged.retrieved if cutoff is None else np.full(len(judged), cutoff)
    total = np.append(0.0, total)[np.minimum(last, len(weight))]
    return number_of_subtopics(judged, rel=rel) * total


def _depth(judged: RankedJudgments, cutoff: int | None) -> Integers:
    """Return the ranks 1, 2, … to the cutoff, or as deep as rankings and ideals can reach."""
    labels, _ = subtopics_of(judged)
    deepest = max(int(judged.retrieved.max(initial=0)), len(labels.judged_topic))
    return np.arange(1, (deepest if cutoff is None else cutoff) + 1)


def _logarithmic(rank: Integers) -> Floats:
    return 1.0 / log2(rank + 1)


def _terms(judged: RankedJudgments, *, rel: float, alpha: float = HALF, **_: object) -> Terms:
    return {"novelty": novelty(judged, rel=rel, alpha=alpha)}


NOVELTY = Steps(rows=_terms)


@measure(
    "alpha_DCG",
    at="cutoff",
    aliases=("α_DCG", "alpha-DCG", "α-DCG"),
    tier=2,
    needs=NEEDS,
    steps=NOVELTY,
)
def alpha_discounted_cumulated_gain(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    alpha: Alpha = 0.5,
    judged_only: JudgedOnly = False,
    cutoff: Cutoff = None,
) -> Values:
    """α-DCG: discounted novelty, divided by that of documents that serve all subtopics at once.

        alpha_DCG@k = Σ_{i=1..k} n_i/log2(i+1)  /  Σ_{i=1..k} M·(1-α)^(i-1)/log2(i+1)
        n_i         = Σ_{s served by i} (1-α)^(documents above i that serve s)

    with M subtopics that have a relevant document; without @k the sums end with the ranking.

    Edge cases
        - No subtopic with a relevant document: 0.
        - Fewer than k retrieved: the divisor is still the sum over k ranks.

    Differences
        - ndeval omits the division for k = 1, and ignores documents below rank 20.

    Source
        Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon, Novelty and
        diversity in information retrieval evaluation, SIGIR 2008; ndeval, alpha-DCG.
    """
    judged = judged.condensed if judged_only else judged
    weight = _within(_logarithmic(judged.rank), judged, cutoff)
    all_at_once = _beyond_ideal(
        judged, _logarithmic(_depth(judged, cutoff)), alpha=alpha, rel=rel, cutoff=cutoff
    )
    return share(_discounted(judged, weight, alpha=alpha, rel=rel), all_at_once)


@measure(
    "alpha_nDCG",
    at="cutoff",
    aliases=("α_nDCG", "alpha-nDCG", "α-nDCG"),
    high=INFINITY,
    tier=2,
    needs=NEEDS,
    steps=NOVELTY,
)
def alpha_normalised_discounted_cumulated_gain(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    alpha: Alpha = 0.5,
    judged_only: JudgedOnly = False,
    cutoff: Cutoff = None,
) -> Values:
    """α-nDCG: discounted novelty, divided by that of an ideal ranking.

        alpha_nDCG@k = Σ_{i=1..k} n_i/log2(i+1)  /  the same of the ideal ranking
        n_i          = Σ_{s served by i} (1-α)^(documents above i that serve s)

    Edge cases
        - No subtopic with a relevant document: 0.
        - The ideal ranking is built greedily, because finding the best one takes too long. A
          ranking may be better than it, with a value slightly above 1.

    Source
        Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon, Novelty and
        diversity in information retrieval evaluation, SIGIR 2008; ndeval, alpha-nDCG.
    """
    ideal = _ideal(judged, _logarithmic(_depth(judged, cutoff)), alpha=alpha, rel=rel)
    judged = judged.condensed if judged_only else judged
    weight = _within(_logarithmic(judged.rank), judged, cutoff)
    return share(_discounted(judged, weight, alpha=alpha, rel=rel), ideal)


@measure("ERR_IA", at="cutoff", aliases=("ERR-IA",), tier=2, needs=NEEDS, steps=NOVELTY)
def intent_aware_expected_reciprocal_rank(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    judged_only: JudgedOnly = False,
    cutoff: Cutoff = None,
) -> Values:
    """Intent-aware ERR: the mean of 1/rank at which satisfied readers of the subtopics stop.

        ERR_IA@k = Σ_{i=1..k} n_i/i  /  Σ_{i=1..k} M·(1/2)^(i-1)/i
        n_i      = Σ_{s served by i} (1/2)^(documents above i that serve s)

    with M subtopics that have a relevant document; without @k the sums end with the ranking.

    Edge cases
        - No subtopic with a relevant document: 0.
        - Fewer than k retrieved: the divisor is still the sum over k ranks.

    Differences
        - ndeval omits the division for k = 1, and ignores documents below rank 20.

    Source
        Chapelle, Metlzer, Zhang and Grinspan, Expected reciprocal rank for graded relevance,
        CIKM 2009, for binary relevance; ndeval, ERR-IA.
    """
    judged = judged.condensed if judged_only else judged
    weight = _within(1.0 / judged.rank, judged, cutoff)
    all_at_once = _beyond_ideal(
        judged, 1.0 / _depth(judged, cutoff), alpha=HALF, rel=rel, cutoff=cutoff
    )
    return share(_discounted(judged, weight, alpha=HALF, rel=rel), all_at_once)


@measure(
    "nERR_IA",
    at="cutoff",
    aliases=("nERR-IA",),
    high=INFINITY,
    tier=2,
    needs=NEEDS,
    steps=NOVELTY,
)
def normalised_intent_aware_expected_reciprocal_rank(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    judged_only: JudgedOnly = False,
    cutoff: Cutoff = None,
) -> Values:
    """Normalised intent-aware ERR: ERR_IA divided by that of an ideal ranking.

        nERR_IA@k = Σ_{i=1..k} n_i/i  /  the same of the ideal ranking
        n_i       = Σ_{s served by i} (1/2)^(documents above i that serve s)

    Edge cases
        - No subtopic with a relevant document: 0.
        - The ideal ranking is built greedily, so a value may be slightly above 1.

    Source
        ndeval, nERR-IA.
    """
    ideal = _ideal(judged, 1.0 / _depth(judged, cutoff), alpha=HALF, rel=rel)
    judged = judged.condensed if judged_only else judged
    weight = _within(1.0 / judged.rank, judged, cutoff)
    return share(_discounted(judged, weight, alpha=HALF, rel=rel), ideal)


@measure("NRBP", tier=2, needs=NEEDS, steps=NOVELTY)
def novelty_and_rank_biased_precision(
    judged: RankedJudgments, *, rel: Rel = 1, alpha: Alpha = 0.5, beta: Patience = 0.5
) -> Values:
    """Novelty- and rank-biased precision: the novelty found by a reader with persistence β.

        NRBP = ((1-(1-α)·β) / M)·Σ_{i=1..n} n_i·β^(i-1)
        n_i  = Σ_{s served by i} (1-α)^(documents above i that serve s)

    with M subtopics that have a relevant document, over the whole ranking.

    Edge cases
        - No subtopic with a relevant document: 0.

    Source
        Clarke, Kolla and Vechtomova, An effectiveness measure for ambiguous and underspecified
        queries, ICTIR 2009; ndeval, NRBP.
    """
    weight = np.power(beta, judged.rank - 1)
    gathered = (1.0 - (1.0 - alpha) * beta) * _discounted(judged, weight, alpha=alpha, rel=rel)
    return share(gathered, number_of_subtopics(judged, rel=rel))


@measure("nNRBP", high=INFINITY, tier=2, needs=NEEDS, steps=NOVELTY)
def normalised_novelty_and_rank_biased_precision(
    judged: RankedJudgments, *, rel: Rel = 1, alpha: Alpha = 0.5, beta: Patience = 0.5
) -> Values:
    """Normalised novelty- and rank-biased precision: NRBP divided by that of an ideal ranking.

        nNRBP = NRBP / NRBP of the ideal ranking

    Edge cases
        - No subtopic with a relevant document: 0.
        - The ideal ranking is built greedily, so a value may be slightly above 1.

    Source
        ndeval, nNRBP.
    """
    ideal = _ideal(judged, np.power(beta, _depth(judged, None) - 1), alpha=alpha, rel=rel)
    weight = np.power(beta, judged.rank - 1)
    return share(_discounted(judged, weight, alpha=alpha, rel=rel), ideal)


@measure("AP_IA", aliases=("MAP_IA", "MAP-IA", "AP-IA"), tier=2, needs=NEEDS)
def intent_aware_average_precision(
    judged: RankedJudgments, *, rel: Rel = 1, judged_only: JudgedOnly = False
) -> Values:
    """Intent-aware average precision: the mean of AP over the subtopics.

        AP_IA = (1/M)·Σ_s (1/R_s)·Σ_{i relevant to s} h_s(i) / i

    with R_s documents relevant to the subtopic s, h_s(i) of them among the first i, and M
    subtopics that have a relevant document.

    Edge cases
        - No subtopic with a relevant document: 0.

    Source
        Agrawal, Gollapudi, Halverson and Ieong, Diversifying search results, WSDM 2009, with
        equal weights; ndeval, MAP-IA.
    """
    judged = judged.condensed if judged_only else judged
    labels, _ = subtopics_of(judged)
    n_relevant = np.bincount(labels.number[labels.grade >= rel], minlength=len(labels))
    found = relevances(judged, rel=rel)
    precision = (found.before + 1) / judged.rank[found.row] / n_relevant[found.number]
    gathered = np.bincount(judged.topic[found.row], precision, minlength=len(judged))
    return share(gathered, number_of_subtopics(judged, rel=rel))


@measure("P_IA", at="cutoff", aliases=("P-IA",), tier=2, needs=NEEDS)
def intent_aware_precision(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    judged_only: JudgedOnly = False,
    cutoff: RequiredCutoff,
) -> Values:
    """Intent-aware precision: the mean of P@k over the subtopics.

        P_IA@k = |{ (i, s) : i ≤ k, i relevant to s }| / (k·M)

    with M subtopics that have a relevant document.

    Edge cases
        - No subtopic with a relevant document: 0.
        - Fewer than k retrieved: the divisor is still k.

    Source
        Agrawal, Gollapudi, Halverson and Ieong, Diversifying search results, WSDM 2009, with
        equal weights; ndeval, P-IA.
    """
    judged = judged.condensed if judged_only else judged
    row = relevances(judged, rel=rel).row
    topic = judged.topic[row[judged.rank[row] <= cutoff]]
    n_found = np.bincount(topic, minlength=len(judged))
    return share(n_found, cutoff * number_of_subtopics(judged, rel=rel))


@measure(
    "StRecall",
    at="cutoff",
    aliases=("STREC", "strec", "I-rec", Alias("I_rec")),
    tier=2,
    needs=NEEDS,
)
def subtopic_recall(judged: RankedJudgments, *, rel: Rel = 1, cutoff: Cutoff = None) -> Values:
    """Subtopic recall: the share of the subtopics that the first k documents serve.

        StRecall@k = |{ s : some i ≤ k is relevant to s }| / M

    with M subtopics that have a relevant document.

    Edge cases
        - No subtopic with a relevant document: 0.

    Source
        Zhai, Cohen and Lafferty, Beyond independent relevance, SIGIR 2003; ndeval, strec;
        NTCIR's I-rec.
    """
    found = relevances(judged, rel=rel)
    first = found.row[found.before == 0]
    if cutoff is not None:
        first = first[judged.rank[first] <= cutoff]
    served = np.bincount(judged.topic[first], minlength=len(judged))
    return share(served, number_of_subtopics(judged, rel=rel))
