"""Measures of trec_eval that compare the run with the ideal ranking rank by rank."""

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers, accumulate
from rankeval.measures.arithmetic.logarithms import log2
from rankeval.measures.counts import found, share, share_of_relevant
from rankeval.measures.cumulated_gain import GainTable, best_gains, gain
from rankeval.measures.declare.definition import Rel, Values
from rankeval.measures.declare.measure_parameters import Gains
from rankeval.measures.declare.measure_registry import measure
from rankeval.measures.declare.needs import Steps, Terms
from rankeval.ranking import RankedJudgments

MINUS_INFINITY = -float("inf")


def _gains(judged: RankedJudgments, gains: Gains | None) -> Floats:
    return gain(judged.grade, dcg="log2", gains=gains)


def _ideal_gains(judged: RankedJudgments, gains: Gains | None) -> Floats:
    return best_gains(judged.ideal, dcg="log2", gains=gains)


def _running_gain(judged: RankedJudgments, gains: Gains | None) -> Floats:
    """Return DCG from the first rank down to each row, shape (N,)."""
    return judged.accumulate(np.add, _gains(judged, gains) / log2(judged.rank + 1))


def _running_ideal(judged: RankedJudgments, gains: Gains | None) -> Floats:
    """Return DCG of the ideal ranking down to each of its ranks, shape (M,)."""
    terms = _ideal_gains(judged, gains) / log2(judged.ideal_rank + 1)
    return accumulate(np.add, terms, judged.judged_offsets)


def _at_depth(judged: RankedJudgments, values: Floats, topic: Integers, depth: Integers) -> Floats:
    """Return the value of a topic's last row down to a rank; 0 where there is none."""
    if not len(values):
        return np.zeros(len(topic))
    stride = 1 + max(judged.rank.max(), depth.max(initial=0))
    place = judged.topic * stride + judged.rank
    row = np.searchsorted(place, topic * stride + depth, side="right") - 1
    return np.where(row >= judged.offsets[topic], values[row], 0.0)


def _at_end(judged: RankedJudgments, values: Floats) -> Values:
    """Return the value of each topic's last row, 0 for a topic without rows, shape (T,)."""
    return _at_depth(judged, values, np.arange(len(judged)), judged.retrieved)


def _terms(judged: RankedJudgments, *, gains: Gains | None, **_: object) -> Terms:
    return {"gain": _gains(judged, gains)}


def _ideal_terms(judged: RankedJudgments, *, gains: Gains | None, **_: object) -> Terms:
    return {"gain": _ideal_gains(judged, gains)}


STEPS = Steps(rows=_terms, ideal=_ideal_terms)


@measure("nDCG_rel", aliases=("ndcg_rel",), low=MINUS_INFINITY, tier=3, steps=STEPS)
def normalised_gain_at_relevant(judged: RankedJudgments, *, gains: GainTable = None) -> Values:
    """nDCG averaged over the ranks of the relevant documents, as AP averages precision.

        nDCG_rel = (1/R⁺)·( Σ_{i retrieved, G_i > 0} nDCG@i  +  m·nDCG )

    with R⁺ judged documents of positive gain, of which m are not retrieved, and gains, nDCG and
    nDCG@i (its ideal cut at i as well) as in nDCG.

    Edge cases
        - No document with a positive gain: 0.
        - A document that is not retrieved counts with the nDCG of the whole ranking.
        - Below 0 only when gains= has negative gains.

    Source
        trec_eval, ndcg_rel.
    """
    running, ideal = _running_gain(judged, gains), _running_ideal(judged, gains)
    useful = _gains(judged, gains) > 0
    ratio = np.where(useful, share(running, judged.at_ideal_rank(ideal)), 0.0)
    best = _ideal_gains(judged, gains)
    n_useful = judged.sum_judged(best > 0)
    whole = share(_at_end(judged, running), judged.sum_judged(best / log2(judged.ideal_rank + 1)))
    missed = n_useful - judged.count_per_topic(useful)
    return share(judged.sum_per_topic(ratio) + missed * whole, n_useful)


@measure("Rndcg", low=MINUS_INFINITY, tier=3, steps=STEPS)
def normalised_gain_at_levels(
    judged: RankedJudgments, *, rel: Rel = 1, gains: GainTable = None
) -> Values:
    """nDCG averaged over the ranks after which the gain of the ideal ranking falls.

        Rndcg = mean of { DCG@min(L_j, n) / IDCG@L_j : j = 1, 2, … }
                together with DCG@n / IDCG when n > R⁺ + 1

    with L_j judged documents of the j highest positive gains, R⁺ of positive gain (the last
    L_j), n documents retrieved, and DCG and IDCG as in nDCG.

    Edge cases
        - No document with a positive gain, or none of grade rel or more: 0.
        - n = R⁺ + 1: the whole ranking does not count again, as in trec_eval.
        - Below 0 only when gains= has negative gains.

    Differences
        - Where no document has a positive gain but some are relevant, trec_eval divides by 0.

    Source
        trec_eval, Rndcg.
    """
    running, ideal = _running_gain(judged, gains), _running_ideal(judged, gains)
    best = _ideal_gains(judged, gains)
    steps = _last_of_level(judged, best)
    topic, depth = judged.judged_topic[steps], judged.ideal_rank[steps]
    reached = _at_depth(judged, running, topic, depth) / ideal[steps]
    total = np.bincount(topic, weights=reached, minlength=len(judged)).astype(float)
    n_ratios = np.bincount(topic, minlength=len(judged))
    longer = judged.retrieved > judged.sum_judged(best > 0) + 1
    whole = share(_at_end(judged, running), judged.sum_judged(best / log2(judged.ideal_rank + 1)))
    values = share(total + longer * whole, n_ratios + longer * (n_ratios > 0))
    return np.where(judged.count_judged(min_grade=rel) > 0, values, 0.0)


def _last_of_level(judged: RankedJudgments, best: Floats) -> Booleans:
    """Mark the last document of each positive gain in the ideal ranking, shape (M,)."""
    changes = np.ones(len(best), dtype=bool)
    changes[:-1] = (np.diff(best) != 0) | (np.diff(judged.judged_topic) != 0)
    return changes & (best > 0)


@measure("G", low=MINUS_INFINITY, tier=3, steps=STEPS)
def cost_discounted_gain(judged: RankedJudgments, *, gains: GainTable = None) -> Values:
    """Gain discounted by the cost of reading that brought no gain.

        G   = Σ_{i=1..n} G_i / log2(2 + C_i - S_i)  /  Σ_j G*_j
        S_i = G_1 + … + G_i,  C_i = max(1, G*_1) + … + max(1, G*_i)

    with G_i the gain at rank i, and G*_j the positive gains of all judged documents, best first
    (0 beyond the last).

    Edge cases
        - No document with a positive gain: 0.
        - Unjudged documents bring no gain but cost 1 or more, like every rank.
        - Below 0 only when gains= has negative gains.

    Source
        trec_eval, G.
    """
    own, best = _gains(judged, gains), _ideal_gains(judged, gains)
    gathered = judged.accumulate(np.add, own)
    surcharge = accumulate(np.add, np.maximum(best - 1.0, 0.0), judged.judged_offsets)
    cost = judged.rank + judged.at_ideal_rank(surcharge)
    terms = own / log2(2.0 + cost - gathered)
    return share(judged.sum_per_topic(terms), judged.sum_judged(best))


@measure("binG", tier=3)
def binary_cost_discounted_gain(judged: RankedJudgments, *, rel: Rel = 1) -> Values:
    """G for binary relevance: relevant documents, discounted by the nonrelevant ones above.

        binG = (1/R)·Σ_{i retrieved, g_i ≥ rel} 1 / log2(2 + a_i)

    with a_i documents above rank i that are not relevant or not judged, and R relevant
    documents in all.

    Edge cases
        - R = 0: 0.

    Source
        trec_eval, binG.
    """
    relevant = found(judged, rel=rel)
    above = judged.rank - judged.cumulative_count(relevant)
    terms = np.where(relevant, 1.0 / log2(2.0 + above), 0.0)
    return share_of_relevant(judged.sum_per_topic(terms), judged, rel=rel)
