"""Groups of judgments, and each group's preferences between documents."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

import numpy as np

from rankeval.measures.base.needs import SUBTOPICS
from rankeval.ranking import RankedJudgments
from rankeval.support.arrays import Floats, Grades, Integers
from rankeval.support.frozen import frozen


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
