"""Describe how measures order the systems, and what each one adds to the pool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any, Unpack

import numpy as np

from rankeval.base import wording
from rankeval.base.arrays import Booleans, Floats
from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.threads import usable_threads
from rankeval.errors import UsageError
from rankeval.evaluation.aggregation import GroupsLike, aggregation
from rankeval.evaluation.comparable_runs import TESTED, aggregates, ranks_of, values_by_system
from rankeval.evaluation.evaluate import Evaluating, score_run, values_of
from rankeval.evaluation.notices import restricted, topics_that_count
from rankeval.evaluation.prepared import Prepared, prepare, require_topics
from rankeval.evaluation.results import RunResult
from rankeval.evaluation.shown_values import OfRuns, basis
from rankeval.measures import MeasuresLike, measure_names, parse_measures
from rankeval.output.declared_columns import Kind, Row, Value, count, grid, name, share, table, text
from rankeval.output.output_formats import Printer
from rankeval.output.shown import InPapers
from rankeval.output.style import Style
from rankeval.output.tables import Block, Note
from rankeval.output.text import MORE
from rankeval.ranking.align import Alignment
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import RunsLike, refuse_stdin_twice, run_sources
from rankeval.stats import paired_tests
from rankeval.stats.checked_arrays import require_risk
from rankeval.stats.rank_correlation import order_agreement
from rankeval.stats.rank_intervals import RankInterval, bootstrap_ranks

MEASURES = "nDCG@10 AP P@10 RR"
LEFT_OUT = -1
"""The grade of a document that no one would have judged: neither relevant nor judged not to be."""


@frozen
class MeasureAgreement:
    """Two measures and how far they order the systems alike; `first` is the true one of tau-AP."""

    first: str
    second: str
    tau: float | None
    tau_ap: float | None


@frozen
class DiscriminativePower:
    """The share of pairs of systems with a significant difference, and all p-values.

    `asl` has the p-values (achieved significance levels) in descending order.
    """

    share: float
    asl: tuple[float, ...]


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
    def fall(self) -> int:
        """The ranks that the run loses; 0 where it has none."""
        return (self.rank_without or 0) - (self.rank or 0)


ByRun = Mapping[str, Mapping[str, LeftOut]]
"""By run and by measure."""


@frozen
class SystemsReport(OfRuns, InPapers):
    """The order of the systems by measures, and the bias of the pool.

    ==================== ==============================================================
    runs                 the runs
    digest               digest of the judgments
    agreement            of every two measures, in both directions
    discriminative       by measure; averages only
    ranks                by measure and run, the ranks that it may have among the runs over all
                         topics, by the bootstrap; averages only, and none for a single topic
    unique_relevant      by run, documents of grade 1 or more that it alone has found
    leave_one_run_out    by run and measure, without what only the run has found
    leave_one_group_out  by group, the same for each of its runs, without what only the
                         group has found
    alpha                risk of the tests, and of the intervals of ranks
    pool_depth           ranks that count as found; None for all
    ==================== ==============================================================
    """

    runs: tuple[RunResult, ...]
    digest: str
    agreement: tuple[MeasureAgreement, ...]
    discriminative: Mapping[str, DiscriminativePower]
    ranks: Mapping[str, Mapping[str, RankInterval]]
    unique_relevant: Mapping[str, int]
    leave_one_run_out: ByRun
    leave_one_group_out: Mapping[str, ByRun]
    alpha: float
    pool_depth: int | None
    warnings: tuple[str, ...]

    __repr__ = InPapers.__repr__


@checked
def systems(
    qrels: QrelsLike,
    runs: RunsLike,
    measures: MeasuresLike = MEASURES,
    *,
    pool_depth: int | None = None,
    run_groups: GroupsLike | None = None,
    alpha: float = 0.05,
    **evaluating: Unpack[Evaluating],
) -> SystemsReport:
    """Describe the systems behind two runs or more.

    ========== =============================================================================
    qrels      judgments, as in `evaluate`
    runs       two or more, or {name: run}
    measures   names or objects; nDCG@10, AP, P@10 and RR by default
    pool_depth a document is unique to a run if no other run has it among its first ranks down
               to this depth; by default, at any rank
    run_groups group of each run by its name, such as the team: a path, or {run: group}
    alpha      risk of the paired t tests between runs, and of the intervals of their ranks
    evaluating  keywords of `evaluate`: settings or its fields, costs, run_names, jobs
    ========== =============================================================================

    Leaving a run out takes the judgments of its unique documents away, as if the run had not been
    pooled.

    Source: Sakai, "Evaluating evaluation metrics based on the bootstrap", SIGIR 2006, for
    discriminative power; `bootstrap_ranks` of `rankeval.stats` for ranks; Zobel, "How reliable are
    the results of large-scale information retrieval experiments?", SIGIR 1998, for unique
    documents.

    >>> qrels = {"1": {"a": 1, "b": 1}}
    >>> runs = {"one": {"1": {"a": 1.0}}, "two": {"1": {"b": 1.0, "x": 0.5}}}
    >>> dict(systems(qrels, runs).unique_relevant)
    {'one': 1, 'two': 1}
    """
    settings, costs, run_names, jobs = values_of(**evaluating)
    every, given = run_sources(runs, settings.run_form().columns)
    if len(every) < 2:
        raise UsageError(f"found {wording.count(len(every), 'run')}", expected="two runs or more")
    if given is not None:
        run_names = replace(run_names, given=given)
    if pool_depth is not None and pool_depth < 1:
        raise UsageError(f"the pool depth is {pool_depth}", expected="1 or more")
    require_risk(alpha, "alpha")
    refuse_stdin_twice(qrels, *every)
    threads = usable_threads(jobs)
    named = measure_names(measures)
    require_topics(parse_measures(named, settings.meanings))
    prepared = prepare(qrels, named, settings, costs=costs)
    aligned = [prepared.align(run, threads) for run in every]
    scored = run_names.name([score_run(prepared, *run) for run in aligned])
    pool = Pool(prepared, [alignment for alignment, _ in aligned], scored, pool_depth)
    tested = [at for at, score in enumerate(scored[0].scores) if score.rule in TESTED]
    gains = {scored[0].scores[at].measure: values_by_system(scored, at) for at in tested}
    groups = aggregation(None, None, run_groups)
    names = [run.name.encode("utf-8", "surrogateescape") for run in scored]
    members = groups.members(names)
    if run_groups is not None and not members:
        wanted = f"lines of run and group for {', '.join(run.name for run in scored)}"
        raise UsageError("no run has a group", expected=wanted)
    lacking = [names[i] for i, group in enumerate(groups.labels(names)) if not group]
    return SystemsReport(
        runs=tuple(scored),
        digest=prepared.judgments.digest,
        agreement=tuple(_agreements(scored)),
        discriminative={one: _power(of, alpha) for one, of in gains.items()},
        ranks={one: _ranks(scored, of, alpha) for one, of in gains.items()},
        unique_relevant=pool.unique_relevant(),
        leave_one_run_out={run.name: pool.without([i])[run.name] for i, run in enumerate(scored)},
        leave_one_group_out={group: pool.without(some.tolist()) for group, some in members.items()},
        alpha=alpha,
        pool_depth=pool_depth,
        warnings=(f"runs without a group: {wording.listed(lacking)}",) if lacking else (),
    )


def _agreements(runs: Sequence[RunResult]) -> Iterator[MeasureAgreement]:
    for one, other in permutations(range(len(runs[0].scores)), 2):
        orders = order_agreement(aggregates(runs, one), aggregates(runs, other))
        first, second = (runs[0].scores[at].measure for at in (one, other))
        yield MeasureAgreement(first, second, orders.tau, orders.tau_ap)


def _power(gains: Floats, alpha: float) -> DiscriminativePower:
    """Test every two systems on the topics for which both have a value."""
    first, second = np.triu_indices(gains.shape[1], 1)
    p_values = [one.p_value for one in paired_tests(gains[:, second] - gains[:, first])]
    asl = tuple(sorted(p_values, reverse=True))
    return DiscriminativePower(float(np.mean(np.array(asl) < alpha)), asl)


def _ranks(runs: Sequence[RunResult], gains: Floats, alpha: float) -> dict[str, RankInterval]:
    found = bootstrap_ranks(gains, level=1.0 - alpha)
    return {run.name: one for run, one in zip(runs, found, strict=bool(found))}


class Pool:
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
        scores = self.runs[0].scores
        before = np.array([[score.aggregate for score in run.scores] for run in self.runs])
        after = self._values(removed) if removed.any() else before
        found: dict[str, dict[str, LeftOut]] = {self.runs[i].name: {} for i in members}
        for score, old, new in zip(scores, before.T, after.T, strict=True):
            ranks = [ranks_of(-values if score.loss else values) for values in (old, new)]
            for i in members:
                values = wording.finite(old[i]), wording.finite(new[i])
                found[self.runs[i].name][score.measure] = LeftOut(*values, ranks[0][i], ranks[1][i])
        return {**found}

    def _values(self, removed: Booleans) -> Floats:
        """Return the values of all runs without some judgments, shape (runs, measures)."""
        fewer = self.qrels.changed(grade=np.where(removed, LEFT_OUT, self.qrels.grade))
        settings, over = self.prepared.settings, self.prepared.over_topics
        found = []
        for run in self.alignments:
            judged = replace(run.judged, grade=fewer.grade[run.judged.judgment], ideal=fewer.ideal)
            chosen = topics_that_count(judged, settings, run.present)
            counted = restricted(judged, chosen, settings)
            found.append(
                [
                    over.total_of(one, counted)(one.values(counted)) if len(counted) else np.nan
                    for one in self.prepared.measures
                ]
            )
        return np.array(found)


FACTS = ("first", "second", "run", "group", "measure", "topics")
"""What a number may be of, in the rows for programs."""
LEFT = "value without rank rank_without"
POWER = [
    text("measure", get=lambda pair: pair[0], least=0),
    count("pairs", get=lambda pair: len(pair[1].asl)),
    share("significant", get=lambda pair: pair[1].share),
]
UNIQUE = [name("run", get=lambda pair: pair[0]), count("unique", get=lambda pair: pair[1])]
TAU = Kind(lambda one, _: f"{wording.number(one.tau, 2)} ({wording.number(one.tau_ap, 2)})")
RANKS = Kind(lambda one, _: f"{one.rank} ({one.low}-{one.high}, {one.best:.2f})")
CHANGE = Kind(lambda one, style: f"{wording.signed(one.change, style.decimals)} ({-one.fall:+d})")


def blocks(report: SystemsReport, style: Style) -> Iterator[Block]:
    """Yield what measures and the pool do to the runs; with -v each of their numbers."""
    yield _headline(report)
    if report.discriminative:
        yield table("Discriminative power", POWER, report.discriminative.items(), style)
        risk = "" if report.alpha == 0.05 else f", alpha {report.alpha:g}"
        yield f"Significant: paired t test{risk}."
    if style.verbose:
        yield from _details(report, style)
    yield from basis(report.runs)
    if not style.verbose:
        yield Note(MORE)


def _headline(report: SystemsReport) -> str:
    said = []
    known = [pair for pair in report.agreement if pair.tau is not None]
    if known:
        least = min(known, key=lambda pair: pair.tau or 0.0)
        said.append(
            f"{least.first} and {least.second} agree least on the order of the "
            f"{len(report.runs)} runs: tau {wording.number(least.tau, 2)}."
        )
    fall, run, measure = max(
        (one.fall, run, measure) for run, measure, one in _flat(report.leave_one_run_out)
    )
    said.append(
        f"Without the documents that it alone added to the pool, {run} falls by "
        f"{wording.count(fall, 'rank')} in {measure}."
        if fall > 0
        else "No run falls without the documents that it alone added to the pool."
    )
    return " ".join(said)


def _details(report: SystemsReport, style: Style) -> Iterator[Block]:
    """Yield a table for each statistic, with the measures across."""
    measures, n_runs = [score.measure for score in report.runs[0].scores], len(report.runs)
    pairs = {(one.first, one.second): one for one in report.agreement}
    if pairs:
        title = f"Order of {n_runs} runs: Kendall's tau (tau-AP, rows as truth)"
        yield grid(title, text("measure", least=0), measures, pairs, TAU, style)
    ranks = {(run, measure): rank for measure, run, rank in _flat(report.ranks)}
    if ranks:
        level = wording.confidence(report.alpha)
        title = f"Rank ({level} interval, probability to be the best)"
        yield grid(title, name("run"), measures, ranks, RANKS, style)
    where = "" if report.pool_depth is None else f" among the first {report.pool_depth}"
    title = f"Relevant documents{where} that no other run has"
    yield table(title, UNIQUE, report.unique_relevant.items(), style)
    for group, runs in [
        ("each run", report.leave_one_run_out),
        *report.leave_one_group_out.items(),
    ]:
        title = f"Without what {group} alone added to the pool: change of the value (of the rank)"
        changes = {(run, measure): one for run, measure, one in _flat(runs)}
        yield grid(title, name("run"), measures, changes, CHANGE, style)


def rows(report: SystemsReport, _: Style) -> Iterator[Row]:
    """Yield a row per statistic."""
    yield ["statistic", *FACTS, "value"]
    for pair in report.agreement:
        yield from _rows_of(pair, "tau tau_ap", first=pair.first, second=pair.second)
    for measure, power in report.discriminative.items():
        yield _row("discriminative", power.share, measure=measure)
    for measure, run, rank in _flat(report.ranks):
        yield from _rows_of(rank, "rank low high best", "bootstrap_", run=run, measure=measure)
    for run, times in report.unique_relevant.items():
        yield _row("unique_relevant", times, run=run)
    for group, runs in [(None, report.leave_one_run_out), *report.leave_one_group_out.items()]:
        for run, measure, one in _flat(runs):
            yield from _rows_of(one, LEFT, run=run, group=group, measure=measure)


def _row(statistic: str, value: Value, **facts: Value) -> Row:
    return [statistic, *map(facts.get, FACTS), value]


def _rows_of(of: object, names: str, start: str = "", **facts: Value) -> Iterator[Row]:
    return (_row(start + name, getattr(of, name), **facts) for name in names.split())


def _flat(found: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str, Any]]:
    """Yield each value behind both of its names."""
    return ((one, other, value) for one, of in found.items() for other, value in of.items())


PRINTER = Printer[SystemsReport](blocks, rows)
