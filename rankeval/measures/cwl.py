"""Measures of the C/W/L framework, each a rule by which a reader goes on or stops.

A rule gives C_i, the probability to go on from rank i to the next. Then V_i = C_1·…·C_{i-1} is the
probability to read rank i, W_i = V_i / ΣV its weight, and L_i = V_i·(1 - C_i) the probability to
stop there. Every ranking has N = 1000 places: it is cut there, or padded with gain 0 and cost 1. A
document costs 1 unless a file of costs names its cost.
"""

from typing import Annotated

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.measures.facts import Meaning, Range
from rankeval.measures.rank_biased import Persistence
from rankeval.measures.walk import DEPTH, Place

Wanted = Annotated[
    float, Range(above=0), Meaning("gain that the reader wants, 1 per best document")
]
Intercept = Annotated[
    float, Range(least=0), Meaning("how willing the reader is to go on at the goal")
]
Rationality = Annotated[float, Range(least=0), Meaning("how much the reader minds the goal")]

SLACK = 1e-9
"""Tolerance for sums such as six times 1/3, which rounding leaves slightly below 2."""

LARGEST_EXPONENT = 700.0
"""exp overflows above it; the chances computed from exp reach their limits long before."""


def inst(
    place: Place,
    *,
    T: Annotated[
        float, Range(least=0.25), Meaning("gain that the reader wants, 1 per best document")
    ] = 1.0,
) -> Floats:
    """INST: a reader more likely to go on, the more gain is still wanted.

        C_i = ((i + T + T_i - 1) / (i + T + T_i))²,  T_i = T - (r_1 + … + r_i)
        INST = Σ_{i=1..1000} W_i·r_i
        r_i = (clip(g_i, min_rel, max_rel) - min_rel) / (max_rel - min_rel)

    with W_i the weight of rank i that follows from C.

    Edge cases
        - Places without a judged document, and padding up to place 1000, have gain 0.
        - Nothing retrieved: 0, for every out=.
        - T below 0.25 is an error: C_i could exceed 1, and no probability does.

    Source
        Bailey, Moffat, Scholer and Thomas, User variability and IR system evaluation, SIGIR
        2015; Moffat, Bailey, Scholer and Thomas, INST: an adaptive metric for information
        retrieval evaluation, ADCS 2015; cwl-eval.
    """
    wanted = place.rank + 2.0 * T - place.total_gain
    return np.square((wanted - 1.0) / wanted)


def insq(place: Place, *, T: Wanted = 1.0) -> float:
    """INSQ: a reader more likely to go on, the deeper the rank and the more gain is wanted.

        C_i = ((i + 2T - 1) / (i + 2T))²
        INSQ = Σ_{i=1..1000} W_i·r_i
        r_i = (clip(g_i, min_rel, max_rel) - min_rel) / (max_rel - min_rel)

    with W_i the weight of rank i that follows from C.

    Edge cases
        - Places without a judged document, and padding up to place 1000, have gain 0.
        - Nothing retrieved: 0, for every out=.

    Source
        Moffat, Scholer and Thomas, Models and metrics: IR evaluation as a user process, ADCS
        2012; cwl-eval.
    """
    return insq_continuation(place.rank, T)


def insq_continuation(rank: int, wanted: float) -> float:
    """Return C_i of INSQ at a rank."""
    return ((rank + 2.0 * wanted - 1.0) / (rank + 2.0 * wanted)) ** 2


def bejeweled_player(place: Place, *, T: Wanted = 1.0) -> Floats:
    """Bejeweled player model: a reader who stops after a total gain of T, or at rank k.

        C_i = 1 while r_1 + … + r_i < T and i < k, else 0
        BPM@k = (r_1 + … + r_s) / s
        r_i = (clip(g_i, min_rel, max_rel) - min_rel) / (max_rel - min_rel)

    with s the rank at which the reader stops.

    Edge cases
        - Places without a judged document, and padding up to place 1000, have gain 0.
        - Nothing retrieved: 0, for every out=.
        - k above 1000 has the effect of 1000.

    Differences
        - A sum below T only by rounding (six times 1/3) reaches T; in cwl-eval it may not.
        - cwl-eval's K limits the cost; here k is a rank even where documents have costs.

    Source
        Zhang, Liu, Li, Zhang, Xu and Ma, Evaluating web search with a bejeweled player model,
        SIGIR 2017, the static model; cwl-eval.
    """
    return (place.total_gain < T - SLACK).astype(float)


def scaled_discounted_cumulated_gain(place: Place) -> float:
    """Scaled DCG: DCG@k divided by that of k documents of the highest grade.

        C_i = log2(i+1) / log2(i+2) for i < k, else 0
        SDCG@k = Σ_{i=1..k} r_i/log2(i+1)  /  Σ_{i=1..k} 1/log2(i+1)
        r_i = (clip(g_i, min_rel, max_rel) - min_rel) / (max_rel - min_rel)

    Edge cases
        - Places without a judged document, and padding up to place 1000, have gain 0.
        - Nothing retrieved: 0, for every out=.
        - k above 1000 has the effect of 1000.

    Source
        Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS
        20(4), 2002, as a measure of the framework in cwl-eval.
    """
    return float(np.log2(place.rank + 1) / np.log2(place.rank + 2))


def information_foraging(
    place: Place,
    *,
    T: Wanted = 1.0,
    b1: Intercept = 0.9,
    R1: Rationality = 1.0,
    A: Annotated[
        float | None,
        Range(least=0),
        Meaning("gain per cost that the reader expects; None to ignore the rate"),
    ] = None,
    b2: Annotated[
        float, Range(least=0), Meaning("how unwilling the reader is to go on at the rate A")
    ] = 0.9,
    R2: Annotated[float, Range(least=0), Meaning("how much the reader minds the rate")] = 1.0,
) -> Floats:
    """Information foraging: a reader with a goal for the gain and, if A is given, for its rate.

        C_i = 1 - 1 / (1 + b1·exp((T - G_i)·R1))             the goal
              times 1 / (1 + b2·exp((A - G_i/K_i)·R2))       the rate, when A is given
        IFT = Σ_{i=1..1000} W_i·r_i
        r_i = (clip(g_i, min_rel, max_rel) - min_rel) / (max_rel - min_rel)

    with G_i the gain and K_i the cost of the first i documents (1 each, unless costs are given),
    and W_i the weight of rank i that follows from C.

    Edge cases
        - Places without a judged document, and padding up to place 1000, have gain 0.
        - Nothing retrieved: 0, for every out=.

    Source
        Azzopardi, Thomas and Craswell, Measuring the utility of search engine result pages: an
        information foraging based measure, SIGIR 2018; cwl-eval.
    """
    goal: Floats = 1.0 - 1.0 / (1.0 + b1 * _exp((T - place.total_gain) * R1))
    if A is None:
        return goal
    rate = place.total_gain / place.total_cost
    return goal / (1.0 + b2 * _exp((A - rate) * R2))


def _exp(exponent: Floats) -> Floats:
    return np.exp(np.minimum(exponent, LARGEST_EXPONENT))


def net_present_value(
    _place: Place,
    *,
    rate: Annotated[float, Range(above=0), Meaning("discount rate of gains per rank")] = 0.1,
) -> float:
    """Net present value: gains discounted like later payments; RBP with p = 1 / (1 + rate).

        C_i = 1 / (1 + rate)
        NPV = Σ_{i=1..1000} W_i·r_i
        r_i = (clip(g_i, min_rel, max_rel) - min_rel) / (max_rel - min_rel)

    with W_i the weight of rank i that follows from C. It is RBP(p=1/(1+rate),max_rel=…), within
    the weight of the ranks below 1000.

    Edge cases
        - Places without a judged document, and padding up to place 1000, have gain 0.
        - Nothing retrieved: 0, for every out=.

    Source
        Azzopardi, Thomas and Moffat, cwl_eval: an evaluation tool for information retrieval,
        SIGIR 2019.
    """
    return 1.0 / (1.0 + rate)


def time_biased_gain(
    place: Place,
    *,
    halflife: Annotated[
        int | float, Range(above=0), Meaning("cost after which half of the readers have stopped")
    ] = 224,
) -> Floats | float:
    """Time-biased gain: the gain of readers, half of whom stop in each half-life of cost.

        V_i = 2^(-K_{i-1}/halflife),  C_i = V_{i+1} / V_i,  C_1000 = 0
        TBG = Σ_{i=1..1000} V_i·r_i  /  Σ_{i=1..1000} V_i
        r_i = (clip(g_i, min_rel, max_rel) - min_rel) / (max_rel - min_rel)

    with K_i the cost of the first i documents (1 each, unless costs are given). norm=False
    omits the division.

    Edge cases
        - Places without a judged document, and padding up to place 1000, have gain 0.
        - Nothing retrieved: 0, for every out=.

    Differences
        - The first publication has norm=False and costs in seconds; cwl-eval divides.

    Source
        Smucker and Clarke, Time-based calibration of effectiveness measures, SIGIR 2012;
        cwl-eval.
    """
    return np.exp2(-place.cost / halflife) if place.rank < DEPTH else 0.0


def u_measure(
    place: Place,
    *,
    L: Annotated[
        int | float, Range(above=0), Meaning("cost at which all readers have stopped")
    ] = 1000,
) -> Floats | float:
    """U-measure: the gain of readers whose stopping costs are spread evenly from 0 to L.

        V_i = max(0, 1 - K_{i-1}/L) for i < 1000,  V_1000 = 0,  C_i = V_{i+1} / V_i
        UMeasure = Σ_{i=1..1000} V_i·r_i  /  Σ_{i=1..1000} V_i
        r_i = (clip(g_i, min_rel, max_rel) - min_rel) / (max_rel - min_rel)

    with K_i the cost of the first i documents (1 each, unless costs are given). norm=False
    omits the division.

    Edge cases
        - Places without a judged document, and padding up to place 1000, have gain 0.
        - Nothing retrieved: 0, for every out=.

    Differences
        - The first publication has norm=False and costs in characters; cwl-eval divides.

    Source
        Sakai and Dou, Summaries, ranked retrieval and sessions: a unified framework for
        information access evaluation, SIGIR 2013; cwl-eval.
    """
    if place.rank >= DEPTH - 1:
        return 0.0
    left = np.maximum(0.0, L - place.total_cost)
    return left / (left + place.cost)


def nearly_expected_reciprocal_rank_8(place: Place) -> Floats:
    """Nearly expected reciprocal rank, equation 8: a reader who stops through gain or at rank k.

        C_i = 1 - r_i for i < k, else 0
        NERR8@k = Σ_{i=1..k} W_i·r_i
        r_i = (clip(g_i, min_rel, max_rel) - min_rel) / (max_rel - min_rel)

    with W_i the weight of rank i that follows from C.

    Edge cases
        - Places without a judged document, and padding up to place 1000, have gain 0.
        - Nothing retrieved: 0, for every out=.
        - k above 1000 has the effect of 1000.

    Source
        Azzopardi, Mackenzie and Moffat, ERR is not C/W/L: exploring the relationship between
        expected reciprocal rank and other metrics, ICTIR 2021; cwl-eval.
    """
    return 1.0 - place.gain


def nearly_expected_reciprocal_rank_9(place: Place) -> Floats:
    """Nearly expected reciprocal rank, equation 9: as equation 8, with C_i times i/(i+1).

        C_i = (i/(i+1))·(1 - r_i) for i < k, else 0
        NERR9@k = Σ_{i=1..k} W_i·r_i
        r_i = (clip(g_i, min_rel, max_rel) - min_rel) / (max_rel - min_rel)

    with W_i the weight of rank i that follows from C.

    Edge cases
        - Places without a judged document, and padding up to place 1000, have gain 0.
        - Nothing retrieved: 0, for every out=.
        - k above 1000 has the effect of 1000.

    Source
        Azzopardi, Mackenzie and Moffat, ERR is not C/W/L: exploring the relationship between
        expected reciprocal rank and other metrics, ICTIR 2021; cwl-eval.
    """
    return place.rank / (place.rank + 1) * (1.0 - place.gain)


def nearly_expected_reciprocal_rank_10(place: Place, *, p: Persistence = 0.9) -> Floats:
    """Nearly expected reciprocal rank, equation 10: RBP's reader, who also stops through gain.

        C_i = p·(1 - r_i)
        NERR10 = Σ_{i=1..1000} W_i·r_i
        r_i = (clip(g_i, min_rel, max_rel) - min_rel) / (max_rel - min_rel)

    with W_i the weight of rank i that follows from C.

    Edge cases
        - Places without a judged document, and padding up to place 1000, have gain 0.
        - Nothing retrieved: 0, for every out=.

    Source
        Azzopardi, Mackenzie and Moffat, ERR is not C/W/L: exploring the relationship between
        expected reciprocal rank and other metrics, ICTIR 2021; cwl-eval.
    """
    return p * (1.0 - place.gain)


def nearly_expected_reciprocal_rank_11(place: Place, *, T: Wanted = 1.0) -> Floats:
    """Nearly expected reciprocal rank, equation 11: INSQ's reader, who also stops through gain.

        C_i = ((i + 2T - 1) / (i + 2T))²·(1 - r_i)
        NERR11 = Σ_{i=1..1000} W_i·r_i
        r_i = (clip(g_i, min_rel, max_rel) - min_rel) / (max_rel - min_rel)

    with W_i the weight of rank i that follows from C.

    Edge cases
        - Places without a judged document, and padding up to place 1000, have gain 0.
        - Nothing retrieved: 0, for every out=.

    Source
        Azzopardi, Mackenzie and Moffat, ERR is not C/W/L: exploring the relationship between
        expected reciprocal rank and other metrics, ICTIR 2021; cwl-eval.
    """
    return insq_continuation(place.rank, T) * (1.0 - place.gain)
