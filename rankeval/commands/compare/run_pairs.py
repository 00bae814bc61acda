"""Compare two runs in a measure: tests, corrections, intervals, effects and plans."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rankeval import stats
from rankeval.base.arrays import Floats, Integers
from rankeval.base.frozen import frozen
from rankeval.base.threads import counted as progress_of
from rankeval.choices import Correction, IntervalMethod
from rankeval.commands.compare.method import MARGIN, Method
from rankeval.errors import UsageError
from rankeval.evaluation.comparable_runs import way_to_test
from rankeval.evaluation.results import RunResult, Score
from rankeval.measures import parse_measure
from rankeval.stats.checked_arrays import is_constant
from rankeval.stats.intervals import SAMPLES, Interval
from rankeval.stats.mean_tests import seeds_test
from rankeval.stats.paired import PERMUTATIONS, interval_risks
from rankeval.stats.statistical_tests import statistical_test

if TYPE_CHECKING:  # of results only: most comparisons need few of their modules
    from rankeval.stats import DifferenceSummary, Equivalence, PairedTest, Posterior

PASSING, IN_TAILS = 5, 20
"""Fewest draws beyond alpha over the comparisons, for a test and for both ends of an interval."""
SHUFFLES = 10_000
"""Usual draws of a test of all systems, each of which shuffles every topic."""
MOST = 1_000_000
"""Most draws of a test or an interval, which take some seconds."""
FEWEST = 3
"""Fewest topics to plan from, and fewest of a plan: two hardly show how topics vary."""


@frozen
class Planning:
    """Topics needed in another experiment; None where unknown.

    ============= =========================================================================
    difference    the difference to detect
    topics_needed the number of topics that it takes, at least 3
    smallest      the smallest difference that the present topics can detect
    alpha         the significance level of this comparison: its share of the family's
    note          why a figure is None; "" if none is
    ============= =========================================================================

    The figures are those of the paired t test for normal differences with the standard deviation
    of those observed (noncentral t, see `topics_needed`).
    """

    difference: float | None
    topics_needed: int | None
    smallest: float | None
    alpha: float
    note: str


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


def require_average(score: Score) -> None:
    """Raise UsageError for a measure that is not a mean or a sum over topics."""
    remedy = way_to_test([score])
    if remedy:
        raise UsageError(
            f"{score.measure} is aggregated by {score.rule}, which has no paired test",
            expected="the plain mean or sum over topics",
            remedy=remedy,
        )


def score_of(run: RunResult, measure: str) -> Score:
    """Return the score of a measure that the run has."""
    return next(score for score in run.scores if score.measure == measure)


def margin_of(method: Method, score: Score) -> float | None:
    """Return the margin of equivalence given for a measure under any of its names, or None."""
    for name, margin in method.margins.items():
        if name in (score.as_given, score.measure) or str(parse_measure(name)) == score.measure:
            return margin
    return None


class _Sides(NamedTuple):
    """The values of two systems, topics by the runs of each."""

    before: Floats
    after: Floats

    @property
    def seeded(self) -> bool:
        """True if one of them is a system of several runs."""
        return self.before.shape[1] + self.after.shape[1] > 2

    def differences(self) -> Floats:
        """Return the differences of the means over runs, by topic."""
        return stats.paired_differences(*(side.mean(axis=1) for side in self))

    def means_of_seeds(self) -> Iterator[tuple[float, ...]]:
        """Yield for each system the means of its runs over the topics that count; () for one."""
        known = ~np.isnan(self.differences())
        for side in self:
            several = side.shape[1] > 1 and known.any()
            yield tuple(side[known].mean(axis=0).tolist()) if several else ()


class _Outcome(NamedTuple):
    """What a test says of a pair; the ends are those of the test's own interval."""

    level: float
    test: PairedTest | None = None
    p: float | None = None
    p_raw: float | None = None
    low: float | None = None
    high: float | None = None


def pairs_of(
    runs: Sequence[RunResult], at: int, group: str, members: Integers, method: Method
) -> list[Pair]:
    """Compare the runs in one of their scores over some topics.

    These pairs are the family that p-values and intervals are adjusted for.
    """
    score = runs[0].scores[at]
    each = [run.scores[at].seeds or (run.scores[at],) for run in runs]
    # Of shape (n, k) for a system of k runs.
    values = [np.stack([one.values[members] for one in of_run], axis=1) for of_run in each]
    if method.of_systems:
        # These tests use the topics for which all runs have a value; so must means and effects.
        undefined = np.isnan(np.hstack(values)).any(axis=1, keepdims=True)
        values = [np.where(undefined, np.nan, one) for one in values]
    indices = [(i, j) for i, j in combinations(range(len(runs)), 2) if method.all_pairs or i == 0]
    sides = [_Sides(values[i], values[j]) for i, j in indices]
    outcomes = _outcomes(values, indices, sides, method)
    risk = method.alpha / (len(indices) if method.adjusts else 1)
    pairs = [
        replace(
            _pair(score, two, outcome, method, risk),
            baseline=runs[i].name,
            run=runs[j].name,
            group=group,
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
    values: Sequence[Floats],
    indices: Sequence[tuple[int, int]],
    sides: Sequence[_Sides],
    method: Method,
) -> list[_Outcome]:
    """Test all pairs, and adjust p-values and levels for their number."""
    m, alpha = len(indices), method.alpha
    if method.gives_probabilities:
        return [_Outcome(1 - alpha)] * m
    if method.of_systems:
        shuffles = _draws(method, SHUFFLES, alpha, PASSING)
        found = statistical_test(method.test).apply(
            np.hstack(values), level=1 - alpha, resamples=shuffles, seed=method.seed
        )
        level = found.level if method.has_own_intervals else 1 - alpha / m
        of_pair = {(one.first, one.second): one for one in found.pairs}
        return [
            _Outcome(level, None, one.p_value, one.p_value, one.low, one.high)
            for one in map(of_pair.__getitem__, indices)
        ]
    draws = _draws(method, PERMUTATIONS, alpha / (m if method.adjusts else 1), PASSING)
    tests = [_tested(two, method, draws) for two in progress_of(sides, "pairs", m)]
    raw = [test.p_value for test in tests]
    adjusted = stats.adjust_p_values(raw, correction=method.corrected).tolist()
    risks = interval_risks(raw, correction=method.corrected, alpha=alpha).tolist()
    return [
        _Outcome(1 - risk, test, p, test.p_value)
        for test, p, risk in zip(tests, adjusted, risks, strict=True)
    ]


def _draws(method: Method, usual: int, risk: float, each: int) -> int:
    """Return how often to draw for a risk; UsageError where the most draws cannot reach it."""
    if statistical_test(method.test).draws and risk * MOST <= 1:
        raise UsageError(
            f"{MOST:,} draws cannot show a difference at a risk of {risk:.2g}, "
            "which is alpha over the comparisons",
            place=f"--test {method.test}",
            remedy=f"take --test {'tukey' if method.of_systems else 't'}, or compare fewer runs",
        )
    return min(max(usual, math.ceil(each / risk)), MOST)


def _tested(two: _Sides, method: Method, draws: int) -> PairedTest:
    """Test two systems; the spread counts of one of several runs."""
    if two.seeded:
        return seeds_test(*two)[0]
    return stats.paired_test(two.differences(), test=method.test, resamples=draws, seed=method.seed)


def _interval(two: _Sides, method: Method, level: float) -> Interval:
    """Return the interval of the difference; the spread counts of a system of several runs."""
    if not two.seeded:
        samples = _draws(method, SAMPLES, 1 - level, IN_TAILS)
        return stats.confidence_interval(
            two.differences(),
            method=method.interval,
            level=level,
            resamples=samples,
            seed=method.seed,
        )
    test, ends = seeds_test(*two, level=level)
    low, high = ends or (None, None)
    counts = test.n_topics, test.n_excluded
    return Interval(IntervalMethod.STUDENT_T, level, low, high, *counts)


def _pair(score: Score, two: _Sides, outcome: _Outcome, method: Method, risk: float) -> Pair:
    """Return the comparison of two systems, which the caller names."""
    differences, margin = two.differences(), margin_of(method, score)
    summary = stats.summarize_differences(*(side.mean(axis=1) for side in two))
    if score.loss:
        summary = replace(summary, wins=summary.losses, losses=summary.wins)
    interval = posterior = equivalence = None
    low, high = outcome.low, outcome.high
    if method.gives_probabilities:
        better = -differences if score.loss else differences
        posterior = statistical_test(method.test).apply(
            better, margin=margin or MARGIN, level=outcome.level
        )
        low, high = posterior.low, posterior.high
        if score.loss and low is not None:
            low, high = -high, -low
    elif not method.has_own_intervals:
        interval = _interval(two, method, outcome.level)
        low, high = interval.low, interval.high
    if margin is not None and posterior is None:
        equivalence = stats.equivalence_test(differences, margin=margin, alpha=method.alpha)
    baseline_seeds, seeds = two.means_of_seeds()
    return Pair(
        baseline="",
        run="",
        group="",
        measure=score.measure,
        loss=score.loss,
        signature=score.signature,
        summary=summary,
        test=outcome.test,
        p=outcome.p,
        p_raw=outcome.p_raw,
        interval=interval,
        low=low,
        high=high,
        level=outcome.level,
        equivalence=equivalence,
        p_equivalent=None,
        posterior=posterior,
        cohens_dz=stats.cohens_dz(differences),
        planning=_planned(differences, summary.baseline_mean, risk, method),
        seeds=seeds,
        baseline_seeds=baseline_seeds,
    )


def _planned(
    differences: Floats, mean: float | None, alpha: float, method: Method
) -> Planning | None:
    """Return the plan for the method's difference, which may be a share of the baseline's mean."""
    if method.difference is None:
        return None
    wanted = method.difference * (abs(mean or 0.0) if method.relative else 1.0) or None
    known = differences[~np.isnan(differences)]
    if known.size < FEWEST or is_constant(known[:, None]).all():
        note = f"fewer than {FEWEST} topics, or all of them differ by the same"
        return Planning(wanted, None, None, alpha, note)
    power, deviation = method.power, float(known.std(ddof=1))
    smallest = stats.smallest_difference(known.size, deviation, alpha=alpha, power=power)
    needed = wanted and stats.topics_needed(wanted, deviation, alpha=alpha, power=power)
    return Planning(wanted, needed and max(needed, FEWEST), smallest, alpha, "")
