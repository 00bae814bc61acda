"""NTCIR's measures: precision blended with cumulated gain, at the ranks where readers stop."""

from typing import Annotated, Literal

import numpy as np

from rankeval.base.arrays import Booleans, Floats, accumulate
from rankeval.errors import MeasureError
from rankeval.measures.arithmetic import share
from rankeval.measures.facts import Cutoff, Gains, Meaning, Range, Values
from rankeval.measures.gain import GainTable, best_gains, gain
from rankeval.measures.reciprocal_rank import MaxRel, reached, stopping_probability
from rankeval.ranking import RankedJudgments

Weight = Annotated[
    float,
    Range(least=0),
    Meaning("weight of cumulated gain against precision; 0: only precision"),
]
Stop = Annotated[
    Literal["u", "rb", "gu"],
    Meaning(
        "where readers stop: equally at all relevant documents, more at early ones, or more at "
        "those of high grade"
    ),
]
GAMMA = 0.9


def blended_ratio(judged: RankedJudgments, *, beta: float, gains: Gains | None) -> Floats:
    """Return BR(i) = (C(i) + beta·cg(i)) / (i + beta·cg*(i)) at each row's rank i, shape (N,)."""
    gathered = judged.accumulate(np.add, gain(judged.grade, dcg="log2", gains=gains))
    counted = judged.cumulative_count(judged.grade > 0)
    return (counted + beta * gathered) / (judged.rank + beta * _ideal(judged, gains))


def _ideal(judged: RankedJudgments, gains: Gains | None) -> Floats:
    """Return cg*(i), the cumulated gain of the ideal ranking at each row's rank, shape (N,)."""
    best = best_gains(judged.ideal, dcg="log2", gains=gains)
    return judged.at_ideal_rank(accumulate(np.add, best, judged.judged_offsets))


def _first(judged: RankedJudgments, chosen: Booleans) -> Booleans:
    """Mark the first of the chosen rows of each topic."""
    return chosen & (judged.cumulative_count(chosen) == 1)


def _preferred(judged: RankedJudgments) -> Booleans:
    """Mark the first document of the highest grade in each ranking, unless that is 0 or less."""
    highest = judged.max_per_topic(judged.grade.astype(float))[judged.topic]
    return _first(judged, (judged.grade > 0) & (judged.grade == highest))


def _n_relevant(judged: RankedJudgments) -> Floats:
    return judged.sum_judged(judged.judged_grade > 0)


def q_measure(
    judged: RankedJudgments, *, beta: Weight = 1.0, gains: GainTable = None, cutoff: Cutoff = None
) -> Values:
    """Q-measure: average precision with the blended ratio in place of precision.

        Q@k   = (1/min(k, R))·Σ_{i ≤ k, g_i > 0} BR(i)
        BR(i) = (C(i) + β·cg(i)) / (i + β·cg*(i))

    with C(i) relevant documents among the first i, cg(i) the sum of their gains, cg*(i) that of
    the ideal ranking, and R relevant documents (g > 0) in all. Q(beta=0) is AP, and Q(beta=0)@k is
    AP(norm='min')@k.

    Edge cases
        - R = 0: 0.
        - Without @k the sum is divided by R.
        - Below 0 only when gains= has negative gains.

    Source
        Sakai, New performance metrics based on multigrade relevance: their application to
        question answering, NTCIR-4, 2004; NTCIREVAL.
    """
    relevant = judged.grade > 0
    if cutoff is not None:
        relevant &= judged.rank <= cutoff
    ratio = np.where(relevant, blended_ratio(judged, beta=beta, gains=gains), 0.0)
    n_relevant = _n_relevant(judged)
    return share(
        judged.sum_per_topic(ratio),
        n_relevant if cutoff is None else np.minimum(cutoff, n_relevant),
    )


def o_measure(judged: RankedJudgments, *, beta: Weight = 1.0, gains: GainTable = None) -> Values:
    """O-measure: reciprocal rank that also credits the gain of the first relevant document.

        OMeasure = (1 + β·G_i) / (i + β·cg*(i))

    with i the rank of the first relevant document (g > 0), G_i its gain, and cg*(i) the
    cumulated gain of the ideal ranking at rank i.

    Edge cases
        - No relevant document retrieved: 0.
        - Below 0 only when gains= has negative gains.

    Source
        Sakai, On the properties of evaluation metrics for finding one highly relevant document,
        IPSJ TOD 48(SIG 9), 2007; NTCIREVAL.
    """
    own = gain(judged.grade, dcg="log2", gains=gains)
    ratio = (1.0 + beta * own) / (judged.rank + beta * _ideal(judged, gains))
    return judged.sum_per_topic(np.where(_first(judged, judged.grade > 0), ratio, 0.0))


def p_measure(judged: RankedJudgments, *, beta: Weight = 1.0, gains: GainTable = None) -> Values:
    """P-measure: the blended ratio at the first document of the ranking's highest grade.

        PMeasure = BR(i)
        BR(i)    = (C(i) + β·cg(i)) / (i + β·cg*(i))

    with i the preferred rank: the first that holds the highest grade found in the ranking. C(i)
    relevant documents (g > 0) stand among the first i, with gains that sum up to cg(i); the
    ideal ranking has cg*(i).

    Edge cases
        - No relevant document retrieved: 0.
        - Below 0 only when gains= has negative gains.

    Source
        Sakai, On the properties of evaluation metrics for finding one highly relevant document,
        IPSJ TOD 48(SIG 9), 2007; NTCIREVAL.
    """
    ratio = blended_ratio(judged, beta=beta, gains=gains)
    return judged.sum_per_topic(np.where(_preferred(judged), ratio, 0.0))


def p_plus(judged: RankedJudgments, *, beta: Weight = 1.0, gains: GainTable = None) -> Values:
    """P-plus: the mean blended ratio at the relevant documents down to the preferred rank.

        PPlus = (1/C(p))·Σ_{i ≤ p, g_i > 0} BR(i)
        BR(i) = (C(i) + β·cg(i)) / (i + β·cg*(i))

    with p the preferred rank: the first that holds the highest grade found in the ranking. C(i)
    relevant documents (g > 0) stand among the first i, with gains that sum up to cg(i); the
    ideal ranking has cg*(i).

    Edge cases
        - No relevant document retrieved: 0.
        - Below 0 only when gains= has negative gains.

    Source
        Sakai, On the properties of evaluation metrics for finding one highly relevant document,
        IPSJ TOD 48(SIG 9), 2007; NTCIREVAL.
    """
    preferred = judged.sum_per_topic(np.where(_preferred(judged), judged.rank, 0))
    before = (judged.grade > 0) & (judged.rank <= preferred[judged.topic])
    ratio = np.where(before, blended_ratio(judged, beta=beta, gains=gains), 0.0)
    return share(judged.sum_per_topic(ratio), judged.count_per_topic(before))


def normalised_cumulative_utility(
    judged: RankedJudgments,
    *,
    stop: Stop = "u",
    beta: Weight = 0.0,
    gamma: Annotated[
        float, Range(above=0, most=1), Meaning("with stop='rb', weight of the next relevant one")
    ] = GAMMA,
    stops: Annotated[
        Gains | None, Meaning("with stop='gu', weights of single grades, {grade:weight}")
    ] = None,
    gains: GainTable = None,
) -> Values:
    """Normalised cumulative utility: the mean blended ratio where a population of readers stops.

        NCU   = Σ_{i, g_i > 0} Ps(i)·BR(i)
        BR(i) = (C(i) + β·cg(i)) / (i + β·cg*(i))

        stop   Ps(i)
        'u'    1/R
        'rb'   γ^(C(i)-1) / Σ_{j=0..R-1} γ^j
        'gu'   s(g_i) / Σ_{judged, g > 0} s(g), with s(g) from stops= or else the gain

    with C(i) relevant documents (g > 0) among the first i, cg(i) the sum of their gains, cg*(i)
    that of the ideal ranking, and R relevant documents in all. NCU is AP, and NCU(beta=b) is
    Q(beta=b).

    Edge cases
        - R = 0, or no readers anywhere (all s(g) are 0): 0.
        - gamma= without stop='rb' is an error, and so is stops= without stop='gu'.
        - Below 0 only when gains= has negative gains.

    Source
        Sakai and Robertson, Modelling a user population for designing information retrieval
        metrics, EVIA 2008; NTCIREVAL.
    """
    if stops is not None and stop != "gu":
        raise MeasureError(f"stops= has no effect with stop='{stop}'", expected="stop='gu'")
    if gamma != GAMMA and stop != "rb":
        raise MeasureError(f"gamma= has no effect with stop='{stop}'", expected="stop='rb'")
    relevant, n_relevant = judged.grade > 0, _n_relevant(judged)
    table = gains if stops is None else stops
    match stop:
        case "u":
            readers, population = np.ones(len(judged.rank)), n_relevant
        case "rb":
            readers = np.power(gamma, judged.cumulative_count(relevant) - 1.0)
            population = _geometric_sum(gamma, n_relevant)
        case "gu":
            readers = gain(judged.grade, dcg="log2", gains=table)
            everywhere = gain(judged.judged_grade, dcg="log2", gains=table)
            population = judged.sum_judged(np.where(judged.judged_grade > 0, everywhere, 0.0))
    ratio = readers * blended_ratio(judged, beta=beta, gains=gains)
    return share(judged.sum_per_topic(np.where(relevant, ratio, 0.0)), population)


def _geometric_sum(ratio: float, n_terms: Floats) -> Floats:
    """Return 1 + ratio + … + ratio^(n_terms - 1), also for a ratio close to 1."""
    if ratio == 1:
        return n_terms
    return np.expm1(n_terms * np.log(ratio)) / (ratio - 1.0)


def _satisfied(judged: RankedJudgments, max_rel: float | str) -> Floats:
    """Return p_i·Π_{j<i} (1 - p_j), the chance that ERR's reader stops at a row, shape (N,)."""
    stop = stopping_probability(judged.grade, judged, max_rel=max_rel)
    return stop * reached(stop, judged.offsets)


def expected_blended_ratio(
    judged: RankedJudgments, *, beta: Weight = 1.0, max_rel: MaxRel, gains: GainTable = None
) -> Values:
    """Expected blended ratio: the mean blended ratio at the rank where ERR's reader stops.

        EBR   = Σ_i p_i·Π_{j<i} (1 - p_j)·BR(i),  p_i = (2^g_i - 1) / 2^max_rel
        BR(i) = (C(i) + β·cg(i)) / (i + β·cg*(i))

    with C(i) relevant documents (g > 0) among the first i, cg(i) the sum of their gains, and
    cg*(i) that of the ideal ranking.

    Edge cases
        - No relevant document retrieved: 0.
        - A grade above max_rel is an error, as in ERR.
        - Below 0 only when gains= has negative gains.

    Source
        Sakai and Zeng, Retrieval evaluation measures that agree with users' SERP preferences:
        traditional, preference-based, and diversity measures, ACM TOIS 39(2), 2020.
    """
    ratio = blended_ratio(judged, beta=beta, gains=gains)
    return judged.sum_per_topic(_satisfied(judged, max_rel) * ratio)


def intentwise_rank_biased_utility(
    judged: RankedJudgments,
    *,
    p: Annotated[
        float, Range(above=0, below=1), Meaning("value that is left after each document read")
    ] = 0.99,
    max_rel: MaxRel,
) -> Values:
    """Intentwise rank-biased utility: the mean value p^i left when ERR's reader stops at rank i.

        iRBU = Σ_i p_i·Π_{j<i} (1 - p_j)·p^i,  p_i = (2^g_i - 1) / 2^max_rel

    Edge cases
        - No relevant document retrieved: 0.
        - A grade above max_rel is an error, as in ERR.

    Source
        Sakai and Zeng, Retrieval evaluation measures that agree with users' SERP preferences:
        traditional, preference-based, and diversity measures, ACM TOIS 39(2), 2020; Amigó,
        Spina and Carrillo-de-Albornoz, An axiomatic analysis of diversity evaluation metrics,
        SIGIR 2018 (RBU).
    """
    return judged.sum_per_topic(_satisfied(judged, max_rel) * np.power(p, judged.rank))
