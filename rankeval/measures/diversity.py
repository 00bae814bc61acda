"""Diversity: a ranking is to serve all subtopics of a topic, which the qrels name.

A document may be relevant to several subtopics; M subtopics have a relevant document. The novelty
n_i of the document at rank i is Σ_s (1-α)^c over the subtopics s that it is relevant to, with c
documents above it relevant to s. An ideal ranking takes the judged document of largest novelty at
each rank, the larger docno among equals.
"""

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Annotated, NamedTuple

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers, begins
from rankeval.measures.arithmetic import earlier, log2, row_sums, share
from rankeval.measures.facts import SUBTOPICS, Cutoff, Meaning, Range, Rel, RequiredCutoff, Values
from rankeval.measures.rank_biased import Depth, Normalised, OverlapPersistence, worth_of_agreement
from rankeval.measures.reciprocal_rank import MaxRel, reached, stopping_probability
from rankeval.ranking import RankedJudgments
from rankeval.ranking.extras import Labels


def serve_in_turn(
    documents: Iterable[int],
    subtopics: Mapping[int, AbstractSet[int]],
    rank: Mapping[int, int],
    depth: int,
) -> list[int]:
    """Put documents in an ideal order, down to `depth` places.

    The next document is the one that serves the most of the subtopics in turn: those served
    least so far, among the ones that still have a document. Among equals it is the one of the
    best rank, then the one that served more before. These numbers change with each place, so
    places are filled one by one.
    """
    left = list(documents)
    nowhere = max(rank.values(), default=0) + 1
    waiting: dict[int, int] = {}
    for subtopic in chain.from_iterable(subtopics[document] for document in left):
        waiting[subtopic] = waiting.get(subtopic, 0) + 1
    served = dict.fromkeys(waiting, 0)
    ideal: list[int] = []
    while left and len(ideal) < depth:
        least = min((served[s] for s, n in waiting.items() if n), default=0)
        turn = {s for s, n in waiting.items() if n and served[s] == least}
        worth = {document: len(turn & subtopics[document]) for document in left}
        left.sort(key=lambda d: (-worth[d], rank.get(d, nowhere)))
        best = left.pop(0)
        ideal.append(best)
        for subtopic in subtopics[best]:
            served[subtopic] += 1
            waiting[subtopic] -= 1
    return ideal


SLACK = 1e-12
"""Relative tolerance of equal gains, whose sums differ by the order of additions."""


class Relevances(NamedTuple):
    """The pairs of a retrieved document and a subtopic that it is relevant to, in rank order.

    ====== ==============================================================================
    row    the document's row
    label  the label of the judgment that says so
    number the subtopic's number
    before documents above it in the ranking that are relevant to the same subtopic
    ====== ==============================================================================
    """

    row: Integers
    label: Integers
    number: Integers
    before: Integers


def subtopics_of(judged: RankedJudgments) -> tuple[Labels, Integers]:
    """Return the subtopics of the qrels, and the index of each topic of the batch in them."""
    labels: Labels = SUBTOPICS.of(judged)
    return labels, SUBTOPICS.code_of(judged)


def relevances(judged: RankedJudgments, *, rel: float) -> Relevances:
    """Find the relevant pairs of each ranking."""
    labels, _ = subtopics_of(judged)
    row, label = labels.of_judgments(judged.judgment)
    relevant = labels.grade[label] >= rel
    row, label = row[relevant], label[relevant]
    number = labels.number[label]
    # Topics of a batch may be copies of one topic, which are to be counted apart.
    return Relevances(row, label, number, earlier(judged.topic[row] * len(labels) + number))


def number_of_subtopics(judged: RankedJudgments, *, rel: float) -> Integers:
    """Return M, the number of subtopics with a relevant document, shape (T,)."""
    labels, code = subtopics_of(judged)
    found = np.zeros(len(labels), dtype=bool)
    found[labels.number[labels.grade >= rel]] = True
    n_topics = len(labels.judged_topic) and int(labels.judged_topic[-1]) + 1
    return np.bincount(labels.topic[found], minlength=n_topics)[code]


def novelty(judged: RankedJudgments, *, rel: float, alpha: float) -> Floats:
    """Return n_i of each row: Σ over its subtopics s of (1-α)^(documents above relevant to s)."""
    found = relevances(judged, rel=rel)
    worth = np.power(1.0 - alpha, found.before)
    return np.bincount(found.row, worth, minlength=len(judged.rank)).astype(float)


def ideal_novelty(
    judged: RankedJudgments, *, rel: float, alpha: float, depth: int | None
) -> Floats:
    """Return n_i of the ideal ranking at each rank i, shape (T, ranks that can have one).

    Each rank has the judged document with the largest n_i, the larger docno among equals.
    """
    labels, code = subtopics_of(judged)
    codes, which = np.unique(code, return_inverse=True)
    return _greedy(labels, codes, rel=rel, alpha=alpha, depth=depth)[which]


def _greedy(
    labels: Labels, codes: Integers, *, rel: float, alpha: float, depth: int | None
) -> Floats:
    """Fill the ranks one by one, because each depends on those above; all topics at once."""
    chosen = np.flatnonzero(
        (labels.grade >= rel) & np.isin(labels.judged_topic[labels.judgment], codes)
    )
    documents, owner = np.unique(labels.judgment[chosen], return_inverse=True)
    if not len(documents):
        return np.zeros((len(codes), 0))
    order = np.lexsort((labels.docno_order[documents], labels.judged_topic[documents]))
    owner = np.argsort(order)[owner]
    topic = np.searchsorted(codes, labels.judged_topic[documents[order]])
    number = labels.number[chosen]
    starts = np.flatnonzero(begins(topic))
    sizes = np.diff(np.append(starts, len(topic)))
    steps = int(sizes.max()) if depth is None else min(int(sizes.max()), depth)

    worth = np.power(1.0 - alpha, np.arange(steps + 1))
    placed_of = np.zeros(len(labels), dtype=np.int64)
    is_left = np.ones(len(topic), dtype=bool)
    gains = np.zeros((len(codes), steps))
    for rank in range(steps):
        gain = np.bincount(owner, worth[placed_of[number]], minlength=len(topic))
        gain[~is_left] = -1.0
        best = np.maximum.reduceat(gain, starts)
        taken = _last(gain >= np.repeat(best * (1.0 - SLACK), sizes), starts)[best >= 0]
        gains[topic[taken], rank] = gain[taken]
        is_left[taken] = False
        now = np.zeros(len(topic), dtype=bool)
        now[taken] = True
        placed_of += np.bincount(number[now[owner]], minlength=len(labels))
    return gains


def _last(marked: Booleans, starts: Integers) -> Integers:
    """Return the last marked position of each stretch."""
    places: Integers = np.maximum.reduceat(np.where(marked, np.arange(len(marked)), -1), starts)
    return places


Alpha = Annotated[
    float,
    Range(least=0, most=1),
    Meaning("share of its novelty that a document loses for each earlier one of a subtopic"),
]
Patience = Annotated[
    float, Range(least=0, below=1), Meaning("probability of going on to the next document")
]

HALF = 0.5
"""α of the intent-aware ERR, the chance that a relevant document stops a reader."""


Discount = Callable[[Integers], Floats]  # from ranks to what a document is worth there


def _logarithmic(rank: Integers) -> Floats:
    return 1.0 / log2(rank + 1)


def _reciprocal(rank: Integers) -> Floats:
    return 1.0 / rank


def _geometric(beta: float) -> Discount:
    return lambda rank: np.power(beta, rank - 1)


def _discounted(
    judged: RankedJudgments, discount: Discount, cutoff: int | None, *, alpha: float, rel: float
) -> Values:
    """Return Σ n_i·discount(i) over the rows, within the cutoff if there is one, shape (T,)."""
    weight = discount(judged.rank)
    if cutoff is not None:
        weight = weight * (judged.rank <= cutoff)
    return judged.sum_per_topic(novelty(judged, rel=rel, alpha=alpha) * weight)


def _weights(judged: RankedJudgments, discount: Discount, cutoff: int | None) -> Floats:
    """Return the discounts of the ranks to the cutoff, or as deep as rankings and ideals reach."""
    labels, _ = subtopics_of(judged)
    deepest = max(int(judged.retrieved.max(initial=0)), len(labels.judged_topic))
    return discount(np.arange(1, (deepest if cutoff is None else cutoff) + 1))


def _beside_ideal(
    judged: RankedJudgments, discount: Discount, cutoff: int | None, *, alpha: float, rel: float
) -> Values:
    """Return discounted novelty as a share of that of the ideal ranking."""
    weight = _weights(judged, discount, cutoff)
    gains = ideal_novelty(judged, rel=rel, alpha=alpha, depth=len(weight))
    ideal = row_sums(gains * weight[: gains.shape[1]])
    return share(_discounted(judged, discount, cutoff, alpha=alpha, rel=rel), ideal)


def _beside_all_at_once(
    judged: RankedJudgments, discount: Discount, cutoff: int | None, *, alpha: float, rel: float
) -> Values:
    """Return discounted novelty as a share of that of documents that serve all M subtopics.

    That is M·Σ (1-α)^(i-1)·discount(i), to the cutoff or the end of the ranking.
    """
    weight = _weights(judged, discount, cutoff)
    total = np.cumsum(np.power(1.0 - alpha, np.arange(len(weight))) * weight)
    last = judged.retrieved if cutoff is None else np.full(len(judged), cutoff)
    total = np.append(0.0, total)[np.minimum(last, len(weight))]
    found = _discounted(judged, discount, cutoff, alpha=alpha, rel=rel)
    return share(found, number_of_subtopics(judged, rel=rel) * total)


def novelty_terms(
    judged: RankedJudgments, *, rel: float, alpha: float = HALF, **_: object
) -> dict[str, Floats]:
    return {"novelty": novelty(judged, rel=rel, alpha=alpha)}


def alpha_discounted_cumulated_gain(
    judged: RankedJudgments, *, rel: Rel = 1, alpha: Alpha = 0.5, cutoff: Cutoff = None
) -> Values:
    """α-DCG: discounted novelty, divided by that of documents that serve all subtopics at once.

        alpha_DCG@k = Σ_{i=1..k} n_i/log2(i+1)  /  Σ_{i=1..k} M·(1-α)^(i-1)/log2(i+1)
        n_i         = Σ_{s served by i} (1-α)^(documents above i that serve s)

    with M subtopics that have a relevant document; without @k the sums end with the ranking.

    Edge cases
        - No subtopic with a relevant document: 0.
        - Fewer than k retrieved: the divisor is still the sum over k ranks.

    Differences
        - ndeval omits the division for k = 1, and ignores documents below rank 20.

    Source
        Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon, Novelty and
        diversity in information retrieval evaluation, SIGIR 2008; ndeval, alpha-DCG.
    """
    return _beside_all_at_once(judged, _logarithmic, cutoff, alpha=alpha, rel=rel)


def alpha_normalised_discounted_cumulated_gain(
    judged: RankedJudgments, *, rel: Rel = 1, alpha: Alpha = 0.5, cutoff: Cutoff = None
) -> Values:
    """α-nDCG: discounted novelty, divided by that of an ideal ranking.

        alpha_nDCG@k = Σ_{i=1..k} n_i/log2(i+1)  /  the same of the ideal ranking
        n_i          = Σ_{s served by i} (1-α)^(documents above i that serve s)

    Edge cases
        - No subtopic with a relevant document: 0.
        - The ideal ranking is built greedily, because finding the best one takes too long: each
          rank has the judged document of largest novelty and, among equals, that of the larger
          docno, as in ndeval. A ranking may be better than it, with a value slightly above 1.

    Source
        Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon, Novelty and
        diversity in information retrieval evaluation, SIGIR 2008; ndeval, alpha-nDCG.
    """
    return _beside_ideal(judged, _logarithmic, cutoff, alpha=alpha, rel=rel)


def intent_aware_expected_reciprocal_rank(
    judged: RankedJudgments, *, rel: Rel = 1, cutoff: Cutoff = None
) -> Values:
    """Intent-aware ERR: the mean of 1/rank at which satisfied readers of the subtopics stop.

        ERR_IA@k = Σ_{i=1..k} n_i/i  /  Σ_{i=1..k} M·(1/2)^(i-1)/i
        n_i      = Σ_{s served by i} (1/2)^(documents above i that serve s)

    with M subtopics that have a relevant document; without @k the sums end with the ranking.

    Edge cases
        - No subtopic with a relevant document: 0.
        - Fewer than k retrieved: the divisor is still the sum over k ranks.

    Differences
        - ndeval omits the division for k = 1, and ignores documents below rank 20.

    Source
        Chapelle, Metlzer, Zhang and Grinspan, Expected reciprocal rank for graded relevance,
        CIKM 2009, for binary relevance; ndeval, ERR-IA.
    """
    return _beside_all_at_once(judged, _reciprocal, cutoff, alpha=HALF, rel=rel)


def normalised_intent_aware_expected_reciprocal_rank(
    judged: RankedJudgments, *, rel: Rel = 1, cutoff: Cutoff = None
) -> Values:
    """Normalised intent-aware ERR: ERR_IA divided by that of an ideal ranking.

        nERR_IA@k = Σ_{i=1..k} n_i/i  /  the same of the ideal ranking
        n_i       = Σ_{s served by i} (1/2)^(documents above i that serve s)

    Edge cases
        - No subtopic with a relevant document: 0.
        - The ideal ranking is built greedily, as in alpha_nDCG, so a value may be slightly above 1.

    Source
        ndeval, nERR-IA.
    """
    return _beside_ideal(judged, _reciprocal, cutoff, alpha=HALF, rel=rel)


def novelty_and_rank_biased_precision(
    judged: RankedJudgments, *, rel: Rel = 1, alpha: Alpha = 0.5, beta: Patience = 0.5
) -> Values:
    """Novelty- and rank-biased precision: the novelty found by a reader with persistence β.

        NRBP = ((1-(1-α)·β) / M)·Σ_{i=1..n} n_i·β^(i-1)
        n_i  = Σ_{s served by i} (1-α)^(documents above i that serve s)

    with M subtopics that have a relevant document, over the whole ranking.

    Edge cases
        - No subtopic with a relevant document: 0.

    Source
        Clarke, Kolla and Vechtomova, An effectiveness measure for ambiguous and underspecified
        queries, ICTIR 2009; ndeval, NRBP.
    """
    found = _discounted(judged, _geometric(beta), None, alpha=alpha, rel=rel)
    return share((1.0 - (1.0 - alpha) * beta) * found, number_of_subtopics(judged, rel=rel))


def normalised_novelty_and_rank_biased_precision(
    judged: RankedJudgments, *, rel: Rel = 1, alpha: Alpha = 0.5, beta: Patience = 0.5
) -> Values:
    """Normalised novelty- and rank-biased precision: NRBP divided by that of an ideal ranking.

        nNRBP = NRBP / NRBP of the ideal ranking

    Edge cases
        - No subtopic with a relevant document: 0.
        - The ideal ranking is built greedily, as in alpha_nDCG, so a value may be slightly above 1.

    Source
        ndeval, nNRBP.
    """
    return _beside_ideal(judged, _geometric(beta), None, alpha=alpha, rel=rel)


def intent_aware_average_precision(judged: RankedJudgments, *, rel: Rel = 1) -> Values:
    """Intent-aware average precision: the mean of AP over the subtopics.

        AP_IA = (1/M)·Σ_s (1/R_s)·Σ_{i relevant to s} h_s(i) / i

    with R_s documents relevant to the subtopic s, h_s(i) of them among the first i, and M
    subtopics that have a relevant document.

    Edge cases
        - No subtopic with a relevant document: 0.

    Source
        Agrawal, Gollapudi, Halverson and Ieong, Diversifying search results, WSDM 2009, with
        equal weights; ndeval, MAP-IA.
    """
    labels, _ = subtopics_of(judged)
    n_relevant = np.bincount(labels.number[labels.grade >= rel], minlength=len(labels))
    found = relevances(judged, rel=rel)
    precision = (found.before + 1) / judged.rank[found.row] / n_relevant[found.number]
    gathered = np.bincount(judged.topic[found.row], precision, minlength=len(judged))
    return share(gathered, number_of_subtopics(judged, rel=rel))


def intent_aware_precision(
    judged: RankedJudgments, *, rel: Rel = 1, cutoff: RequiredCutoff
) -> Values:
    """Intent-aware precision: the mean of P@k over the subtopics.

        P_IA@k = |{ (i, s) : i ≤ k, i relevant to s }| / (k·M)

    with M subtopics that have a relevant document.

    Edge cases
        - No subtopic with a relevant document: 0.
        - Fewer than k retrieved: the divisor is still k.

    Source
        Agrawal, Gollapudi, Halverson and Ieong, Diversifying search results, WSDM 2009, with
        equal weights; ndeval, P-IA.
    """
    row = relevances(judged, rel=rel).row
    topic = judged.topic[row[judged.rank[row] <= cutoff]]
    n_found = np.bincount(topic, minlength=len(judged))
    return share(n_found, cutoff * number_of_subtopics(judged, rel=rel))


def subtopic_recall(judged: RankedJudgments, *, rel: Rel = 1, cutoff: Cutoff = None) -> Values:
    """Subtopic recall: the share of the subtopics that the first k documents serve.

        StRecall@k = |{ s : some i ≤ k is relevant to s }| / M

    with M subtopics that have a relevant document.

    Edge cases
        - No subtopic with a relevant document: 0.

    Source
        Zhai, Cohen and Lafferty, Beyond independent relevance, SIGIR 2003; ndeval, strec;
        NTCIR's I-rec.
    """
    found = relevances(judged, rel=rel)
    first = found.row[found.before == 0]
    if cutoff is not None:
        first = first[judged.rank[first] <= cutoff]
    served = np.bincount(judged.topic[first], minlength=len(judged))
    return share(served, number_of_subtopics(judged, rel=rel))


POSITIVE = 1e-300
"""Lowest grade that counts as relevant to a subtopic."""


def _utility(judged: RankedJudgments, *, max_rel: float | str) -> Floats:
    """Return Σ_s r(i,s)·Π_{j<i}(1 - r(j,s)) of each row, shape (N,)."""
    labels, _ = subtopics_of(judged)
    found = relevances(judged, rel=POSITIVE)
    satisfied = stopping_probability(labels.grade[found.label], judged, max_rel=max_rel)
    # Readers of each subtopic of each topic go down on their own.
    key = judged.topic[found.row] * len(labels) + found.number
    together = np.argsort(key, kind="stable")
    offsets = np.append(np.flatnonzero(begins(key[together])), len(key))
    stop = satisfied[together]
    stops = stop * reached(stop, offsets)
    return np.bincount(found.row[together], stops, minlength=len(judged.rank)).astype(float)


def rank_biased_utility(
    judged: RankedJudgments,
    *,
    p: Annotated[
        float, Range(above=0, below=1), Meaning("probability of going on to the next document")
    ] = 0.99,
    e: Annotated[float, Range(least=0), Meaning("effort of reading a document")] = 0.01,
    max_rel: MaxRel = "qrels",
    cutoff: Cutoff = None,
) -> Values:
    """Rank-biased utility: the gain of readers of the subtopics, less their effort.

        RBU@k  = Σ_{i=1..min(k,n)} p^i·(u_i - e)
        u_i    = (1/M)·Σ_s r(i,s)·Π_{j<i} (1 - r(j,s))
        r(i,s) = (2^g(i,s) - 1) / 2^max_rel

    with g(i,s) the grade that the document at rank i has for the subtopic s, and M subtopics
    that have a document of positive grade.

    Edge cases
        - No subtopic with a document of positive grade: 0, whatever the effort.
        - A grade above max_rel is an error.

    Source
        Amigó, Spina and Carrillo-de-Albornoz, An axiomatic analysis of diversity evaluation
        metrics: introducing the rank-biased utility metric, SIGIR 2018.
    """
    n_subtopics = number_of_subtopics(judged, rel=POSITIVE)
    worth = np.power(p, judged.rank) * _utility(judged, max_rel=max_rel)
    if cutoff is not None:
        worth = worth * (judged.rank <= cutoff)
    read = judged.retrieved if cutoff is None else np.minimum(judged.retrieved, cutoff)
    effort = e * np.append(0.0, np.cumsum(np.power(p, np.arange(1, read.max(initial=0) + 1))))[read]
    gained = share(judged.sum_per_topic(worth), n_subtopics)
    return np.where(n_subtopics > 0, gained - effort, 0.0)


def _global_gain(judged: RankedJudgments) -> Floats:
    """Return Σ_s g(d,s) of each judgment of the qrels, proportional to the global gain."""
    labels, _ = subtopics_of(judged)
    grade = np.maximum(labels.grade, 0)
    return np.bincount(labels.judgment, grade, minlength=len(labels.judged_topic)).astype(float)


def global_discounted_cumulated_gain(judged: RankedJudgments, *, cutoff: Cutoff = None) -> Values:
    """D-nDCG: nDCG of global gains, the sums of a document's grades for the subtopics.

        DnDCG@k = Σ_{i=1..k} GG_i/log2(i+1)  /  the same, largest global gains first
        GG_i    = Σ_s P(s)·g(i,s)

    with g(i,s) the grade that the document at rank i has for the subtopic s, negative ones as
    0, and P(s) the same for all subtopics of a topic.

    Edge cases
        - No document with a positive grade: 0.

    Source
        Sakai and Song, Evaluating diversified search results using per-intent graded relevance,
        SIGIR 2011.
    """
    labels, code = subtopics_of(judged)
    gain = _global_gain(judged)
    terms = gain[judged.judgment] / log2(judged.rank + 1)
    topic = labels.judged_topic
    best = gain[np.lexsort((-gain, topic))]
    rank = earlier(topic) + 1
    ideal = best / log2(rank + 1)
    if cutoff is not None:
        terms, ideal = terms * (judged.rank <= cutoff), ideal * (rank <= cutoff)
    return share(judged.sum_per_topic(terms), np.bincount(topic, ideal)[code])


def sharpened_global_discounted_cumulated_gain(
    judged: RankedJudgments,
    *,
    gamma: Annotated[
        float, Range(least=0, most=1), Meaning("weight of subtopic recall against D-nDCG")
    ] = 0.5,
    cutoff: Cutoff = None,
) -> Values:
    """D#-nDCG: the weighted mean of subtopic recall and D-nDCG.

        DSharp_nDCG@k = γ·StRecall@k + (1-γ)·DnDCG@k

    Edge cases
        - No document with a positive grade: 0.

    Source
        Sakai and Song, Evaluating diversified search results using per-intent graded relevance,
        SIGIR 2011.
    """
    served = subtopic_recall(judged, cutoff=cutoff)
    return gamma * served + (1.0 - gamma) * global_discounted_cumulated_gain(judged, cutoff=cutoff)


def diversified_compatibility(
    judged: RankedJudgments,
    *,
    p: OverlapPersistence = 0.95,
    normalize: Normalised = True,
    depth: Depth = 1000,
) -> Values:
    """Compatibility with an ideal ranking that serves the subtopics in turn.

        AlphaCompat = RBO(ranking, ideal) / RBO(ideal, ideal)
                    = RBO(ranking, ideal)                  with normalize=False
        RBO(A,B) = Σ_{i=1..depth} p^(i-1)·|A_1..i ∩ B_1..i|/i / Σ_{i=1..depth} p^(i-1)

    The ideal ranking holds the documents that have a positive grade for some subtopic. Each
    next document is the one that serves the most of the subtopics served least so far; among
    equals, it is the one that the ranking has first.

    Edge cases
        - No document of positive grade: 0.
        - Beyond the end of a list the overlap stops growing but counts down to `depth`.

    Differences
        - Clarke's diversity.py has normalize=False, compares down to the length of the longer
          list but at most 100 ranks, and breaks ties of scores by increasing docno.

    Source
        Clarke, Vtyurina and Smucker, Offline evaluation without gain, ICTIR 2020;
        diversity.py of the same authors.
    """
    weight = np.power(p, np.arange(depth))
    worth = worth_of_agreement(weight)
    labels, code = subtopics_of(judged)
    positive = np.flatnonzero(labels.grade > 0)
    first = np.searchsorted(
        labels.judged_topic[labels.judgment[positive]], np.arange(code.max(initial=0) + 2)
    )
    overlap, own = np.zeros(len(judged)), np.zeros(len(judged))
    # The ideal ranking follows the ranking of the topic, so that each topic has its own.
    for t, c in enumerate(code.tolist()):
        subtopics: dict[int, set[int]] = {}
        for label in positive[first[c] : first[c + 1]].tolist():
            document = int(labels.judgment[label])
            subtopics.setdefault(document, set()).add(int(labels.number[label]))
        rows = slice(judged.offsets[t], judged.offsets[t + 1])
        ranks = zip(judged.judgment[rows].tolist(), judged.rank[rows].tolist(), strict=True)
        rank = dict(ranks)
        in_order = sorted(subtopics, key=labels.docno_order.__getitem__)
        ideal = serve_in_turn(in_order, subtopics, rank, depth)
        own[t] = worth[: len(ideal)].sum()
        meets = (max(rank[d], i) for i, d in enumerate(ideal, start=1) if d in rank)
        overlap[t] = sum(worth[min(r, depth + 1) - 1] for r in meets)
    return share(overlap, own) if normalize else overlap / weight.sum()
