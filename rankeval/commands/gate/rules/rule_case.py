"""One rule for one candidate: the values of both runs in its measure, and its verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.base.frozen import frozen
from rankeval.base.wording import finite
from rankeval.commands.compare.run_pairs import score_of
from rankeval.commands.gate.report import TopicDrop
from rankeval.commands.gate.rules.rule import ROUNDING, Rule
from rankeval.evaluation.results import RunResult, Score
from rankeval.evaluation.seeds import over_topics
from rankeval.stats import GateVerdict, Verdict
from rankeval.stats.differences import ordered_mean


@frozen(eq=False)
class System:
    """The result of a run, or the mean over several runs of one system, which are its `seeds`."""

    run: RunResult
    seeds: tuple[RunResult, ...] = ()


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


def _by_run(whole: Score, seeds: Sequence[Score]) -> Floats:
    return np.stack([score.values for score in seeds or [whole]], axis=1)


def _within(score: Score, members: Integers | None, topics: tuple[str, ...]) -> Score:
    """Return a score over a group of topics."""
    if members is None:
        return score
    values = score.values[members]
    return replace(score, values=values, aggregate=over_topics(score, values), topics=topics)


class RuleCase:
    """One rule for one candidate.

    runs      both runs, over the topics of the rule
    tested    True if a test gives a verdict on the rule
    verdict   the verdict, once it is set
    seconds   the time that the case took
    """

    def __init__(self, rule: Rule, runs: BothRuns, *, tested: bool) -> None:
        self.rule, self.tested = rule, tested
        self.runs: BothRuns = runs
        self.lost, self.gained = runs.lost, runs.gained
        self.verdict: GateVerdict | None = None
        self.seconds = 0.0

    @property
    def limit(self) -> float:
        """Return the limit in the measure's units; a share for relative limits of single topics."""
        whole = self.rule.relative and self.tested
        return self.rule.limit * (abs(self.means()[0] or 0.0) if whole else 1.0)

    def means(self) -> tuple[float | None, float | None]:
        """Return the means of both runs; tested rules only take topics that have both values."""
        before, after = self.runs.before, self.runs.after
        both = ~np.isnan(before.values + after.values)
        if self.tested and not both.all():
            return ordered_mean(before.values[both]), ordered_mean(after.values[both])
        return finite(before.aggregate), finite(after.aggregate)

    def set_verdict(self, verdict: GateVerdict) -> None:
        """Set the verdict, from the topics for which both runs have values.

        If a topic has only one value, "cannot tell" replaces what would be shown.
        """
        shown = verdict.verdict in (Verdict.NOT_WORSE, Verdict.EQUIVALENT, Verdict.BETTER)
        if (self.lost or self.gained) and shown:
            verdict = replace(verdict, verdict=Verdict.CANNOT_TELL)
        self.verdict = verdict

    def worse(self) -> list[TopicDrop]:
        """Return the topics that became worse, the largest drops first."""
        drops = self.runs.old - self.runs.new
        old, new = self.runs.before.values, self.runs.after.values
        order = np.argsort(-drops, kind="stable")
        return [
            TopicDrop(self.runs.run.topics[i], float(old[i]), float(new[i]), float(drops[i]))
            for i in order.tolist()
            if drops[i] > ROUNDING
        ]
