"""Compare two runs in a measure: tests, corrections, intervals and effects."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rankeval import stats
from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.base.frozen import frozen
from rankeval.base.progress import counted as progress_of
from rankeval.base.wording import count
from rankeval.choices import Correction, IntervalMethod
from rankeval.commands.compare.method import MARGIN, Method
from rankeval.commands.compare.planning import Planning, planned, planned_risk
from rankeval.errors import UsageError
from rankeval.evaluation.comparable_runs import way_to_test
from rankeval.evaluation.results import RunResult, Score
from rankeval.measures import parse_measure
from rankeval.stats.checked_arrays import LEAST_RISK
from rankeval.stats.corrections import interval_risks, smallest_p_value
from rankeval.stats.intervals import SAMPLES, Interval
from rankeval.stats.mean_tests import seeds_test
from rankeval.stats.paired import CONSTANT, ONE_TOPIC, PERMUTATIONS
from rankeval.stats.statistical_tests import statistical_test

if TYPE_CHECKING:  # of results only: most comparisons need few of their modules
    from rankeval.stats import DifferenceSummary, Equivalence, PairedTest, Posterior

PASSING = 5
"""So many times the smallest p-value of the draws is at most alpha over the comparisons."""
IN_TAIL = 10
"""Fewest bootstrap samples beyond each end of an interval."""
SHUFFLES = 10_000
"""Usual draws of a test of all systems, each of which shuffles every topic."""
MOST = 1_000_000
"""Most draws of a test or an interval, which take some seconds."""


def draws_of_test(method: Method, n_pairs: int) -> int:
    """Return the draws of each test; UsageError where no difference could be significant."""
    usual = SHUFFLES if method.of_systems else PERMUTATIONS
    if not statistical_test(method.test).draws:
        return usual
    family = 1 if method.corrected is Correction.NONE else n_pairs
    draws = min(max(usual, math.ceil(PASSING * family / method.alpha)), max(MOST, usual))
    least = smallest_p_value(
        method.test, family=family, correction=method.corrected, resamples=draws
    )
    if least < method.alpha:
        return draws
    raise UsageError(
        f"{draws:,} draws give no corrected p-value below {least:.2g} for "
        f"{count(family, 'comparison')}, and alpha is {method.alpha:g}: no difference could be "
        "significant",
        place=f"--test {method.test}",
        expected="a test that can reach alpha",
        remedy=f"take --test {'tukey' if method.of_systems else 't'}, or compare fewer runs",
    )


def require_level(method: Method, n_pairs: int) -> None:
    """Raise UsageError where the adjusted level of an interval is a certainty to a computer."""
    risk = method.alpha / n_pairs
    if method.adjusts and risk < LEAST_RISK / 10:  # 1 - risk is not distinct from 1
        raise UsageError(
            f"leaves a risk of {risk:.2g} for each interval of {count(n_pairs, 'comparison')}, "
            "which floats do not distinguish from 0",
            place=f"--alpha {method.alpha:g}",
            expected=f"{n_pairs * LEAST_RISK:.2g} or more for this number",
            remedy="raise --alpha, or take --correction none",
        )


def samples_of_interval(method: Method, risk: float) -> int:
    """Return the bootstrap samples of each interval; UsageError where they would be too many."""
    needed = max(SAMPLES, math.ceil(2 * IN_TAIL / risk))
    if method.interval is IntervalMethod.STUDENT_T or needed <= MOST:
        return min(needed, MOST)
    raise UsageError(
        f"an interval with a risk of {risk:.2g} takes {needed:,} samples",
        place=f"--test {method.test}",
        expected=f"at most {MOST:,}",
        remedy="take --test t, or compare fewer runs",
    )


CAUTIONS = {
    ONE_TOPIC: "one topic has no variance, so there is no test",
    CONSTANT: "all topics differ by the same amount, which the test takes as certain; "
    "--test randomization takes their number into account",
}
"""Warnings of p-values that were set by convention, because the test is undefined."""


@frozen
class Pair:
    """A run compared with a baseline in one measure, over all topics or a group of them.

    ========= ============================================================================
    baseline, run  names of the runs
    group     "" for all topics
    measure   canonical name
    loss      True when smaller is better
    signature the conventions behind the numbers
    summary   means, difference (run - baseline), and wins, ties and losses; a win is a topic
              on which the run is better
    test      the paired test; None for tests of all systems
    one_sided number of topics on which the measure is defined for one of the two runs only
    p         corrected p-value; None where the test gives probabilities instead
    p_raw     p-value before correction; from a test of all systems, it already holds for all
              pairs of the measure
    interval  interval of the difference; None where the test of all systems gives its own or none
    low, high ends of that interval, or of the test's own; None where the topics do not bound it
    level     confidence level of that interval by itself; of the test's own intervals, that of
              all intervals of the measure together
    equivalence  two one-sided tests with the margin of the measure; None without a margin
    p_equivalent  their p-value, corrected over the pairs of the measure
    posterior probabilities that the run is worse, practically equal and better; None for tests
              with p-values
    cohens_dz the difference over the standard deviation of the differences; None where that is 0
    planning  topics needed in another experiment; None unless the method has a difference
    seeds     for a run that is a system of several, the mean of each of them
    baseline_seeds likewise for the baseline
    ========= ============================================================================
    """

    baseline: str
    run: str
    group: str
    measure: str
    loss: bool
    signature: str
    summary: DifferenceSummary
    test: PairedTest | None
    one_sided: int
    p: float | None
    p_raw: float | None
    interval: Interval | None
    low: float | None
    high: float | None
    level: float
    equivalence: Equivalence | None
    p_equivalent: float | None
    posterior: Posterior | None
    cohens_dz: float | None
    planning: Planning | None
    seeds: tuple[float, ...] = ()
    baseline_seeds: tuple[float, ...] = ()

    @property
    def difference(self) -> float | None:
        """The mean of the run less that of the baseline; None if it is undefined."""
        return self.summary.difference

    @property
    def gain(self) -> float:
        """The difference, positive if the run is better; 0 if it is undefined."""
        difference = self.summary.difference or 0.0
        return -difference if self.loss else difference

    def is_shown(self, alpha: float) -> bool:
        """Return True if a p-value or a probability shows a difference at that level."""
        if self.posterior is not None:
            return max(self.posterior.worse or 0.0, self.posterior.better or 0.0) >= 1 - alpha
        return self.p is not None and self.p < alpha


def summary_of(before: Floats, after: Floats, *, loss: bool) -> DifferenceSummary:
    """Summarize differences; a win is a topic on which the second run is better."""
    summary = stats.summarize_differences(before, after)
    return replace(summary, wins=summary.losses, losses=summary.wins) if loss else summary


def require_average(score: Score) -> None:
    """Raise UsageError for a measure that is not a mean or a sum over topics."""
    remedy = way_to_test([score])
    if remedy:
        raise UsageError(
            f"{score.measure} is aggregated by {score.rule}, which has no paired test",
            expected="the plain mean or sum over topics",
            remedy=remedy,
        )


class _Outcome(NamedTuple):
    """What a test says of a pair; `ends` are those of the interval of a test of all systems."""

    level: float
    test: PairedTest | None = None
    p: float | None = None
    p_raw: float | None = None
    ends: tuple[float | None, float | None] | None = None


Sides = tuple[Floats, Floats]
"""The values of two systems, topics by the runs of each."""


def pairs_of(
    runs: Sequence[RunResult],
    score: Score,
    group: str,
    values: Floats,
    members: Integers,
    method: Method,
) -> list[Pair]:
    """Compare the runs in a measure over some topics; values are topics by runs.

    These pairs are the family that p-values and intervals are adjusted for.
    """
    chosen = values[members]
    missing = np.isnan(chosen)
    indices = [(i, j) for i, j in combinations(range(len(runs)), 2) if method.all_pairs or i == 0]
    if method.of_systems:
        # These tests use the topics for which all runs have a value; so must means and effects.
        chosen = np.where(missing.any(axis=1, keepdims=True), np.nan, chosen)
    by_run = [
        _by_run(score_of(run, score.measure), members, chosen[:, i]) for i, run in enumerate(runs)
    ]
    sides = [(by_run[i], by_run[j]) for i, j in indices]
    outcomes = _outcomes(chosen, indices, sides, method)
    pairs = [
        replace(
            _pair(score, two, outcome, method, planned_risk(method, len(indices))),
            baseline=runs[i].name,
            run=runs[j].name,
            group=group,
            one_sided=int((missing[:, i] != missing[:, j]).sum()),
        )
        for (i, j), two, outcome in zip(indices, sides, outcomes, strict=True)
    ]
    tests = [pair.equivalence.p_value for pair in pairs if pair.equivalence]
    correction = method.correction or Correction.HOLM
    adjusted = iter(stats.adjust_p_values(tests, correction=correction).tolist())
    return [
        replace(pair, p_equivalent=next(adjusted) if pair.equivalence else None) for pair in pairs
    ]


def _outcomes(
    chosen: Floats, indices: Sequence[tuple[int, int]], sides: Sequence[Sides], method: Method
) -> list[_Outcome]:
    """Test all pairs, and adjust p-values and levels for their number."""
    m = len(indices)
    if method.gives_probabilities:
        return [_Outcome(1 - method.alpha)] * m
    require_level(method, m)
    draws = draws_of_test(method, m)
    if method.of_systems:
        found = statistical_test(method.test).apply(
            chosen, level=1 - method.alpha, resamples=draws, seed=method.seed
        )
        level = found.level if method.has_own_intervals else 1 - method.alpha / m
        of_pair = {(one.first, one.second): one for one in found.pairs}
        return [
            _Outcome(level, None, one.p_value, one.p_value, (one.low, one.high))
            for one in map(of_pair.__getitem__, indices)
        ]
    tests = [_tested(*two, method, draws) for two in progress_of(sides, "pairs", m)]
    raw = [test.p_value for test in tests]
    adjusted = stats.adjust_p_values(raw, correction=method.corrected).tolist()
    risks = interval_risks(raw, correction=method.corrected, alpha=method.alpha).tolist()
    return [
        _Outcome(1 - risk, test, p, test.p_value)
        for test, p, risk in zip(tests, adjusted, risks, strict=True)
    ]


def score_of(run: RunResult, measure: str) -> Score:
    """Return the score of a measure that the run has."""
    return next(score for score in run.scores if score.measure == measure)


def _by_run(score: Score, members: Integers, counted: Floats) -> Floats:
    """Return the values of some topics, shape (n, k) for a system of k runs.

    `counted` are its values that count, which are not its own where it has none.
    """
    if not score.seeds:
        return counted[:, np.newaxis]
    every = np.stack([seed.values[members] for seed in score.seeds], axis=1)
    same = counted == score.values[members]
    return np.where(same[:, np.newaxis], every, counted[:, np.newaxis])


def _pair(score: Score, sides: Sides, outcome: _Outcome, method: Method, plan_risk: float) -> Pair:
    """Return the comparison of two systems, which the caller names."""
    before, after = (side.mean(axis=1) for side in sides)
    undefined = np.isnan(before + after)
    seeds = [_means_of_seeds(side, undefined) for side in sides]
    differences = stats.paired_differences(before, after)
    summary = summary_of(before, after, loss=score.loss)
    margin = margin_of(method, score)
    interval, posterior, (low, high) = None, None, outcome.ends or (None, None)
    if method.gives_probabilities:
        better = -differences if score.loss else differences
        posterior = statistical_test(method.test).apply(
            better, margin=margin or MARGIN, level=outcome.level
        )
        low, high = posterior.low, posterior.high
        if score.loss and low is not None:
            low, high = -high, -low
    elif not method.has_own_intervals:
        interval = _interval(sides, differences, method, outcome.level)
        low, high = interval.low, interval.high
    return Pair(
        baseline="",
        run="",
        group="",
        measure=score.measure,
        loss=score.loss,
        signature=score.signature,
        summary=summary,
        test=outcome.test,
        one_sided=0,
        p=outcome.p,
        p_raw=outcome.p_raw,
        interval=interval,
        low=low,
        high=high,
        level=outcome.level,
        equivalence=None
        if posterior or margin is None
        else stats.equivalence_test(differences, margin=margin, alpha=method.alpha),
        p_equivalent=None,
        posterior=posterior,
        cohens_dz=stats.cohens_dz(differences),
        planning=planned(differences, summary.baseline_mean, plan_risk, method, seeded=any(seeds)),
        seeds=seeds[1],
        baseline_seeds=seeds[0],
    )


def margin_of(method: Method, score: Score) -> float | None:
    """Return the margin of equivalence given for a measure under any of its names, or None."""
    for name, margin in method.margins.items():
        if name == score.as_given or str(parse_measure(name)) == score.measure:
            return margin
    return None


def _means_of_seeds(by_run: Floats, undefined: Booleans) -> tuple[float, ...]:
    """Return the mean of each run of a system over the topics that count; () for one run."""
    several = by_run.shape[1] > 1 and not undefined.all()
    return tuple(by_run[~undefined].mean(axis=0).tolist()) if several else ()


def _tested(before: Floats, after: Floats, method: Method, draws: int) -> PairedTest:
    """Test two systems; the spread counts of one of several runs."""
    if before.shape[1] == after.shape[1] == 1:
        differences = stats.paired_differences(before[:, 0], after[:, 0])
        return stats.paired_test(differences, test=method.test, resamples=draws, seed=method.seed)
    return seeds_test(before, after)[0]


def _interval(sides: Sides, differences: Floats, method: Method, level: float) -> Interval:
    before, after = sides
    if before.shape[1] == after.shape[1] == 1:
        return stats.confidence_interval(
            differences,
            method=method.interval,
            level=level,
            resamples=samples_of_interval(method, 1 - level),
            seed=method.seed,
        )
    test, ends = seeds_test(before, after, level=level)
    low, high = ends or (None, None)
    counts = test.n_topics, test.n_excluded
    return Interval(IntervalMethod.STUDENT_T, level, low, high, *counts)
