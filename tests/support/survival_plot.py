"""A kind of plot that rankeval lacks, added as its own ones are: survival functions."""

import numpy as np

from rankeval.commands.plot import task
from rankeval.evaluation.results import Results
from rankeval.plots.kinds import OFFERED, InReports, Offered
from rankeval.plots.line_form import Line, Lines, register_lines
from rankeval.plots.selection import by_measure, table_of


def survival_data(results: Results, measure: str | None = None) -> Lines:
    """Return the share of topics above each value, by run."""
    table = table_of(results, measure)
    shares = 1 - np.arange(1, len(table.topics) + 1) / len(table.topics)
    lines = [
        Line(run, {"value": np.sort(values), "share": shares}, float(values.mean()))
        for run, values in zip(table.runs, table.values.T, strict=True)
    ]
    names = (table.measure, f"share of topics with {table.measure} above x")
    return Lines(table.measure, table.loss, names, tuple(lines), limits=(0.0, 1.0), in_rows=True)


task.PlotName = str  # its Literal lists the kinds of rankeval
OFFERED["survival"] = Offered("share of topics above each value", __name__)
register_lines(
    "survival",
    lambda results, _: by_measure(results, survival_data),
    InReports(10, "Shares of topics", "Share of topics above each value."),
)
