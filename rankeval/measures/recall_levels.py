"""Measures at a level of recall: interpolated precision, and the rank that reaches it."""

from functools import reduce
from itertools import pairwise
from typing import Annotated, Any, Literal

import numpy as np

from rankeval.base.arrays import Integers
from rankeval.errors import MeasureError
from rankeval.measures.counts import found
from rankeval.measures.declare.definition import Alias, JudgedOnly, Rel, Values
from rankeval.measures.declare.measure_parameters import AtLeast, AtMost, Meaning, MoreThan
from rankeval.measures.declare.measure_registry import measure
from rankeval.measures.declare.needs import Steps, Terms
from rankeval.ranking import RankedJudgments

Recall = Annotated[float, AtLeast(0), AtMost(1), Meaning("level of recall")]
PositiveRecall = Annotated[float, MoreThan(0), AtMost(1), Meaning("level of recall")]

Count = Annotated[
    Literal["ceiling", "nearest", "add 0.9"],
    Meaning(
        "how r·R becomes a number of documents: rounded up; to the nearest integer; "
        "or the integer part of r·R + 0.9"
    ),
]

ELEVEN_LEVELS = tuple(level / 10 for level in range(11))
Levels = Annotated[
    str | None,
    Meaning("levels of recall, the lowest first, as in '0.25,0.5,0.75'; None is 0, 0.1, …, 1"),
]
AS_IN_TREC_EVAL = {"count": "nearest"}


def levels_of_recall(text: str | None) -> tuple[float, ...]:
    """Return the levels in a text, by default the usual eleven; MeasureError for bad ones."""
    if text is None:
        return ELEVEN_LEVELS
    try:
        levels = tuple(map(float, text.split(",")))
    except ValueError:
        levels = ()
    in_order = all(low <= high for low, high in pairwise((0.0, *levels, 1.0)))
    if not levels or not in_order:
        raise MeasureError(
            f"levels='{text}' is not possible",
            expected="levels of recall from 0 to 1, the lowest first, as in '0.25,0.5,0.75'",
        )
    return levels


def documents_needed(n_relevant: Integers, recall: float, count: str = "ceiling") -> Integers:
    """Return recall·R, the relevant documents that a level of recall needs, as a whole number."""
    exact = recall * n_relevant
    match count:
        case "nearest":
            whole = np.trunc(exact)
            return (whole + np.where(np.abs(exact - whole) >= 0.5, np.sign(exact), 0)).astype(int)
        case "add 0.9":
            return np.trunc(exact + 0.9).astype(int)
        case _:
            # The guard keeps a product such as 0.1·30 = 3.0000000000000004 at 3; and no recall
            # above 0 is reached without any document.
            return np.maximum(np.ceil(exact - 1e-9), 1).astype(int)


def rank_reaching(judged: RankedJudgments, *, rel: float, recall: float) -> Values:
    """Return the first rank that reaches the recall; 0 where none does, shape (T,)."""
    relevant = found(judged, rel=rel)
    needed = documents_needed(judged.count_judged(min_grade=rel), recall)
    there = relevant & (judged.cumulative_count(relevant) == needed[judged.topic])
    return judged.sum_per_topic(np.where(there, judged.rank, 0))


def _needed(
    judged: RankedJudgments, *, rel: float, recall: float, count: str, **_: object
) -> Terms:
    return {"needed": documents_needed(judged.count_judged(min_grade=rel), recall, count)}


@measure(
    "IPrec",
    at="recall",
    aliases=(Alias("iprec_at_recall", usual=AS_IN_TREC_EVAL),),
    tier=2,
    steps=Steps(quantities=_needed),
)
def interpolated_precision(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    judged_only: JudgedOnly = False,
    count: Count = "ceiling",
    recall: Recall,
) -> Values:
    """Interpolated precision: the best precision at a recall of at least r.

        IPrec@r = max{ P@k : h(k) ≥ ⌈r·R⌉ }

    with h(k) relevant documents among the first k, and R in all.

    Edge cases
        - The recall is never reached: 0.
        - R = 0: 0.

    Differences
        - The number of documents is ⌈r·R⌉, so recall is at least r; trec_eval 10 rounds r·R to
          the nearest integer (count='nearest'), trec_eval 9 takes ⌊r·R + 0.9⌋ (count='add
          0.9'). The name iprec_at_recall is read as in version 10.

    Source
        Salton and McGill, Introduction to Modern Information Retrieval, 1983, chapter 5.
    """
    judged = judged.condensed if judged_only else judged
    relevant = found(judged, rel=rel)
    so_far = judged.cumulative_count(relevant)
    needed = documents_needed(judged.count_judged(min_grade=rel), recall, count)
    eligible = relevant & (so_far >= needed[judged.topic])
    return judged.max_per_topic(np.where(eligible, so_far / judged.rank, 0.0))


def _at_levels(
    judged: RankedJudgments, *, rel: float, count: str, levels: str | None
) -> list[Values]:
    return [
        interpolated_precision(judged, rel=rel, count=count, recall=level)
        for level in levels_of_recall(levels)
    ]


def _levels(judged: RankedJudgments, *, levels: str | None, **parameters: Any) -> Terms:
    """Return IPrec at each level, by the level's name."""
    values = _at_levels(judged, levels=levels, **parameters)
    called = (f"at recall {level:g}" for level in levels_of_recall(levels))
    return dict(zip(called, values, strict=True))


@measure(
    "IAP",
    aliases=(Alias("11pt_avg", usual=AS_IN_TREC_EVAL), "11-pt"),
    tier=2,
    steps=Steps(quantities=_levels),
)
def eleven_point_average_precision(
    judged: RankedJudgments, *, rel: Rel = 1, count: Count = "ceiling", levels: Levels = None
) -> Values:
    """Eleven-point average precision: the mean of IPrec at recall 0, 0.1, …, 1.

        IAP = (1/11)·Σ_{r=0,0.1,…,1} IPrec@r

    or the mean over the levels in levels=.

    Differences
        - Recall levels are counted as in IPrec, not as in trec_eval, which has count='nearest'
          in version 10 and count='add 0.9' in version 9. The name 11pt_avg is read as in
          version 10.

    Source
        Salton and McGill, Introduction to Modern Information Retrieval, 1983, chapter 5;
        Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, section 8.4.
    """
    each = _at_levels(judged, rel=rel, count=count, levels=levels)
    # One level after the other: how np.sum groups them depends on how many topics there are.
    return reduce(np.add, each) / len(each)


@measure("KAtRecall", at="recall", aliases=("k@recall",), low=1.0, high=float("inf"), loss=True)
def rank_at_recall(judged: RankedJudgments, *, rel: Rel = 1, recall: PositiveRecall) -> Values:
    """Rank at recall: the first rank that reaches a level of recall; a loss.

        KAtRecall@r = min{ k : h(k)/R ≥ r }

    Edge cases
        - Undefined when the ranking never reaches it, or R = 0; such topics are left out of the
          mean.

    Source
        Cooper, Expected search length, American Documentation 19(1), 1968, for the idea.
    """
    rank = rank_reaching(judged, rel=rel, recall=recall)
    return np.where(rank > 0, rank, np.nan)


@measure(
    "PAtRecall",
    at="recall",
    aliases=("precision@recall",),
    steps=Steps(parts=("KAtRecall",)),
)
def precision_at_recall(judged: RankedJudgments, *, rel: Rel = 1, recall: PositiveRecall) -> Values:
    """Precision at recall: P at the first rank that reaches a level of recall.

        PAtRecall@r = P@k  with k = KAtRecall@r

    It is not interpolated: precision may be higher further down (see IPrec).

    Edge cases
        - The recall is never reached, or R = 0: 0.

    Source
        Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, section 8.4.
    """
    rank = rank_reaching(judged, rel=rel, recall=recall)
    needed = documents_needed(judged.count_judged(min_grade=rel), recall)
    return np.where(rank > 0, needed / np.maximum(rank, 1), 0.0)
