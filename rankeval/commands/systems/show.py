"""The report on systems in every format, and its schema."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from rankeval.base.wording import confidence, count, number, percent, signed
from rankeval.commands.systems.pool_bias import ByRun, LeftOut
from rankeval.commands.systems.task import RunRanks, SystemsReport
from rankeval.evaluation.shown_values import basis
from rankeval.output.data_rows import Row
from rankeval.output.document_form import Document, fields_of, headed, plain
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import NAME, Block, Column, Table, numbers
from rankeval.stats.rank_intervals import RankInterval

SCHEMA = "rankeval-systems/1"


def document(report: SystemsReport) -> Document:
    """Return agreement, discriminative power, swap rates and pool bias."""
    return headed(
        SCHEMA,
        plain(
            {
                "digest": report.digest,
                "runs": [fields_of(run, "name", "path") for run in report.runs],
                **fields_of(report.how, "test", "correction"),
                "significance": report.how.alpha,
                "pool_depth": report.pool_depth,
                "agreement": [asdict(pair) for pair in report.agreement],
                "discriminative": {
                    name: fields_of(one, "share", "asl")
                    for name, one in report.discriminative.items()
                },
                "swap_rate": {
                    name: [asdict(rate) for rate in rates]
                    for name, rates in report.swap_rate.items()
                },
                "ranks": {
                    name: [asdict(found) for found in ranks] for name, ranks in report.ranks.items()
                },
                "unique_relevant": report.unique_relevant,
                "leave_one_run_out": _by_run(report.leave_one_run_out),
                "leave_one_group_out": {
                    group: _by_run(found) for group, found in report.leave_one_group_out.items()
                },
                "warnings": report.warnings,
            }
        ),
    )


def _by_run(found: ByRun) -> Mapping[str, Mapping[str, Document]]:
    return {
        run: {measure: {**asdict(one), "change": one.change} for measure, one in measures.items()}
        for run, measures in found.items()
    }


CORRELATIONS = {"tau": "Kendall's tau", "tau_ap": "tau-AP, rows as truth", "rbo": "RBO"}


def blocks(report: SystemsReport, style: Style) -> Iterator[Block]:
    """Yield the tables, and sentences that say how to read them."""
    if report.agreement:
        for name, words in CORRELATIONS.items():
            yield _matrix(report, name, words, style)
    if report.discriminative:
        yield _power(report)
        yield f"Significant: {report.how}."
    if any(report.swap_rate.values()):
        yield _swaps(report)
    ranks = {name: found for name, found in report.ranks.items() if found}
    for name, of_runs in ranks.items():
        yield _ranks(name, of_runs, report)
    if ranks:
        yield "Best: probability to be the best over all topics that users might ask."
    yield _left_out(
        "Runs without the judgments of what they alone have found",
        report.leave_one_run_out,
        report,
        style,
    )
    where = "" if report.pool_depth is None else f" among the first {report.pool_depth}"
    yield (
        f"Unique: relevant documents{where} that no other run has. Change of each value without "
        "their judgments, and of the rank."
    )
    for group, found in report.leave_one_group_out.items():
        title = f"Group {group} without the judgments of what it alone has found"
        yield _left_out(title, found, report, style)
    yield from basis(report.runs)


def _matrix(report: SystemsReport, name: str, words: str, style: Style) -> Table:
    measures = list(dict.fromkeys(one.first for one in report.agreement))
    values = {(pair.first, pair.second): getattr(pair, name) for pair in report.agreement}
    rows = [
        [
            first,
            *(
                "" if first == second else number(values[first, second], style.decimals)
                for second in measures
            ),
        ]
        for first in measures
    ]
    title = f"Order of {count(len(report.runs), 'run')}: {words}"
    return Table(title, [Column("measure"), *numbers(measures)], rows)


def _power(report: SystemsReport) -> Table:
    rows = [
        [name, str(len(one.asl)), _share(one.share)] for name, one in report.discriminative.items()
    ]
    heads = numbers(["pairs", "significant"])
    return Table("Discriminative power", [Column("measure"), *heads], rows)


def _ranks(measure: str, ranks: Sequence[RunRanks], report: SystemsReport) -> Table:
    """Return the ranks of the runs in one measure, the best first."""
    rows = [
        [
            each.run,
            str(each.bootstrap.rank),
            *(cell for found in (each.bootstrap, each.posterior) for cell in _rank_cells(found)),
        ]
        for each in sorted(ranks, key=lambda each: each.bootstrap.rank)
    ]
    heads = ["rank", "by bootstrap", "best", "by posterior", "best"]
    title = f"{measure}: ranks, {confidence(report.how.alpha)} intervals"
    return Table(title, [Column("run", NAME), *numbers(heads)], rows)


def _rank_cells(found: RankInterval) -> list[str]:
    return [
        f"{found.low}-{found.high}" if found.high > found.low else str(found.low),
        f"{found.best:.2f}",
    ]


def _swaps(report: SystemsReport) -> Table:
    sizes = [one.topics for one in next(rates for rates in report.swap_rate.values() if rates)]
    shown = {
        name: {rate.topics: rate.rate for rate in rates} for name, rates in report.swap_rate.items()
    }
    rows = [
        [str(size), *("" if size not in one else _share(one[size]) for one in shown.values())]
        for size in sizes
    ]
    title = "Swap rate: pairs that two samples of topics order in opposite ways"
    return Table(title, numbers(["topics", *shown]), rows)


def _share(share: float) -> str:
    return percent(share).lstrip("+")


def _left_out(title: str, found: ByRun, report: SystemsReport, style: Style) -> Table:
    measures = [score.measure for score in report.runs[0].scores]
    columns = [Column("run", NAME), *numbers(["unique"])]
    for measure in measures:
        columns += numbers([measure, "rank"])
    rows = [
        [
            run,
            str(report.unique_relevant[run]),
            *(cell for one in by_measure.values() for cell in _change(one, style)),
        ]
        for run, by_measure in found.items()
    ]
    return Table(title, columns, rows)


def _change(left_out: LeftOut, style: Style) -> list[str]:
    change = "-" if left_out.change is None else signed(left_out.change, style.decimals)
    if left_out.rank is None or left_out.rank_without is None:
        return [change, "-"]
    moved = left_out.rank_without - left_out.rank
    return [change, f"{moved:+d}" if moved else "="]


HEADS = ("statistic", "first", "second", "run", "group", "measure", "topics", "value")


def rows(report: SystemsReport, _style: Style) -> Iterator[Row]:
    """Yield a row per statistic."""
    yield HEADS
    for pair in report.agreement:
        names = pair.first, pair.second
        for name in CORRELATIONS:
            yield [name, *names, None, None, None, None, getattr(pair, name)]
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
                for name, value in asdict(found).items():
                    yield [f"{way}_{name}", None, None, each.run, None, measure, None, value]


def _rows_left_out(group: str | None, found: ByRun) -> Iterator[Row]:
    for run, by_measure in found.items():
        for measure, left_out in by_measure.items():
            for name in ("value", "without", "rank", "rank_without"):
                yield [name, None, None, run, group, measure, None, getattr(left_out, name)]


PRINTER = Printer[SystemsReport](
    document=lambda report, _: document(report),
    rows=rows,
    blocks=blocks,
)
