"""Preferences between documents: how many of the judges' preferences a ranking fulfils.

The second column of the qrels names groups of judgments; qrels without groups have one. Within a
group, a document of a higher grade is preferred to one of a lower grade. A preference is fulfilled
if the preferred document ranks above the other, or if only the preferred one is retrieved.
"""

from collections.abc import Callable, Mapping
from functools import partial
from inspect import cleandoc
from textwrap import dedent
from typing import Annotated, Literal

import numpy as np

from rankeval.measures.counts import INFINITY, share
from rankeval.measures.declare.aggregates import SUM
from rankeval.measures.declare.definition import Alias, Values
from rankeval.measures.declare.measure_parameters import Meaning
from rankeval.measures.declare.measure_registry import declare
from rankeval.measures.declare.needs import SUBTOPICS, Terms
from rankeval.ranking import RankedJudgments
from rankeval.trec_eval.preference_pairs import Groups, by_topic, in_order, total

Tied = Annotated[
    Literal["ranked", "reversed"],
    Meaning(
        "order of documents with equal scores: as in the ranking, or reversed; trec_eval orders "
        "them by ascending docno for these measures, and by descending docno for others"
    ),
]
REVERSED = {"tied": "reversed"}
"""Parameters that trec_eval's names imply."""

Rule = Callable[[RankedJudgments, str], Values]
"""From judgments and an ending, which names a kind of preferences, to each topic's value."""

KINDS = {
    "": "whatever was retrieved of their documents",
    "_ret": "between two retrieved documents only",
    "_imp": "of which at least one document is retrieved",
}
"""The preferences that each ending of a name counts."""


def _simple(judged: RankedJudgments, kind: str) -> Values:
    """Simple preferences: the share fulfilled, over all groups.

        VALUE = f / p

    with f of p preferences fulfilled in all groups of judgments together.
    """
    groups = Groups.from_judgments(judged)
    fulfilled, possible = groups.counts.of(kind)
    return share(by_topic(judged, groups, fulfilled), by_topic(judged, groups, possible))


def _average(judged: RankedJudgments, kind: str) -> Values:
    """Preferences by group: the share fulfilled, averaged over groups of judgments.

        VALUE = (1/J)·Σ_{j=1..J} f_j / p_j

    with f_j of p_j preferences fulfilled in group j of J groups of judgments.
    """
    groups = Groups.from_judgments(judged)
    shares = share(*groups.counts.of(kind))
    return share(by_topic(judged, groups, shares), by_topic(judged, groups, np.ones(len(shares))))


def _pairs(judged: RankedJudgments, kind: str) -> Values:
    """Preferences by pair: the share of groups that agree with the ranking, averaged over pairs.

        VALUE = (1/N)·Σ_{a,b} (groups that agree) / (groups that prefer a or b)

    over the N pairs a, b of documents for which some group has a preference.
    """
    groups = Groups.from_judgments(judged)
    values = _simple(judged, kind)
    several = np.flatnonzero(np.bincount(groups.topic, minlength=len(judged)) > 1)
    # Pairs of documents that several groups judge are looked at one topic after the other: all
    # pairs of all topics would not fit into memory.
    for topic in several.tolist():
        values[topic] = _share_of_pairs(judged, groups, topic, kind)
    return values


def _share_of_pairs(judged: RankedJudgments, groups: Groups, topic: int, kind: str) -> float:
    mine = np.flatnonzero(groups.topic[groups.all_group] == topic)
    retrieved = judged.judgment[judged.offsets[topic] : judged.offsets[topic + 1]]
    missed = np.setdiff1d(groups.document[mine], retrieved)
    documents = np.concatenate((retrieved, missed))
    order = np.argsort(documents)
    place = order[np.searchsorted(documents, groups.document[mine], sorter=order)]
    prefers = np.zeros((len(documents), len(documents)))
    for group in np.unique(groups.all_group[mine]).tolist():
        members = groups.all_group[mine] == group
        level = np.full(len(documents), np.nan)
        level[place[members]] = groups.all_level[mine][members]
        prefers += level[:, None] > level
    preferring = prefers + prefers.T
    is_pair = np.triu(preferring > 0, 1)
    n_retrieved = len(retrieved)
    if kind:
        is_pair[n_retrieved:] = False
    if kind == "_ret":
        is_pair[:, n_retrieved:] = False
    # Of two documents that are not retrieved, none stands above the other.
    prefers[n_retrieved:] = 0.0
    return float((prefers[is_pair] / preferring[is_pair]).sum() / max(np.count_nonzero(is_pair), 1))


def _quantities(judged: RankedJudgments, *, tied: str = "ranked", **_parameters: object) -> Terms:
    judged = in_order(judged, tied)
    return {
        "fulfilled": total(judged, lambda counts: counts.of("")[0]),
        "possible": total(judged, lambda counts: counts.of("")[1]),
    }


REST = """
    It looks at preferences {which}.

    Edge cases
        - No such preference: 0.
        - Grades are levels as they are: one below 0 is lower than 0.
        - Without groups in the second column of the qrels, each topic is one group.

    Differences
        - trec_eval breaks ties of scores by increasing docno for these measures: its name is
          read with tied='reversed'.
        - Groups that hold several subgroups (files of five columns) are known to
          `rankeval trec_eval -R prefs` only.

    Source
        trec_eval, {source} with -R qrels_prefs.
"""


def _of_kind(rule: Rule, name: str, kind: str, source: str) -> Callable[..., Values]:
    """Return the function of a measure: the rule for preferences of a kind."""

    def values(judged: RankedJudgments, *, tied: Tied = "ranked") -> Values:
        return rule(in_order(judged, tied), kind)

    rest = REST.format(which=KINDS[kind], source=source)
    about = f"{cleandoc(rule.__doc__ or '')}\n{dedent(rest)}"
    values.__name__, values.__doc__ = name, about.replace("VALUE", name)
    return values


RULES: Mapping[str, tuple[str, Rule]] = {
    "PrefSimp": ("prefs_simp", _simple),
    "PrefPair": ("prefs_pair", _pairs),
    "PrefAvgjg": ("prefs_avgjg", _average),
}

share_of_preferences = partial(declare, takes=(SUBTOPICS,), terms={"quantities": _quantities})
"""Register a measure of the share of preferences that a ranking fulfils."""

for _name, (_source, _rule) in RULES.items():
    for _kind in KINDS:
        share_of_preferences(_name + _kind, aliases=(Alias(_source + _kind, usual=REVERSED),))(
            _of_kind(_rule, _name + _kind, _kind, _source + _kind)
        )


count = partial(declare, aggregate=SUM, high=INFINITY, takes=(SUBTOPICS,))


@count("NumPrefsPoss", aliases=("prefs_num_prefs_poss",))
def number_of_possible_preferences(judged: RankedJudgments) -> Values:
    """Number of preferences: pairs of documents of different levels, in all groups.

        NumPrefsPoss = Σ_j p_j

    with p_j preferences in group j of judgments.

    Source
        trec_eval, prefs_num_prefs_poss with -R qrels_prefs.
    """
    return total(judged, lambda counts: counts.of("")[1])


@count("NumPrefsFul", aliases=(Alias("prefs_num_prefs_ful", usual=REVERSED),))
def number_of_fulfilled_preferences(judged: RankedJudgments, *, tied: Tied = "ranked") -> Values:
    """Number of preferences fulfilled: the preferred document ranks higher or alone is retrieved.

        NumPrefsFul = Σ_j f_j

    with f_j preferences fulfilled in group j of judgments.

    Source
        trec_eval, prefs_num_prefs_ful with -R qrels_prefs.
    """
    return total(in_order(judged, tied), lambda counts: counts.of("")[0])


@count("NumPrefsFulRet", aliases=(Alias("prefs_num_prefs_ful_ret", usual=REVERSED),))
def number_of_fulfilled_preferences_retrieved(
    judged: RankedJudgments, *, tied: Tied = "ranked"
) -> Values:
    """Number of preferences fulfilled between two retrieved documents.

        NumPrefsFulRet = Σ_j f_j

    with f_j preferences between retrieved documents fulfilled in group j of judgments.

    Source
        trec_eval, prefs_num_prefs_ful_ret with -R qrels_prefs.
    """
    return total(in_order(judged, tied), lambda counts: counts.fulfilled_ret)
