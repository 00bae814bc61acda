"""Sets of documents: counts, and precision, recall and their relatives."""

from typing import Annotated, NamedTuple

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.errors import MeasureError
from rankeval.measures.arithmetic import (
    expected_at_first,
    found,
    share,
    share_of_relevant,
    share_within,
)
from rankeval.measures.bounds import (
    Bounds,
    Compute,
    Parameters,
    Unjudged,
    extremes,
    rows_down_to,
    top_grade,
)
from rankeval.measures.facts import Cutoff, Meaning, Range, Rel, RequiredCutoff, Values
from rankeval.measures.walk import Reader
from rankeval.ranking import RankedJudgments

MaybeRel = Annotated[
    int | float | None,
    Range(least=0),
    Meaning("lowest grade of the judged documents that are counted; None counts all documents"),
]


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


Beta = Annotated[float, Range(above=0), Meaning("recall weighs beta times as much as precision")]
Coefficient = Annotated[float, Meaning("worth of each document of the kind")]
Placeholder = Annotated[
    bool,
    Meaning(
        "score a topic missing from the run as if a single unjudged document was retrieved, as "
        "trec_eval 10 does for names with parameters"
    ),
]
CollectionSize = Annotated[int | None, Range(least=0), Meaning("documents in the collection")]


def stopping_reader(judged: RankedJudgments, *, rel: float, cutoff: int, **_: object) -> Reader:
    """Return a reader who always stops at rank k."""
    return Reader(found(judged, rel=rel).astype(float), lambda _place: 1.0, cutoff)


Multiple = Annotated[float, Range(above=0), Meaning("cut at this multiple of R")]


def precision(judged: RankedJudgments, *, rel: Rel = 1, cutoff: RequiredCutoff) -> Values:
    """Precision at k: the share of relevant documents among the first k.

        P@k = h(k) / k

    with h(k) relevant documents among the first k.

    Edge cases
        - Fewer than k retrieved: the missing places count as not relevant.
        - out= other than 'EU' reports another quantity of the reader in the C/W/L framework,
          with 1000 places and C_i = 1 for i < k, else 0.

    Source
        trec_eval, P.
    """
    return hits(judged, rel=rel, cutoff=cutoff) / cutoff


def recall(judged: RankedJudgments, *, rel: Rel = 1, cutoff: RequiredCutoff) -> Values:
    """Recall at k: the share of the relevant documents that are among the first k.

        R@k = h(k) / R

    with h(k) relevant documents among the first k, and R relevant in total.

    Edge cases
        - R = 0: 0.

    Differences
        - "Recall@k" in papers on passage retrieval for question answering is Success@k.

    Source
        trec_eval, recall.
    """
    return share_of_relevant(hits(judged, rel=rel, cutoff=cutoff), judged, rel=rel)


def f_measure(
    judged: RankedJudgments, *, rel: Rel = 1, beta: Beta = 1.0, cutoff: RequiredCutoff
) -> Values:
    """F measure at k: the weighted harmonic mean of P@k and R@k.

        F@k = (1+β²)·P@k·R@k / (β²·P@k + R@k);  for β = 1 it is 2·h(k) / (k + R)

    Edge cases
        - h(k) = 0: 0.

    Source
        van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7; ranx, f1@k.
    """
    n_relevant = judged.count_judged(min_grade=rel)
    return f_beta(hits(judged, rel=rel, cutoff=cutoff), cutoff, n_relevant, beta)


def capped_recall(judged: RankedJudgments, *, rel: Rel = 1, cutoff: RequiredCutoff) -> Values:
    """Capped recall at k: relevant documents found, divided by the most that k places can hold.

        R_cap@k = h(k) / min(k, R)

    Edge cases
        - R = 0: 0 (BEIR divides by zero).

    Source
        trec_eval, relative_P; Thakur et al., BEIR, NeurIPS Datasets and Benchmarks, 2021.
    """
    n_relevant = judged.count_judged(min_grade=rel)
    return share(hits(judged, rel=rel, cutoff=cutoff), np.minimum(cutoff, n_relevant))


def success(judged: RankedJudgments, *, rel: Rel = 1, cutoff: RequiredCutoff) -> Values:
    """Success at k: 1 when a relevant document is among the first k.

        Success@k = [h(k) ≥ 1]

    Source
        trec_eval, success; "top-k accuracy" and "Recall@k" in question answering; accuracy@k of
        Sentence Transformers.
    """
    if judged.ties_open:
        return expected_at_first(judged, found(judged, rel=rel), np.ones_like, cutoff)
    return (hits(judged, rel=rel, cutoff=cutoff) > 0).astype(float)


def precision_at_r_bounds(
    values: Compute, judged: RankedJudgments, parameters: Parameters
) -> Bounds | None:
    """Bound R-precision: each document judged relevant raises R, and with it the cutoff."""
    rel, mult = parameters["rel"], parameters["mult"]
    value = values(judged)
    if top_grade(judged) < rel:
        return Bounds(value, value)
    unjudged = Unjudged.from_judgments(judged)
    topic, n_relevant = unjudged.topic, judged.count_judged(min_grade=rel)
    rows = np.flatnonzero(found(judged, rel=rel))

    def precision(more: Integers, *, top: bool) -> Values:
        whole = n_relevant[topic] + more
        depth = (whole if mult == 1 else np.floor(mult * whole + 0.9)).astype(np.int64)
        reach = np.minimum(depth, judged.retrieved[topic])
        # What the first ranks hold is judged or not.
        n_judged = rows_down_to(judged, np.arange(len(judged.rank)), topic, reach)
        n_unjudged = reach - n_judged
        all_unjudged = np.diff(unjudged.offsets)[topic]
        hit = np.minimum(more, n_unjudged) if top else n_unjudged - (all_unjudged - more)
        return share(rows_down_to(judged, rows, topic, reach) + np.maximum(hit, 0), depth)

    low, high = precision(unjudged.from_bottom, top=False), precision(unjudged.number, top=True)
    return unjudged.bounds(value, low, high)


def r_precision(judged: RankedJudgments, *, rel: Rel = 1, mult: Multiple = 1.0) -> Values:
    """R-precision: precision at rank R, where precision and recall are equal.

        Rprec         = h(R) / R
        Rprec(mult=m) = h(c) / c  with c = ⌊m·R + 0.9⌋

    Edge cases
        - R = 0: 0.
        - Fewer than R retrieved: the missing places count as not relevant.

    Source
        Buckley and Voorhees, Retrieval System Evaluation, in TREC: Experiment and
        Evaluation in Information Retrieval, MIT Press, 2005, chapter 3.
    """
    n_relevant = judged.count_judged(min_grade=rel)
    cutoff = n_relevant if mult == 1 else np.floor(mult * n_relevant + 0.9)
    relevant, depth = found(judged, rel=rel), cutoff[judged.topic]
    if judged.ties_open:
        within = np.where(relevant, share_within(judged, depth), 0.0)
        return share(judged.sum_per_topic(within), cutoff)
    return share(judged.count_per_topic(relevant & (judged.rank <= depth)), cutoff)


def f_beta(
    n_found: Integers | Floats, n_retrieved: Integers | int, n_relevant: Integers, beta: float
) -> Values:
    """Return (1+b²)·tp / (b²·R + n), the weighted harmonic mean of tp/n and tp/R; 0 when tp = 0."""
    return share(
        (1 + beta**2) * n_found, np.where(n_found > 0, beta**2 * n_relevant + n_retrieved, 0)
    )


def set_precision(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    relative: Annotated[bool, Meaning("divide by min(n, R) instead of n")] = False,
) -> Values:
    """Precision of the retrieved set: the share of relevant documents in it.

        SetP                = tp / n
        SetP(relative=True) = tp / min(n, R)

    with tp relevant documents among the n retrieved, and R relevant ones in all.

    Edge cases
        - Nothing retrieved: 0.

    Source
        trec_eval, set_P; ranx, precision without a cutoff.
    """
    n_relevant = judged.count_judged(min_grade=rel)
    whole = np.minimum(judged.retrieved, n_relevant) if relative else judged.retrieved
    return share(hits(judged, rel=rel), whole)


def set_relative_precision(judged: RankedJudgments, *, rel: Rel = 1) -> Values:
    """Relative precision of the retrieved set: SetP divided by the best possible SetP.

        SetRelP = tp / min(n, R) = SetP(relative=True)

    Edge cases
        - Nothing retrieved, or nothing relevant: 0.

    Source
        trec_eval, set_relative_P.
    """
    return set_precision(judged, rel=rel, relative=True)


def set_recall(judged: RankedJudgments, *, rel: Rel = 1) -> Values:
    """Recall of the retrieved set: the share of the relevant documents in it.

        SetR = tp / R

    Edge cases
        - R = 0: 0.

    Source
        trec_eval, set_recall; ranx, recall without a cutoff.
    """
    return share_of_relevant(hits(judged, rel=rel), judged, rel=rel)


def set_f(judged: RankedJudgments, *, rel: Rel = 1, beta: Beta = 1.0) -> Values:
    """F measure of the retrieved set: the weighted harmonic mean of precision and recall.

        SetF = (1+β²)·P·R / (β²·P + R);  for β = 1 it is 2·tp / (n + R)

    with P = SetP and R = SetR in the first form, n retrieved and R relevant in the second.

    Edge cases
        - tp = 0: 0.

    Differences
        - trec_eval's set_F_x and ir_measures' beta use x where the textbook has β²: their
          beta=2 is SetF(beta=1.4142…); the name set_F_x is read with that meaning.

    Source
        van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7.
    """
    n_relevant = judged.count_judged(min_grade=rel)
    return f_beta(hits(judged, rel=rel), judged.retrieved, n_relevant, beta)


def set_e(judged: RankedJudgments, *, rel: Rel = 1, beta: Beta = 1.0) -> Values:
    """van Rijsbergen's effectiveness E: 1 - F, a loss.

        SetE = 1 - SetF;  for β = 1 it is (fp + fn) / (2·tp + fp + fn)

    which is the symmetric difference of the retrieved and the relevant set over the sum of
    their sizes.

    Edge cases
        - tp = 0: 1, also when both sets are empty.

    Source
        van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7.
    """
    return 1.0 - set_f(judged, rel=rel, beta=beta)


def set_jaccard(judged: RankedJudgments, *, rel: Rel = 1) -> Values:
    """Jaccard index of the retrieved and the relevant set.

        SetJaccard = tp / (n + R - tp);  F1 = 2J / (1 + J)

    Edge cases
        - Both sets empty: 0.

    Source
        Jaccard, The distribution of the flora in the alpine zone, New Phytologist 11, 1912.
    """
    n_found = hits(judged, rel=rel)
    return share(n_found, judged.retrieved + judged.count_judged(min_grade=rel) - n_found)


def set_average_precision(judged: RankedJudgments, *, rel: Rel = 1) -> Values:
    """Precision times recall of the retrieved set.

        SetAP = tp² / (n·R)

    Edge cases
        - Nothing retrieved, or nothing relevant: 0.

    Source
        trec_eval, set_map.
    """
    n_found = hits(judged, rel=rel)
    return share(n_found * n_found, judged.retrieved * judged.count_judged(min_grade=rel))


def set_utility(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    a: Coefficient = 1.0,
    b: Coefficient = -1.0,
    c: Coefficient = 0.0,
    d: Coefficient = 0.0,
    N: CollectionSize = None,  # noqa: N803 - the field's letter for the collection size
    placeholder: Placeholder = False,
) -> Values:
    """Linear utility of the retrieved set.

        SetUtility = a·tp + b·fp + c·fn + d·(N - tp - fp - fn)

    with fp = n - tp, fn = R - tp and N documents in the collection.

    Edge cases
        - d ≠ 0 needs N, the size of the collection.

    Differences
        - trec_eval's utility.a,b,c,d has N=0 unless -N is given, and counts a topic missing
          from the run as one with a single unjudged document. That name is read with N=0 and
          placeholder=True.

    Source
        trec_eval, utility; the TREC filtering track.
    """
    if d and N is None:
        raise MeasureError(
            "SetUtility with d≠0 needs the size of the collection",
            remedy="give it as N=… or with -N",
        )
    n_found = hits(judged, rel=rel)
    n_relevant = judged.count_judged(min_grade=rel)
    n_retrieved = np.maximum(judged.retrieved, 1) if placeholder else judged.retrieved
    n_false = n_retrieved - n_found
    n_missed = n_relevant - n_found
    rest = (N or 0) - n_found - n_false - n_missed
    return a * n_found + b * n_false + c * n_missed + d * rest
