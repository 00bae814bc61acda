"""Describe how measures order the systems, and what each one adds to the pool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from operator import attrgetter
from typing import Unpack

import numpy as np

from rankeval.base import wording
from rankeval.base.arrays import Floats, Integers
from rankeval.base.checked import checked
from rankeval.base.frozen import declared, frozen, replace
from rankeval.base.threads import usable_threads
from rankeval.errors import UsageError
from rankeval.evaluation.comparable_runs import TESTED, aggregates, rank_of, values_by_system
from rankeval.evaluation.evaluate import Evaluating, score_run, values_of
from rankeval.evaluation.notices import restricted, topics_that_count
from rankeval.evaluation.prepared import Prepared, require_topics
from rankeval.evaluation.results import RunResult
from rankeval.evaluation.run_names import own_or
from rankeval.evaluation.show import OfRuns, basis
from rankeval.measures import MeasuresLike, measure_names, parse_measures
from rankeval.output.declared_columns import Row, count, grid, name, number, table, text, written
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
class RunInMeasure:
    """A run in one measure, and without the documents that no other run has found.

    ============ =========================================================================
    value, rank  over all topics, among the runs
    unique       relevant documents (of grade 1 or more) that no other run has found
    without, rank_without  value and rank if no document that only this run has were judged
    ============ =========================================================================
    """

    run: str
    measure: str
    value: float | None
    rank: int | None
    unique: int
    without: float | None
    rank_without: int | None

    @property
    def fall(self) -> int:
        """The ranks that the run loses; 0 where it has none."""
        return (self.rank_without or 0) - (self.rank or 0)


@frozen
class SystemsReport(OfRuns, InPapers):
    """The order of the systems by measures, and the bias of the pool.

    ============== ======================================================================
    runs           the runs
    digest         digest of the judgments
    agreement      of every two measures, in both directions
    discriminative by measure, the share of pairs of runs with a significant difference
    systems        each run in each measure
    alpha          risk of the tests
    pool_depth     ranks that count as found; None for all
    ============== ======================================================================
    """

    runs: tuple[RunResult, ...]
    digest: str
    agreement: tuple[MeasureAgreement, ...]
    discriminative: Mapping[str, float]
    systems: tuple[RunInMeasure, ...]
    alpha: float
    pool_depth: int | None


@checked
def systems(
    qrels: QrelsLike,
    runs: RunsLike,
    measures: MeasuresLike = MEASURES,
    *,
    pool_depth: int | None = None,
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
    alpha      risk of the paired t tests between runs
    evaluating  keywords of `evaluate`: settings or its fields, costs, run_names, jobs
    ========== =============================================================================

    Leaving a run out takes the judgments of its unique documents away, as if it had not been
    pooled.

    Source: Sakai, "Evaluating evaluation metrics based on the bootstrap", SIGIR 2006, for
    discriminative power; Zobel, "How reliable are the results of large-scale information retrieval
    experiments?", SIGIR 1998, for unique documents.

    >>> qrels = {"1": {"a": 1, "b": 1}}
    >>> runs = {"one": {"1": {"a": 1.0}}, "two": {"1": {"b": 1.0, "x": 0.5}}}
    >>> [one.unique for one in systems(qrels, runs, "AP").systems]
    [1, 1]
    """
    settings, costs, run_names, jobs = values_of(**evaluating)
    every, given = run_sources(runs, settings.run_form().columns)
    if len(every) < 2:
        raise UsageError(f"found {wording.count(len(every), 'run')}", expected="two runs or more")
    run_names = own_or(run_names, given)
    if pool_depth is not None and pool_depth < 1:
        raise UsageError(f"the pool depth is {pool_depth}", expected="1 or more")
    require_risk(alpha, "alpha")
    refuse_stdin_twice(qrels, *every)
    named = measure_names(measures)
    require_topics(parse_measures(named, settings.meanings))
    prepared = Prepared(qrels, named, settings, costs=costs)
    aligned = [prepared.align(run, usable_threads(jobs)) for run in every]
    scored = run_names.name([score_run(prepared, *run) for run in aligned])
    alignments = [one for one, _ in aligned]
    return SystemsReport(
        runs=tuple(scored),
        digest=prepared.judgments.digest,
        agreement=tuple(_agreements(scored)),
        discriminative={
            score.measure: _power(values_by_system(scored, at), alpha)
            for at, score in enumerate(scored[0].scores)
            if score.rule in TESTED
        },
        systems=tuple(_in_measures(prepared, alignments, scored, pool_depth)),
        alpha=alpha,
        pool_depth=pool_depth,
    )


def _agreements(runs: Sequence[RunResult]) -> Iterator[MeasureAgreement]:
    for one, other in permutations(range(len(runs[0].scores)), 2):
        orders = order_agreement(aggregates(runs, one), aggregates(runs, other))
        first, second = (runs[0].scores[at].measure for at in (one, other))
        yield MeasureAgreement(first, second, orders.tau, orders.tau_ap)


def _power(gains: Floats, alpha: float) -> float:
    """Return the share of pairs of runs that differ."""
    first, second = np.triu_indices(gains.shape[1], 1)
    tests = paired_tests(gains[:, second] - gains[:, first])
    return float(np.mean([one.p_value < alpha for one in tests]))


def _in_measures(
    prepared: Prepared,
    alignments: Sequence[Alignment],
    runs: Sequence[RunResult],
    depth: int | None,
) -> Iterator[RunInMeasure]:
    """Yield each run in each measure, and what only it has found."""
    qrels = prepared.judgments
    found = np.zeros((len(runs), len(qrels.grade)), dtype=bool)
    for row, alignment in zip(found, alignments, strict=True):
        judged = alignment.judged
        row[judged.judgment[slice(None) if depth is None else judged.rank <= depth]] = True
    alone = found & (found.sum(axis=0) == 1)
    unique = (alone & (qrels.grade >= 1)).sum(axis=1).tolist()
    without = [_values(prepared, alignments, np.where(row, LEFT_OUT, qrels.grade)) for row in alone]
    for at, score in enumerate(runs[0].scores):
        sign, gains = -1.0 if score.loss else 1.0, aggregates(runs, at)
        for i, run in enumerate(runs):
            facts = run.name, score.measure, wording.finite(sign * gains[i]), rank_of(i, gains)
            left = wording.finite(without[i][i, at]), rank_of(i, sign * without[i][:, at])
            yield RunInMeasure(*facts, unique[i], *left)


def _values(prepared: Prepared, alignments: Sequence[Alignment], grade: Integers) -> Floats:
    """Return the values of all runs by other grades of the judgments, shape (runs, measures)."""
    fewer, found = prepared.judgments.changed(grade=grade), []
    settings, over = prepared.settings, prepared.over_topics
    for run in alignments:
        judged = replace(run.judged, grade=fewer.grade[run.judged.judgment], ideal=fewer.ideal)
        counted = restricted(judged, topics_that_count(judged, settings, run.present), settings)
        totals = ((one, over.total_of(one, counted)) for one in prepared.measures)
        found.append([of(one.values(counted)) if len(counted) else np.nan for one, of in totals])
    return np.array(found)


SHARE = "significant"
RUNS = [
    name("run"),
    text("measure"),
    number("value"),
    count("rank"),
    count("unique"),
    number("without"),
    count("rank_without", "rank without"),
]


def blocks(report: SystemsReport, style: Style) -> Iterator[Block]:
    """Yield what measures and the pool do to the runs; with -v each run."""
    worst = max(report.systems, key=attrgetter("fall"))
    falls = f"{worst.run} falls by {wording.count(worst.fall, 'rank')} in {worst.measure}"
    falls = falls if worst.fall > 0 else "no run falls"
    yield f"Without the documents that it alone added to the pool, {falls}."
    cells = {
        (one.first, one.second): f"{wording.number(one.tau, 2)} ({wording.number(one.tau_ap, 2)})"
        for one in report.agreement
    }
    cells |= {(one, SHARE): f"{share:.1%}" for one, share in report.discriminative.items()}
    measures = [score.measure for score in report.runs[0].scores]
    title = f"Order of {len(report.runs)} runs: Kendall's tau (tau-AP, rows as truth); "
    title += f"pairs that differ by the paired t test, alpha {report.alpha:g}"
    yield grid(title, text("measure", least=0), [*measures, SHARE], cells, written, style)
    if style.verbose:
        yield table("Runs, and relevant documents that no other has", RUNS, report.systems, style)
    yield from basis(report.runs)
    if not style.verbose:
        yield Note(MORE)


def rows(report: SystemsReport, _: Style) -> Iterator[Row]:
    """Yield a row per statistic."""
    yield ["statistic", "first", "second", "run", "measure", "value"]
    for pair in report.agreement:
        for statistic in ("tau", "tau_ap"):
            yield [statistic, pair.first, pair.second, None, None, getattr(pair, statistic)]
    for measure, share in report.discriminative.items():
        yield ["discriminative", None, None, None, measure, share]
    for one in report.systems:
        for statistic in [*declared(RunInMeasure)][2:]:
            yield [statistic, None, None, one.run, one.measure, getattr(one, statistic)]


PRINTER = Printer[SystemsReport](blocks, rows)
