"""Counts: topics, and retrieved, relevant and both; they add up over topics."""

from typing import Annotated, Any, NamedTuple

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers, NDArray
from rankeval.measures.arithmetic import share_within
from rankeval.measures.bounds import Bounds, Compute, Parameters, extremes
from rankeval.measures.declare.definition import Cutoff, Rel, Values
from rankeval.measures.declare.measure_parameters import Meaning, Range
from rankeval.ranking import Ideal, RankedJudgments

MaybeRel = Annotated[
    int | float | None,
    Range(least=0),
    Meaning("lowest grade of the judged documents that are counted; None counts all documents"),
]


def found(judged: RankedJudgments, *, rel: float, cutoff: int | None = None) -> Booleans:
    """Mark the rows that hold a relevant document, within the cutoff if there is one."""
    relevant = judged.grade >= rel
    return relevant if cutoff is None else relevant & (judged.rank <= cutoff)


class Relevant(NamedTuple):
    """Relevant documents of the rows, shape (n,): their topics, numbers 1, 2, ... there, ranks."""

    topic: Integers
    number: Integers
    rank: Integers


def relevant_rows(judged: RankedJudgments, *, rel: float, cutoff: int | None = None) -> Relevant:
    """Return the rows of relevant documents, within the cutoff if there is one."""
    return judged.once(_relevant_rows, rel=rel, cutoff=cutoff)


def _relevant_rows(judged: RankedJudgments, *, rel: float, cutoff: int | None) -> Relevant:
    relevant = found(judged, rel=rel, cutoff=cutoff)
    if np.count_nonzero(relevant) == len(relevant):  # all rows, which need no gathering
        number = np.arange(1, len(relevant) + 1) - judged.offsets[judged.topic]
        return Relevant(judged.topic, number, judged.rank)
    rows, topic, number = judged.numbered(relevant)
    return Relevant(topic, number, judged.rank[rows])


def hits(judged: RankedJudgments, *, rel: float, cutoff: int | None = None) -> Integers | Floats:
    """Count relevant documents retrieved, within the cutoff if there is one, shape (T,).

    Where equal scores leave the order open, return the expected count.
    """
    if judged.ties_open and cutoff is not None:
        within = share_within(judged, cutoff)
        return judged.sum_per_topic(np.where(judged.grade >= rel, within, 0.0))
    relevant = relevant_rows(judged, rel=rel)
    topic = relevant.topic if cutoff is None else relevant.topic[relevant.rank <= cutoff]
    return np.bincount(topic, minlength=len(judged))


def share(part: NDArray[Any], whole: NDArray[Any]) -> Values:
    """Return part / whole per topic, and 0 where whole is not positive."""
    return np.divide(part, whole, out=np.zeros(whole.shape), where=whole > 0)


def share_of_relevant(part: NDArray[Any], judged: RankedJudgments, *, rel: float) -> Values:
    """Return part / R per topic, where the part is 0 if R is."""
    return part / judged.ideal.once(_relevant_or_one, rel=rel)


def _relevant_or_one(ideal: Ideal, *, rel: float) -> Floats:
    return np.maximum(ideal.count(min_grade=rel), 1.0)


def number_of_topics(judged: RankedJudgments) -> Values:
    """Number of topics: 1 for each topic that is evaluated.

        NumQ = 1

    Source
        trec_eval, num_q.
    """
    return np.ones(len(judged))


def retrieved_bounds(
    values: Compute, judged: RankedJudgments, parameters: Parameters
) -> Bounds | None:
    """Bound the count; None with rel=0, where judging more documents always raises the count."""
    return None if parameters["rel"] == 0 else extremes(values, judged, parameters)


def number_retrieved(
    judged: RankedJudgments, *, rel: MaybeRel = None, cutoff: Cutoff = None
) -> Values:
    """Number of documents retrieved, or of retrieved documents with at least a given grade.

        NumRet        = n
        NumRet(rel=r) = |{ i : g_i ≥ r }|

    with n documents retrieved and g_i the grade at rank i; with @k only the first k.

    Edge cases
        - rel=0 counts the judged documents whose grade is not negative.

    Source
        trec_eval, num_ret; ir_measures, NumRet.
    """
    if rel is not None:
        return hits(judged, rel=rel, cutoff=cutoff).astype(float)
    retrieved = judged.retrieved if cutoff is None else np.minimum(judged.retrieved, cutoff)
    return retrieved.astype(float)


def number_relevant(judged: RankedJudgments, *, rel: Rel = 1) -> Values:
    """Number of relevant documents, retrieved or not.

        NumRel = R = |{ d judged : g(d) ≥ rel }|

    Differences
        - pytrec_eval ignores its relevance level in this count; NumRel applies rel.
        - trec_eval ignores its relevance level in the count over all topics, with -c only.

    Source
        trec_eval, num_rel.
    """
    return judged.count_judged(min_grade=rel).astype(float)


def number_relevant_retrieved(
    judged: RankedJudgments, *, rel: Rel = 1, cutoff: Cutoff = None
) -> Values:
    """Number of relevant documents retrieved.

        NumRelRet = |{ i ≤ k : g_i ≥ rel }|

    Differences
        - The aggregate is the sum over topics; ranx reports the mean of its `hits`.

    Source
        trec_eval, num_rel_ret.
    """
    return hits(judged, rel=rel, cutoff=cutoff).astype(float)


def number_nonrelevant_retrieved(judged: RankedJudgments, *, rel: Rel = 1) -> Values:
    """Number of documents retrieved that were judged and found not relevant.

        NumNonRelRet = |{ i : 0 ≤ g_i < rel }|

    Edge cases
        - Unjudged documents and negative grades are not counted.

    Source
        trec_eval, num_nonrel_judged_ret.
    """
    nonrelevant = (judged.grade >= 0) & (judged.grade < rel)
    return judged.count_per_topic(nonrelevant).astype(float)
