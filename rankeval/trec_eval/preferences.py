"""Preferences between documents, and groups of judgments over which measures are averaged.

The second column of the qrels names groups of judgments; qrels without groups have one. Within a
group, a document of a higher grade is preferred to one of a lower grade. A preference is fulfilled
if the preferred document ranks above the other, or if only the preferred one is retrieved.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from inspect import cleandoc
from itertools import groupby
from typing import Annotated, Any, Literal

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers, offsets_of
from rankeval.base.frozen import frozen
from rankeval.measures.average_precision import average_precision
from rankeval.measures.facts import SUBTOPICS, Meaning, Rel, RequiredCutoff, Values
from rankeval.measures.precision import Multiple, precision, r_precision
from rankeval.ranking import Ideal, RankedJudgments
from rankeval.ranking.ranked import ROW_COLUMNS
from rankeval.trec_eval.tabulated import over

Line = tuple[int, float]
"""A document, by any number, and its level."""

KINDS = {
    "": "whatever was retrieved of their documents",
    "_ret": "between two retrieved documents only",
    "_imp": "of which at least one document is retrieved",
}
"""The preferences that each ending of a name counts."""


class UnusableError(Exception):
    """The preferences of a topic contradict each other."""


@frozen(eq=False)
class Group:
    """A group of judgments: L documents by number, increasing, and their levels.

    Numbers below `n_retrieved` are the retrieved documents, in rank order. `preferred`, shape
    (L, L), is True where the first document is preferred: by its level, or with several subgroups
    by the closure of all their orders, which are `joined`.
    """

    number: Integers
    level: Floats
    n_retrieved: int
    preferred: Booleans
    joined: bool

    @classmethod
    def of(cls, subgroups: Sequence[Sequence[Line]], n_documents: int, n_retrieved: int) -> "Group":
        """Join the orders of subgroups; UnusableError if they contradict each other."""
        if len(subgroups) == 1:
            number, level = map(np.array, zip(*sorted(set(subgroups[0])), strict=True))
            if not np.diff(number).all():
                raise UnusableError
            return cls(number, level, n_retrieved, level[:, None] > level, joined=False)
        preferred = np.zeros((n_documents, n_documents), dtype=bool)
        levels = np.full(n_documents, np.nan)
        for subgroup in subgroups:
            lines = sorted(subgroup, key=lambda line: -line[1])
            higher: list[int] = []
            for new, same in groupby(lines, key=lambda line: line[1]):
                members = [number for number, _ in same]
                preferred[np.ix_(higher, members)] = True
                higher += members
                for old in levels[members].tolist():
                    if min(old, new) == 0 < max(old, new):
                        raise UnusableError
                levels[members] = new
        for middle in range(n_documents):
            preferred |= preferred[:, middle, None] & preferred[middle]
        if preferred.diagonal().any():
            raise UnusableError
        return cls(np.arange(n_documents), levels, n_retrieved, preferred, joined=True)

    @cached_property
    def counts(self) -> Mapping[str, tuple[int, int]]:
        """The numbers of preferences of each kind, fulfilled and possible."""
        return {kind: self._count(self.preferred, kind) for kind in KINDS}

    def _count(self, preferred: Booleans, kind: str) -> tuple[int, int]:
        n = int(np.searchsorted(self.number, self.n_retrieved))
        fulfilled = preferred[:n] & (self.number[:n, None] < self.number)
        if kind == "_ret":
            return int(fulfilled[:, :n].sum()), int(preferred[:n, :n].sum())
        missed = preferred[n:, n:].sum() if kind else 0
        return int(fulfilled.sum()), int(preferred.sum() - missed)

    def balanced(self, kind: str) -> float:
        """Return the share fulfilled, with no more nonrelevant than relevant documents."""
        found = self.number < self.n_retrieved
        considered = found if kind else np.ones(len(found), dtype=bool)
        relevant = self.level > 0
        nonrelevant = self.level == 0 if self.joined else self.level <= 0
        more = int((considered & relevant).sum()) - int((considered & nonrelevant).sum())
        if more >= 0:
            fulfilled, possible = self.counts[kind]
            # The possible ones grow by all relevant documents, retrieved or not.
            fulfilled += more * int((found & relevant).sum())
            return over(fulfilled, possible + more * int(relevant.sum()))
        preferred = self.preferred.copy()
        if not self.joined:
            # As in trec_eval, every line, those of the lowest level also, is compared with the
            # first lines of the lowest level.
            lowest = np.flatnonzero(self.level == self.level.min())
            preferred[:, lowest] = False
            preferred[:, lowest[: (considered & relevant).sum()]] = True
        else:
            ignored = np.flatnonzero(considered & nonrelevant)[relevant.sum() :]
            preferred[ignored] = preferred[:, ignored] = False
        return over(*self._count(preferred, kind))


@frozen(eq=False)
class Preferences:
    """The groups of a topic, with numbers for documents, the retrieved ones first."""

    groups: tuple[Group, ...]
    n_documents: int
    n_retrieved: int

    @classmethod
    def of(
        cls,
        groups: Iterable[Sequence[Sequence[Line]]],
        retrieved: Iterable[int],
        order: Callable[[int], Any],
    ) -> "Preferences":
        """Number the documents: those retrieved by rank, from 0, then the others in an order."""
        groups = list(groups)
        ranked = list(dict.fromkeys(retrieved))
        every = {document for group in groups for lines in group for document, _ in lines}
        rest = sorted(every.difference(ranked), key=order)
        number = {document: n for n, document in enumerate([*ranked, *rest])}
        sizes = len(number), len(ranked)
        numbered = [
            [[(number[document], level) for document, level in lines] for lines in group]
            for group in groups
        ]
        return cls(tuple(Group.of(group, *sizes) for group in numbered), *sizes)

    def total(self, kind: str) -> tuple[int, int]:
        """Return the numbers of preferences of all groups, fulfilled and possible."""
        fulfilled, possible = zip(*(group.counts[kind] for group in self.groups), strict=True)
        return sum(fulfilled), sum(possible)

    @cached_property
    def matrix(self) -> Integers:
        """The number of groups that prefer one document to another."""
        matrix = np.zeros((self.n_documents, self.n_documents), dtype=np.int64)
        for group in self.groups:
            matrix[np.ix_(group.number, group.number)] += group.preferred
        return matrix


def _simple(topic: Preferences, kind: str) -> float:
    """Simple preferences: the share fulfilled, over all groups.

        VALUE = f / p

    with f of p preferences fulfilled in all groups of judgments together.
    """
    fulfilled, possible = topic.total(kind)
    return fulfilled / possible if possible else 0.0


def _by_pair(topic: Preferences, kind: str) -> float:
    """Preferences by pair: the share of groups that agree with the ranking, averaged over pairs.

        VALUE = (1/N)·Σ_{a,b} (groups that agree) / (groups that prefer a or b)

    over the N pairs a, b of documents for which some group has a preference.
    """
    matrix, r = topic.matrix, topic.n_retrieved
    both = matrix + matrix.T
    above = np.triu_indices(r, 1)
    own, all_groups = matrix[above], both[above]
    if kind != "_ret":
        own = np.concatenate((own, matrix[:r, r:].ravel()))
        all_groups = np.concatenate((all_groups, both[:r, r:].ravel()))
    shares = own[all_groups > 0] / all_groups[all_groups > 0]
    missed = 0 if kind else int(np.count_nonzero(np.triu(both[r:, r:], 1)))
    total = float(np.add.accumulate(shares)[-1]) if len(shares) else 0.0
    return total / (len(shares) + missed) if len(shares) + missed else 0.0


def _by_group(topic: Preferences, kind: str) -> float:
    """Preferences by group: the share fulfilled, averaged over groups of judgments.

        VALUE = (1/J)·Σ_{j=1..J} f_j / p_j

    with f_j of p_j preferences fulfilled in group j of J groups of judgments.
    """
    counts = [group.counts[kind] for group in topic.groups]
    return _mean(fulfilled / possible if possible else 0.0 for fulfilled, possible in counts)


def _mean(values: Iterable[float]) -> float:
    """Return the mean, one addition after the other: the last bit may decide a fourth decimal."""
    each = list(values)
    return float(np.add.accumulate(each)[-1]) / len(each)


def _balanced(topic: Preferences, kind: str) -> float:
    """Preferences by group, with at most as many nonrelevant documents as relevant ones.

        VALUE = (1/J)·Σ_{j=1..J} f_j / p_j

    with f_j of p_j preferences. Where a group has R relevant documents (grades above 0) and N < R
    others, f_j grows by R - N for each relevant document that is retrieved, and p_j for each
    relevant one. Where N > R, only the first R of the lowest grade count, in rank order, and p_j
    pairs every document with each of them. A group without any pair: 0 for the whole topic.
    """
    mean = _mean(group.balanced(kind) for group in topic.groups)
    return mean if mean > 0 else 0.0


def _possible(topic: Preferences, kind: str) -> int:
    return topic.total(kind)[1]


def _fulfilled(topic: Preferences, kind: str) -> int:
    """Number of preferences fulfilled: the preferred document ranks higher or alone is retrieved.

        VALUE = Σ_j f_j

    with f_j preferences fulfilled in group j of judgments.
    """
    return topic.total(kind)[0]


RULES: Mapping[str, tuple[Callable[..., float], Iterable[str]]] = {
    "prefs_num_prefs_poss": (_possible, ("",)),
    "prefs_num_prefs_ful": (_fulfilled, ("", "_ret")),
    "prefs_simp": (_simple, KINDS),
    "prefs_pair": (_by_pair, KINDS),
    "prefs_avgjg": (_by_group, KINDS),
    "prefs_avgjg_Rnonrel": (_balanced, ("", "_ret")),
}
MEASURES: Mapping[str, Callable[[Preferences], float]] = {
    name + kind: partial(rule, kind=kind) for name, (rule, kinds) in RULES.items() for kind in kinds
}
"""The value of a topic, by trec_eval's name of the measure."""


def _rows_of(judged: RankedJudgments) -> list[Integers]:
    return np.split(np.arange(len(judged.rank)), judged.offsets[1:-1]) if len(judged) else []


def groups_of(judged: RankedJudgments) -> Iterator[list[list[Line]]]:
    """Yield the groups of each topic, with the judgments of each and their levels.

    Groups are named in the second column of the qrels; without names a topic is one group, whose
    judgments that were not retrieved have numbers below 0.
    """
    if not len(judged):
        return
    labels = SUBTOPICS.of(judged)
    if labels is None:
        every = np.split(judged.judged_grade, judged.judged_offsets[1:-1])
        for rows, levels in zip(_rows_of(judged), every, strict=True):
            own = judged.grade[rows].tolist()
            missed = Counter(levels.tolist())
            missed.subtract(own)
            retrieved = zip(judged.judgment[rows].tolist(), own, strict=True)
            yield [[*retrieved, *enumerate(missed.elements(), -len(levels))]]
        return
    topic, code = labels.topic[labels.number], SUBTOPICS.code_of(judged)
    first, last = (np.searchsorted(topic, code, side).tolist() for side in ("left", "right"))
    for start, stop in zip(first, last, strict=True):
        groups: dict[int, list[Line]] = {}
        columns = (labels.number, labels.judgment, labels.grade)
        lines = zip(*(column[start:stop].tolist() for column in columns), strict=True)
        for group, judgment, level in lines:
            groups.setdefault(group, []).append((judgment, level))
        yield [groups[group] for group in sorted(groups)]


def by_group(judged: RankedJudgments) -> tuple[RankedJudgments, Integers]:
    """Return the rankings once for each group, with its judgments alone, and the groups' topics."""
    topic: list[int] = []
    rows: list[Integers] = []
    own: list[Floats] = []
    every: list[Floats] = []
    for t, (here, groups) in enumerate(zip(_rows_of(judged), groups_of(judged), strict=True)):
        judgments = judged.judgment[here].tolist()
        for group in groups:
            level = dict(group)
            topic.append(t)
            rows.append(here[[judgment in level for judgment in judgments]])
            own.append(np.array([level[j] for j in judgments if j in level], dtype=float))
            every.append(np.array(sorted(level.values(), reverse=True), dtype=float))
    row = np.concatenate(rows)
    alone = replace(
        judged,
        topics=tuple(judged.topics[t] for t in topic),
        retrieved=judged.retrieved[topic],
        offsets=offsets_of(np.array([len(group) for group in rows])),
        grade=np.concatenate(own),
        ideal=Ideal(offsets_of(np.array([len(group) for group in every])), np.concatenate(every)),
        extras=None,
        **{name: getattr(judged, name)[row] for name in ROW_COLUMNS if name != "grade"},
    )
    return alone, np.array(topic)


def _over_groups(judged: RankedJudgments, values: Callable[[RankedJudgments], Values]) -> Values:
    if not len(judged):
        return np.zeros(0)
    alone, topic = by_group(judged)
    return np.bincount(topic, values(alone)) / np.bincount(topic)


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
    return _over_groups(judged, lambda one: average_precision(one, rel=rel))


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
    return _over_groups(judged, lambda one: precision(one, rel=rel, cutoff=cutoff))


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
    return _over_groups(judged, lambda one: r_precision(one, rel=rel, mult=mult))


Tied = Annotated[
    Literal["ranked", "reversed"],
    Meaning(
        "order of documents with equal scores: as in the ranking, or reversed; trec_eval orders "
        "them by ascending docno for these measures, and by descending docno for others"
    ),
]


def _in_order(judged: RankedJudgments, tied: str) -> RankedJudgments:
    """Return the ranking as it is, or with documents of equal scores in reversed order."""
    if tied == "ranked":
        return judged
    turned = replace(judged, rank=judged.tie_first + judged.tie_last - judged.rank)
    row = np.lexsort((turned.rank, turned.topic))
    return replace(turned, **{name: getattr(turned, name)[row] for name in ROW_COLUMNS})


def preferences_of(
    judged: RankedJudgments, groups: Iterable[Any], order: Callable[[int], Any]
) -> list[Preferences | None]:
    """Return the preferences of each topic; None without any, or where they contradict."""
    found: list[Preferences | None] = []
    for rows, of_topic in zip(_rows_of(judged), groups, strict=True):
        try:
            retrieved = judged.judgment[rows].tolist()
            found.append(Preferences.of(of_topic, retrieved, order) if of_topic else None)
        except UnusableError:
            found.append(None)
    return found


def _values(judged: RankedJudgments, source: str, tied: str = "ranked") -> Values:
    """Return the values of a measure by trec_eval's name."""
    judged = _in_order(judged, tied)
    labels = SUBTOPICS.of(judged)
    order = (lambda judgment: judgment) if labels is None else labels.docno_order.__getitem__
    # Every group is one subgroup.
    groups = [[[one] for one in of_topic if one] for of_topic in groups_of(judged)]
    topics = preferences_of(judged, groups, order)
    return np.array([MEASURES[source](one) if one else 0.0 for one in topics], dtype=float)


def prefs_num_prefs_poss(judged: RankedJudgments) -> Values:
    """Number of preferences: pairs of documents of different levels, in all groups.

        NumPrefsPoss = Σ_j p_j

    with p_j preferences in group j of judgments.

    Source
        trec_eval, prefs_num_prefs_poss with -R qrels_prefs.
    """
    return _values(judged, "prefs_num_prefs_poss")


def _measure(source: str, rule: Callable[..., Any], kind: str) -> Callable[..., Values]:
    """Return the measure of a rule for preferences of a kind."""

    def values(judged: RankedJudgments, *, tied: Tied = "ranked") -> Values:
        return _values(judged, source, tied)

    about = cleandoc(rule.__doc__ or "").replace("VALUE", source)
    values.__name__, values.__doc__ = source, f"{about}\n\n{REST.format(KINDS[kind], source)}"
    return values


REST = """It looks at preferences {}.

Edge cases
    - No such preference: 0. Without groups in the second column of the qrels, a topic is one group.

Differences
    - trec_eval breaks ties of scores by increasing docno here, as with tied='reversed'.

Source
    trec_eval, {} with -R qrels_prefs."""

for _source, (_rule, _kinds) in RULES.items():
    for _kind in _kinds:  # the catalogue has them by these names
        globals().setdefault(_source + _kind, _measure(_source + _kind, _rule, _kind))
