"""Compare runs with a baseline, or all with each other: differences, p-values and intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, Unpack, cast

import numpy as np

from rankeval import stats
from rankeval.base.arrays import Floats, Integers
from rankeval.base.checked import checked
from rankeval.base.frozen import field, frozen, replace, require_known
from rankeval.base.threads import counted as progress_of
from rankeval.base.wording import listed
from rankeval.commands.compare.method import MARGIN, Method, MethodFields
from rankeval.errors import UsageError
from rankeval.evaluation.aggregation import Aggregation, GroupsLike, indices_by_name
from rankeval.evaluation.comparable_runs import (
    RunsOrResults,
    baseline_and_runs,
    comparable_runs,
    over_common_topics,
    way_to_test,
)
from rankeval.evaluation.evaluate import Evaluating, evaluate, values_of
from rankeval.evaluation.results import Results, RunResult, Score
from rankeval.evaluation.settings import parts_of
from rankeval.evaluation.show import OfRuns
from rankeval.io.python_values import encoded
from rankeval.measures import MeasuresLike
from rankeval.measures.facts import mean
from rankeval.other_words import Hinting
from rankeval.output.shown import InPapers
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import RunLike
from rankeval.stats.checked_arrays import is_constant
from rankeval.stats.choices import Correction, IntervalMethod, TestName
from rankeval.stats.intervals import Interval
from rankeval.stats.mean_tests import seeds_test
from rankeval.stats.paired import CONSTANT, ONE_TOPIC, interval_risks
from rankeval.stats.statistical_tests import statistical_test

if TYPE_CHECKING:  # of results only: most comparisons need few of their modules
    from rankeval.stats import DifferenceSummary, Equivalence, Nemenyi, PairedTest, Posterior


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
class Pair(Hinting):
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
    test: PairedTest | None = None
    p: float | None = None
    p_raw: float | None = None
    interval: Interval | None = None
    low: float | None = None
    high: float | None = None
    level: float = 0.95
    equivalence: Equivalence | None = None
    p_equivalent: float | None = None
    posterior: Posterior | None = None
    cohens_dz: float | None = None
    planning: Planning | None = None
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


class ComparisonFields(MethodFields, Evaluating, total=False):
    """The fields of `Method`, and the keywords of `evaluate`, as keywords of `compare`."""


@frozen
class Comparison(OfRuns, InPapers):
    """The results of comparing some runs.

    ======== =============================================================================
    runs     the runs, the baseline first
    digest   digest of the judgments
    method   the tests, intervals and corrections used
    pairs    one comparison for each pair of runs, by measure and then by group, all topics first
    warnings notes about the comparison; those about a run are in its own warnings
    unit     what the tests are over: "topic", "cluster" of topics, or "collection"
    ranks    over collections, by measure Friedman's and Nemenyi's test of the systems' mean ranks
    ======== =============================================================================
    """

    runs: tuple[RunResult, ...]
    digest: str
    method: Method
    pairs: tuple[Pair, ...]
    warnings: tuple[str, ...] = ()
    ranks: Mapping[str, Nemenyi] = field(default_factory=dict)
    unit: str = "topic"

    def __getitem__(self, key: tuple[object, ...] | str) -> Pair:
        """Return a pair over all topics: `found["dense", "AP"]`, or ["bm25", "dense", "AP"].

        The baseline is the first of three names, by default that of the comparison. KeyError for
        a pair that was not compared.
        """
        *runs, measure = (key,) if isinstance(key, str) else key
        first = self.runs[0]
        names = runs if len(runs) == 2 else [first.name, *runs]
        wanted = [*names, first[measure].measure, ""]
        for pair in self.pairs:
            if [pair.baseline, pair.run, pair.measure, pair.group] == wanted:
                return pair
        raise KeyError(f"no pair {[*runs, measure]} was compared; write ['RUN', 'MEASURE']")


@checked
def compare(
    qrels: QrelsLike,
    baseline: RunLike | Results,
    runs: RunsOrResults,
    measures: MeasuresLike | None = None,
    *,
    groups: GroupsLike | None = None,
    clusters: GroupsLike | None = None,
    **options: Unpack[ComparisonFields],
) -> Comparison:
    """Compare runs with a baseline, measure by measure.

    ========= ==============================================================================
    qrels     judgments, as in `evaluate`
    baseline  a run, or results with values by topic: a path that ends in .json, or a Results;
              also as {name: run}
    runs      one or several to compare with it, likewise, or {name: run}
    measures  by default those of a baseline that is given as results, else nDCG@10 and AP
    groups    of topics, for comparisons in each: a path, or {topic: group}
    clusters  of topics that depend on each other, such as variants of one question, likewise: tests
              are over the means of clusters; a topic without one is a cluster by itself
    options   the fields of `rankeval.options.Method`, such as test="t", correction="holm" or
              alpha=0.01, and keywords of `evaluate`: settings or its fields, costs, run_names
              (of the baseline and the runs), jobs
    ========= ==============================================================================

    InputError names the conventions that differ if runs were not evaluated in the same way. Of
    `Seeds` and a path with {seed}, the mean by topic is compared, by the test t with the variance
    of topics and that of runs.

    >>> from rankeval import compare
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> bm25 = {"q1": {"d7": 2, "d1": 1}, "q2": {"d2": 1}}
    >>> dense = {"q1": {"d1": 2, "d7": 1}, "q2": {"d2": 1}}
    >>> (pair,) = compare(qrels, bm25, dense, "RR").pairs
    >>> pair.summary.difference, pair.summary.wins
    (0.25, 1)
    """
    require_known("compare", options, [*ComparisonFields.__annotations__, "groups", "clusters"])
    evaluating = {n: v for n, v in options.items() if n not in MethodFields.__annotations__}
    method = method_of({n: v for n, v in options.items() if n not in evaluating})
    settings, costs, run_names, jobs = values_of(**cast("Evaluating", evaluating))
    form = settings.run_form()
    every, run_names = baseline_and_runs(baseline, runs, form.columns, run_names)
    evaluated = partial(evaluate, settings=settings, costs=costs, jobs=jobs)
    found = comparable_runs(qrels, every, measures, settings, evaluated, run_names)
    unit = "topic" if clusters is None else "cluster"
    found = found if clusters is None else _over_clusters(found, clusters)
    return replace(_comparison(found, method, groups), unit=unit)


def method_of(fields: Mapping[str, Any]) -> Method:
    """Return the method of its fields; TypeError for unknown ones."""
    require_known("compare", fields, MethodFields.__annotations__)
    return Method(**fields)


@checked
def compare_results(
    results: Results, *, method: Method | None = None, groups: GroupsLike | None = None
) -> Comparison:
    """Compare the first run of results with the others, by the measures that are averaged.

    Counts, and measures that are aggregated in another way than by the mean, are left out;
    UsageError if no measure remains, and if the results hold one run only. Over collections, the
    mean ranks are tested, too.

    Source: Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006.

    Example: `compare_results(rankeval.evaluate("qrels.txt", ["a.run", "b.run"], "AP"))`.

    >>> from rankeval import evaluate
    >>> from rankeval.commands.compare.task import compare_results
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> bm25 = {"q1": {"d7": 2, "d1": 1}, "q2": {"d2": 1}}
    >>> dense = {"q1": {"d1": 2, "d7": 1}, "q2": {"d2": 1}}
    >>> results = evaluate(qrels, {"bm25": bm25, "dense": dense}, "RR")
    >>> [pair.run for pair in compare_results(results).pairs]
    ['dense']
    """
    runs = [
        replace(run, scores=tuple({s.measure: s for s in run.scores if s.rule == "mean"}.values()))
        for run in results.runs
    ]
    if not runs or not runs[0].scores:
        raise UsageError(
            "no measure is averaged over topics, so that no run can be compared with the baseline",
            remedy=way_to_test([score for run in results.runs for score in run.scores]),
        )
    found = _comparison(over_common_topics(runs), method := method or Method(), groups)
    if results.unit != "collection":
        return found
    ranks = {}
    for score in runs[0].scores:
        values = np.column_stack([run[score.measure].values for run in found.runs])
        ranks[score.measure] = stats.nemenyi(-values if score.loss else values, alpha=method.alpha)
    return replace(found, ranks=ranks, digest=results.qrels.digest, unit=results.unit)


def _comparison(runs: Sequence[RunResult], method: Method, groups: GroupsLike | None) -> Comparison:
    """Compare runs with the same measures and topics."""
    if len(runs) < 2:
        raise UsageError("no run to compare with the baseline", expected="one run or more")
    table, scores = Aggregation(None, None, groups), runs[0].scores
    topics = encoded(runs[0].topics, "topic")
    members = {"": np.arange(len(topics)), **table.members(topics)}
    margins = {}
    for name, margin in method.margins.items():
        if name not in runs[0]:
            raise UsageError(
                f"'{name}' has a margin of equivalence, but is not compared",
                expected=f"one of {', '.join(score.measure for score in scores)}",
            )
        margins[runs[0][name].measure] = margin
    plain = method.test is TestName.STUDENT_T and not margins and method.difference is None
    if not plain and any(run.seeds for run in runs):
        raise UsageError(
            "the spread of a system's runs is counted by the test t only",
            expected="--test t without margins or a plan, or one run of each system",
        )
    pairs: list[Pair] = []
    for at, score in enumerate(progress_of(scores, "measures", len(scores))):
        require_average(score)
        for group, chosen in members.items():
            pairs += _pairs(runs, at, group, chosen, method, margins.get(score.measure))
    digest = parts_of(scores[0].signature).get("qrels", "")
    warnings = tuple(_doubts(pairs))
    return Comparison(tuple(runs), digest, method, tuple(pairs), warnings)


def require_average(score: Score) -> None:
    """Raise UsageError for a measure that is not a mean or a sum over topics."""
    remedy = way_to_test([score])
    if remedy:
        raise UsageError(
            f"{score.measure} is aggregated by {score.rule}, which has no paired test",
            expected="the plain mean or sum over topics",
            remedy=remedy,
        )


def _over_clusters(runs: Sequence[RunResult], clusters: GroupsLike) -> list[RunResult]:
    """Return runs whose topics are clusters, with the means of their topics' values.

    Topics of a cluster depend on each other, and count as more evidence than they are; means of
    clusters are independent. A topic without a cluster is one by itself.
    """
    table = Aggregation(None, None, clusters)
    topics = encoded(runs[0].topics, "topic")
    table.require(topics)
    labels = zip(table.labels(topics), topics, strict=True)
    of = indices_by_name([label or f"topic {topic!r}" for label, topic in labels])

    def means(score: Score) -> Score:
        """Return a score by cluster; NaN where it is undefined for all topics of one."""
        values = np.array([mean(score.values[some]) for some in of.values()])
        seeds = tuple(map(means, score.seeds))
        return replace(score, values=values, aggregate=mean(values), topics=tuple(of), seeds=seeds)

    return [
        replace(run, topics=tuple(of), judged=len(of), scores=tuple(map(means, run.scores)))
        for run in runs
    ]


Sides = tuple[Floats, Floats]
"""The values of two systems, each topics by runs."""


def _pairs(
    runs: Sequence[RunResult],
    at: int,
    group: str,
    members: Integers,
    method: Method,
    margin: float | None,
) -> list[Pair]:
    """Compare the runs in one of their scores over some topics, with its margin of equivalence.

    These pairs are the family that p-values and intervals are adjusted for.
    """
    score = runs[0].scores[at]
    each = [run.scores[at].seeds or (run.scores[at],) for run in runs]
    values = [np.stack([one.values[members] for one in of_run], axis=1) for of_run in each]
    if method.of_systems:
        # These tests use the topics for which all runs have a value; so must means and effects.
        undefined = np.isnan(np.hstack(values)).any(axis=1, keepdims=True)
        values = [np.where(undefined, np.nan, one) for one in values]
    indices = [(i, j) for i, j in combinations(range(len(runs)), 2) if method.all_pairs or i == 0]
    sides = [(values[i], values[j]) for i, j in indices]
    means = [(old.mean(axis=1), new.mean(axis=1)) for old, new in sides]
    differences = [stats.paired_differences(*two) for two in means]
    if method.gives_probabilities:
        tested = [_posterior(one, margin or MARGIN, method, score) for one in differences]
    elif method.of_systems:
        tested = _of_systems(values, indices, method)
    else:
        tested = _paired(sides, differences, method)
    risk = method.alpha / (len(indices) if method.adjusts else 1)
    pairs = []
    for at_pair, (i, j) in enumerate(indices):
        two, one, facts = sides[at_pair], differences[at_pair], tested[at_pair]
        if not method.gives_probabilities and not method.has_own_intervals:
            facts |= _interval(two, one, method, facts["level"])
        summary = stats.summarize_differences(*means[at_pair])
        if score.loss:
            summary = replace(summary, wins=summary.losses, losses=summary.wins)
        facts["baseline_seeds"], facts["seeds"] = (_means(side[~np.isnan(one)]) for side in two)
        facts["planning"] = _planned(one, summary.baseline_mean, risk, method)
        facts["cohens_dz"] = stats.cohens_dz(one)
        names = runs[i].name, runs[j].name, group, score.measure
        pairs.append(Pair(*names, score.loss, score.signature, summary, **facts))
    if margin is None or method.gives_probabilities:
        return pairs
    tests = [stats.equivalence_test(one, margin=margin, alpha=method.alpha) for one in differences]
    correction, raw = method.correction or Correction.HOLM, [test.p_value for test in tests]
    adjusted = stats.adjust_p_values(raw, correction=correction).tolist()
    return [
        replace(pair, equivalence=test, p_equivalent=p)
        for pair, test, p in zip(pairs, tests, adjusted, strict=True)
    ]


def _posterior(differences: Floats, margin: float, method: Method, score: Score) -> dict[str, Any]:
    """Return the probabilities of a pair, and the interval of its difference."""
    sign, level = -1.0 if score.loss else 1.0, 1.0 - method.alpha
    found = stats.posterior_probabilities(sign * differences, margin=margin, level=level)
    ends = sorted(sign * end + 0.0 for end in (found.low, found.high) if end is not None)
    low, high = ends or (None, None)
    return {"posterior": found, "level": level, "low": low, "high": high}


def _of_systems(
    values: Sequence[Floats], indices: Sequence[tuple[int, int]], method: Method
) -> list[dict[str, Any]]:
    """Test all systems at once, and return what that says of each pair."""
    test, level = statistical_test(method.test), 1 - method.alpha
    found = test.apply(np.hstack(values), level=level, seed=method.seed)
    level = found.level if method.has_own_intervals else 1 - method.alpha / len(indices)
    of_pair = {(one.first, one.second): one for one in found.pairs}
    return [
        {"p": one.p_value, "p_raw": one.p_value, "low": one.low, "high": one.high, "level": level}
        for one in map(of_pair.__getitem__, indices)
    ]


def _paired(
    sides: Sequence[Sides], differences: Sequence[Floats], method: Method
) -> list[dict[str, Any]]:
    """Test each pair, and adjust p-values and levels for their number."""
    test, seed, alpha, correction = method.test, method.seed, method.alpha, method.corrected
    tests = [
        seeds_test(*two)[0] if _seeded(two) else stats.paired_test(one, test=test, seed=seed)
        for two, one in zip(sides, differences, strict=True)
    ]
    raw = [test.p_value for test in tests]
    adjusted = stats.adjust_p_values(raw, correction=correction).tolist()
    risks = interval_risks(raw, correction=correction, alpha=alpha).tolist()
    return [
        {"test": test, "p": p, "p_raw": test.p_value, "level": 1 - risk}
        for test, p, risk in zip(tests, adjusted, risks, strict=True)
    ]


def _seeded(two: Sides) -> bool:
    """Return True if one of two systems has several runs, whose spread counts."""
    return sum(side.shape[1] for side in two) > 2


def _means(values: Floats) -> tuple[float, ...]:
    """Return the mean of each of several runs over some topics; () for a single run."""
    return tuple(values.mean(axis=0).tolist()) if values.shape[1] > 1 and len(values) else ()


def _interval(two: Sides, differences: Floats, method: Method, level: float) -> dict[str, Any]:
    """Return the interval of the difference of two systems, and its ends."""
    if _seeded(two):
        test, ends = seeds_test(*two, level=level)
        low, high = ends or (None, None)
        counts = test.n_topics, test.n_excluded
        found = Interval(IntervalMethod.STUDENT_T, level, low, high, *counts)
    else:
        how, seed = method.interval, method.seed
        found = stats.confidence_interval(differences, method=how, level=level, seed=seed)
    return {"interval": found, "low": found.low, "high": found.high}


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


def _doubts(pairs: Sequence[Pair]) -> list[str]:
    """Return a warning of each kind, with the pairs that it is about."""
    found: dict[str, list[bytes]] = {}
    for pair in pairs:
        name = f"{pair.measure}{pair.group and f', {pair.group}'} {pair.run} - {pair.baseline}"
        note = pair.test.note if pair.test else ""
        said = {
            f"{note}, which decides p; --test randomization computes it": note == CONSTANT,
            f"{note}, so that there is no test": note == ONE_TOPIC,
            "compared over the topics for which both runs have a value": pair.summary.n_excluded,
        }
        for doubt in (doubt for doubt, holds in said.items() if holds):
            found.setdefault(doubt, []).append(name.encode("utf-8", "surrogatepass"))
    return [f"{doubt}: {listed(names)}" for doubt, names in found.items()]
