"""The tables of systems."""

from collections.abc import Iterator
from dataclasses import asdict

from rankeval.base import wording
from rankeval.commands.systems.task import SystemsReport
from rankeval.evaluation.shown_values import basis
from rankeval.output.declared_columns import (
    Declared,
    Row,
    Value,
    count,
    grid,
    name,
    number,
    share,
    signed,
    table,
    text,
)
from rankeval.output.output_formats import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block, Note, Table
from rankeval.output.text import MORE
from rankeval.stats.rank_intervals import RankInterval

CORRELATIONS = {"tau": "Kendall's tau", "tau_ap": "tau-AP, rows as truth", "rbo": "RBO"}
FACTS = ("first", "second", "run", "group", "measure", "topics")
"""What a number may be of, in the rows for programs."""
POWER = [
    text("measure", get=lambda pair: pair[0], least=0),
    count("pairs", get=lambda pair: len(pair[1].asl)),
    share("significant", get=lambda pair: pair[1].share),
]


def _interval(found: RankInterval, _: Style) -> str:
    return f"{found.low}-{found.high}" if found.high > found.low else f"{found.low}"


def _chance(found: RankInterval, _: Style) -> str:
    return f"{found.best:.2f}"


RANKS = [
    name("run"),
    count("rank", get="bootstrap.rank"),
    count("by bootstrap", get="bootstrap", words=_interval),
    number("best", get="bootstrap", words=_chance),
    count("by posterior", get="posterior", words=_interval),
    number("best", get="posterior", words=_chance),
]


def blocks(report: SystemsReport, style: Style) -> Iterator[Block]:
    """Yield what measures and the pool do to the runs; with -v each of their numbers."""
    yield _headline(report)
    if report.discriminative:
        yield table("Discriminative power", POWER, report.discriminative.items(), style)
        yield f"Significant: {report.how}."
    if style.verbose:
        yield from _orders(report, style)
    if style.verbose or not report.discriminative:
        yield from _without(report, style)
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
        (one.fall or 0, run, measure)
        for run, by_measure in report.leave_one_run_out.items()
        for measure, one in by_measure.items()
    )
    said.append(
        f"Without the documents that it alone added to the pool, {run} falls by "
        f"{wording.count(fall, 'rank')} in {measure}."
        if fall > 0
        else "No run falls without the documents that it alone added to the pool."
    )
    return " ".join(said)


def _orders(report: SystemsReport, style: Style) -> Iterator[Block]:
    """Yield the orders of the runs: how alike they are, how often they swap, ranks."""
    for statistic, words in CORRELATIONS.items() if report.agreement else ():
        title = f"Order of {wording.count(len(report.runs), 'run')}: {words}"
        values = {(one.first, one.second): getattr(one, statistic) for one in report.agreement}
        measures = dict.fromkeys(one.first for one in report.agreement)
        yield grid(title, text("measure", least=0), measures, values, number, style)
    rates = {
        (rate.topics, measure): rate.rate
        for measure, rates in report.swap_rate.items()
        for rate in rates
    }
    if rates:
        title = "Swap rate: pairs that two samples of topics order in opposite ways"
        yield grid(title, count("topics"), report.swap_rate, rates, share, style)
    for measure, ranks in report.ranks.items():
        if ranks:
            title = f"{measure}: ranks, {wording.confidence(report.how.alpha)} intervals"
            yield table(title, RANKS, sorted(ranks, key=lambda one: one.bootstrap.rank), style)
    if any(report.ranks.values()):
        yield "Best: probability to be the best over all topics that users might ask."


def _without(report: SystemsReport, style: Style) -> Iterator[Table | str]:
    """Yield the changes of runs that are left out of the pool."""

    def change(measure: str) -> list[Declared]:
        return [
            signed(measure, get=lambda pair: pair[1][measure].change),
            number("rank", get=lambda pair: pair[1][measure].fall, words=_moved),
        ]

    columns = [
        name("run", get=lambda pair: pair[0]),
        count("unique", get=lambda pair: report.unique_relevant[pair[0]]),
    ]
    for score in report.runs[0].scores:
        columns += change(score.measure)
    title = "Runs without the documents that they alone added to the pool"
    yield table(title, columns, report.leave_one_run_out.items(), style)
    where = "" if report.pool_depth is None else f" among the first {report.pool_depth}"
    yield (
        f"Unique: relevant documents{where} that no other run has. Change of each value without "
        "their judgments, and of the rank."
    )
    for group, runs in report.leave_one_group_out.items():
        title = f"Group {group} without the documents that it alone added to the pool"
        yield table(title, columns, runs.items(), style)


def _moved(fall: int | None, _: Style) -> str:
    return wording.UNDEFINED if fall is None else f"{fall:+d}" if fall else "="


def _row(statistic: str, value: Value, **facts: Value) -> Row:
    return [statistic, *map(facts.get, FACTS), value]


def rows(report: SystemsReport, _: Style) -> Iterator[Row]:
    """Yield a row per statistic."""
    yield ["statistic", *FACTS, "value"]
    for pair in report.agreement:
        for statistic in CORRELATIONS:
            value = getattr(pair, statistic)
            yield _row(statistic, value, first=pair.first, second=pair.second)
    for measure, power in report.discriminative.items():
        yield _row("discriminative", power.share, measure=measure)
    for measure, rates in report.swap_rate.items():
        for rate in rates:
            yield _row("swap_rate", rate.rate, measure=measure, topics=rate.topics)
    yield from _rows_of_runs(report)


def _rows_of_runs(report: SystemsReport) -> Iterator[Row]:
    for measure, ranks in report.ranks.items():
        for each in ranks:
            for way in ("bootstrap", "posterior"):
                for fact, value in asdict(getattr(each, way)).items():
                    yield _row(f"{way}_{fact}", value, run=each.run, measure=measure)
    for run, times in report.unique_relevant.items():
        yield _row("unique_relevant", times, run=run)
    for group, runs in [(None, report.leave_one_run_out), *report.leave_one_group_out.items()]:
        for run, by_measure in runs.items():
            for measure, left_out in by_measure.items():
                for fact, value in asdict(left_out).items():
                    yield _row(fact, value, run=run, group=group, measure=measure)


PRINTER = Printer[SystemsReport](blocks, rows)
