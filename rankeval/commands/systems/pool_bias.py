"""Bias of a pool: the documents that one run, or one group of runs, alone has found."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.base.frozen import frozen
from rankeval.base.wording import finite
from rankeval.evaluation.results import RunResult
from rankeval.evaluation.system_pairs import rank_of
from rankeval.ranking import RankedJudgments
from rankeval.ranking.align import Alignment
from rankeval.ranking.qrels import Qrels

Totals = Callable[[RankedJudgments, Booleans], Floats]
"""Gives the values over topics of an aligned run, by measure; the mask marks topics that it has."""
LEFT_OUT = -1
"""The grade of a document that no one would have judged: neither relevant nor judged not to be."""


@frozen
class LeftOut:
    """A run in one measure: its value and rank, and those without documents only it found."""

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
        mine: Integers = self.by_run[list(runs)].sum(axis=0)
        found: Booleans = (mine > 0) & (mine == self._times)
        return found

    @cached_property
    def _times(self) -> Integers:
        """The number of runs that have found each judgment."""
        return np.asarray(self.by_run.sum(axis=0))

    def unique_relevant(self, qrels: Qrels) -> Integers:
        """Count the documents of grade 1 or more that each run alone has found, shape (runs,)."""
        alone = self.by_run & (self._times == 1)
        counts: Integers = (alone & (qrels.grade >= 1)).sum(axis=1)
        return counts


def left_out(
    qrels: Qrels,
    alignments: Sequence[Alignment],
    runs: Sequence[RunResult],
    removed: Booleans,
    members: Sequence[int],
    totals: Totals,
) -> ByRun:
    """Score all runs without some judgments, and compare the members with their values before."""
    before = np.array([[score.aggregate for score in run.scores] for run in runs])
    after = _without(qrels, alignments, removed, totals) if removed.any() else before
    signs = np.array([-1.0 if score.loss else 1.0 for score in runs[0].scores])
    return {
        runs[i].name: {
            score.measure: LeftOut(
                finite(before[i, at]),
                finite(after[i, at]),
                rank_of(i, signs[at] * before[:, at]),
                rank_of(i, signs[at] * after[:, at]),
            )
            for at, score in enumerate(runs[0].scores)
        }
        for i in members
    }


def _without(
    qrels: Qrels, alignments: Sequence[Alignment], removed: Booleans, totals: Totals
) -> Floats:
    """Return the values of all runs without some judgments, shape (runs, measures)."""
    fewer = qrels.changed(grade=np.where(removed, LEFT_OUT, qrels.grade))
    grade, ideal = fewer.grade, fewer.ideal
    return np.stack(
        [
            totals(replace(run.judged, grade=grade[run.judged.judgment], ideal=ideal), run.present)
            for run in alignments
        ]
    )
