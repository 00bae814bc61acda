"""The numbers of a plot as rows or a document, from whose types the schema is made."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rankeval.base.frozen import frozen
from rankeval.evaluation.results import Results
from rankeval.output.data_rows import Row, Value, Written, named_rows
from rankeval.output.document_form import (
    Document,
    headed,
    plain,
)
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.plots.kinds import Choices, plot_data, rows_of

SCHEMA = "rankeval-plot/1"


@frozen(eq=False)
class Plot:
    """A plot: its kind, the data of its panels, and the digest of the judgments.

    `listed` is the same data with the runs as given, whose numbers are written; `note` says which
    runs are left out.
    """

    kind: str
    panels: tuple[Any, ...]
    digest: str
    listed: tuple[Any, ...] = ()
    note: str = ""


def plot_of(kind: str, results: Results, choices: Choices) -> Plot:
    """Return the plot of results: panels in the order of the choices, numbers as given."""
    n_runs = len(results.runs)
    left_out = choices.top is not None and choices.top < n_runs
    return Plot(
        kind,
        plot_data(kind, results, choices),
        results.qrels.digest,
        plot_data(kind, results, replace(choices, sort="given")),
        f"the best {choices.top} of {n_runs} runs" if left_out else "",
    )


def _document(plot: Plot, _: Style) -> Document:
    facts = {"kind": plot.kind, "qrels": {"digest": plot.digest}}
    return headed(
        SCHEMA, {**facts, "rows": [plain(row) for row in rows_of(plot.listed or plot.panels)]}
    )


def _rows(plot: Plot, _: Style) -> Iterator[Row]:
    for row in named_rows(rows_of(plot.listed or plot.panels)):
        yield [_cell(value) for value in row]


def _cell(value: Value) -> Value:
    return Written(value, str(value).lower()) if isinstance(value, bool) else value


PLOT_DATA = Printer[Plot](
    document=_document,
    rows=_rows,
)
"""The numbers drawn, with all their digits; an undefined one is null or empty."""
