"""Rank-biased measures: RBP, its residual, and compatibility with an ideal ranking."""

from typing import Annotated, Literal

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.measures.arithmetic import earlier, found, mean_weight, scaled_gain, share
from rankeval.measures.bounds import Bounds, Compute, Parameters, extremes
from rankeval.measures.facts import Cutoff, Meaning, Range, Rel, Terms, Values
from rankeval.measures.precision import Placeholder
from rankeval.measures.walk import Reader
from rankeval.ranking import RankedJudgments

Persistence = Annotated[
    float, Range(least=0, below=1), Meaning("probability of going on to the next document")
]
GradedUpTo = Annotated[
    int | float | Literal["qrels", "topic"] | None,
    Range(above=0),
    Meaning(
        "gain min(g, max_rel)/max_rel instead of [g ≥ rel], so that rel has no effect; "
        "'qrels' takes the largest grade in the qrels file, 'topic' that of each topic"
    ),
]


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


def persistent_reader(
    judged: RankedJudgments,
    *,
    p: float,
    rel: float,
    max_rel: float | str | None,
    cutoff: int | None,
) -> Reader:
    return Reader(_gain(judged, rel=rel, max_rel=max_rel), lambda _place: p, cutoff)


def rank_biased_terms(
    judged: RankedJudgments, *, rel: float, max_rel: float | str | None, **_: object
) -> Terms:
    return {"gain": _gain(judged, rel=rel, max_rel=max_rel)}


def rank_biased_weights(
    judged: RankedJudgments, *, p: float, cutoff: int | None = None, **_: object
) -> Terms:
    """Return the weight of each rank of the only topic."""
    rank = np.arange(1, judged.retrieved[0] + 1)
    return {"weight": (1.0 - p) * p ** (rank - 1) * (rank <= (cutoff or rank))}


def rank_biased_bounds(
    values: Compute, judged: RankedJudgments, parameters: Parameters
) -> Bounds | None:
    """Bound RBP; None with max_rel='topic', where a new highest grade lowers the other gains."""
    return None if parameters["max_rel"] == "topic" else extremes(values, judged, parameters)


def rank_biased_precision(
    judged: RankedJudgments,
    *,
    p: Persistence = 0.8,
    rel: Rel = 1,
    max_rel: GradedUpTo = None,
    cutoff: Cutoff = None,
) -> Values:
    """Rank-biased precision: the rate of gain of a reader who continues with probability p.

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
    terms = _gain(judged, rel=rel, max_rel=max_rel) * _reach(judged, p, cutoff)
    return (1.0 - p) * judged.sum_per_topic(terms)


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


OverlapPersistence = Annotated[
    float, Range(above=0, below=1), Meaning("persistence: weight of each next depth")
]
Normalised = Annotated[bool, Meaning("divide by the overlap of the ideal ranking with itself")]
Depth = Annotated[int, Range(least=1, most=1_000_000), Meaning("number of ranks compared")]


def compatibility(
    judged: RankedJudgments,
    *,
    p: OverlapPersistence = 0.95,
    normalize: Normalised = True,
    depth: Depth = 1000,
) -> Values:
    """Compatibility: rank-biased overlap of the ranking with an ideal one.

        Compat   = RBO(ranking, ideal) / RBO(ideal, ideal)
                 = RBO(ranking, ideal)                       with normalize=False
        RBO(A,B) = Σ_{i=1..depth} p^(i-1)·|A_1..i ∩ B_1..i|/i / Σ_{i=1..depth} p^(i-1)

    The ideal ranking holds the documents of positive grade, higher grades first. Documents of
    equal grade keep the order of the ranking; those not retrieved come last.

    Edge cases
        - No document of positive grade: 0.
        - Beyond the end of a list the overlap stops growing but counts down to `depth`.
        - Only the order of grades counts, so any numbers can express preferences.

    Differences
        - Clarke's compatibility.py leaves out topics without a positive grade.
        - ir_measures compares down to the length of the longer list. It orders documents of
          equal grade by score, with score 0 for those not retrieved, which puts them above
          documents with negative scores.
        - Both tools break ties of scores by increasing docno.

    Source
        Clarke, Vtyurina and Smucker, Assessing top-k preferences, ACM TOIS 39(3), 2021; Webber,
        Moffat and Zobel, A similarity measure for indefinite rankings, ACM TOIS 28(4), 2010.
    """
    weight = np.power(p, np.arange(depth))
    worth = worth_of_agreement(weight)
    useful = judged.grade > 0
    # A document is in both lists from the deeper of its two ranks on.
    meets = np.minimum(np.maximum(judged.rank, _ideal_rank(judged)), depth + 1)
    overlap = judged.sum_per_topic(np.where(useful, worth[meets - 1], 0.0))
    if not normalize:
        return overlap / weight.sum()
    own = worth[np.minimum(judged.ideal_rank, depth + 1) - 1]
    return share(overlap, judged.sum_judged(np.where(judged.judged_grade > 0, own, 0.0)))


def worth_of_agreement(weight: Floats) -> Floats:
    """Return Σ_{i ≥ r} p^(i-1)/i for the ranks r from 1 on, and a last 0 for deeper ranks."""
    terms = weight / np.arange(1, len(weight) + 1)
    return np.append(np.cumsum(terms[::-1])[::-1], 0.0)


def _ideal_rank(judged: RankedJudgments) -> Integers:
    """Return each row's rank in the ideal ranking that keeps equal grades in the run's order."""
    grades, level = np.unique(
        np.concatenate((judged.grade, judged.judged_grade)), return_inverse=True
    )
    n_rows = len(judged.grade)
    # One increasing number for topic and grade, the highest grade first.
    group = judged.topic * len(grades) - level[:n_rows]
    judged_group = judged.judged_topic * len(grades) - level[n_rows:]
    above = np.searchsorted(judged_group, group) - judged.judged_offsets[:-1][judged.topic]
    return above + earlier(group) + 1
