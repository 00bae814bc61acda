"""Cumulated gain: DCG, its ideal and nDCG, and measures of trec_eval that go rank by rank."""

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Grades, Integers, accumulate, begins, sums
from rankeval.errors import MeasureError
from rankeval.measures.arithmetic import (
    LOW,
    found,
    log,
    log2,
    mean_weight,
    share,
    share_of_relevant,
)
from rankeval.measures.facts import Cutoff, Gains, Meaning, Range, Rel, Terms, Values
from rankeval.ranking import Ideal, RankedJudgments

if TYPE_CHECKING:
    from rankeval.measures.bounds import Bounds, Compute, Parameters

Kind = Annotated[
    Literal["log2", "exp-log2", "jk", "exp-jk"],
    Meaning(
        "gain g or, with exp, 2^g - 1; discount 1/log2(i+1) or, with jk, 1/max(1, log_base(i))"
    ),
]
GainTable = Annotated[
    Gains | None,
    Meaning("gains of single grades, {grade:gain}; an unlisted grade keeps its own value"),
]
LARGEST_EXPONENT = 900
"""Largest grade for which sums of 2^g stay within a double's range."""

Base = Annotated[float, Range(above=1), Meaning("base of the logarithm of the jk kinds")]


def gain(grade: Grades, *, dcg: str, gains: Gains | None) -> Floats:
    """Return each document's gain: its grade, its entry in a table, or 2^grade - 1."""
    worth: Floats = np.maximum(grade, 0.0)
    for listed, value in gains or ():
        worth[grade == listed] = value
    if not dcg.startswith("exp-"):
        return worth
    if worth.max(initial=0.0) > LARGEST_EXPONENT:
        raise MeasureError(
            f"a gain of 2^{worth.max():g} - 1 is too large for dcg='{dcg}'",
            expected=f"grades up to {LARGEST_EXPONENT}",
            remedy="give the grades other gains with gains=, or take dcg='log2'",
        )
    return np.exp2(np.maximum(worth, 0.0)) - 1.0


def discount(rank: Integers, *, dcg: str, base: float, cutoff: int | None = None) -> Floats:
    """Return the divisors of the gains at these ranks, which the cutoff limits."""
    deepest = int(rank.max(initial=0)) if cutoff is None else cutoff
    if deepest < LOW:
        return _discounts_of_first(deepest.bit_length(), dcg, base)[rank]
    return _discount(rank, dcg, base)


@lru_cache(maxsize=64)
def _discounts_of_first(bits: int, dcg: str, base: float) -> Floats:
    """Return the divisors at all ranks that have so many bits, and a first one for rank 0."""
    return np.append(1.0, _discount(np.arange(1, 1 << bits), dcg, base))


def _discount(rank: Integers, dcg: str, base: float) -> Floats:
    if dcg.endswith("jk"):
        return np.maximum(1.0, log(rank) / math.log(base))
    return log2(rank + 1)


def discounted_gain(
    judged: RankedJudgments, *, dcg: str, gains: Gains | None, base: float, cutoff: int | None
) -> Values:
    """Return DCG@k per topic, shape (T,)."""
    if judged.ties_open:
        worth = gain(judged.grade, dcg=dcg, gains=gains)
        return judged.sum_per_topic(
            worth * mean_weight(judged, lambda i: 1.0 / discount(i, dcg=dcg, base=base), cutoff)
        )
    rank, grade, topic = judged.rank, judged.grade, judged.topic
    if cutoff is not None:
        top = (rank <= cutoff).nonzero()[0]
        rank, grade, topic = rank[top], grade[top], topic[top]
    worth = gain(grade, dcg=dcg, gains=gains)
    return sums(topic, worth / discount(rank, dcg=dcg, base=base, cutoff=cutoff), len(judged))


def best_gains(ideal: Ideal, *, dcg: str, gains: Gains | None) -> Floats:
    """Return the gains of all judged documents, best first in each topic, negative ones as 0."""
    best = np.maximum(gain(ideal.grade, dcg=dcg, gains=gains), 0.0)
    # A table of gains may order documents otherwise than their grades do.
    return best[np.lexsort((-best, ideal.topic))] if gains else best


def ideal_gain(
    ideal: Ideal, *, dcg: str, gains: Gains | None, base: float, cutoff: int | None
) -> Values:
    """Return DCG@k of the judged documents in the best order, positive gains only, shape (T,)."""
    best = best_gains(ideal, dcg=dcg, gains=gains)
    terms = best / discount(ideal.rank, dcg=dcg, base=base)
    return ideal.sum(terms if cutoff is None else terms * (ideal.rank <= cutoff))


def _ideal_or_infinity(ideal: Ideal, **parameters: Any) -> Values:
    """Return the ideal gain, and infinity for a topic without any: DCG divided by that is 0."""
    best = ideal_gain(ideal, **parameters)
    return np.where(best > 0, best, np.inf)


def gain_terms(judged: RankedJudgments, *, dcg: str, gains: Gains | None, **_: object) -> Terms:
    return {"gain": gain(judged.grade, dcg=dcg, gains=gains)}


def discount_terms(judged: RankedJudgments, *, dcg: str, base: float, **_: object) -> Terms:
    return {"discount": discount(np.arange(1, judged.retrieved[0] + 1), dcg=dcg, base=base)}


def normalised_bounds(
    values: "Compute", judged: RankedJudgments, parameters: "Parameters"
) -> "Bounds | None":
    """Bound nDCG by the least and the greatest gain and ideal.

    Judging raises the gain at most to that of a ranking whose unjudged documents have the top
    grade, and the ideal at most to that with as many more documents of it.
    """
    from rankeval.measures.bounds import Bounds, top_grade  # seldom asked for

    own = {name: parameters[name] for name in ("dcg", "gains", "base", "cutoff")}
    top, now = top_grade(judged), values(judged)
    low = values(judged.with_missed(top, np.diff(judged.unjudged[0])))
    ideal = _ideal_or_infinity(judged.ideal, **own)
    most = discounted_gain(judged.with_unjudged_as(top), **own)
    high = np.where(np.isinf(ideal), most > 0, np.minimum(most / ideal, 1.0))
    return Bounds(low, np.maximum(now, high), exact=not len(judged.unjudged[1]))


def discounted_cumulated_gain(
    judged: RankedJudgments,
    *,
    dcg: Kind = "log2",
    gains: GainTable = None,
    base: Base = 2.0,
    cutoff: Cutoff = None,
) -> Values:
    """Discounted cumulated gain: the sum of the gains of the ranking, discounted by rank.

        DCG@k = Σ_{i=1..min(k,n)} G(g_i) / D(i)

        dcg          G(g)      D(i)
        'log2'       g         log2(i+1)
        'exp-log2'   2^g - 1   log2(i+1)
        'jk'         g         max(1, log_base(i))
        'exp-jk'     2^g - 1   max(1, log_base(i))

    Edge cases
        - Negative grades and unjudged documents have gain 0, unless gains= names the grade;
          unjudged documents never get the gain that gains= sets for grade 0.

    Differences
        - gdeval and ranx's dcg_burges use dcg='exp-log2'; trec_eval and ranx's dcg use linear
          gains, the default here.

    Source
        Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS
        20(4), 2002 ('jk'); Burges et al., Learning to rank using gradient descent, ICML 2005
        ('exp-log2').
    """
    return discounted_gain(judged, dcg=dcg, gains=gains, base=base, cutoff=cutoff)


def ideal_discounted_cumulated_gain(
    judged: RankedJudgments,
    *,
    dcg: Kind = "log2",
    gains: GainTable = None,
    base: Base = 2.0,
    cutoff: Cutoff = None,
) -> Values:
    """Ideal DCG: the DCG of all judged documents, best first.

        IDCG@k = Σ_{i=1..min(k,m)} G(g*_i) / D(i)

    with g*_i the i-th largest of the m judged grades; gains and discounts as in DCG.

    Edge cases
        - The ideal has positive gains only.

    Source
        Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS
        20(4), 2002; trec_eval, ideal_dcg.
    """
    return judged.ideal.once(ideal_gain, dcg=dcg, gains=gains, base=base, cutoff=cutoff).copy()


def normalised_discounted_cumulated_gain(
    judged: RankedJudgments,
    *,
    dcg: Kind = "log2",
    gains: GainTable = None,
    base: Base = 2.0,
    cutoff: Cutoff = None,
) -> Values:
    """Normalised discounted cumulated gain: DCG divided by the best possible DCG.

        nDCG@k = DCG@k / IDCG@k

        dcg          G(g)      D(i)
        'log2'       g         log2(i+1)
        'exp-log2'   2^g - 1   log2(i+1)
        'jk'         g         max(1, log_base(i))
        'exp-jk'     2^g - 1   max(1, log_base(i))

    with DCG@k the sum of G(g_i)/D(i) over the first k ranks, and IDCG@k the same for all
    judged documents, best first.

    Edge cases
        - No document with a positive gain: 0.
        - The ideal is cut at k too.
        - Below 0 only when gains= has negative gains.

    Differences
        - The default gain is linear, as in trec_eval; gdeval, and papers with the gain 2^g - 1,
          compute nDCG(dcg='exp-log2').
        - RecTools' NDCG(k) divides by the DCG of k relevant items, however many there are;
          NDCG(k, divide_by_achievable=True) is nDCG@k.

    Source
        Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS
        20(4), 2002 ('jk'); Burges et al., Learning to rank using gradient descent, ICML 2005
        ('exp-log2').
    """
    ideal = judged.ideal.once(_ideal_or_infinity, dcg=dcg, gains=gains, base=base, cutoff=cutoff)
    total = discounted_gain(judged, dcg=dcg, gains=gains, base=base, cutoff=cutoff)
    return total / ideal + 0.0  # not -0.0


def _linear(judged: RankedJudgments, gains: Gains | None) -> Floats:
    return gain(judged.grade, dcg="log2", gains=gains)


def _linear_ideal(judged: RankedJudgments, gains: Gains | None) -> Floats:
    return best_gains(judged.ideal, dcg="log2", gains=gains)


def _running_gain(judged: RankedJudgments, gains: Gains | None) -> Floats:
    """Return DCG from the first rank down to each row, shape (N,)."""
    return judged.accumulate(np.add, _linear(judged, gains) / log2(judged.rank + 1))


def _running_ideal(judged: RankedJudgments, gains: Gains | None) -> Floats:
    """Return DCG of the ideal ranking down to each of its ranks, shape (M,)."""
    terms = _linear_ideal(judged, gains) / log2(judged.ideal_rank + 1)
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
    useful = _linear(judged, gains) > 0
    ratio = np.where(useful, share(running, judged.at_ideal_rank(ideal)), 0.0)
    best = _linear_ideal(judged, gains)
    n_useful = judged.sum_judged(best > 0)
    whole = share(_at_end(judged, running), judged.sum_judged(best / log2(judged.ideal_rank + 1)))
    missed = n_useful - judged.count_per_topic(useful)
    return share(judged.sum_per_topic(ratio) + missed * whole, n_useful)


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
    best = _linear_ideal(judged, gains)
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
    return np.roll(begins(best, judged.judged_topic), -1) & (best > 0)


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
    own, best = _linear(judged, gains), _linear_ideal(judged, gains)
    gathered = judged.accumulate(np.add, own)
    surcharge = accumulate(np.add, np.maximum(best - 1.0, 0.0), judged.judged_offsets)
    cost = judged.rank + judged.at_ideal_rank(surcharge)
    terms = own / log2(2.0 + cost - gathered)
    return share(judged.sum_per_topic(terms), judged.sum_judged(best))


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
