"""Average precision, its relatives, and precision at levels of recall."""

from functools import reduce
from itertools import pairwise
from typing import Annotated, Any, Literal

import numpy as np

from rankeval.base.arrays import Floats, Integers, accumulate, sums
from rankeval.errors import MeasureError
from rankeval.measures.arithmetic import (
    expected_precision_sum,
    found,
    log,
    no_closed_form,
    share,
    share_of_relevant,
)
from rankeval.measures.bounds import Bounds, Compute, Parameters, Unjudged, rows_down_to, top_grade
from rankeval.measures.facts import Cutoff, Meaning, Range, Rel, Terms, Values
from rankeval.measures.other_names import RECALLS
from rankeval.measures.precision import hits, relevant_rows
from rankeval.measures.walk import DEPTH, Place, Reader
from rankeval.ranking import RankedJudgments

Norm = Annotated[
    Literal["rel", "min", "ret"],
    Meaning("divisor of the sum: R, min(k, R), or the relevant documents in the top k"),
]


def precision_where_relevant(
    judged: RankedJudgments, *, rel: float, cutoff: int | None = None
) -> Floats:
    """Return P@i at the rank i of each relevant document, 0 in the other rows, shape (N,)."""
    relevant = relevant_rows(judged, rel=rel, cutoff=cutoff)
    precision = np.zeros(len(judged.rank))
    precision[found(judged, rel=rel, cutoff=cutoff)] = relevant.number / relevant.rank
    return precision


def gathered_precision(judged: RankedJudgments, *, rel: float, cutoff: int | None = None) -> Values:
    """Return S(k), the sum of the precisions at the ranks of the relevant documents, shape (T,)."""
    if judged.ties_open:
        return expected_precision_sum(judged, found(judged, rel=rel), cutoff)
    relevant = relevant_rows(judged, rel=rel, cutoff=cutoff)
    return sums(relevant.topic, relevant.number / relevant.rank, len(judged))


def precision_terms(
    judged: RankedJudgments, *, rel: float, cutoff: int | None = None, **_: object
) -> Terms:
    return {"P@i": precision_where_relevant(judged, rel=rel, cutoff=cutoff)}


def average_precision_reader(
    judged: RankedJudgments, *, rel: float, cutoff: int | None = None, **_: object
) -> Reader:
    """Return AP's reader: C_i = Σ_{j>i} r_j/j / Σ_{j≥i} r_j/j, over the places of the framework."""
    relevant = found(judged, rel=rel, cutoff=min(cutoff or DEPTH, DEPTH))
    own = np.where(relevant, 1.0 / judged.rank, 0.0)
    ahead = accumulate(np.add, own[::-1], len(own) - judged.offsets[::-1])[::-1]
    goes_on = share(ahead - own, ahead)
    any_relevant = (judged.count_per_topic(relevant) > 0).astype(float)

    def go_on(place: Place) -> Floats:
        chance = any_relevant.copy()
        chance[judged.topic[place.rows]] = goes_on[place.rows]
        return chance

    return Reader(relevant.astype(float), go_on, cutoff)


def average_precision_bounds(
    values: Compute, judged: RankedJudgments, parameters: Parameters
) -> Bounds | None:
    """Bound AP by making unjudged documents relevant one by one, from the top and from the bottom.

    A document that becomes relevant at rank i adds P@i, and 1/j at the rank j of each relevant
    document below it.
    """
    rel, cutoff, norm = parameters["rel"], parameters.get("cutoff"), parameters.get("norm", "rel")
    value = values(judged)
    if top_grade(judged) < rel:
        return Bounds(value, value)
    # The relevant documents that count as retrieved are all that norm='ret' divides by.
    unjudged = Unjudged.from_judgments(judged, within=cutoff if norm == "ret" else None)
    topic, rank = unjudged.topic, unjudged.rank
    relevant = found(judged, rel=rel, cutoff=cutoff)
    rows = np.flatnonzero(relevant)
    inverse = np.where(relevant, 1.0 / judged.rank, 0.0)
    reached = np.append(0.0, judged.accumulate(np.add, inverse)[rows])
    first = np.searchsorted(judged.topic[rows], np.arange(len(judged)))[topic]
    above = rows_down_to(judged, rows, topic, rank)
    down_to_it = np.where(above > 0, reached[first + above], 0.0)
    below = judged.sum_per_topic(inverse)[topic] - down_to_it
    counts = 1.0 if cutoff is None else rank <= cutoff
    own = counts / rank
    gathered = gathered_precision(judged, rel=rel, cutoff=cutoff)[topic]
    rising = accumulate(np.add, own * (above + unjudged.number) + below, unjudged.offsets)
    weight_down_to = accumulate(np.add, own, unjudged.offsets)
    whole = np.zeros(len(judged))
    np.maximum.at(whole, topic, weight_down_to)
    added = own * (above + 1) + below + whole[topic] - weight_down_to
    falling = accumulate(np.add, added[::-1], len(added) - unjudged.offsets[::-1])[::-1]

    def divided(total: Values, more: Integers) -> Values:
        if norm == "ret":
            return share(total, hits(judged, rel=rel, cutoff=cutoff)[topic] + more)
        n_relevant = judged.count_judged(min_grade=rel)[topic] + more
        if norm == "min" and cutoff is not None:
            n_relevant = np.minimum(cutoff, n_relevant)
        return share(total, n_relevant)

    low = divided(gathered + falling, unjudged.from_bottom)
    return unjudged.bounds(value, low, divided(gathered + rising, unjudged.number))


def average_precision(
    judged: RankedJudgments, *, rel: Rel = 1, norm: Norm = "rel", cutoff: Cutoff = None
) -> Values:
    """Average precision: the mean precision at the ranks of the relevant documents.

        S(k) = Σ_{i=1..min(k,n)} [g_i ≥ rel]·P@i
        AP@k = S(k) / R                 norm='rel'
             = S(k) / min(k, R)         norm='min'
             = S(k) / h(k)              norm='ret'

    with n documents retrieved, g_i the grade at rank i, R relevant documents in all and
    h(k) of them among the first k.

    Edge cases
        - R = 0, or nothing relevant retrieved: 0.
        - R includes documents below the cutoff or never retrieved, so a perfect top k with
          k < R scores k/R; norm='min' gives it 1.
        - out= other than 'EU' reports another quantity of AP's reader in the C/W/L framework,
          with 1000 places and C_i = Σ_{j>i} r_j/j / Σ_{j≥i} r_j/j, where r_j = [g_j ≥ rel] (and
          0 below k); a reader of a ranking without relevant documents stops at rank 1.

    Differences
        - norm='min' is the MAP@k of the recommender literature and NTCIREVAL's AP; norm='ret'
          is RAG's context precision. trec_eval, ranx and ir_measures use norm='rel'.
        - In the C/W/L framework the expected utility per document of AP's reader is norm='ret';
          the other quantities, out='ETU' and so on, do not depend on norm=.

    Source
        Buckley and Voorhees, Retrieval System Evaluation, in TREC: Experiment and
        Evaluation in Information Retrieval, MIT Press, 2005, chapter 3.
    """
    gathered = gathered_precision(judged, rel=rel, cutoff=cutoff)
    if norm == "ret":
        if judged.ties_open and cutoff is not None:
            raise no_closed_form("AP(norm='ret') with a cutoff", "leave out the cutoff")
        return share(gathered, hits(judged, rel=rel, cutoff=cutoff))
    if norm == "min" and cutoff is not None:
        return share(gathered, np.minimum(cutoff, judged.count_judged(min_grade=rel)))
    return share_of_relevant(gathered, judged, rel=rel)


def geometric_mean_average_precision(judged: RankedJudgments, *, rel: Rel = 1) -> Values:
    """Geometric mean average precision: AP, aggregated by the geometric mean.

        GMAP = exp( (1/T)·Σ_t ln max(AP_t, 0.00001) )

    The value of a topic is its AP; hard topics weigh more in the aggregate than in MAP.

    Source
        Robertson, On GMAP and other transformations, CIKM 2006; trec_eval, gm_map.
    """
    return average_precision(judged, rel=rel)


def yet_another_average_precision(judged: RankedJudgments, *, rel: Rel = 1) -> Values:
    """Yet another average precision: AP on a logit-like, unbounded scale.

        YAAP = ln( (1 + S(n)) / (1 + R - S(n)) )

    with S(n) the sum of the precisions at the ranks of the relevant documents (see AP).

    Edge cases
        - R = 0: 0.

    Source
        Robertson, On the contributions of topics to system evaluation, ECIR 2011;
        trec_eval, yaap.
    """
    gathered = gathered_precision(judged, rel=rel)
    return log((1 + gathered) / (1 + judged.count_judged(min_grade=rel) - gathered))


Recall = Annotated[float, Range(least=0, most=1), Meaning("level of recall")]
PositiveRecall = Annotated[float, Range(above=0, most=1), Meaning("level of recall")]

Count = Annotated[
    Literal["ceiling", "nearest", "add 0.9"],
    Meaning(
        "how r·R becomes a number of documents: rounded up; to the nearest integer; "
        "or the integer part of r·R + 0.9"
    ),
]

Levels = Annotated[
    str | None,
    Meaning("levels of recall, the lowest first, as in '0.25,0.5,0.75'; None is 0, 0.1, …, 1"),
]


def levels_of_recall(text: str | None) -> tuple[float, ...]:
    """Return the levels in a text, by default the usual eleven; MeasureError for bad ones."""
    if text is None:
        return RECALLS
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


def interpolated_precision(
    judged: RankedJudgments, *, rel: Rel = 1, count: Count = "ceiling", recall: Recall
) -> Values:
    """Interpolated precision: the best precision at a recall of at least r.

        IPrec@r = max{ P@k : h(k) ≥ ⌈r·R⌉ }

    with h(k) relevant documents among the first k, and R relevant in total.

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
    relevant = found(judged, rel=rel)
    so_far = judged.cumulative_count(relevant)
    needed = documents_needed(judged.count_judged(min_grade=rel), recall, count)
    eligible = relevant & (so_far >= needed[judged.topic])
    return judged.max_per_topic(np.where(eligible, so_far / judged.rank, 0.0))


def _at_levels(
    judged: RankedJudgments, *, rel: float, count: Any, levels: str | None
) -> list[Values]:
    return [
        interpolated_precision(judged, rel=rel, count=count, recall=level)
        for level in levels_of_recall(levels)
    ]


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
