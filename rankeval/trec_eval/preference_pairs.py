"""Groups of judgments, and each group's preferences between documents as trec_eval counts them."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Grades, Integers, NDArray
from rankeval.base.frozen import frozen
from rankeval.measures.declare.needs import SUBTOPICS
from rankeval.ranking import RankedJudgments
from rankeval.trec_eval.gain_table import over

Matrix = NDArray[np.uint16]


class UnusableError(Exception):
    """The preferences of a topic contradict each other."""


@frozen
class GroupCounts:
    """Numbers of preferences of a group, by how many of their two documents were retrieved.

    `ret`: both; `imp`: one, which is taken as ranked above the other; `not_retrieved`: none.
    """

    fulfilled_ret: int
    possible_ret: int
    fulfilled_imp: int
    possible_imp: int
    not_retrieved: int


@frozen(eq=False)
class Chain:
    """A group of one subgroup: classes of documents of equal level, the highest level first.

    Each class holds the numbers of its documents, increasing; those below `n_retrieved` are
    retrieved. A document of a higher class is preferred to each of a lower one. Levels of 0 or
    less are not relevant.
    """

    classes: tuple[Integers, ...]
    levels: tuple[float, ...]
    n_retrieved: int

    @classmethod
    def from_lines(cls, lines: Iterable[tuple[int, float]], n_retrieved: int) -> "Chain":
        """Sort documents, given as number and level, into classes; UnusableError for one in two."""
        by_level: dict[float, list[int]] = defaultdict(list)
        for number, level in lines:
            by_level[level].append(number)
        levels = sorted(by_level, reverse=True)
        classes = tuple(np.sort(np.array(by_level[level])) for level in levels)
        if sum(len(np.unique(c)) for c in classes) > len(np.unique(np.concatenate(classes))):
            raise UnusableError
        return cls(classes, tuple(levels), n_retrieved)

    def _relevance(self, *, relevant: bool) -> Integers:
        numbers = [
            members
            for members, level in zip(self.classes, self.levels, strict=True)
            if (level > 0) == relevant
        ]
        return np.concatenate(numbers) if numbers else np.array([], dtype=np.int64)

    @cached_property
    def relevant(self) -> Integers:
        """Documents of a level above 0."""
        return self._relevance(relevant=True)

    @cached_property
    def nonrelevant(self) -> Integers:
        """Documents of level 0 or less."""
        return self._relevance(relevant=False)

    @cached_property
    def counts(self) -> GroupCounts:
        """The numbers of preferences, possible and fulfilled."""
        fulfilled_ret = possible_ret = fulfilled_imp = possible_imp = neither = 0
        for higher, below in zip(self.classes[:-1], self._below, strict=True):
            n, m = self._count_retrieved(higher), self._count_retrieved(below)
            fulfilled_ret += count_before(higher[:n], below[:m])
            possible_ret += n * m
            fulfilled_imp += n * (len(below) - m)
            possible_imp += n * (len(below) - m) + (len(higher) - n) * m
            neither += (len(higher) - n) * (len(below) - m)
        return GroupCounts(fulfilled_ret, possible_ret, fulfilled_imp, possible_imp, neither)

    @cached_property
    def _below(self) -> list[Integers]:
        """For each class but the last, the documents of all lower ones, by number."""
        return [np.sort(np.concatenate(self.classes[i:])) for i in range(1, len(self.classes))]

    def _count_retrieved(self, numbers: Integers) -> int:
        return int(np.searchsorted(numbers, self.n_retrieved))

    def add_to(self, preferred: Matrix) -> None:
        """Add each preference to a matrix of documents by documents."""
        for higher, below in zip(self.classes[:-1], self._below, strict=True):
            preferred[np.ix_(higher, below)] += 1

    def with_few_nonrelevant(self, n_relevant: int, *, only_retrieved: bool) -> tuple[int, int]:
        """Return those fulfilled and possible, with the last class cut to its first members.

        As in trec_eval, every class, also the last one, is compared with these members.
        """
        cut = self.classes[-1][:n_relevant]
        pairs = [
            (self.classes[i], self.classes[j])
            for i in range(len(self.classes) - 1)
            for j in range(i + 1, len(self.classes) - 1)
        ]
        pairs += [(members, cut) for members in self.classes]
        fulfilled = possible = 0
        for one, other in pairs:
            n, m = self._count_retrieved(one), self._count_retrieved(other)
            second = other[:m] if only_retrieved else other
            fulfilled += count_before(one[:n], second)
            possible += (n if only_retrieved else len(one)) * len(second)
        return fulfilled, possible


def count_before(first: Integers, second: Integers) -> int:
    """Count the pairs, one document from each, in which that of the first has the lower number."""
    return int((len(second) - np.searchsorted(second, first, side="right")).sum())


def full(counts: GroupCounts) -> tuple[int, int]:
    """Return the preferences fulfilled and possible, retrieved or not."""
    return (
        counts.fulfilled_ret + counts.fulfilled_imp,
        counts.possible_ret + counts.possible_imp + counts.not_retrieved,
    )


def retrieved(counts: GroupCounts) -> tuple[int, int]:
    """Return those between two retrieved documents, fulfilled and possible."""
    return counts.fulfilled_ret, counts.possible_ret


@frozen(eq=False)
class Closure:
    """A group of several subgroups: the transitive closure of all their preferences.

    `preferred[a, b]` is True if document a is preferred to b.
    """

    preferred: Booleans
    level: Mapping[int, float]
    n_retrieved: int

    @classmethod
    def from_subgroups(
        cls, subgroups: Iterable[Sequence[tuple[int, float]]], n_documents: int, n_retrieved: int
    ) -> "Closure":
        """Join the orders of subgroups; UnusableError if they contradict each other."""
        preferred = np.zeros((n_documents, n_documents), dtype=bool)
        level: dict[int, float] = {}
        for subgroup in subgroups:
            lines = sorted(subgroup, key=lambda line: -line[1])
            higher: list[int] = []
            for _, same in groupby(lines, key=lambda line: line[1]):
                members = [number for number, _ in same]
                preferred[np.ix_(higher, members)] = True
                higher += members
            for number, new in lines:
                old = level.get(number, new)
                if min(old, new) == 0 < max(old, new):
                    raise UnusableError
                level[number] = new
        np.fill_diagonal(preferred, val=False)
        for middle in range(n_documents):
            preferred |= preferred[:, middle, None] & preferred[middle]
        if preferred.diagonal().any():
            raise UnusableError
        return cls(preferred, level, n_retrieved)

    @cached_property
    def relevant(self) -> Integers:
        """Documents of a level above 0."""
        return np.array(sorted(n for n, level in self.level.items() if level > 0), dtype=np.int64)

    @cached_property
    def nonrelevant(self) -> Integers:
        """Documents of level 0."""
        return np.array(sorted(n for n, level in self.level.items() if level == 0), dtype=np.int64)

    @cached_property
    def counts(self) -> GroupCounts:
        """The numbers of preferences, possible and fulfilled."""
        return self._counts(self.preferred)

    def _counts(self, preferred: Booleans) -> GroupCounts:
        r = self.n_retrieved
        return GroupCounts(
            fulfilled_ret=int(np.triu(preferred[:r, :r]).sum()),
            possible_ret=int(preferred[:r, :r].sum()),
            fulfilled_imp=int(preferred[:r, r:].sum()),
            possible_imp=int(preferred[:r, r:].sum() + preferred[r:, :r].sum()),
            not_retrieved=int(preferred[r:, r:].sum()),
        )

    def add_to(self, preferred: Matrix) -> None:
        """Add each preference to a matrix of documents by documents."""
        preferred += self.preferred

    def with_few_nonrelevant(self, _n_relevant: int, *, only_retrieved: bool) -> tuple[int, int]:
        """Return those fulfilled and possible, with as many nonrelevant as relevant documents."""
        nonrelevant = self.nonrelevant
        if only_retrieved:
            nonrelevant = nonrelevant[nonrelevant < self.n_retrieved]
        preferred = self.preferred.copy()
        ignored = nonrelevant[len(self.relevant) :]
        preferred[ignored] = False
        preferred[:, ignored] = False
        counts = self._counts(preferred)
        if only_retrieved:
            return counts.fulfilled_ret, counts.possible_ret
        return full(counts)


Group = Chain | Closure


def rnonrel_of_group(group: Group, *, only_retrieved: bool) -> float:
    """Return the share fulfilled, with no more nonrelevant than relevant documents."""
    n_retrieved = group.n_retrieved
    relevant_ret = int(np.count_nonzero(group.relevant < n_retrieved))
    nonrelevant_ret = int(np.count_nonzero(group.nonrelevant < n_retrieved))
    n_relevant, n_nonrelevant = len(group.relevant), len(group.nonrelevant)
    r, n = (relevant_ret, nonrelevant_ret) if only_retrieved else (n_relevant, n_nonrelevant)
    if r < n:
        return over(*group.with_few_nonrelevant(r, only_retrieved=only_retrieved))
    fulfilled, possible = (retrieved if only_retrieved else full)(group.counts)
    # The possible ones grow by all relevant documents, retrieved or not.
    return over(fulfilled + relevant_ret * (r - n), possible + n_relevant * (r - n))


def in_order(judged: RankedJudgments, tied: str) -> RankedJudgments:
    """Return the ranking as it is, or with documents of equal scores in reversed order."""
    if tied == "ranked":
        return judged
    rank = judged.tie_first + judged.tie_last - judged.rank
    row = np.lexsort((rank, judged.topic))
    return replace(
        judged,
        rank=rank[row],
        grade=judged.grade[row],
        judgment=judged.judgment[row],
        score=judged.score[row],
        tie_first=judged.tie_first[row],
        tie_last=judged.tie_last[row],
    )


@frozen(eq=False)
class Counts:
    """Counts of preferences by the number of their documents retrieved, shape (G,) or (T,)."""

    fulfilled_ret: Floats
    possible_ret: Floats
    fulfilled_imp: Floats
    possible_imp: Floats
    neither: Floats

    def of(self, kind: str) -> tuple[Floats, Floats]:
        """Return the counts fulfilled and possible of the kind that an ending names."""
        if kind == "_ret":
            return self.fulfilled_ret, self.possible_ret
        possible = self.possible_ret + self.possible_imp
        fulfilled = self.fulfilled_ret + self.fulfilled_imp
        return fulfilled, possible + (0.0 if kind else self.neither)


@frozen(eq=False)
class Groups:
    """G groups of judgments of a batch of topics.

    ========= ==== =======================================================================
    topic     (G,) the topic of each group, increasing
    group     (K,) the group of each retrieved judgment, increasing; in rank order within it
    level     (K,) its grade
    row       (K,) its row
    all_group (L,) the group of each judgment, retrieved or not
    all_level (L,) its grade
    document  (L,) which judgment of the qrels it is; nothing where groups are not named
    ========= ==== =======================================================================
    """

    topic: Integers
    group: Integers
    level: Grades
    row: Integers
    all_group: Integers
    all_level: Grades
    document: Integers

    @classmethod
    def from_judgments(cls, judged: RankedJudgments) -> "Groups":
        """Read groups from the second column of the qrels; without names, one for each topic."""
        labels = SUBTOPICS.of(judged)
        if labels is None:
            return cls(
                topic=np.arange(len(judged)),
                group=judged.topic,
                level=judged.grade,
                row=np.arange(len(judged.rank)),
                all_group=judged.judged_topic,
                all_level=judged.judged_grade,
                document=np.zeros(0, dtype=np.int64),
            )
        code = SUBTOPICS.code_of(judged)
        row, label = labels.of_judgments(judged.judgment)
        # Topics of a batch may be copies of one topic, whose groups are counted apart.
        first = np.searchsorted(labels.topic, np.append(code, 0))[:-1]
        topic, _ = _stretches(labels.topic, code)
        shift = np.searchsorted(topic, np.arange(len(judged))) - first
        owner, every = _stretches(labels.topic[labels.number], code)
        group = labels.number[label] + shift[judged.topic[row]]
        order = np.argsort(group, kind="stable")
        return cls(
            topic=topic,
            group=group[order],
            level=labels.grade[label][order],
            row=row[order],
            all_group=labels.number[every] + shift[owner],
            all_level=labels.grade[every],
            document=labels.judgment[every],
        )

    @cached_property
    def counts(self) -> Counts:
        """Count the preferences of each group, from the lowest level up."""
        found = np.zeros((5, len(self.topic)))
        lower_ret, lower_missed = np.zeros((2, len(self.topic)))
        starts = np.searchsorted(self.group, np.arange(len(self.topic)))
        for level in np.unique(self.all_level):
            here = self.level == level
            retrieved = self._count(self.group[here])
            missed = self._count(self.all_group[self.all_level == level]) - retrieved
            down_to = np.append(0, np.cumsum(self.level < level))
            group = self.group[here]
            above = down_to[np.flatnonzero(here)] - down_to[starts[group]]
            found += (
                retrieved * lower_ret - np.bincount(group, above, minlength=len(self.topic)),
                retrieved * lower_ret,
                retrieved * lower_missed,
                retrieved * lower_missed + missed * lower_ret,
                missed * lower_missed,
            )
            lower_ret, lower_missed = lower_ret + retrieved, lower_missed + missed
        return Counts(*found)

    def _count(self, group: Integers) -> Integers:
        return np.bincount(group, minlength=len(self.topic))


def _stretches(owner: Integers, wanted: Integers) -> tuple[Integers, Integers]:
    """Return the positions of each wanted owner's rows, and the owner's index for each."""
    first, last = np.searchsorted(owner, wanted), np.searchsorted(owner, wanted, side="right")
    sizes = last - first
    which = np.repeat(np.arange(len(wanted)), sizes)
    return which, np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes - first, sizes)


def by_topic(judged: RankedJudgments, groups: Groups, values: Floats) -> Floats:
    """Return the sum over the groups of each topic, shape (T,)."""
    summed: Floats = np.bincount(groups.topic, values, minlength=len(judged)).astype(float)
    return summed


def total(judged: RankedJudgments, counted: Callable[[Counts], Floats]) -> Floats:
    """Return the sum of a count over the groups of each topic, shape (T,)."""
    groups = Groups.from_judgments(judged)
    return by_topic(judged, groups, counted(groups.counts))
