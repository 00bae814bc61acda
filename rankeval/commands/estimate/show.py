"""The tables of estimated means."""

from collections.abc import Iterator
from dataclasses import asdict

from rankeval.base import wording
from rankeval.commands.estimate.task import EstimateReport
from rankeval.evaluation.shown_values import conventions_sentence
from rankeval.output.data_rows import Row
from rankeval.output.declared_columns import Declared, name, number, signed, table, text
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block, Note
from rankeval.output.text import MORE
from rankeval.stats.prediction_powered import Estimated

MEASURE = text("measure", least=0)
WEIGHT = number("weight", "lambda", "found.weight", words=lambda share, _: wording.number(share, 2))


def _means(level: str) -> list[Declared]:
    def ends(found: Estimated, style: Style) -> str:
        low, high = (wording.number(end, style.decimals) for end in (found.low, found.high))
        return wording.UNDEFINED if found.low is None else f"[{low}, {high}]"

    return [
        MEASURE,
        name("run"),
        number("estimate", get="found.value"),
        number("interval", f"{level} by t", "found", words=ends),
        number("people", get="found.human"),
        number("machine", get="found.machine"),
        WEIGHT,
        number("worth", get="found.more", words=lambda more, _: wording.number(more, 0)),
    ]


def _differences(level: str) -> list[Declared]:
    def ends(found: Estimated, style: Style) -> str:
        return wording.interval(found.low, found.high, style.decimals)

    return [
        MEASURE,
        name("run"),
        name("other", "minus"),
        signed("estimate", get="found.value"),
        signed("interval", f"{level} by t", "found", words=ends),
        WEIGHT,
    ]


def blocks(report: EstimateReport, style: Style) -> Iterator[Block]:
    """Yield what the estimates rest on, the means, and with -v the differences."""
    level = f"{100 * report.level:g}%"
    n_topics = wording.count(report.n_human + report.n_machine, "topic")
    scope = f"these {n_topics}" if report.finite else "all topics that users might ask"
    yield (
        f"Means over {scope}: people judged {report.n_human:,} of {n_topics}, drawn at random, "
        "and the machine all."
    )
    yield table("Estimated means", _means(level), report.runs, style)
    best = max(report.runs, key=lambda one: one.found.more or 0.0)
    if best.found.more is not None and best.found.more >= 1.0:
        yield (
            f"The machine's judgments were at best as good as {best.found.more:.0f} more topics "
            f"judged by people ({best.measure} of {best.run})."
        )
    if report.differences and style.verbose:
        yield table("Differences between runs", _differences(level), report.differences, style)
    yield from conventions_sentence(words for run in report.results for words in run.conventions)
    if report.differences and not style.verbose:
        yield Note(MORE)


def rows(report: EstimateReport, _: Style) -> Iterator[Row]:
    """Yield a row for each number of an estimate."""
    yield ["run", "other", "measure", "statistic", "value"]
    for one in (*report.runs, *report.differences):
        for statistic, value in asdict(one.found).items():
            yield [one.run, one.other, one.measure, statistic, value]


PRINTER = Printer[EstimateReport](blocks, rows)
