"""The agreement between measures: the orders in which they put the runs."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from rich.cells import cell_len
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import finite, visible
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.output.arrange import folded as folded_cells
from rankeval.plots.canvas import letter, wrapped
from rankeval.plots.kinds import Drawing, Hover, InReports, Numbers, PlotKind, Row, Screen, register
from rankeval.plots.look import SHADES, folded, letters_of, named_rows, width_of
from rankeval.plots.selection import measure_names, require_runs, score_of, short_number
from rankeval.plots.whole_figure import on_axes
from rankeval.stats.checked_arrays import Floats
from rankeval.stats.rank_correlation import order_agreement

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@frozen(eq=False)
class Agreement:
    """Correlations of the orders in which measures put the runs.

    ======== =======================================================================================
    measures names
    n_runs   number of runs
    tau      Kendall's tau-b, shape (measures, measures); NaN where all runs are tied
    tau_ap   AP correlation of the order of the column's measure with that of the row's, which
             counts as the true one, shape (measures, measures); not symmetric
    ======== =======================================================================================
    """

    measures: tuple[str, ...]
    n_runs: int
    tau: Floats
    tau_ap: Floats

    def rows(self) -> Iterator[Row]:
        """Yield a row per pair of measures."""
        for i, truth in enumerate(self.measures):
            for j, measure in enumerate(self.measures):
                yield {
                    "truth": truth,
                    "measure": measure,
                    "tau": finite(self.tau[i, j]),
                    "tau_ap": finite(self.tau_ap[i, j]),
                }


def agreement_data(results: Results) -> Agreement:
    """Return Kendall's tau and tau-AP between all measures of the results, over the runs.

    Runs are ordered by their value over all topics, the best first. For tau-AP, which knows no
    ties, tied runs are ordered as in the other measure, and then as in the results.

    Edge cases
        - A run for which a measure is undefined is left out for that pair of measures.
        - All runs tied by one of the two: both are NaN.

    Source: Kendall, Biometrika 33, 1945; Yilmaz, Aslam and Robertson, SIGIR 2008.
    """
    require_runs(results, 2)
    measures = measure_names(results)
    if len(measures) < 2:
        raise UsageError("found 1 measure to compare", expected="two measures or more")
    gains = np.array([_gains(results, name) for name in measures])
    size = len(measures)
    tau, top_heavy = np.full((size, size), np.nan), np.full((size, size), np.nan)
    for i in range(size):
        for j in range(size):
            orders = order_agreement(gains[i], gains[j])
            if orders.tau_b is not None and orders.tau_ap is not None:
                tau[i, j], top_heavy[i, j] = orders.tau_b, orders.tau_ap
    return Agreement(measures, len(results.runs), tau, top_heavy)


def _gains(results: Results, name: str) -> list[float]:
    scores = [score_of(run, name) for run in results.runs]
    return [-score.aggregate if score.loss else score.aggregate for score in scores]


Part = tuple[Agreement, str]
"""What is drawn on one of the axes: the agreement, and which of its statistics."""
TITLES = {"tau": "Kendall's tau", "tau_ap": "tau-AP of the column, truth: the row"}


def agreement(results: Results, ax: "Axes | None" = None, *, statistic: str = "tau") -> "Axes":
    """Draw Kendall's `tau`, or `tau_ap`, between the measures of the results."""
    if statistic not in ("tau", "tau_ap"):
        raise UsageError(f"there is no statistic '{statistic}'", expected="tau or tau_ap")
    return on_axes("agreement", (agreement_data(results), statistic), ax)


def _draw(part: Part, ax: "Axes", share: float) -> None:
    """Draw a table of Kendall's tau or tau-AP between measures."""
    data, statistic = part
    values = getattr(data, statistic)
    width = width_of(ax) * share
    letters = letters_of(width, 0.3)
    names = [folded(name, letters) for name in data.measures]
    size = len(names)
    ax.patch.set(facecolor="none", hatch="////", edgecolor="#a0a0a0")
    edges = np.arange(size + 1) - 0.5
    cells = np.ma.masked_invalid(values)
    ax.pcolormesh(edges, edges, cells, cmap=SHADES, vmin=-1.0, vmax=1.0, gid="cells")
    ax.set_ylim(size - 0.5, -0.5)
    ax.set_xticks(range(size), names, rotation=90)
    ax.set_yticks(range(size), names)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    cell = width * 0.65 / size
    if cell > 0.15:
        for i in range(size):
            for j in range(size):
                if not np.isnan(values[i, j]):
                    ax.text(
                        j,
                        i,
                        f"{values[i, j]:.2f}".replace("0.", ".").replace("1.00", "1"),
                        ha="center",
                        va="center",
                        fontsize=min(7.0, cell * 72 / 2.6),
                        color="#101010" if values[i, j] > 0.1 else "white",
                    )
    ax.set_title(f"{TITLES[statistic]}\n{data.n_runs} runs", loc="left")


def _inches(part: Part, width: float) -> float:
    names = named_rows(part[0].measures, letters_of(width, 0.3), padding=0.8)
    return max(names.inches, 0.65 * width) + 0.3 * width


def _in_terminal(data: Agreement, screen: Screen) -> list[Text]:
    lines = []
    titles = ("Kendall's tau", "tau-AP of the column's order, the row's being the truth")
    for title, values in zip(titles, (data.tau, data.tau_ap), strict=True):
        lines += wrapped(f"{title}, {data.n_runs} runs", screen, "bold")
        names = [visible(name) for name in data.measures]
        side = min(max(map(cell_len, names)) + 4, screen.width // 2)
        size = max(1, (screen.width - side) // 6)
        for first in range(0, len(names), size):
            part = range(first, min(first + size, len(names)))
            heads = "".join(f"{letter(j):>6}" for j in part)
            lines.append(Text(" " * side + heads))
            for i, name in enumerate(names):
                *before, last = folded_cells(f" {letter(i)} {name}", side - 1)
                lines += [Text(text) for text in before]
                line = Text(last + " " * (side - cell_len(last)))
                for j in part:
                    value = values[i, j]
                    style = "bold" if value > 0.9 else "red" if value < 0.5 else ""
                    line.append("     -" if np.isnan(value) else f"{value:6.2f}", style=style)
                lines.append(line)
    return lines


def _hover(part: Part) -> Hover:
    data, statistic = part
    yield (
        "cells",
        [
            f"{row} and {column}: {value:.4f}"
            for row, heights in zip(data.measures, getattr(data, statistic), strict=True)
            for column, value in zip(data.measures, heights, strict=True)
        ],
    )


def _numbers(data: Agreement) -> Iterator[Numbers]:
    for title, values in (("Kendall's tau", data.tau), ("tau-AP, truth: the row", data.tau_ap)):
        yield Numbers(
            title,
            ("Measure", *data.measures),
            tuple(
                (name, *map(short_number, row))
                for name, row in zip(data.measures, values, strict=True)
            ),
        )


register(
    PlotKind(
        "agreement",
        lambda results, _: [agreement_data(results)],
        Drawing(_draw, _inches, (2, 1), parts=lambda panel: [(panel, name) for name in TITLES]),
        _in_terminal,
        InReports(
            5,
            "Agreement of measures",
            "Kendall's tau and tau-AP between the orders in which the measures put the runs.",
            _hover,
            _numbers,
            runs=3,
        ),
        collections=True,
    )
)
