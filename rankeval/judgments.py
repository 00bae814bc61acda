"""RankedJudgments: where the judged documents stand in a run, for all topics at once."""

from collections.abc import Callable, Hashable
from dataclasses import field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankeval.support.arrays import (
    Booleans,
    Floats,
    Grades,
    Integers,
    Number,
    accumulate,
    offsets_of,
    owner,
    position,
    sums,
)
from rankeval.support.frozen import frozen


@frozen(eq=False)
class Ideal:
    """All judged documents of T topics, M in all, the best ones first: the same for every run.

    ======= ============ ================================================================
    offsets (T+1,) int64 topic t has the grades offsets[t] to offsets[t+1]
    grade   (M,)         grades, highest first in each topic
    ======= ============ ================================================================
    """

    offsets: Integers
    grade: Grades
    _known: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def topic(self) -> Integers:
        """Index of the topic that each grade belongs to, shape (M,)."""
        return owner(self.offsets)

    @cached_property
    def rank(self) -> Integers:
        """1-based rank of each grade, shape (M,)."""
        return position(self.offsets) + 1

    def once(
        self, function: Callable[..., NDArray[Number]], **parameters: Hashable
    ) -> NDArray[Number]:
        """What a function makes of this and some parameters, read-only: worked out once."""
        key = (function, *parameters.items())
        if key not in self._known:
            values = function(self, **parameters)
            values.setflags(write=False)
            self._known[key] = values
        known: NDArray[Number] = self._known[key]
        return known

    def sum(self, values: NDArray[np.generic]) -> Floats:
        """Sum values by topic, best grade first, shape (T,)."""
        return sums(self.topic, values, len(self.offsets) - 1)

    def count(self, *, min_grade: float) -> Integers:
        """Count documents of at least a grade by topic, shape (T,)."""
        return np.bincount(self.topic[self.grade >= min_grade], minlength=len(self.offsets) - 1)


@frozen(eq=False)
class RankedJudgments:
    """A run aligned with judgments: all that a measure can ask, for a batch of T topics.

    Only judged documents are kept; every other retrieved document shows as a gap between
    their ranks. Rows of a topic stand together, in rank order (CSR layout).

    ============== ============ =========================================================
    field          shape, type  meaning
    ============== ============ =========================================================
    topics         T bytes      the topics, in increasing byte order
    retrieved      (T,) int64   documents retrieved; 0 for a topic that the run lacks
    offsets        (T+1,) int64 topic t has the rows offsets[t] to offsets[t+1]
    rank           (N,) int64   1-based rank of a judged, retrieved document
    grade          (N,)         its grade, negative ones included
    judgment       (N,) int64   which judgment of the qrels it is
    score          (N,) float64 its score
    tie_first      (N,) int64   first rank of the documents that share its score
    tie_last       (N,) int64   last rank of them
    ideal                       the grades of all judged documents, highest first
    highest_grade  float        highest grade of the whole qrels file
    ties_open      bool         equal scores have no order: values are means over all orders
    extras                      what some measures need beside, None unless it was asked for
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
        """The group of equal scores of each row, shape (N,), and the first row of each group."""
        new = np.ones(len(self.rank), dtype=bool)
        new[1:] = (np.diff(self.tie_first) != 0) | (np.diff(self.topic) != 0)
        return np.cumsum(new) - 1, np.flatnonzero(new)

    @cached_property
    def tied_topics(self) -> Integers:
        """Topics in which equal scores leave open where a document judged for any topic stands."""
        found = self.topic[self.tie_last > self.tie_first]
        others = self.extras.elsewhere if self.extras else None
        if others is not None:
            topic = owner(others.offsets)
            found = np.concatenate([found, topic[others.tie_last > others.tie_first]])
        return np.flatnonzero(np.bincount(found, minlength=len(self)))

    @cached_property
    def tie_rank(self) -> Floats:
        """Mean rank of the documents that share a row's score, shape (N,)."""
        return (self.tie_first + self.tie_last) / 2

    def sum_per_topic(self, values: NDArray[np.generic]) -> Floats:
        """Sum rows by topic, one addition after the other in rank order, shape (T,)."""
        return sums(self.topic, values, len(self))

    def sum_judged(self, values: NDArray[np.generic]) -> Floats:
        """Sum values of all judged documents by topic, best grade first, shape (T,)."""
        return self.ideal.sum(values)

    def count_per_topic(self, chosen: Booleans) -> Integers:
        """Count chosen rows by topic, shape (T,)."""
        return np.bincount(self.topic[chosen], minlength=len(self))

    def cumulative_count(self, chosen: Booleans) -> Integers:
        """Count chosen rows of the topic down to each row, itself included, shape (N,)."""
        running = np.cumsum(chosen)
        before = np.concatenate(([0], running))[self.offsets[:-1]]
        return running - before[self.topic]

    def numbered(self, chosen: Booleans) -> tuple[Integers, Integers]:
        """The chosen rows, and how many of its topic each makes it: 1, 2, ... in rank order."""
        rows = np.flatnonzero(chosen)
        return rows, position(offsets_of(np.bincount(self.topic[rows], minlength=len(self)))) + 1

    def max_per_topic(self, values: Floats) -> Floats:
        """Greatest value by topic, at least 0, shape (T,)."""
        greatest = np.zeros(len(self))
        np.maximum.at(greatest, self.topic, values)
        return greatest

    def accumulate(self, operation: np.ufunc, values: Floats) -> Floats:
        """Running sum, product, ... of each topic's rows in rank order, shape (N,)."""
        return accumulate(operation, values, self.offsets)

    def at_ideal_rank(self, values: Floats) -> Floats:
        """The value of the judged document that ideally has a row's rank, shape (N,).

        Ranks beyond the last judged document take its value.
        """
        start = self.judged_offsets[:-1][self.topic]
        end = self.judged_offsets[1:][self.topic]
        return values[np.minimum(start + self.rank, end) - 1]

    def count_judged(self, *, min_grade: float) -> Integers:
        """Count judged documents of at least a grade by topic, shape (T,)."""
        return self.ideal.once(Ideal.count, min_grade=min_grade)

    def max_judged(self) -> Floats:
        """Greatest grade of the judged documents by topic, at least 0, shape (T,)."""
        greatest = np.zeros(len(self))
        np.maximum.at(greatest, self.judged_topic, self.judged_grade)
        return greatest

    def within(self, cutoff: int | None) -> "RankedJudgments":
        """The rows of the first ranks, for sums that end there; all of them for None.

        What else is known stays as it is: the ranking is no shorter for it.
        """
        return self if cutoff is None else self._with_rows(self.rank <= cutoff)

    def truncated(self, depth: int) -> "RankedJudgments":
        """Keep the first `depth` documents of every topic."""
        kept = self.rank <= depth
        return replace(
            self._with_rows(kept),
            retrieved=np.minimum(self.retrieved, depth),
            tie_last=np.minimum(self.tie_last[kept], depth),
        )

    def prefixes(self, depths: Integers) -> "RankedJudgments":
        """The ranking of the only topic, cut at each of D depths: a batch of D topics."""
        (topic,) = self.topics
        n_depths = len(depths)
        sizes = np.searchsorted(self.rank, depths, side="right")
        offsets = offsets_of(sizes)
        rows = position(offsets)
        judged_offsets = np.arange(n_depths + 1) * len(self.judged_grade)
        return replace(
            self,
            topics=(topic,) * n_depths,
            retrieved=np.minimum(self.retrieved, depths),
            offsets=offsets,
            rank=self.rank[rows],
            grade=self.grade[rows],
            judgment=self.judgment[rows],
            score=self.score[rows],
            tie_first=self.tie_first[rows],
            tie_last=np.minimum(self.tie_last[rows], np.repeat(depths, sizes)),
            ideal=Ideal(judged_offsets, self.judged_grade[position(judged_offsets)]),
            extras=self.extras and self.extras.repeated(n_depths),
        )

    @cached_property
    def unjudged(self) -> tuple[Integers, Integers]:
        """Ranks of the unjudged documents, topic by topic, after the offsets of the topics."""
        starts = offsets_of(self.retrieved)
        holds = np.ones(starts[-1], dtype=bool)
        holds[starts[:-1][self.topic] + self.rank - 1] = False
        places = np.flatnonzero(holds)
        offsets = np.searchsorted(places, starts)
        return offsets, places - np.repeat(starts[:-1], np.diff(offsets)) + 1

    def with_unjudged_as(self, grade: float, *, within: int | None = None) -> "RankedJudgments":
        """Give unjudged documents, of the first ranks only if that is said, a grade.

        Scores and ties of these documents are not known here: each stands alone.
        """
        offsets, rank = self.unjudged
        topic = owner(offsets)
        if within is not None:
            topic, rank = topic[rank <= within], rank[rank <= within]
        alone = np.full(len(rank), -1)
        grades = np.full(len(rank), grade)
        order = np.lexsort((np.append(self.rank, rank), np.append(self.topic, topic)))
        n_new = np.bincount(topic, minlength=len(self))
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
        """Judge as many more documents of each topic, which the ranking lacks; shape (T,)."""
        topic = np.append(self.judged_topic, np.repeat(np.arange(len(self)), count))
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

    def select(self, chosen: Booleans) -> "RankedJudgments":
        """Keep the chosen topics, given as a mask of shape (T,)."""
        if chosen.all():
            return self
        rows = chosen[self.topic]
        judged = chosen[self.judged_topic]
        return replace(
            self,
            topics=tuple(t for t, kept in zip(self.topics, chosen.tolist(), strict=True) if kept),
            retrieved=self.retrieved[chosen],
            offsets=offsets_of(np.diff(self.offsets)[chosen]),
            rank=self.rank[rows],
            grade=self.grade[rows],
            judgment=self.judgment[rows],
            score=self.score[rows],
            tie_first=self.tie_first[rows],
            tie_last=self.tie_last[rows],
            ideal=Ideal(
                offsets_of(np.diff(self.judged_offsets)[chosen]), self.judged_grade[judged]
            ),
            extras=self.extras and self.extras.select(chosen),
        )

    def _with_rows(self, kept: Booleans) -> "RankedJudgments":
        return replace(
            self,
            offsets=offsets_of(self.count_per_topic(kept)),
            rank=self.rank[kept],
            grade=self.grade[kept],
            judgment=self.judgment[kept],
            score=self.score[kept],
            tie_first=self.tie_first[kept],
            tie_last=self.tie_last[kept],
        )


@frozen(eq=False)
class Labels:
    """Names that belong to judgments, such as the subtopics a document was judged for.

    L labels of the M judgments of a whole qrels file, those of a judgment together.

    ============= =============== ===========================================================
    offsets       (M+1,) int64    judgment m has the labels offsets[m] to offsets[m+1]
    number        (L,) int64      which name it is: one number per topic and name, increasing
                                  from topic to topic
    topic         (S,) int64      the topic that each number belongs to
    grade         (L,)            the grade that the judgment has for the name
    docno_order   (M,) int64      sorts the judgments of a topic as the bytes of docnos do
    judged_topic  (M,) int64      the topic of each judgment
    digest        text            twelve hexadecimal digits
    names         some bytes      the distinct names, in the order of their bytes
    stated        true or false   they were given as labels, not found in a column
    ============= =============== ===========================================================
    """

    offsets: Integers
    number: Integers
    topic: Integers
    grade: Grades
    docno_order: Integers
    judged_topic: Integers
    digest: str
    names: tuple[bytes, ...] = ()
    stated: bool = False

    def __len__(self) -> int:
        """How many numbers there are: names, counted for each topic."""
        return len(self.topic)

    @cached_property
    def judgment(self) -> Integers:
        """The judgment that each label belongs to, shape (L,)."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def of(self, judgments: Integers) -> tuple[Integers, Integers]:
        """The labels of some judgments: the index of the judgment among them, and the label."""
        sizes = np.diff(self.offsets)[judgments]
        owner = np.repeat(np.arange(len(judgments)), sizes)
        within = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return owner, self.offsets[judgments][owner] + within


@frozen(eq=False)
class Ranks:
    """Some ranks of every topic of the qrels, increasing within a topic (CSR layout).

    `tie_first` and `tie_last` are the ends of the groups of equal scores that they are in.
    """

    offsets: Integers
    rank: Integers
    tie_first: Integers
    tie_last: Integers


@frozen(eq=False)
class Costs:
    """What each of the first documents of a ranking costs to read.

    `by_rank` has a row for each topic of the qrels; `digest` is that of the file of costs.
    """

    by_rank: Floats
    digest: str


@frozen(eq=False)
class Extras:
    """What is known beside grades and ranks. All tables are of the whole qrels file.

    ========= ============= ==============================================================
    code      (T,) int64    the index that each topic of a batch has in the qrels
    subtopics               what each document was judged for
    strata                  from which stratum of the pool each judgment was sampled
    elsewhere               ranks of documents that are judged for other topics only
    costs                   what each document of a ranking costs to read
    ========= ============= ==============================================================
    """

    code: Integers
    subtopics: Labels | None = None
    strata: Labels | None = None
    elsewhere: Ranks | None = None
    costs: Costs | None = None

    def select(self, chosen: Booleans) -> "Extras":
        """Keep the chosen topics of the batch."""
        return replace(self, code=self.code[chosen])

    def repeated(self, times: int) -> "Extras":
        """A batch of so many copies of the only topic."""
        return replace(self, code=np.repeat(self.code, times))

    def reordered(self, topic: Integers, before: Integers, after: Integers) -> "Extras":
        """Follow the judged documents from old ranks to new ones; no other document is left.

        `topic` is the index in the batch of each document that is moved.
        """
        elsewhere, costs = self.elsewhere, self.costs
        if elsewhere is not None:
            nothing = np.zeros(0, dtype=np.int64)
            elsewhere = Ranks(np.zeros_like(elsewhere.offsets), nothing, nothing, nothing)
        if costs is not None:
            within = before <= costs.by_rank.shape[1]
            code, old, new = self.code[topic][within], before[within] - 1, after[within] - 1
            moved = np.zeros_like(costs.by_rank)
            moved[code, new] = costs.by_rank[code, old]
            costs = replace(costs, by_rank=moved)
        return replace(self, elsewhere=elsewhere, costs=costs)
