"""The values of a baseline and a candidate in one measure, which rules compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.base.frozen import frozen
from rankeval.commands.gate.sides import System, over_topics
from rankeval.evaluation.results import RunResult, Score


@frozen(eq=False)
class BothRuns:
    """A baseline and a candidate in one measure.

    run           the candidate, over the topics that the scores are of
    before, after the scores of baseline and candidate
    seeds_before  the scores of the baseline's runs, if it is a system of several; else empty
    seeds         those of the candidate's runs, likewise
    """

    run: RunResult
    before: Score
    after: Score
    seeds_before: tuple[Score, ...]
    seeds: tuple[Score, ...]

    @property
    def has_seeds(self) -> bool:
        """True if one of the systems has several runs."""
        return bool(self.seeds or self.seeds_before)

    @property
    def sign(self) -> float:
        """The factor that makes greater values better ones."""
        return -1.0 if self.after.loss else 1.0

    @property
    def old(self) -> Floats:
        """The baseline's values times `sign`, shape (n,)."""
        return self.sign * self.before.values

    @property
    def new(self) -> Floats:
        """The candidate's values times `sign`, shape (n,)."""
        return self.sign * self.after.values

    @property
    def old_by_run(self) -> Floats:
        """The values of the baseline's runs times `sign`, shape (n, k)."""
        return self.sign * _by_run(self.before, self.seeds_before)

    @property
    def new_by_run(self) -> Floats:
        """The values of the candidate's runs times `sign`, shape (n, k)."""
        return self.sign * _by_run(self.after, self.seeds)

    @property
    def span(self) -> tuple[float, float] | None:
        """The range of the values times `sign`; None for a measure without one."""
        span = self.after.span
        return (-span[1], -span[0]) if span is not None and self.after.loss else span

    @property
    def lost(self) -> tuple[str, ...]:
        """The topics for which only the baseline has a value."""
        return self._topics(np.isnan(self.after.values) & ~np.isnan(self.before.values))

    @property
    def gained(self) -> tuple[str, ...]:
        """The topics for which only the candidate has a value."""
        return self._topics(np.isnan(self.before.values) & ~np.isnan(self.after.values))

    def _topics(self, marked: Booleans) -> tuple[str, ...]:
        return tuple(self.run.topics[i] for i in np.flatnonzero(marked).tolist())


def both_runs(
    measure: str, before: System, after: System, members: Integers | None = None
) -> BothRuns:
    """Return the scores of two systems in a measure, over the topics whose indices are given."""
    run = after.run
    if members is not None:
        run = replace(run, topics=tuple(run.topics[i] for i in members.tolist()))

    def scores(runs: Sequence[RunResult]) -> tuple[Score, ...]:
        return tuple(_within(score_of(one, measure), members, run.topics) for one in runs)

    old, new = scores([before.run, after.run])
    return BothRuns(run, old, new, scores(before.seeds), scores(after.seeds))


def score_of(run: RunResult, measure: str) -> Score:
    """Return the score of a measure that the run has."""
    return next(score for score in run.scores if score.measure == measure)


def _by_run(whole: Score, seeds: Sequence[Score]) -> Floats:
    return np.stack([score.values for score in seeds or [whole]], axis=1)


def _within(score: Score, members: Integers | None, topics: tuple[str, ...]) -> Score:
    """Return a score over a group of topics."""
    if members is None:
        return score
    values = score.values[members]
    return replace(score, values=values, aggregate=over_topics(score, values), topics=topics)
