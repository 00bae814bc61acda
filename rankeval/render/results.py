"""The printer of an evaluation's results, which imports each drawing when it is needed."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from rankeval.choices import Format
from rankeval.documents.plain import Document
from rankeval.documents.results import document, records
from rankeval.documents.values import each_once
from rankeval.evaluation.results import Results
from rankeval.render.printer import Printer
from rankeval.render.style import Style

if TYPE_CHECKING:  # scipy
    from rankeval.tasks.compare.compare import Comparison


def _table(results: Results, style: Style) -> Iterator[str]:
    from rankeval.render.evaluation import text

    return text(each_once(results, style), style)


def _tsv(results: Results, style: Style) -> Iterator[str]:
    from rankeval.render.separated import tsv

    return tsv(each_once(results, style), style)


def _csv(results: Results, style: Style) -> Iterator[str]:
    from rankeval.render.separated import csv_

    return csv_(each_once(results, style), style)


def _markdown(results: Results, style: Style) -> Iterator[str]:
    from rankeval.render.evaluation import markdown

    return markdown(each_once(results, style), style)


def _latex(results: Results, style: Style) -> Iterator[str]:
    from rankeval.render.evaluation import latex

    return latex(each_once(results, style), style)


def _trec(results: Results, style: Style) -> Iterator[str]:
    from rankeval.render.trec import trec

    return trec(each_once(results, style), style)


RESULTS = Printer[Results](
    document=document,
    records=records,
    drawings={
        Format.TABLE: _table,
        Format.TSV: _tsv,
        Format.CSV: _csv,
        Format.MARKDOWN: _markdown,
        Format.LATEX: _latex,
        Format.TREC: _trec,
    },
)


def results_beside(comparison: "Comparison") -> Printer[Results]:
    """Return the printer of results with the significant differences from a baseline."""
    from rankeval.documents import comparison as documents
    from rankeval.render import evaluation

    def with_comparisons(results: Results, style: Style) -> Document:
        compared = documents.document(comparison)
        return {
            **document(results, style),
            "baseline": comparison.runs[0].name,
            "method": compared["method"],
            "comparisons": compared["comparisons"],
        }

    def drawing(draw: Callable[..., Iterator[str]]) -> Callable[[Results, Style], Iterator[str]]:
        return lambda results, style: draw(each_once(results, style), style, comparison)

    return replace(
        RESULTS,
        document=with_comparisons,
        drawings={
            **RESULTS.drawings,
            Format.TABLE: drawing(evaluation.text),
            Format.MARKDOWN: drawing(evaluation.markdown),
            Format.LATEX: drawing(evaluation.latex),
        },
    )
