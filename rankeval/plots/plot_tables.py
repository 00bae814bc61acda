"""The numbers of a plot as a table or a document."""

from collections.abc import Iterator
from typing import Any

from rankeval.base.frozen import frozen
from rankeval.output.data_rows import Row, Value, Written, named_rows
from rankeval.output.document_form import Document, headed, plain
from rankeval.output.printer import Printer
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


def _rows(plot: Plot, _: Style) -> Iterator[Row]:
    for row in named_rows(rows_of(plot.panels)):
        yield [_cell(value) for value in row]


def _cell(value: Value) -> Value:
    return Written(value, str(value).lower()) if isinstance(value, bool) else value


PLOT_DATA = Printer[Plot](
    document=_document,
    rows=_rows,
)
"""The numbers drawn, with all their digits; an undefined one is null or empty."""
