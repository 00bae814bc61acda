"""Bias of a pool: the documents that one run, or one group of runs, alone has found."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from rankeval.base.arrays import Booleans, Floats
from rankeval.base.frozen import frozen
from rankeval.base.wording import finite
from rankeval.evaluation.counted_topics import restricted, topics_that_count
from rankeval.evaluation.prepared import Prepared
from rankeval.evaluation.results import RunResult
from rankeval.evaluation.system_pairs import rank_of
from rankeval.ranking import RankedJudgments
from rankeval.ranking.align import Alignment

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

    @property
    def fall(self) -> int | None:
        """The ranks that the run loses."""
        if self.rank is None or self.rank_without is None:
            return None
        return self.rank_without - self.rank


ByRun = Mapping[str, Mapping[str, LeftOut]]
"""By run and by measure."""


class PoolBias:
    """The judged documents that some runs have found, and the values of runs without them.

    `depth` is the number of ranks of a run that count; None for all.
    """

    def __init__(
        self,
        prepared: Prepared,
        alignments: Sequence[Alignment],
        runs: Sequence[RunResult],
        depth: int | None,
    ) -> None:
        """Mark the judgments that each run has found, shape (runs, judgments)."""
        self.prepared, self.qrels = prepared, prepared.judgments
        self.alignments, self.runs = alignments, runs
        self.found = np.zeros((len(runs), len(self.qrels.grade)), dtype=bool)
        for row, alignment in zip(self.found, alignments, strict=True):
            judged = alignment.judged
            row[judged.judgment[slice(None) if depth is None else judged.rank <= depth]] = True
        self.times = self.found.sum(axis=0)

    def unique_relevant(self) -> dict[str, int]:
        """Count the documents of grade 1 or more that each run alone has found."""
        alone = self.found & (self.times == 1) & (self.qrels.grade >= 1)
        return {run.name: int(row.sum()) for run, row in zip(self.runs, alone, strict=True)}

    def without(self, members: Sequence[int]) -> dict[str, Mapping[str, LeftOut]]:
        """Compare some runs with their values without what only they have found."""
        mine = self.found[list(members)].sum(axis=0)
        removed = (mine > 0) & (mine == self.times)
        before = np.array([[score.aggregate for score in run.scores] for run in self.runs])
        after = self._values(removed) if removed.any() else before
        scores = self.runs[0].scores
        signs = [-1.0 if score.loss else 1.0 for score in scores]
        return {
            self.runs[i].name: {
                score.measure: LeftOut(
                    finite(before[i, at]),
                    finite(after[i, at]),
                    rank_of(i, signs[at] * before[:, at]),
                    rank_of(i, signs[at] * after[:, at]),
                )
                for at, score in enumerate(scores)
            }
            for i in members
        }

    def _values(self, removed: Booleans) -> Floats:
        """Return the values of all runs without some judgments, shape (runs, measures)."""
        fewer = self.qrels.changed(grade=np.where(removed, LEFT_OUT, self.qrels.grade))
        grade, ideal = fewer.grade, fewer.ideal
        found = []
        for run in self.alignments:
            judged = replace(run.judged, grade=grade[run.judged.judgment], ideal=ideal)
            found.append(self._over_topics(judged, run.present))
        return np.array(found)

    def _over_topics(self, judged: RankedJudgments, present: Booleans) -> list[float]:
        """Return the values of an aligned run by measure, NaN where no topic counts."""
        settings, over = self.prepared.settings, self.prepared.over_topics
        counted = restricted(judged, topics_that_count(judged, settings, present), settings)
        return [
            over.total_of(measure, counted)(measure.values(counted)) if len(counted) else np.nan
            for measure in self.prepared.measures
        ]
