"""Judged documents of a run: their ranks, grades and scores, for all topics at once.

At the end, all ties of a run are broken in its favour or against it, for each measure.
"""

from collections.abc import Callable, Hashable, Iterator
from functools import cached_property
from itertools import compress, pairwise
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from rankeval.base.arrays import (
    Booleans,
    Floats,
    Grades,
    Integers,
    NDArray,
    Number,
    accumulate,
    begins,
    offsets_of,
    owner,
    position,
    sizes_of,
    sums,
)
from rankeval.base.frozen import field, record, replace

if TYPE_CHECKING:
    from rankeval.ranking.extras import Extras


AT_ONCE = 1 << 16
"""Judged documents of which measures are computed at once, in memory that stays in the cache."""


@record
class Ideal:
    """The grades of all judged documents of T topics, M in all, highest first.

    They are the same for every run.

    ======= ============ ================================================================
    offsets (T+1,) int64 topic t has the grades offsets[t] to offsets[t+1]
    grade   (M,)         grades, highest first in each topic
    ======= ============ ================================================================
    """

    offsets: Integers
    grade: Grades
    whole: "tuple[Ideal, Booleans | Integers | slice] | None" = field(default=None, repr=False)
    """The ideal that the topics of this one are from, and which they are."""
    _known: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def topic(self) -> Integers:
        """Index of the topic that each grade belongs to, shape (M,)."""
        return owner(self.offsets)

    @cached_property
    def rank(self) -> Integers:
        """1-based rank of each grade, shape (M,)."""
        place = position(self.offsets)
        place += 1
        return place

    def once(
        self, function: Callable[..., NDArray[Number]], **parameters: Hashable
    ) -> NDArray[Number]:
        """Return function(self, **parameters), read-only; compute it at the first call only.

        The function gives one value per topic, shape (T,), that other topics do not change.
        """
        key = (function, *parameters.items())
        known: NDArray[Number] | None = self._known.get(key)
        if known is not None:
            return known
        if self.whole is not None:
            whole, chosen = self.whole
            known = whole.once(function, **parameters)[chosen]
        elif len(self.grade) <= AT_ONCE:
            known = function(self, **parameters)
        else:
            known = np.concatenate([function(part, **parameters) for part in in_parts(self)])
        known.setflags(write=False)
        self._known[key] = known
        return known

    def select(self, chosen: Booleans | slice) -> "Ideal":
        """Keep the chosen topics, given as a mask of shape (T,) or from one to before another."""
        offsets = offsets_of(sizes_of(self.offsets)[chosen])
        return Ideal(offsets, self.grade[_rows(self, chosen)], (self, chosen))

    def repeated(self, times: int) -> "Ideal":
        """Repeat all topics, one batch after the other."""
        sizes = np.tile(sizes_of(self.offsets), times)
        every = np.tile(np.arange(len(self.offsets) - 1), times)
        grade = self.grade[np.tile(np.arange(len(self.grade)), times)]
        return Ideal(offsets_of(sizes), grade, (self, every))

    def sum(self, values: NDArray[np.generic]) -> Floats:
        """Sum values by topic, best grade first, shape (T,)."""
        return sums(self.topic, values, len(self.offsets) - 1)

    def count(self, *, min_grade: float) -> Integers:
        """Count documents of at least a grade by topic, shape (T,)."""
        return np.bincount(self.topic[self.grade >= min_grade], minlength=len(self.offsets) - 1)


Value = TypeVar("Value")

ROW_COLUMNS = ("rank", "grade", "judgment", "score", "tie_first", "tie_last")
"""The fields of RankedJudgments that have one entry per row."""


@record
class RankedJudgments:
    """A run aligned with judgments: the data of all measures, for a batch of T topics.

    There is one row per judged document that the run retrieved; unjudged documents are gaps
    between the ranks. Rows of a topic stand together, in rank order (CSR layout).

    ============== ============ =========================================================
    field          shape, type  meaning
    ============== ============ =========================================================
    topics         T bytes      the topics, in increasing byte order
    retrieved      (T,) int64   documents retrieved; 0 for a topic that the run lacks
    offsets        (T+1,) int64 topic t has the rows offsets[t] to offsets[t+1]
    rank           (N,) int64   1-based rank of a judged, retrieved document
    grade          (N,)         its grade, negative ones included
    judgment       (N,) int64   index of its judgment in the qrels
    score          (N,) float64 its score
    tie_first      (N,) int64   first rank among the documents with its score
    tie_last       (N,) int64   last rank among them
    ideal                       the grades of all judged documents, highest first
    highest_grade  float        highest grade of the whole qrels file
    ties_open      bool         values are means over all orders of equal scores
    extras                      optional data for some measures; None unless a requested measure
                                needs it
    ============== ============ =========================================================
    """

    topics: tuple[bytes, ...]
    retrieved: Integers
    offsets: Integers
    rank: Integers
    grade: Grades
    judgment: Integers
    score: Floats
    tie_first: Integers
    tie_last: Integers
    ideal: Ideal
    highest_grade: float
    ties_open: bool = False
    extras: "Extras | None" = None
    _known: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    def __len__(self) -> int:
        return len(self.topics)

    @cached_property
    def topic(self) -> Integers:
        """Index of the topic that each row belongs to, shape (N,)."""
        return owner(self.offsets)

    @property
    def judged_offsets(self) -> Integers:
        """Topic t has the judged grades judged_offsets[t] to judged_offsets[t+1], shape (T+1,)."""
        return self.ideal.offsets

    @property
    def judged_grade(self) -> Grades:
        """Grades of all judged documents, highest first in each topic, shape (M,)."""
        return self.ideal.grade

    @property
    def judged_topic(self) -> Integers:
        """Index of the topic that each judged grade belongs to, shape (M,)."""
        return self.ideal.topic

    @property
    def ideal_rank(self) -> Integers:
        """1-based rank of each judged grade when the best come first, shape (M,)."""
        return self.ideal.rank

    @cached_property
    def tie_groups(self) -> tuple[Integers, Integers]:
        """Group of equal scores of each row, shape (N,), and the first row of each group."""
        new = begins(self.tie_first, self.topic)
        return np.cumsum(new) - 1, np.flatnonzero(new)

    @cached_property
    def tied_topics(self) -> Booleans:
        """Topics in which a judged document has the score of another, shape (T,)."""
        return self.count_per_topic(self.tie_last > self.tie_first) > 0

    @cached_property
    def tie_rank(self) -> Floats:
        """Mean rank of the documents that share a row's score, shape (N,)."""
        return (self.tie_first + self.tie_last) / 2

    def sum_per_topic(self, values: NDArray[np.generic]) -> Floats:
        """Sum values of rows by topic, strictly in rank order, shape (T,)."""
        return sums(self.topic, values, len(self.topics))

    def sum_judged(self, values: NDArray[np.generic]) -> Floats:
        """Sum values of all judged documents by topic, best grade first, shape (T,)."""
        return self.ideal.sum(values)

    def count_per_topic(self, chosen: Booleans) -> Integers:
        """Count chosen rows by topic, shape (T,)."""
        return np.bincount(self.topic[chosen], minlength=len(self.topics))

    def cumulative_count(self, chosen: Booleans) -> Integers:
        """Count chosen rows of the topic down to each row, including it, shape (N,)."""
        running = np.cumsum(chosen)
        before = np.concatenate(([0], running))[self.offsets[:-1]]
        return running - before[self.topic]

    def numbered(self, chosen: Booleans) -> tuple[Integers, Integers, Integers]:
        """Number the chosen rows of each topic 1, 2, ... in rank order.

        Returns the rows, their topics, and their numbers.
        """
        rows = chosen.nonzero()[0]
        topic, number = self.topic[rows], np.arange(1, len(rows) + 1)
        return rows, topic, number - rows.searchsorted(self.offsets[:-1])[topic]

    def once(self, function: Callable[..., Value], **parameters: Hashable) -> Value:
        """Return function(self, **parameters); compute it at the first call only.

        Several measures share what it gives, so nobody may change that. It is not None.
        """
        key = (function, *parameters.items())
        known: Value | None = self._known.get(key)
        if known is None:
            known = self._known[key] = function(self, **parameters)
        return known

    def max_per_topic(self, values: Floats) -> Floats:
        """Greatest value by topic, at least 0, shape (T,)."""
        return _greatest(self.topic, values, len(self.topics))

    def accumulate(self, operation: np.ufunc, values: Floats) -> Floats:
        """Apply a running sum, product, ... to each topic's rows in rank order, shape (N,)."""
        return accumulate(operation, values, self.offsets)

    def at_ideal_rank(self, values: Floats) -> Floats:
        """Return, for each row, the value at its rank of the ideal ranking, shape (N,).

        Rows further down than the ideal ranking get its last value.
        """
        start = self.judged_offsets[:-1][self.topic]
        end = self.judged_offsets[1:][self.topic]
        return values[np.minimum(start + self.rank, end) - 1]

    def count_judged(self, *, min_grade: float) -> Integers:
        """Count judged documents of at least a grade by topic, shape (T,)."""
        return self.ideal.once(Ideal.count, min_grade=min_grade)

    def max_judged(self) -> Floats:
        """Greatest grade of the judged documents by topic, at least 0, shape (T,)."""
        return _greatest(self.judged_topic, self.judged_grade, len(self.topics))

    def within(self, cutoff: int | None) -> "RankedJudgments":
        """Keep the rows down to a rank; all of them for None.

        Restricts rows only; retrieved counts and the ideal ranking are unchanged.
        """
        return self if cutoff is None else self._with_rows(self.rank <= cutoff)

    def truncated(self, depth: int) -> "RankedJudgments":
        """Keep the first `depth` documents of every topic."""
        top = self._with_rows(self.rank <= depth)
        return replace(
            top,
            retrieved=np.minimum(self.retrieved, depth),
            tie_last=np.minimum(top.tie_last, depth),
        )

    def prefixes(self, depths: Integers) -> "RankedJudgments":
        """Cut the ranking of the only topic at each of D depths: a batch of D topics."""
        n_depths = len(depths)
        sizes = np.searchsorted(self.rank, depths, side="right")
        offsets = offsets_of(sizes)
        judged_offsets = np.arange(n_depths + 1) * len(self.judged_grade)
        cut = replace(
            self,
            **self._columns_at(position(offsets)),
            topics=self.topics * n_depths,
            retrieved=np.minimum(self.retrieved, depths),
            offsets=offsets,
            ideal=Ideal(judged_offsets, self.judged_grade[position(judged_offsets)]),
            extras=self.extras and self.extras.repeated(n_depths),
        )
        return replace(cut, tie_last=np.minimum(cut.tie_last, np.repeat(depths, sizes)))

    @cached_property
    def unjudged(self) -> tuple[Integers, Integers]:
        """Offsets of topics, shape (T+1,), and the ranks of unjudged documents, topic by topic."""
        starts = offsets_of(self.retrieved)
        is_gap = np.ones(starts[-1], dtype=bool)
        is_gap[starts[:-1][self.topic] + self.rank - 1] = False
        places = np.flatnonzero(is_gap)
        offsets = np.searchsorted(places, starts)
        return offsets, places - np.repeat(starts[:-1], np.diff(offsets)) + 1

    def with_unjudged_as(self, grade: float, *, within: int | None = None) -> "RankedJudgments":
        """Give unjudged documents a grade; only those down to the rank `within`, if it is given.

        Their scores are not known here: each is treated as tied with no other document.
        """
        offsets, rank = self.unjudged
        topic = owner(offsets)
        if within is not None:
            topic, rank = topic[rank <= within], rank[rank <= within]
        alone = np.full(len(rank), -1)
        grades = np.full(len(rank), grade)
        order = np.lexsort((np.append(self.rank, rank), np.append(self.topic, topic)))
        n_new = np.bincount(topic, minlength=len(self.topics))
        return replace(
            self.with_missed(grade, n_new),
            offsets=offsets_of(np.diff(self.offsets) + n_new),
            rank=np.append(self.rank, rank)[order],
            grade=np.append(self.grade, grades)[order],
            judgment=np.append(self.judgment, alone)[order],
            score=np.append(self.score, alone.astype(float))[order],
            tie_first=np.append(self.tie_first, rank)[order],
            tie_last=np.append(self.tie_last, rank)[order],
        )

    def with_missed(self, grade: float, count: Integers) -> "RankedJudgments":
        """Add judged documents that the ranking lacks: a count per topic, shape (T,)."""
        topic = np.append(self.judged_topic, np.repeat(np.arange(len(self.topics)), count))
        grades = np.append(self.judged_grade, np.full(count.sum(), grade))
        offsets = offsets_of(np.diff(self.judged_offsets) + count)
        return replace(self, ideal=Ideal(offsets, grades[np.lexsort((-grades, topic))]))

    @cached_property
    def condensed(self) -> "RankedJudgments":
        """Drop unjudged documents and negative grades from the rankings, closing the gaps."""
        rows = self._with_rows(self.grade >= 0)
        group, starts = rows.tie_groups
        sizes = np.bincount(group)
        rank = position(rows.offsets) + 1
        tie_first = rank[starts][group]
        return replace(
            rows,
            retrieved=np.diff(rows.offsets),
            rank=rank,
            tie_first=tie_first,
            tie_last=tie_first + sizes[group] - 1,
            extras=self.extras and self.extras.reordered(rows.topic, rows.rank, rank),
        )

    def select(self, chosen: Booleans | slice) -> "RankedJudgments":
        """Keep the chosen topics, given as a mask of shape (T,) or from one to before another."""
        if isinstance(chosen, slice):
            topics = self.topics[chosen]
        elif np.count_nonzero(chosen) == len(chosen):
            return self
        else:
            topics = tuple(compress(self.topics, chosen.tolist()))
        return replace(
            self,
            **self._columns_at(_rows(self, chosen)),
            topics=topics,
            retrieved=self.retrieved[chosen],
            offsets=offsets_of(sizes_of(self.offsets)[chosen]),
            ideal=self.ideal.select(chosen),
            extras=self.extras and self.extras.select(chosen),
        )

    def repeated(self, times: int) -> "RankedJudgments":
        """Repeat all topics, one batch after the other."""
        if times == 1:
            return self
        return replace(
            self,
            **self._columns_at(np.tile(np.arange(len(self.rank)), times)),
            topics=self.topics * times,
            retrieved=np.tile(self.retrieved, times),
            offsets=offsets_of(np.tile(sizes_of(self.offsets), times)),
            ideal=self.ideal.repeated(times),
            extras=self.extras and self.extras.repeated(times),
        )

    def _with_rows(self, chosen: Booleans) -> "RankedJudgments":
        offsets = offsets_of(self.count_per_topic(chosen))
        return replace(self, **self._columns_at(chosen), offsets=offsets)

    def _columns_at(self, rows: Booleans | Integers | slice) -> dict[str, Any]:
        """Return all columns that have one entry per row, at some rows."""
        return {name: getattr(self, name)[rows] for name in ROW_COLUMNS}


def _rows(topics: Ideal | RankedJudgments, chosen: Booleans | slice) -> Booleans | slice:
    """Return the rows of the chosen topics."""
    if isinstance(chosen, slice):
        return slice(*topics.offsets[[chosen.start, chosen.stop]].tolist())
    return chosen[topics.topic]


Topics = TypeVar("Topics", Ideal, RankedJudgments)


def in_parts(topics: Topics) -> Iterator[Topics]:
    """Yield all topics, of some AT_ONCE judged documents at a time, which share their memory."""
    offsets: Integers = getattr(topics, "judged_offsets", topics.offsets)
    starts: Integers = offsets[:-1].searchsorted(np.arange(0, offsets[-1] + 1, AT_ONCE))
    for first, last in pairwise(sorted({*starts.tolist(), len(offsets) - 1})):
        yield topics.select(slice(first, last))


def _greatest(topic: Integers, values: Grades, n_topics: int) -> Floats:
    greatest = np.zeros(n_topics)
    np.maximum.at(greatest, topic, values)
    return greatest


# Unjudged documents count as not relevant, or are skipped by measures of judged documents only.
ORDERS = (
    (True, False, True),
    (False, True, False),
    # Judged documents first or last, for measures that count judged documents.
    (True, True, True),
    (False, False, False),
)
"""Orders of groups of equal scores of which, for each measure, one gives the greatest value and one
the least: whether relevant documents come before the unjudged ones of the group, or else after
them; whether those judged not relevant do; and whether those on either side have the best first."""


def with_ties_broken(judged: RankedJudgments) -> RankedJudgments:
    """Put the documents of equal scores into each of the orders, one batch after the other.

    Ranks of documents that are judged for other topics stay as they are.
    """
    every = judged.repeated(len(ORDERS))
    in_order = np.array(ORDERS).repeat(len(judged), axis=0)[every.topic]
    relevant_in_front, others_in_front, best_first = in_order.T
    signed = np.where(best_first, -every.grade, every.grade)
    row = np.lexsort((signed, every.tie_first, every.topic))
    first, last, grade = every.tie_first[row], every.tie_last[row], every.grade[row]
    group, start = every.tie_groups  # the rows move within their groups
    place = np.arange(len(row)) - start[group]
    behind = np.bincount(group)[group] - 1 - place
    front = np.where(grade > 0, relevant_in_front, others_in_front)
    return replace(
        every,
        rank=np.where(front, first + place, last - behind),
        grade=grade,
        judgment=every.judgment[row],
        score=every.score[row],
        tie_first=first,
        tie_last=last,
    )
