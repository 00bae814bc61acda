"""Preferences between the documents of one group of judgments, as trec_eval counts them.

Documents have numbers: those retrieved by rank, from 0, then the others. A `Chain` is a group whose
levels order its documents; a `Closure` joins the orders of several subgroups.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import groupby

import numpy as np

from rankeval.measures.base.gain_table import over
from rankeval.support.arrays import Booleans, Integers, NDArray
from rankeval.support.frozen import frozen

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
