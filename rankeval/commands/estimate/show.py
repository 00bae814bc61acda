"""The tables of estimated means."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from rankeval.base import wording
from rankeval.commands.estimate.task import DifferenceEstimate, EstimateReport, RunEstimate
from rankeval.evaluation.shown_values import conventions_sentence
from rankeval.output.data_rows import Row
from rankeval.output.declared_columns import Declared, name, number, signed, table, text
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block
from rankeval.stats.prediction_powered import Estimated

WEIGHT = number("weight", "lambda", "found.weight", words=lambda share, _: wording.number(share, 2))


def _range(found: Estimated, style: Style) -> str:
    """Return an interval of a mean, which has no sign as one of a difference has."""
    ends = [wording.number(end, style.decimals) for end in (found.low, found.high)]
    return f"[{', '.join(ends)}]" if found.low is not None else wording.UNDEFINED


def _means(level: str) -> list[Declared]:
    return [
        name("run"),
        number("estimate", get="found.value"),
        number("interval", f"{level} by t", "found", words=_range),
        number("people", get="found.human"),
        number("machine", get="found.machine"),
        WEIGHT,
        number("worth", get="found.more", words=lambda more, _: wording.number(more, 0)),
    ]


def _differences(level: str) -> list[Declared]:
    def ends(found: Estimated, style: Style) -> str:
        return wording.interval(found.low, found.high, style.decimals)

    return [
        text("measure", least=0),
        name("run"),
        name("other", "minus"),
        signed("estimate", get="found.value"),
        signed("interval", f"{level} by t", "found", words=ends),
        WEIGHT,
    ]


def blocks(report: EstimateReport, style: Style) -> Iterator[Block]:
    """Yield a table of each measure's means, those of the differences, and what they rest on."""
    level = f"{100 * report.level:g}%"
    n_topics = wording.count(report.n_human + report.n_machine, "topic")
    for measure in dict.fromkeys(one.measure for one in report.runs):
        runs = [one for one in report.runs if one.measure == measure]
        yield table(f"{measure}, mean over {n_topics}", _means(level), runs, style)
    if report.differences:
        yield table("Differences between runs", _differences(level), report.differences, style)
    scope = "these topics" if report.finite else "all topics that users might ask"
    yield (
        f"People judged {wording.count(report.n_human, 'topic')}, drawn at random; only the "
        f"machine judged {report.n_machine} more. The estimates are of {scope}."
    )
    best = max(report.runs, key=lambda one: one.found.more or 0.0)
    if best.found.more is not None and best.found.more >= 1.0:
        yield (
            f"The machine's judgments were at best as good as {best.found.more:.0f} more topics "
            f"judged by people ({best.measure} of {best.run})."
        )
    yield from conventions_sentence(words for run in report.results for words in run.conventions)


def rows(report: EstimateReport, _style: Style) -> Iterator[Row]:
    """Yield a row for each number of an estimate."""
    yield ["run", "other", "measure", "statistic", "value"]
    every: Sequence[RunEstimate | DifferenceEstimate] = [*report.runs, *report.differences]
    for one in every:
        for statistic, value in asdict(one.found).items():
            yield [one.run, getattr(one, "other", None), one.measure, statistic, value]


PRINTER = Printer[EstimateReport](blocks, rows)
