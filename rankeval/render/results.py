"""The printer of an evaluation's results, which imports each drawing when it is needed."""

from collections.abc import Iterator

from rankeval.documents.results import document, records
from rankeval.documents.values import each_once
from rankeval.evaluation.results import Results
from rankeval.render.output_formats import Format
from rankeval.render.printer import Printer
from rankeval.render.style import Style


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
