"""The numbers of a plot as a table or a document."""

from collections.abc import Callable, Iterator
from typing import Any

from rankeval.base.frozen import frozen
from rankeval.choices import Format
from rankeval.output import escape
from rankeval.output.document_form import Document, headed, plain
from rankeval.output.printer import Printer
from rankeval.output.separated import csv_lines, tsv_lines
from rankeval.output.style import Style
from rankeval.plots.kinds import rows_of

SCHEMA = "rankeval-plot/1"


@frozen(eq=False)
class Plot:
    """A plot: its kind, the data of its panels, and the digest of the judgments."""

    kind: str
    panels: tuple[Any, ...]
    digest: str


def _document(plot: Plot, _: Style) -> Document:
    facts = {"kind": plot.kind, "qrels": {"digest": plot.digest}}
    return headed(SCHEMA, {**facts, "rows": [plain(row) for row in rows_of(plot.panels)]})


def _records(plot: Plot, _: Style) -> Iterator[Document]:
    return map(plain, rows_of(plot.panels))


def _cells(plot: Plot, safe: Callable[[str], str]) -> Iterator[list[str]]:
    for i, row in enumerate(rows_of(plot.panels)):
        if not i:
            yield [safe(name) for name in row]
        yield [_cell(value, safe) for value in row.values()]


def _cell(value: object, safe: Callable[[str], str]) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return safe(value) if isinstance(value, str) else repr(value)


PLOT_DATA = Printer[Plot](
    document=_document,
    records=_records,
    drawings={
        Format.TSV: lambda plot, _: tsv_lines(_cells(plot, escape.tsv)),
        Format.CSV: lambda plot, _: csv_lines(_cells(plot, escape.csv)),
    },
)
"""The numbers drawn, with all their digits; an undefined one is null or empty."""
