"""Measures for incomplete judgments: how much is judged, measures that allow for it, and estimates.

For estimates from a stratified sample, the qrels name the stratum of each document of the pool;
documents that were not sampled have a negative grade. Stratum s has N_s documents, n_s of them
sampled, so that a sampled one stands for N_s/n_s documents, and R^ = Σ_s N_s·(sampled relevant
documents of s)/n_s estimates the number of relevant ones. These measures are experimental: they
agree with sample_eval where it has them, and with AP or nDCG where everything is sampled, but have
seen little use.
"""

from typing import Annotated

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers, begins, owner
from rankeval.measures.arithmetic import (
    counted_down,
    earlier,
    found,
    log2,
    share,
    share_of_relevant,
)
from rankeval.measures.facts import (
    ELSEWHERE,
    STRATA,
    Cutoff,
    Meaning,
    Range,
    Rel,
    RequiredCutoff,
    Terms,
    Values,
)
from rankeval.measures.precision import hits
from rankeval.ranking import RankedJudgments
from rankeval.ranking.extras import Labels

ANY_GRADE = -float("inf")

SMOOTHING = 0.00001
"""Smoothing of the counts from which infAP infers a share, as in trec_eval."""


def judged_nonrelevant(judged: RankedJudgments, *, rel: float) -> Booleans:
    """Mark the rows that hold a document judged and found not relevant, shape (N,)."""
    return (judged.grade >= 0) & (judged.grade < rel)


def judged_share(judged: RankedJudgments, *, cutoff: Cutoff = None) -> Values:
    """Share of the first k documents that have a line in the qrels.

        Judged@k = |{ i ≤ k : judged }| / min(k, n)

    Edge cases
        - Nothing retrieved: 0.
        - Documents with a negative grade have a line, so they count.

    Source
        ir_measures, Judged.
    """
    considered = judged.retrieved if cutoff is None else np.minimum(judged.retrieved, cutoff)
    return share(hits(judged, rel=ANY_GRADE, cutoff=cutoff), considered)


def unjudged_share(judged: RankedJudgments, *, cutoff: RequiredCutoff) -> Values:
    """Share of the first k places that hold a document without a judgment; a loss.

        Unjudged@k = |{ i ≤ min(k, n) : unjudged, or of negative grade }| / k

    Edge cases
        - Fewer than k retrieved: the divisor is still k. Then, and where grades are negative,
          the value differs from 1 - Judged@k.

    Source
        trec_eval, unj.
    """
    considered = np.minimum(judged.retrieved, cutoff)
    return (considered - hits(judged, rel=0, cutoff=cutoff)) / cutoff


def hole_share(judged: RankedJudgments, *, cutoff: RequiredCutoff) -> Values:
    """Share of the first k places that hold a document judged for no topic; a loss.

        Hole@k = |{ i ≤ min(k, n) : judged for no topic of the qrels }| / k

    Edge cases
        - Fewer than k retrieved: the divisor is still k.
        - Documents of negative grade are judged.

    Differences
        - Unjudged@k counts documents that are not judged for the topic itself.

    Source
        Thakur et al., BEIR, NeurIPS Datasets and Benchmarks, 2021, hole.
    """
    considered = np.minimum(judged.retrieved, cutoff)
    known = hits(judged, rel=ANY_GRADE, cutoff=cutoff)
    elsewhere = ELSEWHERE.of(judged)
    code = ELSEWHERE.code_of(judged)
    # One increasing number for topic and rank, to count the ranks up to a topic's last one.
    longest = int(elsewhere.rank.max(initial=0)) + cutoff + 1
    topic = owner(elsewhere.offsets)
    up_to = np.searchsorted(topic * longest + elsewhere.rank, code * longest + considered, "right")
    return (considered - known - (up_to - elsewhere.offsets[code])) / cutoff


def nonrelevant_above(judged: RankedJudgments, *, rel: float) -> Terms:
    return {"b": judged.cumulative_count(judged_nonrelevant(judged, rel=rel))}


def nonrelevant_terms(judged: RankedJudgments, *, rel: float) -> Terms:
    return {"N": judged.count_judged(min_grade=0) - judged.count_judged(min_grade=rel)}


def binary_preference(judged: RankedJudgments, *, rel: Rel = 1) -> Values:
    """Binary preference: how rarely judged nonrelevant documents rank above relevant ones.

        Bpref = (1/R)·Σ_{i retrieved, g_i ≥ rel} (1 - min(b_i, R) / min(N, R))

    with R relevant and N judged nonrelevant documents (0 ≤ g < rel), and b_i of the latter
    above rank i.

    Edge cases
        - R = 0: 0.
        - b_i = 0: the term is 1, also when N = 0.
        - Unjudged documents and negative grades do not count as nonrelevant.

    Differences
        - ranx divides by zero where N = 0.

    Source
        Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004, in
        the form of trec_eval 8 and later, bpref.
    """
    n_relevant = judged.count_judged(min_grade=rel)
    n_nonrelevant = judged.count_judged(min_grade=0) - n_relevant
    above = judged.cumulative_count(judged_nonrelevant(judged, rel=rel))
    worst = np.minimum(n_nonrelevant, n_relevant)[judged.topic]
    lost = share(np.minimum(above, n_relevant[judged.topic]), worst)
    kept = judged.sum_per_topic(np.where(found(judged, rel=rel), 1.0 - lost, 0.0))
    return share(kept, n_relevant)


def geometric_mean_binary_preference(judged: RankedJudgments, *, rel: Rel = 1) -> Values:
    """Geometric mean binary preference: Bpref, aggregated by the geometric mean.

        GMBpref = exp( (1/T)·Σ_t ln max(Bpref_t, 0.00001) )

    The value of a topic is its Bpref.

    Source
        trec_eval, gm_bpref.
    """
    return binary_preference(judged, rel=rel)


def _expected_precision(judged: RankedJudgments, *, rel: float) -> Floats:
    """Return E(i) at the rank i of each relevant document, 0 in the other rows, shape (N,)."""
    relevant = found(judged, rel=rel)
    above = (judged.rank - 1).astype(float)
    n_relevant = judged.cumulative_count(relevant) - relevant
    n_nonrelevant = judged.cumulative_count(judged_nonrelevant(judged, rel=rel))
    n_unjudged = judged.cumulative_count(judged.grade < 0)
    pooled: Floats = share(n_relevant + n_nonrelevant + n_unjudged, above)
    inferred = (n_relevant + SMOOTHING) / (n_relevant + n_nonrelevant + 2 * SMOOTHING)
    expected = 1.0 / judged.rank + (above / judged.rank) * pooled * inferred
    return np.where(relevant, expected, 0.0)


def inferred_average_precision(judged: RankedJudgments, *, rel: Rel = 1) -> Values:
    """Inferred average precision: AP, estimated when only a sample of the pool is judged.

        infAP = (1/R)·Σ_{i retrieved, g_i ≥ rel} E(i),  E(1) = 1
        E(i)  = 1/i + ((i-1)/i)·((a+b+u)/(i-1))·((a+ε)/(a+b+2ε)),  ε = 0.00001

    with a relevant and b judged nonrelevant documents above rank i, u documents above it that
    are in the pool but not judged (a negative grade in the qrels), and R relevant documents in
    all.

    Edge cases
        - R = 0: 0.
        - A document without a line in the qrels is outside the pool and not relevant.
        - Everything judged: AP, up to ε.

    Source
        Yilmaz and Aslam, Estimating average precision with incomplete and imperfect
        judgments, CIKM 2006; trec_eval, infAP.
    """
    gathered = judged.sum_per_topic(_expected_precision(judged, rel=rel))
    return share_of_relevant(gathered, judged, rel=rel)


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
    return _sums_of_topics(judged, labels.judged_topic, weights)


def _sums_of_topics(judged: RankedJudgments, topic: Integers, values: Floats) -> Values:
    """Sum values by the qrels' topics, for the topics of the batch."""
    labels: Labels = STRATA.of(judged)
    n_topics = len(labels.topic) and int(labels.topic[-1]) + 1
    return np.bincount(topic, values, n_topics).astype(float)[STRATA.code_of(judged)]


def _down_to(judged: RankedJudgments, chosen: Booleans) -> Integers:
    """Count chosen rows of the same topic and stratum down to and with each row, shape (N,)."""
    # Topics of a batch may be copies of one topic, which are to be counted apart.
    key = judged.topic * len(STRATA.of(judged)) + _stratum(judged)
    return counted_down(key, chosen)


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


def extended_inferred_average_precision(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    outcomes: Annotated[
        int, Range(least=1), Meaning("outcomes that smoothing adds to; sample_eval has 3")
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
    new = begins(topic, grade)
    level = np.cumsum(new) - 1
    estimate = np.bincount(level, _weight(judged)[labels.number[order]], minlength=new.sum())
    number = np.floor(estimate + 0.5).astype(np.int64)
    topic, gain = np.repeat(topic[new], number), np.repeat(grade[new].astype(float), number)
    rank = earlier(topic) + 1
    return _sums_of_topics(judged, topic, gain / log2(rank + 1))


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
