"""Compare two runs: tests, intervals, effects and topics, with draws that all measures share."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from rankeval import stats
from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.base.frozen import frozen
from rankeval.base.progress import counted as progress_of
from rankeval.base.wording import count
from rankeval.choices import Correction, IntervalMethod
from rankeval.commands.compare.method import MARGIN, Method
from rankeval.commands.compare.planning import Planning, planned_risk
from rankeval.errors import UsageError
from rankeval.evaluation.comparable_runs import way_to_test
from rankeval.evaluation.results import RunResult, Score
from rankeval.measures import parse_measure
from rankeval.stats.checked_arrays import LEAST_RISK
from rankeval.stats.corrections import smallest_p_value
from rankeval.stats.intervals import SAMPLES, Interval
from rankeval.stats.mean_tests import seeds_test
from rankeval.stats.paired import CONSTANT, ONE_TOPIC, PERMUTATIONS
from rankeval.stats.statistical_tests import statistical_test

if TYPE_CHECKING:  # of results only: most comparisons need few of their modules
    from rankeval.stats import (
        DifferenceSummary,
        Equivalence,
        PairedTest,
        PairwiseComparison,
        Posterior,
    )

PASSING = 5
"""So many times the smallest p-value of the draws is at most alpha over the comparisons."""
IN_TAIL = 10
"""Fewest bootstrap samples beyond each end of an interval."""
SHUFFLES = 10_000
"""Usual draws of a test of all systems, each of which shuffles every topic."""
MOST = 1_000_000
"""Most draws of a test or an interval, which take some seconds."""


def draws_of_test(method: Method, n_pairs: int, families: int) -> int:
    """Return the draws of each test; UsageError where no difference could be significant.

    `n_pairs` is the number of pairs of a measure and a group of topics, and `families` that of
    measures times groups. A test of all systems is corrected over the latter only.
    """
    usual = SHUFFLES if method.of_systems else PERMUTATIONS
    if not statistical_test(method.test).draws:
        return usual
    comparisons = families if method.of_systems else n_pairs * families
    family = 1 if method.corrected is Correction.NONE else comparisons
    draws = min(max(usual, math.ceil(PASSING * family / method.alpha)), max(MOST, usual))
    least = smallest_p_value(
        method.test, family=family, correction=method.corrected, resamples=draws
    )
    if least < method.alpha:
        return draws
    what = count(comparisons, "table" if method.of_systems else "comparison")
    other = "tukey" if method.of_systems else "t"
    raise UsageError(
        f"{draws:,} draws give no corrected p-value below {least:.2g} for {what}, and alpha is "
        f"{method.alpha:g}: no difference could be significant",
        place=f"--test {method.test}",
        expected="a test that can reach alpha",
        remedy=f"take --test {other}, or compare fewer measures or runs",
    )


def interval_risk(method: Method, n_pairs: int, families: int) -> float:
    """Return 1 - the level of each interval: Bonferroni's share of alpha if they hold together."""
    if not method.together:
        return method.alpha
    over_measures = not (method.of_systems and method.corrected is Correction.NONE)
    comparisons = n_pairs * (families if over_measures else 1)
    risk = method.alpha / comparisons
    if risk >= LEAST_RISK / 10:  # 1 - risk is then distinct from 1
        return risk
    raise UsageError(
        f"leaves a risk of {risk:.2g} for each interval of {count(comparisons, 'comparison')}, "
        "which floats do not distinguish from 0",
        place=f"--alpha {method.alpha:g}",
        expected=f"{comparisons * LEAST_RISK:.2g} or more for this number",
        remedy="raise --alpha, or take --correction bh or none",
    )


def samples_of_interval(method: Method, risk: float) -> int:
    """Return the bootstrap samples of each interval; UsageError where they would be too many."""
    needed = max(SAMPLES, math.ceil(2 * IN_TAIL / risk))
    if method.interval is IntervalMethod.STUDENT_T or needed <= MOST:
        return min(needed, MOST)
    raise UsageError(
        f"an interval with a risk of {risk:.2g} takes {needed:,} samples",
        place=f"--interval {method.interval}",
        expected=f"at most {MOST:,}",
        remedy="take --interval t, or compare fewer measures or runs",
    )


CAUTIONS = {
    ONE_TOPIC: "one topic has no variance, so there is no test",
    CONSTANT: "all topics differ by the same amount, which the test takes as certain; "
    "--test randomization takes their number into account",
}
"""Warnings of p-values that were set by convention, because the test is undefined."""


@frozen
class Shares:
    """Shares of one comparison in the total of all.

    ======== ==================================================================
    planned  significance level that topics are planned for
    interval 1 - the level of an interval
    draws    draws of a test that draws
    ======== ==================================================================
    """

    planned: float
    interval: float
    draws: int


@frozen
class TopicChange:
    """The values of the baseline and of the run for a topic, and run - baseline."""

    topic: str
    baseline: float
    run: float
    difference: float


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
    p_value   corrected p-value; None where the test gives probabilities instead
    uncorrected  p-value before correction; from a test of all systems, it already holds for all
              pairs of the measure
    interval  interval of the difference; None where the test of all systems gives its own or none
    low, high ends of that interval, or of the test's own; None where the topics do not bound it
    level     confidence level of that interval by itself; of the test's own intervals, that of
              all intervals of the measure together
    equivalence  two one-sided tests with the margin of the measure; None without a margin
    p_equivalent  their p-value, corrected over all tests of equivalence
    posterior probabilities that the run is worse, practically equal and better; None for tests
              with p-values
    cohens_dz the difference over the standard deviation of the differences; None where that is 0
    planning  topics needed in another experiment
    changes   topics that differ, the largest differences first
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
    p_value: float | None
    uncorrected: float | None
    interval: Interval | None
    low: float | None
    high: float | None
    level: float
    equivalence: Equivalence | None
    p_equivalent: float | None
    posterior: Posterior | None
    cohens_dz: float | None
    planning: Planning
    changes: tuple[TopicChange, ...]
    seeds: tuple[float, ...] = ()
    baseline_seeds: tuple[float, ...] = ()

    @property
    def difference(self) -> float | None:
        """The mean of the run less that of the baseline; None if it is undefined."""
        return self.summary.difference

    @property
    def gain(self) -> float:
        """Return the difference, positive if the run is better; 0 if it is undefined."""
        difference = self.summary.difference or 0.0
        return -difference if self.loss else difference

    def is_shown(self, alpha: float) -> bool:
        """Return True if a p-value or a probability shows a difference at that level."""
        if self.posterior is not None:
            return max(self.posterior.worse or 0.0, self.posterior.better or 0.0) >= 1 - alpha
        return self.p_value is not None and self.p_value < alpha


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


def pairs_of(
    runs: Sequence[RunResult],
    score: Score,
    group: str,
    values: Floats,
    members: Integers,
    method: Method,
    families: int,
) -> list[Pair]:
    """Compare the runs in a measure over some topics; values are topics by runs.

    `families` is the number of measures times groups. Intervals of a test of all systems hold for
    all of these, as its p-values do once they are corrected.
    """
    missing = np.isnan(values[members])
    chosen = values[members]
    topics = [runs[0].topics[i] for i in members.tolist()]
    indices = [(i, j) for i, j in combinations(range(len(runs)), 2) if method.all_pairs or i == 0]
    if method.of_systems:
        # These tests use the topics for which all runs have a value; so must means and effects.
        chosen = np.where(np.isnan(chosen).any(axis=1, keepdims=True), np.nan, chosen)
    shares = Shares(
        planned=planned_risk(method, len(indices), families),
        interval=interval_risk(method, len(indices), families),
        draws=draws_of_test(method, len(indices), families),
    )
    systems = None
    if method.of_systems:
        risk = method.alpha / (1 if method.corrected is Correction.NONE else families)
        systems = statistical_test(method.test).apply(
            chosen, level=1 - risk, resamples=shares.draws, seed=method.seed
        )
    by_run = [
        _by_run(score_of(run, score.measure), members, chosen[:, i]) for i, run in enumerate(runs)
    ]
    return [
        replace(
            _pair(runs, (i, j), score, topics, by_run, systems, method, shares),
            group=group,
            one_sided=int((missing[:, i] != missing[:, j]).sum()),
        )
        for i, j in progress_of(indices, "pairs", len(indices))
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


def _pair(
    runs: Sequence[RunResult],
    which: tuple[int, int],
    score: Score,
    topics: Sequence[str],
    by_run: Sequence[Floats],
    systems: PairwiseComparison | None,
    method: Method,
    shares: Shares,
) -> Pair:
    first, second = which
    before, after = by_run[first].mean(axis=1), by_run[second].mean(axis=1)
    seeds = [_means_of_seeds(by_run[i], np.isnan(before + after)) for i in which]
    differences = stats.paired_differences(before, after)
    summary = summary_of(before, after, loss=score.loss)
    test, p_value, interval, posterior = None, None, None, None
    margin = margin_of(method, score)
    scale = abs(summary.baseline_mean or 0.0) if method.relative else 1.0
    wanted = method.difference * scale or None
    if systems is not None:
        found = next(p for p in systems.pairs if (p.first, p.second) == which)
        p_value, low, high = found.p_value, found.low, found.high
    elif not method.gives_probabilities:
        test, interval = _tested(by_run[first], by_run[second], differences, method, shares)
        p_value = test.p_value
    level = 1 - shares.interval
    if method.gives_probabilities:
        better = -differences if score.loss else differences
        bayes = statistical_test(method.test)
        posterior = bayes.apply(better, margin=margin or MARGIN, level=level)
        low, high = posterior.low, posterior.high
        if score.loss and low is not None:
            low, high = -high, -low
    elif method.has_own_intervals and systems is not None:
        level = systems.level or level
    elif interval is None:
        interval = _interval(differences, method, shares)
    if interval is not None:
        low, high = interval.low, interval.high
    return Pair(
        baseline=runs[first].name,
        run=runs[second].name,
        group="",
        measure=score.measure,
        loss=score.loss,
        signature=score.signature,
        summary=summary,
        test=test,
        p_value=p_value,
        one_sided=0,
        uncorrected=p_value,
        interval=interval,
        low=low,
        high=high,
        level=level,
        equivalence=None
        if posterior or margin is None
        else stats.equivalence_test(differences, margin=margin, alpha=method.alpha),
        p_equivalent=None,
        posterior=posterior,
        cohens_dz=stats.cohens_dz(differences),
        planning=Planning(wanted, shares.planned, method, differences, seeded=any(seeds)),
        changes=tuple(_changes(topics, before, after, differences)),
        seeds=seeds[1],
        baseline_seeds=seeds[0],
    )


def _changes(
    topics: Sequence[str], before: Floats, after: Floats, differences: Floats
) -> Iterator[TopicChange]:
    """Yield the topics whose values differ, the largest differences first."""
    for i in np.argsort(-np.abs(differences), kind="stable").tolist():
        if differences[i] != 0 and math.isfinite(differences[i]):
            yield TopicChange(topics[i], float(before[i]), float(after[i]), float(differences[i]))


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


def _tested(
    before: Floats, after: Floats, differences: Floats, method: Method, shares: Shares
) -> tuple[PairedTest, Interval]:
    """Test two systems; the spread counts of one of several runs."""
    if before.shape[1] == after.shape[1] == 1:
        test = stats.paired_test(
            differences, test=method.test, resamples=shares.draws, seed=method.seed
        )
        return test, _interval(differences, method, shares)
    level = 1 - shares.interval
    test, ends = seeds_test(before, after, level=level)
    low, high = ends or (None, None)
    n_topics, n_excluded = test.n_topics, test.n_excluded
    return test, Interval(IntervalMethod.STUDENT_T, level, low, high, n_topics, n_excluded)


def _interval(differences: Floats, method: Method, shares: Shares) -> Interval:
    return stats.confidence_interval(
        differences,
        method=method.interval,
        level=1 - shares.interval,
        resamples=samples_of_interval(method, shares.interval),
        seed=method.seed,
    )
