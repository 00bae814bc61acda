"""Estimates from a stratified sample: each stratum of the pool is sampled at its own rate.

The qrels name the stratum of each document of the pool; documents that were not sampled have a
negative grade. Stratum s has N_s documents, n_s of them sampled, so that a sampled one stands for
N_s/n_s documents, and R^ = Σ_s N_s·(sampled relevant documents of s)/n_s estimates the number of
relevant ones. The measures are experimental: they agree with sample_eval where it has them, and
with AP or nDCG where everything is sampled, but have seen little use.
"""

from typing import Annotated

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.measures.arithmetic.logarithms import log2
from rankeval.measures.counts import INFINITY, found, share
from rankeval.measures.declare.definition import Rel, Values
from rankeval.measures.declare.measure_parameters import AtLeast, Meaning
from rankeval.measures.declare.measure_registry import measure
from rankeval.measures.declare.needs import STRATA
from rankeval.measures.incomplete import SMOOTHING
from rankeval.ranking import Labels, RankedJudgments

NEEDS = (STRATA,)


def _stratum(judged: RankedJudgments) -> Integers:
    """Return the stratum of each row, numbered over all topics of the qrels, shape (N,)."""
    labels: Labels = STRATA.of(judged)
    # A judgment has one stratum, so that labels are numbered as judgments are.
    return labels.number[judged.judgment]


def _weight(judged: RankedJudgments) -> Floats:
    """Return N_s/n_s of each stratum of the qrels; 0 where nothing was sampled."""
    labels: Labels = STRATA.of(judged)
    size = np.bincount(labels.number, minlength=len(labels))
    sampled = np.bincount(labels.number[labels.grade >= 0], minlength=len(labels))
    return share(size, sampled)


def _estimated_relevant(judged: RankedJudgments, *, rel: float) -> Values:
    """Return R^ of each topic, shape (T,)."""
    labels: Labels = STRATA.of(judged)
    weights = np.where(labels.grade >= rel, _weight(judged)[labels.number], 0.0)
    n_topics = len(labels.topic) and int(labels.topic[-1]) + 1
    estimate = np.bincount(labels.judged_topic, weights, minlength=n_topics).astype(float)
    return estimate[STRATA.code_of(judged)]


def _down_to(judged: RankedJudgments, chosen: Booleans) -> Integers:
    """Count chosen rows of the same topic and stratum down to and with each row, shape (N,)."""
    # Topics of a batch may be copies of one topic, which are to be counted apart.
    key = judged.topic * len(STRATA.of(judged)) + _stratum(judged)
    together = np.argsort(key, kind="stable")
    ordered = key[together]
    running = np.append(0, np.cumsum(chosen[together]))
    count = np.empty(len(key), dtype=np.int64)
    count[together] = running[1:] - running[np.searchsorted(ordered, ordered)]
    return count


def _expected_above(judged: RankedJudgments, *, rel: float, outcomes: int) -> Floats:
    """Return Σ_s m_s·(a_s+ε)/(a_s+b_s+outcomes·ε) over the strata of documents above each row."""
    here = np.ones(len(judged.rank), dtype=bool)
    relevant, sampled = found(judged, rel=rel), judged.grade >= 0

    def expected(m: Integers, a: Integers, n: Integers) -> Floats:
        return m * (a + SMOOTHING) / (n + outcomes * SMOOTHING)

    m, a, n = (_down_to(judged, chosen) for chosen in (here, relevant, sampled))
    # A row changes what is expected in its own stratum only.
    change = expected(m, a, n) - expected(m - 1, a - relevant, n - sampled)
    return judged.accumulate(np.add, change) - change


@measure("xinfAP", aliases=("xinfap",), tier=3, needs=NEEDS)
def extended_inferred_average_precision(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    outcomes: Annotated[
        int, AtLeast(1), Meaning("outcomes that smoothing adds to; sample_eval has 3")
    ] = 3,
) -> Values:
    """Extended inferred average precision: AP, estimated from a stratified sample. Experimental.

        xinfAP = (1/R^)·Σ_{i, g_i ≥ rel} (N_s/n_s)·E(i)       s the stratum of i
        E(i)   = 1/i + (1/i)·Σ_s m_s·(a_s+ε) / (a_s+b_s+outcomes·ε),  ε = 0.00001

    with m_s documents of the stratum s above rank i, among them a_s sampled and relevant and b_s
    sampled and not relevant.

    Edge cases
        - R^ = 0: 0.
        - Strata without sampled documents do not count in R^.
        - A document without a line in the qrels is outside the pool and not relevant.
        - Everything sampled: AP, up to ε.

    Differences
        - Where no document above from a stratum was sampled, a share of 1/outcomes of them is
          expected to be relevant: 1/3 in sample_eval, which computed TREC's results, and by
          default. outcomes=2 is the smoothing of infAP; with one stratum it gives infAP.
        - sample_eval looks at the first 1000 documents only.

    Source
        Yilmaz, Kanoulas and Aslam, A simple and efficient sampling method for estimating AP and
        NDCG, SIGIR 2008; NIST's sample_eval.pl, infAP.
    """
    above = _expected_above(judged, rel=rel, outcomes=outcomes)
    expected = np.where(found(judged, rel=rel), (1.0 + above) / judged.rank, 0.0)
    gathered = judged.sum_per_topic(_weight(judged)[_stratum(judged)] * expected)
    return share(gathered, _estimated_relevant(judged, rel=rel))


@measure("infNDCG", aliases=("infndcg",), high=INFINITY, tier=3, needs=NEEDS)
def inferred_discounted_cumulated_gain(judged: RankedJudgments) -> Values:
    """Inferred nDCG: nDCG, estimated from a stratified sample. Experimental.

        infNDCG = DCG^ / IDCG^
        DCG^    = Σ_s (m_s/q_s)·Σ_{i sampled from s} g_i / log2(i+1)

    with m_s retrieved documents of the stratum s, q_s of them sampled. IDCG^ is the ideal DCG
    of the estimated number of documents of each grade: N_s/n_s for each sampled one, rounded.

    Edge cases
        - Nothing of positive grade: 0.
        - The estimate may be above 1.
        - Everything sampled: nDCG.

    Differences
        - sample_eval looks at the first 1000 documents only.

    Source
        Yilmaz, Kanoulas and Aslam, A simple and efficient sampling method for estimating AP and
        NDCG, SIGIR 2008; NIST's sample_eval.pl, infNDCG.
    """
    labels: Labels = STRATA.of(judged)
    key = judged.topic * len(labels) + _stratum(judged)
    strata, which = np.unique(key, return_inverse=True)
    retrieved = np.bincount(which, minlength=len(strata))
    sampled = np.bincount(which[judged.grade >= 0], minlength=len(strata))
    gain = np.maximum(judged.grade, 0) / log2(judged.rank + 1)
    gathered = judged.sum_per_topic(share(retrieved, sampled)[which] * gain)
    return share(gathered, _estimated_ideal(judged, labels))


def _estimated_ideal(judged: RankedJudgments, labels: Labels) -> Values:
    """Return IDCG^ of each topic, shape (T,)."""
    positive = np.flatnonzero(labels.grade > 0)
    order = positive[np.lexsort((-labels.grade[positive], labels.judged_topic[positive]))]
    topic, grade = labels.judged_topic[order], labels.grade[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (np.diff(topic) != 0) | (np.diff(grade) != 0)
    level = np.cumsum(new) - 1
    estimate = np.bincount(level, _weight(judged)[labels.number[order]], minlength=new.sum())
    number = np.floor(estimate + 0.5).astype(np.int64)
    topic, gain = np.repeat(topic[new], number), np.repeat(grade[new].astype(float), number)
    rank = np.arange(len(topic)) - np.searchsorted(topic, topic) + 1
    n_topics = len(labels.topic) and int(labels.topic[-1]) + 1
    ideal = np.bincount(topic, gain / log2(rank + 1), minlength=n_topics).astype(float)
    return ideal[STRATA.code_of(judged)]


@measure("statAP", aliases=("statap",), high=INFINITY, tier=3, needs=NEEDS)
def statistical_average_precision(judged: RankedJudgments, *, rel: Rel = 1) -> Values:
    """Statistical AP: AP, estimated from a sample by inverse probabilities. Experimental.

        statAP = (1/R^)·Σ_{i, g_i ≥ rel} P^(i)/π_i,  π_i = n_s/N_s, s the stratum of i
        P^(i)  = (1/i)·(1 + Σ_{j < i, g_j ≥ rel} 1/π_j)

    Edge cases
        - R^ = 0: 0.
        - The estimate may be above 1.
        - Everything sampled: AP.

    Source
        Pavlu and Aslam, A practical sampling strategy for efficient retrieval evaluation,
        technical report, Northeastern University, 2007, with the probabilities of a stratified
        sample.
    """
    weight = np.where(found(judged, rel=rel), _weight(judged)[_stratum(judged)], 0.0)
    above = judged.accumulate(np.add, weight) - weight
    gathered = judged.sum_per_topic(weight * (1.0 + above) / judged.rank)
    return share(gathered, _estimated_relevant(judged, rel=rel))
