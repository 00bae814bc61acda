"""Preferences between documents, and groups of judgments over which measures are averaged.

The second column of the qrels names groups of judgments; qrels without groups have one. Within a
group, a document of a higher grade is preferred to one of a lower grade. A preference is fulfilled
if the preferred document ranks above the other, or if only the preferred one is retrieved.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from inspect import cleandoc
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers, offsets_of
from rankeval.base.frozen import replace
from rankeval.measures.average_precision import average_precision
from rankeval.measures.facts import SUBTOPICS, Meaning, Rel, RequiredCutoff, Values
from rankeval.measures.precision import Multiple, precision, r_precision
from rankeval.ranking import Ideal, RankedJudgments
from rankeval.ranking.ranked import ROW_COLUMNS

Line = tuple[int, float]
"""A judgment by its number, and the level of its document."""

KINDS = {
    "": "whatever was retrieved of their documents",
    "_ret": "between two retrieved documents only",
    "_imp": "of which at least one document is retrieved",
}
"""The preferences that each ending of a name counts."""


class Preferences(NamedTuple):
    """The preferences of a topic with J groups and D documents, the retrieved ones first.

    =========== ==========================================================================
    counts      by kind, the numbers of preferences of each group, fulfilled and possible
    balanced    by kind, the share that each fulfils with no more nonrelevant than relevant ones
    matrix      (D, D) how many groups prefer one document to another
    n_retrieved number of retrieved documents
    =========== ==========================================================================
    """

    counts: Mapping[str, list[tuple[int, int]]]
    balanced: Mapping[str, list[float]]
    matrix: Integers
    n_retrieved: int


def preferences(
    groups: Sequence[Sequence[Sequence[Line]]],
    retrieved: Iterable[int],
    order: Callable[[int], Any],
) -> Preferences | None:
    """Return the preferences of the groups of a topic; None if they contradict each other.

    A group is a list of subgroups, whose orders are joined. Documents are numbered: those retrieved
    by rank, then the others in an order.
    """
    ranked = list(dict.fromkeys(retrieved))
    every = {document for group in groups for lines in group for document, _ in lines}
    rest = sorted(every.difference(ranked), key=order)
    number = {document: n for n, document in enumerate([*ranked, *rest])}
    matrix = np.zeros((len(number), len(number)), dtype=np.int64)
    counts: dict[str, list[tuple[int, int]]] = {kind: [] for kind in KINDS}
    balanced: dict[str, list[float]] = {"": [], "_ret": []}
    for subgroups in groups:
        preferred = np.zeros(matrix.shape, dtype=bool)
        level = np.full(len(number), np.nan)
        for lines in subgroups:
            own = np.full(len(number), np.nan)
            own[[number[document] for document, _ in lines]] = [one for _, one in lines]
            preferred |= own[:, None] > own
            if ((np.minimum(level, own) == 0) & (np.maximum(level, own) > 0)).any():
                return None
            level = np.where(np.isnan(own), level, own)
        joined = len(subgroups) > 1
        for middle in range(len(number)) if joined else ():
            preferred |= preferred[:, middle, None] & preferred[middle]
        if preferred.diagonal().any():
            return None
        matrix += preferred
        for kind in KINDS:
            counts[kind].append(_count(preferred, len(ranked), kind))
        for kind, shares in balanced.items():
            shares.append(_balanced(preferred, level, len(ranked), kind, joined=joined))
    return Preferences(counts, balanced, matrix, len(ranked))


def _count(preferred: Booleans, n: int, kind: str) -> tuple[int, int]:
    """Count preferences of a kind, fulfilled and possible; the first n documents are retrieved."""
    fulfilled = np.triu(preferred, 1)[:n]
    if kind == "_ret":
        return int(fulfilled[:, :n].sum()), int(preferred[:n, :n].sum())
    missed = preferred[n:, n:].sum() if kind else 0
    return int(fulfilled.sum()), int(preferred.sum() - missed)


def _balanced(preferred: Booleans, level: Floats, n: int, kind: str, *, joined: bool) -> float:
    """Return the share fulfilled, with no more nonrelevant than relevant documents."""
    judged = ~np.isnan(level)
    found = judged & (np.arange(len(level)) < n)
    considered = found if kind else judged
    relevant = level > 0
    nonrelevant = considered & (level == 0 if joined else level <= 0)
    n_relevant = int(np.count_nonzero(considered & relevant))
    more = n_relevant - int(np.count_nonzero(nonrelevant))
    if more >= 0:
        fulfilled, possible = _count(preferred, n, kind)
        # The possible ones grow by all relevant documents, retrieved or not.
        fulfilled += more * int(np.count_nonzero(found & relevant))
        possible += more * int(np.count_nonzero(relevant))
    else:
        preferred = preferred.copy()
        if joined:
            ignored = np.flatnonzero(nonrelevant)[np.count_nonzero(relevant) :]
            preferred[ignored] = preferred[:, ignored] = False
        else:
            # As in trec_eval, every document, those of the lowest level also, is compared with the
            # first ones of the lowest level.
            lowest = np.flatnonzero(level == np.nanmin(level))
            preferred[:, lowest] = False
            preferred[:, lowest[:n_relevant]] = judged[:, None]
        fulfilled, possible = _count(preferred, n, kind)
    return fulfilled / possible if possible else np.nan


def _simple(topic: Preferences, kind: str) -> float:
    """Simple preferences: the share fulfilled, over all groups.

        VALUE = f / p

    with f of p preferences fulfilled in all groups of judgments together.
    """
    fulfilled, possible = _total(topic, kind)
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
    shares = (
        fulfilled / possible if possible else 0.0 for fulfilled, possible in topic.counts[kind]
    )
    return _mean(shares)


def _mean(values: Iterable[float]) -> float:
    """Return the mean, one addition after the other: the last bit may decide a fourth decimal."""
    each = list(values)
    return float(np.add.accumulate(each)[-1]) / len(each)


def _by_balanced_group(topic: Preferences, kind: str) -> float:
    """Preferences by group, with at most as many nonrelevant documents as relevant ones.

        VALUE = (1/J)·Σ_{j=1..J} f_j / p_j

    with f_j of p_j preferences. Where a group has R relevant documents (grades above 0) and N < R
    others, f_j grows by R - N for each relevant document that is retrieved, and p_j for each
    relevant one. Where N > R, only the first R of the lowest grade count, in rank order, and p_j
    pairs every document with each of them. A group without any pair: 0 for the whole topic.
    """
    mean = _mean(topic.balanced[kind])
    return mean if mean > 0 else 0.0


def _total(topic: Preferences, kind: str) -> tuple[int, int]:
    """Return the numbers of preferences of all groups, fulfilled and possible."""
    fulfilled, possible = zip(*topic.counts[kind], strict=True)
    return sum(fulfilled), sum(possible)


def _possible(topic: Preferences, kind: str) -> int:
    return _total(topic, kind)[1]


def _fulfilled(topic: Preferences, kind: str) -> int:
    """Number of preferences fulfilled: the preferred document ranks higher or alone is retrieved.

        VALUE = Σ_j f_j

    with f_j preferences fulfilled in group j of judgments.
    """
    return _total(topic, kind)[0]


RULES: Mapping[str, tuple[Callable[..., float], Iterable[str]]] = {
    "prefs_num_prefs_poss": (_possible, ("",)),
    "prefs_num_prefs_ful": (_fulfilled, ("", "_ret")),
    "prefs_simp": (_simple, KINDS),
    "prefs_pair": (_by_pair, KINDS),
    "prefs_avgjg": (_by_group, KINDS),
    "prefs_avgjg_Rnonrel": (_by_balanced_group, ("", "_ret")),
}
MEASURES: Mapping[str, Callable[[Preferences], float]] = {
    name + kind: partial(rule, kind=kind) for name, (rule, kinds) in RULES.items() for kind in kinds
}
"""The value of a topic, by trec_eval's name of the measure."""


def _rows_of(judged: RankedJudgments) -> list[Integers]:
    return np.split(np.arange(len(judged.rank)), judged.offsets[1:-1]) if len(judged) else []


def groups_of(
    judged: RankedJudgments, group_of: Sequence[Any] | None = None
) -> Iterator[list[list[list[Line]]]]:
    """Yield the groups of each topic: their subgroups, which are judgments with their levels.

    Names in the second column of the qrels are groups; `group_of` has the group of each if they are
    subgroups. Without names a topic is one group, whose judgments that were not retrieved have
    numbers below 0.
    """
    labels = SUBTOPICS.of(judged)
    if labels is None:
        every = np.split(judged.judged_grade, judged.judged_offsets[1:-1])
        for rows, levels in zip(_rows_of(judged), every, strict=False):
            own = judged.grade[rows].tolist()
            missed = Counter(levels.tolist())
            missed.subtract(own)
            retrieved = zip(judged.judgment[rows].tolist(), own, strict=True)
            yield [[[*retrieved, *enumerate(missed.elements(), -len(levels))]]]
        return
    topic, columns = labels.topic[labels.number], (labels.number, labels.judgment, labels.grade)
    for code in SUBTOPICS.code_of(judged).tolist():
        mine = slice(*topic.searchsorted([code, code + 1]))
        groups: dict[Any, dict[int, list[Line]]] = {}
        for name, *line in sorted(zip(*(column[mine].tolist() for column in columns), strict=True)):
            group = groups.setdefault(group_of[name] if group_of else name, {})
            group.setdefault(name, []).append((line[0], line[1]))
        yield [[*group.values()] for group in groups.values()]


def by_group(judged: RankedJudgments) -> tuple[RankedJudgments, Integers]:
    """Return the rankings once for each group, with its judgments alone, and the groups' topics."""
    topic: list[int] = []
    rows: list[Integers] = []
    own: list[Floats] = []
    every: list[Floats] = []
    for t, (here, groups) in enumerate(zip(_rows_of(judged), groups_of(judged), strict=True)):
        judgments = judged.judgment[here].tolist()
        for group in groups:
            level = dict(line for lines in group for line in lines)
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
    judged: RankedJudgments, group_of: Sequence[Any] | None = None
) -> list[Preferences | None]:
    """Return the preferences of each topic; None where they contradict each other."""
    labels = SUBTOPICS.of(judged)
    order = (lambda judgment: judgment) if labels is None else labels.docno_order.__getitem__
    return [
        preferences(groups, judged.judgment[rows].tolist(), order) if groups else None
        for rows, groups in zip(_rows_of(judged), groups_of(judged, group_of), strict=True)
    ]


def _values(judged: RankedJudgments, source: str, tied: str = "ranked") -> Values:
    """Return the values of a measure by trec_eval's name."""
    topics = preferences_of(_in_order(judged, tied))
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
