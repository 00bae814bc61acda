"""Bias of a pool: the documents that one run, or one group of runs, alone has found."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from rankeval.alignment.align import Alignment
from rankeval.alignment.qrels import Qrels
from rankeval.evaluation.results import RunResult
from rankeval.support.arrays import Booleans, Integers
from rankeval.support.frozen import frozen
from rankeval.support.numbers import finite
from rankeval.tasks.system_pairs import aggregates, ranks_of

Scored = Callable[[Qrels, Sequence[Alignment]], list[RunResult]]
LEFT_OUT = -1
"""The grade of a document that no one would have judged: neither relevant nor judged not to be."""


@frozen
class LeftOut:
    """A run in one measure: its value and rank, and those without what only it has found."""

    value: float | None
    without: float | None
    rank: int | None
    rank_without: int | None

    @property
    def change(self) -> float | None:
        """The change of the value."""
        if self.value is None or self.without is None:
            return None
        return self.without - self.value


ByRun = Mapping[str, Mapping[str, LeftOut]]
"""By run and by measure."""


@frozen(eq=False)
class FoundJudgments:
    """The judgments that each run has found, shape (runs, judgments)."""

    by_run: Booleans

    @classmethod
    def of(
        cls, qrels: Qrels, alignments: Sequence[Alignment], depth: int | None
    ) -> "FoundJudgments":
        """Take the first `depth` ranks of each run, or all of them."""
        found = np.zeros((len(alignments), len(qrels.grade)), dtype=bool)
        for row, alignment in zip(found, alignments, strict=True):
            judged = alignment.judged
            near = slice(None) if depth is None else judged.rank <= depth
            row[judged.judgment[near]] = True
        return cls(found)

    def only_by(self, runs: Sequence[int]) -> Booleans:
        """Return True for the judgments that only some of these runs have found."""
        mine = np.zeros(len(self.by_run), dtype=bool)
        mine[list(runs)] = True
        others = np.asarray(self.by_run[~mine].any(axis=0))
        return np.asarray(self.by_run[mine].any(axis=0)) & ~others

    def unique_relevant(self, qrels: Qrels) -> Integers:
        """Count the documents of grade 1 or more that each run alone has found, shape (runs,)."""
        alone = self.by_run & (self.by_run.sum(axis=0) == 1)
        counts: Integers = (alone & (qrels.grade >= 1)).sum(axis=1)
        return counts


def left_out(
    qrels: Qrels,
    alignments: Sequence[Alignment],
    runs: Sequence[RunResult],
    removed: Booleans,
    members: Sequence[int],
    score: Scored,
) -> ByRun:
    """Score all runs without some judgments, and compare the members with what they were."""
    fewer = replace(qrels, grade=np.where(removed, LEFT_OUT, qrels.grade))
    grade, ideal = fewer.grade, fewer.ideal
    rescored = score(
        fewer,
        [
            replace(one, judged=replace(one.judged, grade=grade[one.judged.judgment], ideal=ideal))
            for one in alignments
        ],
    )
    found: dict[str, dict[str, LeftOut]] = {runs[i].name: {} for i in members}
    for at, score_of in enumerate(runs[0].scores):
        before, after = ranks_of(aggregates(runs, at)), ranks_of(aggregates(rescored, at))
        for i in members:
            found[runs[i].name][score_of.measure] = LeftOut(
                finite(runs[i].scores[at].aggregate),
                finite(rescored[i].scores[at].aggregate),
                before[i],
                after[i],
            )
    return found
