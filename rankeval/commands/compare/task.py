"""Compare runs with a baseline, or all with each other: differences, p-values and intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import TYPE_CHECKING, Unpack, cast

import numpy as np

from rankeval.base.arrays import Integers
from rankeval.base.checked import checked
from rankeval.base.frozen import frozen, require_known
from rankeval.base.threads import counted as progress_of
from rankeval.base.wording import count, listed
from rankeval.choices import Correction, TestName
from rankeval.commands.compare.method import Method, MethodFields
from rankeval.commands.compare.run_pairs import Pair, pairs_of, require_average
from rankeval.errors import UsageError
from rankeval.evaluation.aggregation import GroupsLike, aggregation
from rankeval.evaluation.comparable_runs import (
    RunsOrResults,
    baseline_and_runs,
    comparable_runs,
    over_common_topics,
    way_to_test,
)
from rankeval.evaluation.conventions import judgments_of_signature
from rankeval.evaluation.evaluate import Evaluating, evaluate, values_of
from rankeval.evaluation.results import Results, RunResult, Score, canonical_name, in_order
from rankeval.evaluation.shown_values import OfRuns
from rankeval.io.sources.parts import one_state
from rankeval.measures import MeasuresLike, parse_measure
from rankeval.measures.declare.facts import mean
from rankeval.output.shown import InPapers
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import RunLike
from rankeval.stats import nemenyi
from rankeval.stats.paired import CONSTANT, NO_DIFFERENCE, ONE_TOPIC
from rankeval.stats.statistical_tests import statistical_test

if TYPE_CHECKING:  # of results only: most comparisons need few of their modules
    from rankeval.stats import Nemenyi

USUAL = Method()


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
    groups   names of the groups
    warnings notes about the comparison; those about a run are in its own warnings
    unit     what the tests are over: "topic", "cluster" of topics, or "collection"
    ranks    over collections, by measure Friedman's and Nemenyi's test of the systems' mean ranks
    ======== =============================================================================
    """

    runs: tuple[RunResult, ...]
    digest: str
    method: Method
    pairs: tuple[Pair, ...]
    groups: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    ranks: Mapping[str, Nemenyi] = field(default_factory=dict)
    unit: str = "topic"

    __repr__ = InPapers.__repr__

    def __getitem__(self, key: tuple[object, ...]) -> Pair:
        """Return a pair over all topics: `found["dense", "AP"]`, or ["bm25", "dense", "AP"].

        The baseline is the first of three names, by default that of the comparison. KeyError for
        a pair that was not compared.
        """
        *runs, measure = key
        baseline, run = runs if len(runs) == 2 else (self.runs[0].name, *runs)
        names = {score.as_given: score.measure for score in self.runs[0].scores}
        wanted = (baseline, run, names.get(str(measure)) or canonical_name(str(measure)))
        every = {(p.baseline, p.run, p.measure): p for p in self.pairs if not p.group}
        if wanted not in every:
            known = ", ".join(f"[{run!r}, {measure!r}]" for _, run, measure in every)
            raise KeyError(f"no pair {list(key)}; there is {known}")
        return every[wanted]


@checked
@one_state()
def compare(
    qrels: QrelsLike,
    baseline: RunLike | Results,
    runs: RunsOrResults,
    measures: MeasuresLike | None = None,
    *,
    method: Method | None = None,
    groups: GroupsLike | None = None,
    clusters: GroupsLike | None = None,
    sort: str | None = None,
    **options: Unpack[ComparisonFields],
) -> Comparison:
    """Compare runs with a baseline, measure by measure.

    ========= ==============================================================================
    qrels     judgments, as in `evaluate`
    baseline  a run, or results with values by topic: a path that ends in .json, or a Results;
              also as {name: run}
    runs      one or several to compare with it, likewise, or {name: run}
    measures  by default those of a baseline that is given as results, else nDCG@10 and AP
    method    tests and corrections as `rankeval.options.Method`, or its fields as keywords,
              such as test="t", correction="holm" or alpha=0.01
    groups    of topics, for comparisons in each: a path, or {topic: group}
    clusters  of topics that depend on each other, such as variants of one question, likewise: tests
              are over the means of clusters; a topic without one is a cluster by itself
    sort      order of the runs behind the baseline, with all pairs of every run: a measure,
              best first, or "name"; by default as given
    options   the fields of `Method`, and keywords of `evaluate`: settings or its fields, costs,
              run_names (of the baseline and the runs), jobs
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
    known = (*ComparisonFields.__annotations__, "method", "groups", "clusters", "sort")
    require_known("compare", options, known)
    of_method = {n: v for n, v in options.items() if n in MethodFields.__annotations__}
    evaluating = {n: v for n, v in options.items() if n not in of_method}
    method = method_of(method, cast("MethodFields", of_method))
    settings, costs, run_names, jobs = values_of(**cast("Evaluating", evaluating))
    columns = settings.run_form().columns
    every, run_names = baseline_and_runs(baseline, runs, columns, run_names)
    evaluated = partial(evaluate, settings=settings, costs=costs, jobs=jobs)
    found = comparable_runs(qrels, every, measures, settings, evaluated, run_names)
    if sort:
        first = [] if method.all_pairs else found[:1]
        found = [*first, *in_order(found[len(first) :], sort)]
    if clusters is None:
        return _comparison(found, method, groups)
    if groups is not None:
        raise UsageError("groups are of topics, and clusters are compared", remedy="drop one")
    return replace(_comparison(_over_clusters(found, clusters), method, None), unit="cluster")


def method_of(method: Method | None, options: MethodFields) -> Method:
    """Return the method, or that of keywords; UsageError for both, TypeError for unknown ones."""
    require_known("compare", options, MethodFields.__annotations__)
    if method is None:
        return Method(**options)
    if options:
        raise UsageError(
            f"a method is given with {', '.join(options)}",
            expected="either method= or its fields as keywords",
        )
    return method


@checked
def compare_results(
    results: Results, *, method: Method = USUAL, groups: GroupsLike | None = None
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
    averaged = [
        [score for score in {s.measure: s for s in run.scores}.values() if score.rule == "mean"]
        for run in results.runs
    ]
    if not averaged or not averaged[0]:
        raise UsageError(
            "no measure is averaged over topics, so that no run can be compared with the baseline",
            remedy=way_to_test(score for run in results.runs for score in run.scores)
            or "name a measure such as nDCG@10",
        )
    runs = over_common_topics(
        [replace(run, scores=tuple(s)) for run, s in zip(results.runs, averaged, strict=True)]
    )
    found = _comparison(runs, method, groups)
    if results.unit != "collection":
        return found
    digest = results.qrels.digest
    return replace(found, ranks=_ranks(found), digest=digest, unit=results.unit)


def _ranks(found: Comparison) -> dict[str, Nemenyi]:
    """Test the mean ranks of the systems over collections, by measure."""
    ranks = {}
    for score in found.runs[0].scores:
        values = np.column_stack([run[score.measure].values for run in found.runs])
        ranks[score.measure] = nemenyi(-values if score.loss else values, alpha=found.method.alpha)
    return ranks


def _comparison(runs: Sequence[RunResult], method: Method, groups: GroupsLike | None) -> Comparison:
    """Compare runs with the same measures and topics."""
    if len(runs) < 2:
        raise UsageError("no run to compare with the baseline", expected="one run or more")
    table, scores = aggregation(None, None, groups), runs[0].scores
    topics = [topic.encode("utf-8", "surrogateescape") for topic in runs[0].topics]
    members = {"": np.arange(len(topics)), **table.members(topics)}
    _require_possible(method, runs)
    pairs: list[Pair] = []
    for at, score in enumerate(progress_of(scores, "measures", len(scores))):
        require_average(score)
        for group, chosen in members.items():
            pairs += pairs_of(runs, at, group, chosen, method)
    return Comparison(
        runs=tuple(runs),
        digest=judgments_of_signature(scores[0].signature),
        method=method,
        pairs=tuple(pairs),
        groups=tuple(name for name in members if name),
        warnings=(*table.warnings(topics), *_doubts(pairs, method, len(runs))),
    )


def _over_clusters(runs: Sequence[RunResult], clusters: GroupsLike) -> list[RunResult]:
    """Return runs whose topics are clusters, with the means of their topics' values.

    Topics of a cluster depend on each other, and count as more evidence than they are; means of
    clusters are independent. A topic without a cluster is one by itself. UsageError for runs of
    several seeds, and if there is one cluster only.
    """
    table = aggregation(None, None, clusters)
    topics = [topic.encode("utf-8", "surrogateescape") for topic in runs[0].topics]
    table.require_groups(topics)
    cluster: Mapping[bytes, str] = table.groups.by_topic if table.groups else {}
    named = zip(topics, runs[0].topics, strict=True)
    keys = [(topic in cluster, cluster.get(topic, name)) for topic, name in named]
    number = {key: i for i, key in enumerate(dict.fromkeys(keys))}
    if len(number) < 2:
        raise UsageError("all topics are in one cluster", expected="two clusters or more")
    if seeded := [run.name for run in runs if run.seeds]:
        raise UsageError(
            f"{seeded[0]} is a system of several runs, whose topics cannot be in clusters",
            expected="one run of each system",
        )
    of = np.array([number[key] for key in keys])
    names = tuple(name for _, name in number)
    return [
        replace(
            run,
            topics=names,
            judged=len(names),
            scores=tuple(_means_of_clusters(score, of, names) for score in run.scores),
        )
        for run in runs
    ]


def _means_of_clusters(score: Score, of: Integers, names: tuple[str, ...]) -> Score:
    """Return a score by cluster; NaN where it is undefined for all topics of one."""
    known = ~np.isnan(score.values)
    n = np.bincount(of[known], minlength=len(names))
    total = np.bincount(of[known], weights=score.values[known], minlength=len(names))
    values = np.where(n > 0, total / np.maximum(n, 1), np.nan)
    return replace(score, values=values, aggregate=mean(values), topics=names)


def _require_possible(method: Method, runs: Sequence[RunResult]) -> None:
    """Raise UsageError for margins of other measures, and for tests without the spread of seeds."""
    scores = runs[0].scores
    known = {name for score in scores for name in (score.measure, score.as_given)}
    for name in method.margins:
        if name not in known and str(parse_measure(name)) not in known:
            raise UsageError(
                f"{name} has a margin of equivalence, but is not compared",
                expected=f"one of {', '.join(score.measure for score in scores)}",
            )
    plain = method.test is TestName.STUDENT_T and not method.margins and method.difference is None
    if seeded := [run.name for run in runs if run.seeds and not plain]:
        raise UsageError(
            f"{seeded[0]} is the mean of several runs, whose spread only the test t counts",
            expected="--test t without margins or a plan, or one run",
        )


CAUTIONS = {
    ONE_TOPIC: "one topic has no variance, so there is no test",
    CONSTANT: "all topics differ by the same amount, which the test takes as certain; "
    "--test randomization takes their number into account",
    NO_DIFFERENCE: "no topic differs: the test of equivalence takes that as certain, however few "
    "topics there are",
}
"""Warnings of p-values that were set by convention, because the test is undefined."""


def _doubts(pairs: Sequence[Pair], method: Method, n_runs: int) -> list[str]:
    """Return a warning of each kind, with the pairs that it is about.

    The smallest two-sided p-value of tests of signs is that of topics that all differ in one
    direction, one of two sign vectors of all: on too few topics no outcome could be significant.
    """
    family = method.n_pairs(n_runs) if method.corrected is Correction.HOLM else 1
    over = f", corrected over {count(family, 'comparison')}" if family > 1 else ""
    found: dict[str, list[str]] = {}
    for pair in pairs:
        name = f"{pair.run} - {pair.baseline}"
        named = f"{pair.measure}{f', {pair.group}' if pair.group else ''} {name}"
        if pair.summary.n_excluded and not pair.group:
            said = f"{pair.measure} is compared over the topics for which both runs have a value"
            found.setdefault(said, []).append(f"{pair.summary.n_topics} for {name}")
        if pair.test is not None and pair.test.note in (ONE_TOPIC, CONSTANT):
            found.setdefault(CAUTIONS[pair.test.note], []).append(named)
        if pair.equivalence is not None and pair.equivalence.note == NO_DIFFERENCE:
            found.setdefault(CAUTIONS[NO_DIFFERENCE], []).append(named)
        differ = pair.summary.wins + pair.summary.losses
        few = differ and family * 2.0 ** (1 - differ) >= method.alpha
        if few and statistical_test(method.test).of_signs:
            said = f"too few topics differ for --test {method.test} to be significant at alpha "
            found.setdefault(f"{said}{method.alpha:g}{over}", []).append(f"{differ} for {named}")
    return [
        f"{said}: {listed([name.encode('utf-8', 'surrogatepass') for name in names])}"
        for said, names in found.items()
    ]
