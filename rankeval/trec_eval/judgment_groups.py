"""Judgment groups: several people judge a topic, and a measure is averaged over them.

The second column of the qrels names the group of each judgment. Qrels without groups have one.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from rankeval.measures.average_precision import average_precision
from rankeval.measures.counts import share
from rankeval.measures.declare.definition import Alias, Rel, RequiredCutoff, Values
from rankeval.measures.declare.measure_registry import declare
from rankeval.measures.declare.needs import SUBTOPICS
from rankeval.measures.precision import Multiple, precision, r_precision
from rankeval.ranking import Ideal, RankedJudgments
from rankeval.trec_eval.preference_pairs import Groups, by_topic


def _average(judged: RankedJudgments, values: Callable[[RankedJudgments], Values]) -> Values:
    """Return each topic's mean over groups of the value by that group's judgments alone."""
    groups = Groups.from_judgments(judged)
    n_groups = len(groups.topic)
    bounds = np.arange(n_groups + 1)
    best_first = np.lexsort((-groups.all_level, groups.all_group))
    row = groups.row
    by_group = replace(
        judged,
        topics=tuple(judged.topics[t] for t in groups.topic.tolist()),
        retrieved=judged.retrieved[groups.topic],
        offsets=np.searchsorted(groups.group, bounds),
        rank=judged.rank[row],
        grade=groups.level,
        judgment=judged.judgment[row],
        score=judged.score[row],
        tie_first=judged.tie_first[row],
        tie_last=judged.tie_last[row],
        ideal=Ideal(
            np.searchsorted(groups.all_group[best_first], bounds), groups.all_level[best_first]
        ),
        extras=None,
    )
    summed = by_topic(judged, groups, values(by_group))
    return share(summed, by_topic(judged, groups, np.ones(n_groups)))


@declare("APAvgjg", aliases=("map_avgjg",), takes=(SUBTOPICS,))
def average_precision_over_groups(judged: RankedJudgments, *, rel: Rel = 1) -> Values:
    """Average precision by each group's judgments, averaged over groups.

        APAvgjg = (1/J)·Σ_{j=1..J} AP_j

    with AP_j from the judgments of group j alone, and J groups.

    Edge cases
        - A group that judges nothing relevant counts with 0.
        - A document that only other groups judge is unjudged for a group.

    Differences
        - With -J, trec_eval drops the documents that a group has not judged; rankeval drops
          those that no group has judged.

    Source
        trec_eval, map_avgjg with -R qrels_jg.
    """
    return _average(judged, lambda one: average_precision(one, rel=rel))


@declare("PAvgjg", at="cutoff", aliases=("P_avgjg",), takes=(SUBTOPICS,))
def precision_over_groups(
    judged: RankedJudgments, *, rel: Rel = 1, cutoff: RequiredCutoff
) -> Values:
    """Precision by each group's judgments, averaged over groups.

        PAvgjg@k = (1/J)·Σ_{j=1..J} P_j@k

    with P_j from the judgments of group j alone, and J groups.

    Edge cases
        - Fewer than k retrieved: the divisor is still k.

    Differences
        - With -J, trec_eval drops the documents that a group has not judged; rankeval drops
          those that no group has judged.

    Source
        trec_eval, P_avgjg with -R qrels_jg.
    """
    return _average(judged, lambda one: precision(one, rel=rel, cutoff=cutoff))


@declare(
    "RprecAvgjg",
    aliases=(Alias("Rprec_mult_avgjg", suffix="mult"),),
    takes=(SUBTOPICS,),
)
def r_precision_over_groups(
    judged: RankedJudgments, *, rel: Rel = 1, mult: Multiple = 1.0
) -> Values:
    """R-precision by each group's judgments, averaged over groups.

        RprecAvgjg = (1/J)·Σ_{j=1..J} Rprec_j

    with Rprec_j from the judgments of group j alone, at rank mult·R_j, and J groups.

    Edge cases
        - A group that judges nothing relevant counts with 0.

    Differences
        - With -J, trec_eval drops the documents that a group has not judged; rankeval drops
          those that no group has judged.

    Source
        trec_eval, Rprec_mult_avgjg with -R qrels_jg.
    """
    return _average(judged, lambda one: r_precision(one, rel=rel, mult=mult))
