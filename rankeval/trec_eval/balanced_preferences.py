"""Preferences by group, with as many nonrelevant documents as relevant ones."""

import math

import numpy as np

from rankeval.measures.counts import share
from rankeval.measures.declare.definition import Alias, Values
from rankeval.ranking import RankedJudgments
from rankeval.trec_eval.preference_pairs import Groups, by_topic, in_order
from rankeval.trec_eval.preferences import REVERSED, Tied, share_of_preferences


def _balanced(judged: RankedJudgments, *, only_retrieved: bool) -> Values:
    """Return the mean share of a topic's groups; 0 for a topic with an undefined share."""
    from rankeval.trec_eval.preference_pairs import Chain, rnonrel_of_group

    groups = Groups.from_judgments(judged)
    within = groups.row - judged.offsets[judged.topic[groups.row]]
    n_rows = np.diff(judged.offsets)
    shares = np.zeros(len(groups.topic))
    # Group by group: which nonrelevant documents count depends on how many relevant ones it has.
    for group, topic in enumerate(groups.topic.tolist()):
        mine = groups.group == group
        levels, numbers = np.unique(groups.all_level[groups.all_group == group], return_counts=True)
        lines = list(zip(within[mine].tolist(), groups.level[mine].tolist(), strict=True))
        n_retrieved = int(n_rows[topic])
        number = n_retrieved
        for level, count in zip(levels.tolist(), numbers.tolist(), strict=True):
            missed = count - int(np.count_nonzero(groups.level[mine] == level))
            lines += [(number + i, level) for i in range(missed)]
            number += missed
        if lines:
            chain = Chain.from_lines(lines, n_retrieved)
            shares[group] = rnonrel_of_group(chain, only_retrieved=only_retrieved)
    summed = by_topic(judged, groups, shares)
    known = np.array([0.0 if math.isnan(value) else value for value in summed.tolist()])
    return share(np.maximum(known, 0.0), by_topic(judged, groups, np.ones(len(shares))))


@share_of_preferences("PrefAvgjg_Rnonrel", aliases=(Alias("prefs_avgjg_Rnonrel", usual=REVERSED),))
def balanced_preferences(judged: RankedJudgments, *, tied: Tied = "ranked") -> Values:
    """Preferences by group, with at most as many nonrelevant documents as relevant ones.

        PrefAvgjg_Rnonrel = (1/J)·Σ_{j=1..J} f_j / p_j

    with f_j of p_j preferences fulfilled in group j of J groups. Where a group has R relevant
    documents (grades above 0) and N < R others, f_j grows by R - N for each relevant document
    that is retrieved, and p_j for each relevant one. Where N > R, only the first R of the lowest
    grade count, in rank order, and p_j pairs every document with each of them.

    Edge cases
        - A group without any pair: 0 for the whole topic.
        - Of several grades of 0 or less, only the lowest is cut to its first R.

    Differences
        - For these measures trec_eval breaks ties of scores by increasing docno, so its name is
          read with tied='reversed'.

    Source
        trec_eval, prefs_avgjg_Rnonrel with -R qrels_prefs.
    """
    return _balanced(in_order(judged, tied), only_retrieved=False)


@share_of_preferences(
    "PrefAvgjg_Rnonrel_ret", aliases=(Alias("prefs_avgjg_Rnonrel_ret", usual=REVERSED),)
)
def balanced_preferences_retrieved(judged: RankedJudgments, *, tied: Tied = "ranked") -> Values:
    """PrefAvgjg_Rnonrel of the retrieved documents only.

        PrefAvgjg_Rnonrel_ret = (1/J)·Σ_{j=1..J} f_j / p_j

    with f_j and p_j as in PrefAvgjg_Rnonrel, but over retrieved documents. Where N < R, p_j
    still grows by R - N for each relevant document, retrieved or not.

    Edge cases
        - A group without any pair: 0 for the whole topic.

    Source
        trec_eval, prefs_avgjg_Rnonrel_ret with -R qrels_prefs.
    """
    return _balanced(in_order(judged, tied), only_retrieved=True)
