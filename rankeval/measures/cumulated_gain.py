"""Cumulated gain: DCG, its ideal, and nDCG, with the gains and discounts of the literature."""

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal

import numpy as np

from rankeval.base.arrays import Floats, Grades, Integers, sums
from rankeval.errors import MeasureError
from rankeval.measures.arithmetic.logarithms import LOW, log, log2
from rankeval.measures.declare.definition import Alias, Cutoff, JudgedOnly, Values
from rankeval.measures.declare.measure_parameters import Gains, Meaning, MoreThan
from rankeval.measures.declare.measure_registry import measure
from rankeval.measures.declare.needs import Steps, Terms
from rankeval.measures.declare.value_bounds import (
    Bounds,
    extremes,
    normalised_gain_bounds,
    pool,
    top_grade,
)
from rankeval.ranking import Ideal, RankedJudgments

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

Base = Annotated[float, MoreThan(1), Meaning("base of the logarithm of the jk kinds")]


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
        from rankeval.measures.arithmetic.expected_ties import mean_weight  # by --ties expected

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


def _gains(judged: RankedJudgments, *, dcg: str, gains: Gains | None, **_: object) -> Terms:
    return {"gain": gain(judged.grade, dcg=dcg, gains=gains)}


def _discounts(judged: RankedJudgments, *, dcg: str, base: float, **_: object) -> Terms:
    return {"discount": discount(np.arange(1, judged.retrieved[0] + 1), dcg=dcg, base=base)}


def _ideal_terms(
    judged: RankedJudgments, *, dcg: str, gains: Gains | None, base: float, **_: object
) -> Terms:
    return {
        "gain": best_gains(judged.ideal, dcg=dcg, gains=gains),
        "discount": discount(judged.ideal_rank, dcg=dcg, base=base),
    }


def _gain_bounds(
    values: Callable[[RankedJudgments], Values],
    judged: RankedJudgments,
    parameters: Mapping[str, Any],
) -> Bounds | None:
    """Bound DCG; None with gains=, which need not rise with the grade."""
    return None if parameters["gains"] else extremes(values, judged, parameters)


def _ideal_bounds(
    values: Callable[[RankedJudgments], Values],
    judged: RankedJudgments,
    parameters: Mapping[str, Any],
) -> Bounds | None:
    return None if parameters["gains"] else pool(values, judged, parameters)


def _normalised_bounds(
    values: Callable[[RankedJudgments], Values],
    judged: RankedJudgments,
    parameters: Mapping[str, Any],
) -> Bounds | None:
    """Bound nDCG by `normalised_gain_bounds`; None with gains=."""
    if parameters["gains"]:
        return None
    kind = {"dcg": parameters["dcg"], "base": parameters["base"]}
    n_ranks = int(
        max(judged.retrieved.max(initial=0), 0) + np.diff(judged.judged_offsets).max(initial=0)
    )
    worth = 1.0 / discount(np.arange(1, n_ranks + 1), **kind)
    top = top_grade(judged)
    whole = float(top).is_integer() and np.issubdtype(judged.grade.dtype, np.integer)
    steps = np.arange(top + 1) if whole else np.array([0.0, top])
    return normalised_gain_bounds(
        judged,
        values(judged),
        gain(judged.judged_grade, dcg=parameters["dcg"], gains=None),
        discounted_gain(judged, gains=None, cutoff=parameters["cutoff"], **kind),
        worth,
        gain(steps, dcg=parameters["dcg"], gains=None),
        cutoff=parameters["cutoff"],
        every_gain=whole,
    )


@measure(
    "DCG",
    at="cutoff",
    aliases=("dcg", "dcg_cut", Alias("dcg_burges", {"dcg": "exp-log2"})),
    steps=Steps(rows=_gains, places=_discounts),
    low=-float("inf"),
    high=float("inf"),
    expected=True,
    bounds=_gain_bounds,
    relevant_only=True,
)
def discounted_cumulated_gain(
    judged: RankedJudgments,
    *,
    dcg: Kind = "log2",
    gains: GainTable = None,
    base: Base = 2.0,
    judged_only: JudgedOnly = False,
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
    judged = judged.condensed if judged_only else judged
    return discounted_gain(judged, dcg=dcg, gains=gains, base=base, cutoff=cutoff)


@measure(
    "IDCG",
    at="cutoff",
    aliases=("ideal_dcg",),
    high=float("inf"),
    tier=2,
    steps=Steps(ideal=_ideal_terms),
    expected=True,
    bounds=_ideal_bounds,
)
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


@measure(
    "nDCG",
    at="cutoff",
    aliases=("ndcg", "NDCG", "ndcg_cut", Alias("ndcg_burges", {"dcg": "exp-log2"})),
    steps=Steps(rows=_gains, places=_discounts, ideal=_ideal_terms, parts=("DCG", "IDCG")),
    low=-float("inf"),
    expected=True,
    bounds=_normalised_bounds,
    relevant_only=True,
)
def normalised_discounted_cumulated_gain(
    judged: RankedJudgments,
    *,
    dcg: Kind = "log2",
    gains: GainTable = None,
    base: Base = 2.0,
    judged_only: JudgedOnly = False,
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
    judged = judged.condensed if judged_only else judged
    total = discounted_gain(judged, dcg=dcg, gains=gains, base=base, cutoff=cutoff)
    return total / ideal + 0.0  # not -0.0
