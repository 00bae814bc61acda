"""Estimated means in every format, and their schema."""

from collections.abc import Iterator
from dataclasses import asdict, fields

from rankeval.base.wording import count, interval, number, signed
from rankeval.commands.estimate.task import EstimateReport
from rankeval.evaluation.shown_values import conventions_sentence
from rankeval.output.data_rows import Row
from rankeval.output.document_form import Document, headed, plain
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import NAME, Block, Column, Table, numbers

SCHEMA = "rankeval-estimate/1"


def document(report: EstimateReport) -> Document:
    """Return the estimates of runs and of differences."""
    facts = {field.name: getattr(report, field.name) for field in fields(report)}
    del facts["results"]
    for name in ("runs", "differences"):
        flat = [{**vars(one), **asdict(one.found)} for one in facts[name]]
        facts[name] = [{key: one[key] for key in one if key != "found"} for one in flat]
    return headed(SCHEMA, plain(facts))


def blocks(report: EstimateReport, style: Style) -> Iterator[Block]:
    """Yield a table of each measure's means, those of the differences, and what they rest on."""
    level = f"{100 * report.level:g}%"
    for measure in dict.fromkeys(one.measure for one in report.runs):
        yield _means(report, measure, level, style)
    if report.differences:
        yield _differences(report, level, style)
    yield from _basis(report)
    yield from conventions_sentence(words for run in report.results for words in run.conventions)


def _range(low: float | None, high: float | None, style: Style) -> str:
    """Return an interval of a mean, which has no sign as one of a difference has."""
    if low is None or high is None:
        return "-"
    return f"[{number(low, style.decimals)}, {number(high, style.decimals)}]"


def _means(report: EstimateReport, measure: str, level: str, style: Style) -> Table:
    rows = []
    for one in report.runs:
        if one.measure != measure:
            continue
        found = one.found
        cells = [number(found.value, style.decimals), _range(found.low, found.high, style)]
        cells += [number(value, style.decimals) for value in (found.human, found.machine)]
        cells.append(number(found.weight, 2))
        cells.append("-" if found.more is None else f"{found.more:.0f}")
        rows.append([one.run, *cells])
    columns = [Column("run", NAME), *numbers(["estimate", f"{level} by t"])]
    columns += numbers(["people", "machine", "lambda", "worth"])
    title = f"{measure}, mean over {count(report.n_human + report.n_machine, 'topic')}"
    return Table(title, columns, rows)


def _differences(report: EstimateReport, level: str, style: Style) -> Table:
    rows = []
    for one in report.differences:
        found = one.found
        cells = [
            signed(found.value, style.decimals),
            interval(found.low, found.high, style.decimals),
        ]
        cells.append(number(found.weight, 2))
        rows.append([one.measure, one.run, one.other, *cells])
    columns = [Column("measure"), Column("run", NAME), Column("minus", NAME)]
    columns += numbers(["estimate", f"{level} by t", "lambda"])
    return Table("Differences between runs", columns, rows)


def _basis(report: EstimateReport) -> Iterator[str]:
    scope = "these topics" if report.finite else "all topics that users might ask"
    yield (
        f"People judged {count(report.n_human, 'topic')}, drawn at random; only the machine judged "
        f"{report.n_machine} more. The estimates are of {scope}."
    )
    worth = [one for one in report.runs if one.found.more is not None and one.found.more >= 1.0]
    if worth:
        best = max(worth, key=lambda one: one.found.more or 0.0)
        yield (
            f"The machine's judgments were at best as good as {best.found.more:.0f} more topics "
            f"judged by people ({best.measure} of {best.run})."
        )


HEADS = ("run", "other", "measure", "statistic", "value")


def rows(report: EstimateReport, _style: Style) -> Iterator[Row]:
    """Yield a row for each number of an estimate."""
    yield HEADS
    for one in report.runs:
        for name, value in asdict(one.found).items():
            yield [one.run, None, one.measure, name, value]
    for pair in report.differences:
        for name, value in asdict(pair.found).items():
            yield [pair.run, pair.other, pair.measure, name, value]


PRINTER = Printer[EstimateReport](
    document=lambda report, _: document(report),
    rows=rows,
    blocks=blocks,
)
