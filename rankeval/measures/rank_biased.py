"""Rank-biased precision, and its residual: how far more judgments could raise it."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.measures.arithmetic.expected_ties import mean_weight
from rankeval.measures.arithmetic.logarithms import scale_is_exceeded, scaled_gain
from rankeval.measures.arithmetic.walk import Reader, measure_reader
from rankeval.measures.counts import found
from rankeval.measures.declare.definition import Alias, Cutoff, Rel, Values
from rankeval.measures.declare.measure_parameters import (
    AtLeast,
    LessThan,
    Meaning,
    MoreThan,
    ParameterValue,
)
from rankeval.measures.declare.measure_registry import measure
from rankeval.measures.declare.needs import Steps, Terms
from rankeval.measures.declare.readers import (
    OutOfReader,
    chances_of,
    of_the_measure_itself,
    spending_where_reported,
)
from rankeval.measures.declare.value_bounds import Bounds, extremes
from rankeval.measures.sets import Placeholder
from rankeval.ranking import RankedJudgments

Persistence = Annotated[
    float, AtLeast(0), LessThan(1), Meaning("probability of going on to the next document")
]
GradedUpTo = Annotated[
    int | float | Literal["qrels", "topic"] | None,
    MoreThan(0),
    Meaning(
        "gain min(g, max_rel)/max_rel instead of [g ≥ rel], so that rel has no effect; "
        "'qrels' takes the largest grade in the qrels file, 'topic' that of each topic"
    ),
]

TREC_EVAL_DEFAULT: dict[str, ParameterValue] = {"p": 0.9}


def _persistence(text: str) -> float:
    """Read `80` as .80, as in ranx's rbp.80, and `0.8` as it stands."""
    return float(text if "." in text else f"0.{text}")


def _reach(judged: RankedJudgments, p: float, cutoff: int | None = None) -> Floats:
    """Return p^(i-1), the chance to reach the rank i of each row, 0 below the cutoff, shape (N,).

    Powers are products, one factor after the other, as in trec_eval.
    """
    factors = np.full(judged.tie_last.max(initial=1), p)
    factors[0] = 1.0
    powers = np.multiply.accumulate(factors)
    if judged.ties_open:
        return mean_weight(judged, lambda rank: powers[rank - 1], cutoff)
    reach: Floats = powers[judged.rank - 1]
    return reach if cutoff is None else reach * (judged.rank <= cutoff)


def _gain(judged: RankedJudgments, *, rel: float, max_rel: float | str | None) -> Floats:
    """Return r_i of each row: 0 or 1, or on a scale of grades a share of it, shape (N,)."""
    if max_rel is None:
        return found(judged, rel=rel).astype(float)
    if max_rel == "topic":
        largest = np.maximum(1.0, judged.max_judged())[judged.topic]
        return np.maximum(judged.grade, 0) / largest
    return scaled_gain(judged.grade, judged, max_rel=max_rel)


def _reader(
    judged: RankedJudgments,
    *,
    p: float,
    rel: float,
    max_rel: float | str | None,
    cutoff: int | None,
) -> Reader:
    return Reader(_gain(judged, rel=rel, max_rel=max_rel), lambda _place: p, cutoff)


def _terms(
    judged: RankedJudgments, *, rel: float, max_rel: float | str | None, **_: object
) -> Terms:
    return {"gain": _gain(judged, rel=rel, max_rel=max_rel)}


def _weights(
    judged: RankedJudgments,
    *,
    p: float,
    out: str = "EU",
    cutoff: int | None = None,
    **parameters: Any,
) -> Terms:
    if out != "EU":
        return CHANCES(judged, p=p, out=out, cutoff=cutoff, **parameters)
    rank = np.arange(1, judged.retrieved[0] + 1)
    return {"weight": (1.0 - p) * p ** (rank - 1) * (rank <= (cutoff or rank))}


CHANCES = chances_of(_reader)


def _bounds(
    values: Callable[[RankedJudgments], Values],
    judged: RankedJudgments,
    parameters: Mapping[str, Any],
) -> Bounds | None:
    """Bound RBP; None with max_rel='topic', where a new highest grade lowers the other gains."""
    return None if parameters["max_rel"] == "topic" else extremes(values, judged, parameters)


def _idle(*, max_rel: float | str | None, **_: object) -> tuple[str, ...]:
    """Return the parameters without effect: rel, where a scale of grades is given."""
    return () if max_rel is None else ("rel",)


@measure(
    "RBP",
    at="cutoff",
    aliases=(
        Alias(
            "rbp", usual={**TREC_EVAL_DEFAULT, "max_rel": "topic"}, suffix="p", convert=_persistence
        ),
        Alias("RBP.", suffix="p", convert=_persistence),
    ),
    tier=2,
    caution=scale_is_exceeded,
    steps=Steps(rows=_terms, places=_weights),
    takes=spending_where_reported,
    idle=_idle,
    expected=True,
    bounds=of_the_measure_itself(_bounds),
)
def rank_biased_precision(
    judged: RankedJudgments,
    *,
    p: Persistence = 0.8,
    rel: Rel = 1,
    max_rel: GradedUpTo = None,
    out: OutOfReader = "EU",
    cutoff: Cutoff = None,
) -> Values:
    """Rank-biased precision: the rate of gain of a reader who goes on with probability p.

        RBP@k = (1-p)·Σ_{i=1..min(k,n)} r_i·p^(i-1)

        r_i   = [g_i ≥ rel]
              = clip(g_i, 0, max_rel) / max_rel       when max_rel is given
              = max(g_i, 0) / max(1, largest of t)    for max_rel='topic'

    Edge cases
        - It is not normalised: with few relevant documents a perfect ranking stays below 1.
        - Grades above max_rel count as max_rel, with a warning.
        - out= other than 'EU' reports another quantity of the reader in the C/W/L framework,
          with 1000 places and C_i = p (for i < k, else 0).

    Differences
        - ranx's rbp.80 is read as RBP(p=0.8), but ranx multiplies by the raw grade: the two are
          equal on binary judgments only.
        - trec_eval's rbp is read as RBP(p=0.9,max_rel='topic'), which equals RBP(p=0.9) on
          binary judgments only.
        - ir_measures' RBP without rel takes raw grades as gains.

    Source
        Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness,
        ACM TOIS 27(1), 2008.
    """
    if out != "EU":
        reader = _reader(judged, p=p, rel=rel, max_rel=max_rel, cutoff=cutoff)
        return measure_reader(judged, reader, out)
    terms = _gain(judged, rel=rel, max_rel=max_rel) * _reach(judged, p, cutoff)
    return (1.0 - p) * judged.sum_per_topic(terms)


@measure(
    "RBPres",
    aliases=(
        Alias(
            "rbp_resid",
            usual={**TREC_EVAL_DEFAULT, "rest": "unjudged"},
            suffix="p",
            convert=_persistence,
        ),
        Alias("RBPres.", suffix="p", convert=_persistence),
    ),
    tier=2,
    loss=True,
    steps=Steps(places=_weights),
    expected=True,
)
def rank_biased_residual(
    judged: RankedJudgments,
    *,
    p: Persistence = 0.8,
    rest: Annotated[
        Literal["always", "unjudged"],
        Meaning("count p^n always, or only when some retrieved document is unjudged"),
    ] = "always",
    placeholder: Placeholder = False,
) -> Values:
    """Residual of RBP: its rise if all unjudged documents were relevant; a loss.

        RBPres = (1-p)·Σ_{i ≤ n, not judged} p^(i-1) + p^n

    with n documents retrieved; p^n is the weight of all ranks below the ranking.

    Edge cases
        - No ranking: 1; with rest='unjudged' 0, unless placeholder=True.
        - A negative grade counts as unjudged.
        - rest='unjudged', and every retrieved document is judged: 0.

    Differences
        - trec_eval's rbp_resid leaves out p^n when every retrieved document is judged; it is read
          as RBPres(p=0.9,rest='unjudged').

    Source
        Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness,
        ACM TOIS 27(1), 2008.
    """
    # The weights of all places add up to 1, so the rest is what the judged documents leave.
    known = judged.sum_per_topic(np.where(judged.grade >= 0, _reach(judged, p), 0.0))
    residual = np.maximum(1.0 - (1.0 - p) * known, 0.0)
    if rest == "always":
        return residual
    is_open = judged.count_per_topic(judged.grade >= 0) < judged.retrieved
    return np.where(is_open | (placeholder & (judged.retrieved == 0)), residual, 0.0)
