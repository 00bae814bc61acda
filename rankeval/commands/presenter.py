"""Show results as their commands print them: the functions behind methods of results."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from rankeval.base.paths import path_text
from rankeval.base.visible import visible
from rankeval.choices import Format, Names
from rankeval.commands.eval.show import RESULTS
from rankeval.evaluation.merging import merged
from rankeval.evaluation.results import Results, RunResult
from rankeval.output.content import USUAL_DECIMALS
from rankeval.output.notice_lines import notice_lines
from rankeval.output.output_formats import TEXT
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.writing import write_result
from rankeval.ranking.qrels_source import QrelsLike

if TYPE_CHECKING:  # scipy takes long to import
    from rankeval.commands.compare.task import Comparison
    from rankeval.output.tables import Block

PLAIN = Style(names=Names.AS_GIVEN, colour=False, unicode=False, log=False)
"""The look of a result that prints itself: measures have the names that look them up."""


class Look(NamedTuple):
    """The look of one class of results: its printer, and its drawing in a notebook.

    `form` is the format that a terminal shows. A printer of several results gets a list of one.
    `runs` and `warnings` return the runs of a result, and the warnings that are its own.
    """

    printer: Printer[Any]
    html: Callable[[Any, Style], Iterator[str]]
    form: str = Format.TABLE
    several: bool = False
    runs: Callable[[Any], Sequence[RunResult]] = lambda result: result.runs
    warnings: Callable[[Any], Sequence[str]] = lambda result: result.warnings

    def pieces(self, result: Any, form: str, style: Style) -> Iterable[str]:
        """Yield the text of a result in a format."""
        return self.printer.text([result] if self.several else result, form, style)


def text(result: object) -> str:
    """Return the text that a terminal shows, and the warnings, which commands print apart."""
    look = _look(result)
    found = "".join(look.pieces(result, look.form, PLAIN)).rstrip("\n")
    return "\n".join([found, *(f"warning: {visible(line)}" for line in _warnings(result))])


def html(result: object) -> str:
    """Return the HTML that a notebook shows, and the warnings, which commands print apart."""
    from rankeval.output.html import html as html_of

    look = _look(result)
    said = [f"warning: {line}" for line in _warnings(result)]
    return "".join([*look.html(result, PLAIN), *html_of(said)])


def printed(result: object, form: str, **style: Any) -> str:
    """Return what the command of the result prints in a format."""
    return "".join(_look(result).pieces(result, form, Style(**style)))


def save(results: Any, path: str | os.PathLike[str]) -> None:
    """Write results with the values of all topics as JSON, whole or not at all."""
    path = path_text(path, "the place to save results")
    write_result(RESULTS, results, Format.JSON, path, replace(PLAIN, per_topic=True))


def compare(results: Results, baseline: str | None, **options: Any) -> "Comparison":
    """Compare the other runs with the baseline, by default the first run."""
    from rankeval.commands.compare.task import compare_results

    if baseline is not None:
        first = results[baseline]
        others = tuple(run for run in results.runs if run is not first)
        results = replace(results, runs=(first, *others))
    return compare_results(results, **options)


def merge(parts: Sequence[Results], qrels: QrelsLike | None) -> Results:
    """Merge results of parts of the topics."""
    return merged(parts, qrels)


def _warnings(result: Any) -> list[str]:
    look = _look(result)
    return [*notice_lines(look.runs(result), USUAL_DECIMALS), *look.warnings(result)]


def _look(result: object) -> Look:
    by_name = (_LOOKS.get(cls.__name__) for cls in type(result).__mro__)
    return next(find for find in by_name if find is not None)()


def _nothing(_result: object) -> tuple[()]:
    return ()


def _results() -> Look:
    from rankeval.commands.eval.show import tables
    from rankeval.output.html import html as html_of
    from rankeval.output.values import aggregation_lines, each_once, qrels_line

    def blocks(results: Results, style: Style) -> Iterator["Block"]:
        yield from tables(each_once(results, style), style)
        yield f"qrels: {results.qrels.path} ({qrels_line(results)})"
        yield from aggregation_lines(results, style)

    return Look(RESULTS, lambda results, style: html_of(blocks(results, style)), warnings=_nothing)


def _comparison() -> Look:
    from rankeval.commands.compare.reports.difference_tables import Parts
    from rankeval.commands.compare.reports.papers import blocks
    from rankeval.commands.compare.show import comparison_printer
    from rankeval.output.html import html as html_of

    parts = Parts()
    return Look(
        comparison_printer(parts), lambda found, style: html_of(blocks(found, style, parts))
    )


def _gate_report() -> Look:
    from rankeval.commands.gate.reports.gate_tables import blocks
    from rankeval.commands.gate.show import REPORT
    from rankeval.output.html import html as html_of

    return Look(REPORT, lambda report, style: html_of(blocks(report, style)))


def _suites_report() -> Look:
    from rankeval.commands.gate.reports.gate_words import warning_lines
    from rankeval.commands.gate.reports.suite_tables import blocks
    from rankeval.commands.gate.show import SUITES
    from rankeval.output.html import html as html_of

    return Look(
        SUITES,
        lambda report, style: html_of(blocks(report, style)),
        runs=_nothing,
        warnings=lambda report: warning_lines(report, USUAL_DECIMALS),
    )


def _explanation() -> Look:
    from rankeval.commands.explain.show import EXPLANATIONS, html

    return Look(EXPLANATIONS, html, several=True, runs=_nothing)


def _difference() -> Look:
    from rankeval.commands.diff.show import DIFFERENCE, blocks
    from rankeval.output.html import html as html_of

    return Look(
        DIFFERENCE,
        lambda found, style: html_of(blocks(found, style)),
        runs=lambda found: (found.a, found.b),
        warnings=_nothing,
    )


def _trend() -> Look:
    from rankeval.commands.trend.show import blocks, trend_printer
    from rankeval.output.html import html as html_of

    return Look(
        trend_printer(unicode=False),
        lambda found, style: html_of(blocks(found, style, unicode=True)),
        runs=_nothing,
    )


def _file_report() -> Look:
    from rankeval.commands.check.show import FILE_REPORTS
    from rankeval.output.html import preformatted

    def html(report: object, style: Style) -> Iterator[str]:
        yield preformatted("".join(FILE_REPORTS.text([report], TEXT, style)))  # type: ignore[list-item]  # chosen by its class

    return Look(FILE_REPORTS, html, form=TEXT, several=True, runs=_nothing, warnings=_nothing)


_LOOKS: dict[str, Callable[[], Look]] = {
    "Results": _results,
    "Comparison": _comparison,
    "GateReport": _gate_report,
    "SuitesReport": _suites_report,
    "Explanation": _explanation,
    "Difference": _difference,
    "FileReport": _file_report,
    "Trend": _trend,
}
"""By the name of the class, so that no class is imported before there is an object of it."""
