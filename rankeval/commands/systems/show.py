"""The tables of systems."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from rankeval.base import wording
from rankeval.commands.systems.pool_bias import ByRun, LeftOut
from rankeval.commands.systems.task import RunRanks, SystemsReport
from rankeval.evaluation.shown_values import basis
from rankeval.output.data_rows import Row
from rankeval.output.declared_columns import (
    Declared,
    count,
    grid,
    name,
    number,
    share,
    signed,
    table,
    text,
)
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block
from rankeval.stats.rank_intervals import RankInterval

CORRELATIONS = {"tau": "Kendall's tau", "tau_ap": "tau-AP, rows as truth", "rbo": "RBO"}


def blocks(report: SystemsReport, style: Style) -> Iterator[Block]:
    """Yield the tables, and sentences that say how to read them."""
    for statistic, words in CORRELATIONS.items() if report.agreement else ():
        title = f"Order of {wording.count(len(report.runs), 'run')}: {words}"
        values = {(one.first, one.second): getattr(one, statistic) for one in report.agreement}
        measures = dict.fromkeys(one.first for one in report.agreement)
        yield grid(title, text("measure", least=0), measures, values, number, style)
    if report.discriminative:
        yield table("Discriminative power", _POWER, report.discriminative.items(), style)
        yield f"Significant: {report.how}."
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
            yield table(title, _RANKS, sorted(ranks, key=lambda one: one.bootstrap.rank), style)
    if any(report.ranks.values()):
        yield "Best: probability to be the best over all topics that users might ask."
    title = "Runs without the judgments of what they alone have found"
    columns = _left_out(report)
    yield table(title, columns, report.leave_one_run_out.items(), style)
    where = "" if report.pool_depth is None else f" among the first {report.pool_depth}"
    yield (
        f"Unique: relevant documents{where} that no other run has. Change of each value without "
        "their judgments, and of the rank."
    )
    for group, runs in report.leave_one_group_out.items():
        title = f"Group {group} without the judgments of what it alone has found"
        yield table(title, columns, runs.items(), style)
    yield from basis(report.runs)


_POWER = [
    text("measure", get=lambda pair: pair[0], least=0),
    count("pairs", get=lambda pair: len(pair[1].asl)),
    share("significant", get=lambda pair: pair[1].share),
]


def _interval(found: RankInterval, _: Style) -> str:
    return f"{found.low}-{found.high}" if found.high > found.low else f"{found.low}"


def _chance(found: RankInterval, _: Style) -> str:
    return f"{found.best:.2f}"


_RANKS = [
    name("run"),
    count("rank", get="bootstrap.rank"),
    count("by bootstrap", get="bootstrap", words=_interval),
    number("best", get="bootstrap", words=_chance),
    count("by posterior", get="posterior", words=_interval),
    number("best", get="posterior", words=_chance),
]


def _left_out(report: SystemsReport) -> list[Declared]:
    """Return the columns of the runs that are left out: a change of value and of rank each."""
    columns = [
        name("run", get=lambda pair: pair[0]),
        count("unique", get=lambda pair: report.unique_relevant[pair[0]]),
    ]
    for score in report.runs[0].scores:
        columns += _change(score.measure)
    return columns


def _change(measure: str) -> list[Declared]:
    def of(pair: tuple[str, Mapping[str, LeftOut]]) -> LeftOut:
        return pair[1][measure]

    return [
        signed(measure, get=lambda pair: of(pair).change),
        number("rank", get=of, words=_moved),
    ]


def _moved(left_out: LeftOut, _: Style) -> str:
    if left_out.rank is None or left_out.rank_without is None:
        return wording.UNDEFINED
    moved = left_out.rank_without - left_out.rank
    return f"{moved:+d}" if moved else "="


HEADS = ("statistic", "first", "second", "run", "group", "measure", "topics", "value")


def rows(report: SystemsReport, _style: Style) -> Iterator[Row]:
    """Yield a row per statistic."""
    yield HEADS
    for pair in report.agreement:
        names = pair.first, pair.second
        for statistic in CORRELATIONS:
            value = getattr(pair, statistic)
            yield [statistic, *names, None, None, None, None, value]
    for measure, power in report.discriminative.items():
        yield ["discriminative", None, None, None, None, measure, None, power.share]
    for measure, rates in report.swap_rate.items():
        for rate in rates:
            yield ["swap_rate", None, None, None, None, measure, rate.topics, rate.rate]
    yield from _rows_of_ranks(report.ranks)
    for run, times in report.unique_relevant.items():
        yield ["unique_relevant", None, None, run, None, None, None, times]
    yield from _rows_left_out(None, report.leave_one_run_out)
    for group, found in report.leave_one_group_out.items():
        yield from _rows_left_out(group, found)


def _rows_of_ranks(ranks: Mapping[str, Sequence[RunRanks]]) -> Iterator[Row]:
    for measure, runs in ranks.items():
        for each in runs:
            for way, found in (("bootstrap", each.bootstrap), ("posterior", each.posterior)):
                for fact, value in asdict(found).items():
                    yield [f"{way}_{fact}", None, None, each.run, None, measure, None, value]


def _rows_left_out(group: str | None, found: ByRun) -> Iterator[Row]:
    for run, by_measure in found.items():
        for measure, left_out in by_measure.items():
            for fact, value in asdict(left_out).items():
                yield [fact, None, None, run, group, measure, None, value]


PRINTER = Printer[SystemsReport](blocks, rows)
