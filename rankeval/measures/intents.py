"""Graded diversity: measures whose documents have a grade for each subtopic of a topic."""

from typing import Annotated

import numpy as np

from rankeval.base.arrays import Floats, accumulate, shifted
from rankeval.measures.arithmetic.logarithms import log2
from rankeval.measures.arithmetic.subtopic_cover import (
    number_of_subtopics,
    relevances,
    subtopics_of,
)
from rankeval.measures.cascade import MaxRel, stopping_probability
from rankeval.measures.counts import share
from rankeval.measures.declare.definition import Cutoff, Values
from rankeval.measures.declare.measure_parameters import (
    AtLeast,
    AtMost,
    LessThan,
    Meaning,
    MoreThan,
)
from rankeval.measures.declare.measure_registry import measure
from rankeval.measures.declare.needs import SUBTOPICS, Steps, Terms
from rankeval.measures.diversity import subtopic_recall
from rankeval.ranking import RankedJudgments

NEEDS = (SUBTOPICS,)
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
    bounds = np.flatnonzero(np.diff(key[together])) + 1
    offsets = np.concatenate(([0], bounds, [len(key)] if len(key) else [])).astype(np.int64)
    stop = satisfied[together]
    there = shifted(accumulate(np.multiply, 1.0 - stop, offsets), offsets, first=1.0)
    return np.bincount(found.row[together], stop * there, minlength=len(judged.rank)).astype(float)


def _utility_terms(judged: RankedJudgments, *, max_rel: float | str, **_: object) -> Terms:
    return {"utility": _utility(judged, max_rel=max_rel)}


@measure(
    "RBU",
    at="cutoff",
    low=-float("inf"),
    tier=3,
    needs=NEEDS,
    steps=Steps(rows=_utility_terms),
)
def rank_biased_utility(
    judged: RankedJudgments,
    *,
    p: Annotated[
        float, MoreThan(0), LessThan(1), Meaning("probability of going on to the next document")
    ] = 0.99,
    e: Annotated[float, AtLeast(0), Meaning("effort of reading a document")] = 0.01,
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


def _global_terms(judged: RankedJudgments, **_: object) -> Terms:
    n_subtopics = number_of_subtopics(judged, rel=POSITIVE)[judged.topic]
    return {
        "global gain": share(_global_gain(judged)[judged.judgment], n_subtopics),
        "discount": log2(judged.rank + 1),
    }


@measure(
    "DnDCG",
    at="cutoff",
    aliases=("D-nDCG",),
    tier=3,
    needs=NEEDS,
    steps=Steps(rows=_global_terms),
)
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
    rank = np.arange(len(topic)) - np.searchsorted(topic, topic) + 1
    ideal = best / log2(rank + 1)
    if cutoff is not None:
        terms, ideal = terms * (judged.rank <= cutoff), ideal * (rank <= cutoff)
    return share(judged.sum_per_topic(terms), np.bincount(topic, ideal)[code])


@measure(
    "DSharp_nDCG",
    at="cutoff",
    aliases=("D#-nDCG", "D#nDCG"),
    tier=3,
    needs=NEEDS,
    steps=Steps(rows=_global_terms, parts=("StRecall", "DnDCG")),
)
def sharpened_global_discounted_cumulated_gain(
    judged: RankedJudgments,
    *,
    gamma: Annotated[
        float, AtLeast(0), AtMost(1), Meaning("weight of subtopic recall beside D-nDCG")
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
