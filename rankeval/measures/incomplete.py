"""Measures for incomplete judgments: how much is judged, and measures that allow for it."""

import numpy as np

from rankeval.base.arrays import Booleans, Floats
from rankeval.measures.counts import found, hits, share, share_of_relevant
from rankeval.measures.declare.aggregates import GEOMETRIC
from rankeval.measures.declare.definition import Cutoff, Rel, RequiredCutoff, Values
from rankeval.measures.declare.measure_registry import measure
from rankeval.measures.declare.needs import ELSEWHERE, Steps, Terms
from rankeval.ranking import RankedJudgments

ANY_GRADE = -float("inf")

SMOOTHING = 0.00001
"""Smoothing of the counts from which infAP infers a share, as in trec_eval."""


def judged_nonrelevant(judged: RankedJudgments, *, rel: float) -> Booleans:
    """Mark the rows that hold a document judged and found not relevant, shape (N,)."""
    return (judged.grade >= 0) & (judged.grade < rel)


@measure("Judged", at="cutoff", tier=2, expected=True)
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


@measure("Unjudged", at="cutoff", aliases=("unj",), tier=2, loss=True, expected=True)
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


@measure("Hole", at="cutoff", aliases=("hole",), tier=2, loss=True, needs=(ELSEWHERE,))
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
    topic = np.repeat(np.arange(len(elsewhere.offsets) - 1), np.diff(elsewhere.offsets))
    up_to = np.searchsorted(topic * longest + elsewhere.rank, code * longest + considered, "right")
    return (considered - known - (up_to - elsewhere.offsets[code])) / cutoff


def _nonrelevant_above(judged: RankedJudgments, *, rel: float) -> Terms:
    return {"b": judged.cumulative_count(judged_nonrelevant(judged, rel=rel))}


def _nonrelevant(judged: RankedJudgments, *, rel: float) -> Terms:
    return {"N": judged.count_judged(min_grade=0) - judged.count_judged(min_grade=rel)}


PREFERENCES = Steps(rows=_nonrelevant_above, quantities=_nonrelevant)


@measure("Bpref", aliases=("bpref",), tier=2, steps=PREFERENCES)
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


@measure("GMBpref", aliases=("gm_bpref",), aggregate=GEOMETRIC, tier=3, steps=PREFERENCES)
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


def _inferred_terms(judged: RankedJudgments, *, rel: float) -> Terms:
    return {"E(i)": _expected_precision(judged, rel=rel)}


@measure("infAP", aliases=("infap",), tier=2, steps=Steps(rows=_inferred_terms))
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
