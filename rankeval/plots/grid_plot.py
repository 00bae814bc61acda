"""Collections by systems: means, and the differences from the first system that are shown."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import finite, visible
from rankeval.choices import Correction
from rankeval.evaluation.results import Results
from rankeval.output.arrange import folded as folded_cells
from rankeval.plots.canvas import letter, wrapped
from rankeval.plots.fewer_runs import FewerRuns, only_fields
from rankeval.plots.kinds import Choices, Drawing, PlotKind, Row, Screen, register
from rankeval.plots.look import (
    LINE,
    folded,
    letters_of,
    named_rows,
    paper,
    sentence,
    width_of,
    write_row_names,
)
from rankeval.plots.selection import (
    chosen_measure,
    mean_of,
    measure_names,
    place_of,
    score_of,
    table_of,
    values_by_seed,
)
from rankeval.plots.whole_figure import on_axes
from rankeval.stats import adjust_p_values, paired_differences, paired_test
from rankeval.stats.checked_arrays import Floats
from rankeval.stats.mean_tests import seeds_test

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@frozen(eq=False)
class Grid:
    """The values of systems on collections, and whether they differ from the baseline's.

    =========== ====================================================================================
    measure     canonical name
    loss        True when smaller is better
    baseline    name of the system that the others are compared with
    alpha       significance level
    collections names
    runs        names of the systems
    values      shape (collections, runs); NaN for a missing value
    p_values    of the differences from the baseline, shape (collections, runs); NaN where there
                is no test
    =========== ====================================================================================
    """

    measure: str
    loss: bool
    baseline: str
    alpha: float
    collections: tuple[str, ...]
    runs: tuple[str, ...]
    values: Floats
    p_values: Floats

    def rows(self) -> Iterator[Row]:
        """Yield a row per collection and system."""
        for i, collection in enumerate(self.collections):
            for j, run in enumerate(self.runs):
                yield {
                    "collection": collection,
                    "run": run,
                    "measure": self.measure,
                    "value": finite(self.values[i, j]),
                    "p_value": finite(self.p_values[i, j]),
                }

    def shown(self) -> Floats:
        """Return 1 and -1 where a system is shown to be better and worse, and else 0."""
        gains = self.values - self.values[:, [self.runs.index(self.baseline)]]
        better = np.sign(-gains if self.loss else gains)
        return np.where(self.p_values < self.alpha, better, 0.0)


def grid_data(
    results: Results,
    measure: str | None = None,
    *,
    collections: Mapping[str, Results] | None = None,
    baseline: str | None = None,
    alpha: float = 0.05,
) -> Grid:
    """Return the values of systems on collections, and p-values of differences from the baseline.

    `results` have a value for each collection in the place of topics, and `collections` the results
    of each one by name, by topic; without them, the results are those of one collection. The
    baseline is by default the first system. P-values are those of Student's paired t test,
    corrected by Holm's method over systems and collections.

    Edge cases
        - A collection with parts, whose value is the mean of theirs, has no test.
        - A system without a run of a collection has no value there.
    """
    name = chosen_measure(results, measure)
    runs = tuple(run.name for run in results.runs)
    scores = [score_of(run, name) for run in results.runs]
    at = place_of(runs, baseline)
    if collections is None:
        names: tuple[str, ...] = (results.qrels.path or "all topics",)
        values = np.array([[score.aggregate for score in scores]])
        collections = {names[0]: results}
    else:
        table = table_of(results, name)
        names, values = table.topics, table.values
    p_values = np.array(
        [[_p_value(collections.get(each), name, runs[at], run) for run in runs] for each in names]
    )
    tested = ~np.isnan(p_values)
    p_values[tested] = adjust_p_values(p_values[tested], correction=Correction.HOLM)
    return Grid(name, scores[0].loss, runs[at], alpha, names, runs, values, p_values)


def _p_value(results: Results | None, measure: str, baseline: str, run: str) -> float:
    """Return the p-value of a difference on one collection; NaN without a test."""
    names = [found.name for found in results.runs] if results else []
    if results is None or run == baseline or baseline not in names or run not in names:
        return np.nan
    if measure not in measure_names(results):
        return np.nan
    pair = tuple(results.runs[names.index(name)] for name in (baseline, run))
    of_pair = Results(results.qrels, results.settings, pair)
    table = table_of(of_pair, measure)
    before, after = (values_by_seed(of_pair, table, place) for place in (0, 1))
    if before.shape[1] == after.shape[1] == 1:
        return paired_test(paired_differences(before[:, 0], after[:, 0])).p_value
    return seeds_test(before, after)[0].p_value


def grid(results: Results, ax: "Axes | None" = None, measure: str | None = None) -> "Axes":
    """Draw a table of the values of systems, with marks where they differ from the first."""
    return on_axes("grid", grid_data(results, measure), ax)


def _grids(results: Results, choices: Choices) -> Iterator[Grid]:
    for name in measure_names(results):
        yield grid_data(
            results,
            name,
            collections=choices.collections,
            baseline=choices.baseline,
            alpha=choices.alpha,
        )


NAMES = 0.25
"""Share of the width that the names of systems take."""
LEAST_CELL = 0.2
"""Inches of the narrowest cell that has its number."""


def _cell(data: Grid) -> float:
    """Return the share of the width that a column takes."""
    return (1.0 - NAMES) / len(data.collections)


def _draw(data: Grid, ax: "Axes", share: float) -> None:
    """Draw a table: shades are differences from the baseline, triangles those that are shown."""
    width = width_of(ax) * share
    rows = named_rows(data.runs, letters_of(width, NAMES), padding=0.7)
    gains = data.values - data.values[:, [data.runs.index(data.baseline)]]
    better = -gains if data.loss else gains
    known = np.abs(better[~np.isnan(better)])
    most = float(known.max()) if known.size else 0.0
    ax.patch.set(facecolor="none", hatch="////", edgecolor="#a0a0a0")
    ax.pcolormesh(
        np.arange(len(data.collections) + 1) - 0.5, rows.edges, np.ma.masked_invalid(better.T),
        cmap="PuOr", vmin=-1.6 * (most or 1.0), vmax=1.6 * (most or 1.0), gid="cells",
        edgecolors=paper(), linewidth=0.6,
    )  # fmt: skip
    write_row_names(ax, rows)
    cell = width * _cell(data)
    if cell >= LEAST_CELL:
        marks = {1.0: "▲", -1.0: "▼", 0.0: ""}
        shown = data.shown()
        for i, j in zip(*np.nonzero(~np.isnan(data.values)), strict=True):
            ax.text(
                i, rows.centres[j], short_value(data.values[i, j]) + marks[float(shown[i, j])],
                ha="center", va="center", fontsize=min(7.0, 72 * cell / 3.2),
                color="black", gid="cell",
            )  # fmt: skip
    letters = letters_of(cell, 1.0) if cell > 0.7 else 24
    ax.set_xticks(
        range(len(data.collections)),
        [folded(name, letters) for name in data.collections],
        rotation=0 if cell > 0.7 else 90,
    )
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    words = f"{data.measure}; shades: difference from {data.baseline}, ▲▼ shown"
    ax.set_xlabel(sentence(words, letters_of(width, 0.6)))


def short_value(value: float) -> str:
    """Return a value with three decimals, without the zero before the point."""
    return f"{value:.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.4g}"


def _inches(data: Grid, width: float) -> float:
    rows = named_rows(data.runs, letters_of(width, NAMES), padding=0.7)
    cell, longest = width * _cell(data), max(map(len, data.collections))
    lines = 1 + longest // letters_of(cell, 1.0)
    return rows.inches + (LINE * lines if cell > 0.7 else 0.06 * min(longest, 24)) + 0.6


def _in_terminal(data: Grid, screen: Screen) -> list[Text]:
    up, down = "▲▼" if screen.unicode else "^v"
    names = [visible(name) for name in data.runs]
    side = min(max(map(len, names)) + 1, screen.width // 3)
    size = max(1, (screen.width - side) // 8)
    lines, shown = [], data.shown()
    marks = {1.0: (up, "bold blue"), -1.0: (down, "bold red"), 0.0: (" ", "")}
    for first in range(0, len(data.collections), size):
        part = range(first, min(first + size, len(data.collections)))
        heads = [f"{letter(i)}: {visible(data.collections[i])}" for i in part]
        lines += wrapped(f"{data.measure} of {', '.join(heads)}", screen, "bold")
        lines.append(Text(" " * side + "".join(f"{letter(i):>7} " for i in part)))
        for j, name in enumerate(names):
            *before, last = folded_cells(name, side - 1)
            lines += [Text(text) for text in before]
            line = Text(last.ljust(side))
            for i in part:
                value = data.values[i, j]
                mark, style = marks[float(shown[i, j])]
                text = "-" if np.isnan(value) else short_value(value)
                line.append(f"{text:>7}{mark}", style=style)
            lines.append(line)
    note = f"{up} {down}: shown to be better and worse than {visible(data.baseline)}"
    return [*lines, *wrapped(note, screen)]


register(
    PlotKind(
        "grid",
        _grids,
        Drawing(
            _draw,
            _inches,
            fewer=FewerRuns(
                lambda data: [mean_of(values) for values in data.values.T],
                only_fields("runs", "values", "p_values"),
            ),
        ),
        _in_terminal,
        None,
        option="--alpha",
        collections=True,
    )
)
