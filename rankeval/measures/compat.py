"""Compatibility: how similar a ranking is to an ideal one, without any gain."""

from typing import Annotated

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.measures.arithmetic.subtopic_cover import serve_in_turn, subtopics_of
from rankeval.measures.counts import share
from rankeval.measures.declare.definition import Values
from rankeval.measures.declare.measure_parameters import (
    AtLeast,
    AtMost,
    LessThan,
    Meaning,
    MoreThan,
)
from rankeval.measures.declare.measure_registry import measure
from rankeval.measures.declare.needs import SUBTOPICS
from rankeval.ranking import RankedJudgments

Persistence = Annotated[
    float, MoreThan(0), LessThan(1), Meaning("persistence: weight of each next depth")
]
Normalised = Annotated[bool, Meaning("divide by the overlap of the ideal ranking with itself")]
Depth = Annotated[int, AtLeast(1), AtMost(1_000_000), Meaning("number of ranks compared")]


@measure("Compat", tier=2)
def compatibility(
    judged: RankedJudgments,
    *,
    p: Persistence = 0.95,
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
    worth = _worth_of_agreement(weight)
    useful = judged.grade > 0
    # A document is in both lists from the deeper of its two ranks on.
    meets = np.minimum(np.maximum(judged.rank, _ideal_rank(judged)), depth + 1)
    overlap = judged.sum_per_topic(np.where(useful, worth[meets - 1], 0.0))
    if not normalize:
        return overlap / weight.sum()
    own = worth[np.minimum(judged.ideal_rank, depth + 1) - 1]
    return share(overlap, judged.sum_judged(np.where(judged.judged_grade > 0, own, 0.0)))


@measure("AlphaCompat", tier=3, needs=(SUBTOPICS,))
def diversified_compatibility(
    judged: RankedJudgments,
    *,
    p: Persistence = 0.95,
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
    worth = _worth_of_agreement(weight)
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


def _worth_of_agreement(weight: Floats) -> Floats:
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
    together = np.argsort(group, kind="stable")
    first = np.searchsorted(group[together], group[together])
    rank = np.empty(n_rows, dtype=np.int64)
    rank[together] = np.arange(n_rows) - first + 1
    return above + rank
