"""Compatibility: how similar a ranking is to an ideal one, without any gain."""

from typing import Annotated

import numpy as np

from rankeval.judgments import Floats, Integers, RankedJudgments
from rankeval.measures._parameters import AtLeast, AtMost, LessThan, Meaning, MoreThan
from rankeval.measures._registry import Values, measure
from rankeval.measures.counts import share


@measure("Compat", tier=2)
def compatibility(
    judged: RankedJudgments,
    *,
    p: Annotated[
        float, MoreThan(0), LessThan(1), Meaning("persistence: weight of each next depth")
    ] = 0.95,
    normalize: Annotated[
        bool, Meaning("divide by what the ideal ranking has in common with itself")
    ] = True,
    depth: Annotated[int, AtLeast(1), AtMost(1_000_000), Meaning("ranks that are compared")] = 1000,
) -> Values:
    """Compatibility: rank-biased overlap of the ranking with an ideal one.

        Compat   = RBO(ranking, ideal) / RBO(ideal, ideal)
                 = RBO(ranking, ideal)                       with normalize=False
        RBO(A,B) = Σ_{i=1..depth} p^(i-1)·|A_1..i ∩ B_1..i|/i / Σ_{i=1..depth} p^(i-1)

    with the ideal ranking that of the documents of positive grade, higher grades first and equal
    grades in the order in which the ranking has them, those that it lacks last.

    Edge cases
        - No document of positive grade: 0.
        - Lists that end before `depth` have nothing more to add, but keep what they share.
        - Grades are only compared, so that preferences may be given as any numbers.

    Differences
        - Clarke's compatibility.py leaves out topics without a positive grade.
        - ir_measures compares as many ranks as the longer list has, and orders documents of
          equal grade by score with 0 for those not retrieved, which misplaces them among
          negative scores.
        - Both break ties of scores by increasing docno.

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


def _worth_of_agreement(weight: Floats) -> Floats:
    """Σ_{i ≥ r} p^(i-1)/i for the ranks r from 1 on, and a last 0 for those too deep to count."""
    terms = weight / np.arange(1, len(weight) + 1)
    return np.append(np.cumsum(terms[::-1])[::-1], 0.0)


def _ideal_rank(judged: RankedJudgments) -> Integers:
    """Rank of each row in the ideal ranking that has equal grades in the order of the run."""
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
