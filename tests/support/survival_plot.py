"""A kind of plot that rankeval lacks, added as its own ones are: survival functions."""

from collections.abc import Iterator

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import Axis
from rankeval.plots.curves import lines_of
from rankeval.plots.kinds import (
    OFFERED,
    Drawing,
    InReports,
    Offered,
    PlotKind,
    Row,
    Screen,
    register,
)
from rankeval.plots.look import curve_inches, identity, label
from rankeval.plots.selection import by_measure, table_of
from rankeval.stats.checked_arrays import Floats


@frozen(eq=False)
class Distribution:
    """The share of topics above each value, by run: values are sorted, shape (runs, topics)."""

    measure: str
    runs: tuple[str, ...]
    values: Floats

    @property
    def shares(self) -> Floats:
        """The share of topics beyond each place."""
        return 1 - np.arange(1, self.values.shape[1] + 1) / self.values.shape[1]

    def rows(self) -> Iterator[Row]:
        """Yield a row per run and topic."""
        for run, values in zip(self.runs, self.values.tolist(), strict=True):
            for value, share in zip(values, self.shares.tolist(), strict=True):
                yield {"run": run, "measure": self.measure, "value": value, "share": share}


def survival_data(results: Results, measure: str | None = None) -> Distribution:
    """Return the values of each run in ascending order."""
    table = table_of(results, measure)
    return Distribution(table.measure, table.runs, np.sort(table.values, axis=0).T)


def _draw(data, ax, _):
    for i, values in enumerate(data.values):
        ax.step(values, data.shares, where="post", color=identity(i).colour, gid=f"run{i}")
    ax.set_xlabel(label(data.measure))
    ax.set_ylabel("share of topics")


def _in_terminal(data: Distribution, screen: Screen) -> list[Text]:
    x = np.linspace(0.0, 1.0, 101)
    y = np.array([1 - np.searchsorted(v, x, side="right") / len(v) for v in data.values])
    name = f"share of topics with {data.measure} above x"
    return lines_of(data.runs, x, y, Axis(0.0, 1.0), screen, (data.measure, name))


OFFERED["survival"] = Offered("share of topics above each value", __name__)
register(
    PlotKind(
        "survival",
        lambda results, _: by_measure(results, survival_data),
        Drawing(_draw, curve_inches, legend=lambda data: data.runs),
        _in_terminal,
        InReports(10, "Shares of topics", "Share of topics above each value."),
    )
)
