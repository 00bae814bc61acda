"""Tables of all against all as shades: the form of pairs of runs and of agreement of measures."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.cells import cell_len
from rich.text import Text

from rankeval.base.arrays import Booleans, Floats
from rankeval.base.frozen import frozen
from rankeval.base.wording import finite, visible
from rankeval.evaluation.results import Results
from rankeval.output.arrange import folded as folded_cells
from rankeval.plots.canvas import letter, wrapped
from rankeval.plots.fewer_runs import FewerRuns
from rankeval.plots.kinds import Choices, Drawing, PlotKind, Row, Screen, register
from rankeval.plots.look import SHADES, distinct, letters_of, named_rows, sentence, width_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FALLING = f"{SHADES}_r"
"""The same shades from bright to dark."""

STEPS = 45
"""Shades; with more, matplotlib draws a colour bar as pixels."""

LEAST_CELL = 0.15
"""Inches of the narrowest cell that has its number."""


@frozen(eq=False)
class Square:
    """A table of values of all against all.

    ======= ========================================================================================
    column  name of the values among the numbers drawn
    title   what is shown
    names   of rows and columns
    values  shape (names, names); NaN where undefined
    span    values of the darkest and the brightest shade
    word    name of the colours
    falling True if the shades go from bright to dark
    bold    True for cells in bold, or None
    measure canonical name; "" of several
    best    of names of runs, values by which they are the best; None of other names
    loss    True when smaller ones are better
    ======= ========================================================================================
    """

    column: str
    title: str
    names: tuple[str, ...]
    values: Floats
    span: tuple[float, float]
    word: str
    falling: bool = False
    bold: Booleans | None = None
    measure: str = ""
    best: Floats | None = None
    loss: bool = False

    @property
    def runs(self) -> tuple[str, ...]:
        """The names, if they are those of runs."""
        return () if self.best is None else self.names

    def only(self, places: Sequence[int]) -> "Square":
        """Return the table of some runs; what was computed over all stays as it is."""
        square = np.ix_(places, places)
        return replace(
            self,
            names=tuple(self.names[i] for i in places),
            values=self.values[square],
            bold=None if self.bold is None else self.bold[square],
            best=None if self.best is None else self.best[list(places)],
        )


@frozen(eq=False)
class Squares:
    """Tables of the same names.

    ======= ========================================================================================
    heads   columns of the names of a row and of a column
    tables  their values, each of which is a column
    measure canonical name; "" of several
    equal   True if a name is compared with itself, too
    ======= ========================================================================================
    """

    heads: tuple[str, str]
    tables: tuple[Square, ...]
    measure: str = ""
    equal: bool = False

    def rows(self) -> Iterator[Row]:
        """Yield a row for each pair of names."""
        facts: Mapping[str, Any] = {"measure": self.measure} if self.measure else {}
        names = self.tables[0].names
        for i, a in enumerate(names):
            for j, b in enumerate(names):
                if i != j or self.equal:
                    values = {table.column: finite(table.values[i, j]) for table in self.tables}
                    yield {**dict(zip(self.heads, (a, b), strict=True)), **facts, **values}


def short_share(value: float) -> str:
    """Return a number of two decimals in few characters: .05, 1, -.2."""
    text = f"{value:.2f}".replace("0.", ".")
    return {"1.00": "1", "-1.00": "-1", ".00": "0", "-.00": "0"}.get(text, text)


def draw(data: Square, ax: "Axes", share: float) -> None:
    """Draw a table as shades, with the numbers where cells are large enough."""
    import matplotlib as mpl

    width = width_of(ax) * share
    names = distinct(data.names, letters_of(width, 0.3))
    size = len(names)
    ax.patch.set(facecolor="none", hatch="////", edgecolor="#a0a0a0")
    edges = np.arange(size + 1) - 0.5
    low, high = data.span
    shades = mpl.colormaps[FALLING if data.falling else SHADES].resampled(STEPS)
    drawn = ax.pcolormesh(
        edges, edges, np.ma.masked_invalid(data.values), cmap=shades, vmin=low, vmax=high,
        gid="cells",
    )  # fmt: skip
    ax.set_ylim(size - 0.5, -0.5)
    ax.set_xticks(range(size), names, rotation=90)
    ax.set_yticks(range(size), names)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    cell = width * 0.55 / size
    if cell > LEAST_CELL:
        for i, j in zip(*np.nonzero(~np.isnan(data.values)), strict=True):
            value = float(data.values[i, j])
            red, green, blue, _ = shades((value - low) / ((high - low) or 1.0))
            ax.text(
                j, i, ("<.01" if data.bold is not None and value < 0.01 else short_share(value)),
                ha="center", va="center", gid="cell",
                fontsize=min(7.0, cell * 72 / (2.6 if data.bold is None else 3.2)),
                fontweight="bold" if data.bold is not None and data.bold[i, j] else "normal",
                color="black" if 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 else "white",
            )  # fmt: skip
    figure = ax.get_figure()
    if figure is not None:
        bar = figure.colorbar(drawn, ax=ax, aspect=30, pad=0.02, shrink=0.8)
        bar.set_label(data.word)
        bar.outline.set_visible(False)
    ax.set_title(sentence(data.title, letters_of(width, 0.5)), loc="left")


LEAST_COLUMN = 0.1
"""Inches of the narrowest column, whose name is written upwards."""


def inches(data: Square, width: float) -> float:
    """Return the height of a matrix; infinity where its columns are narrower than a letter."""
    if 0.55 * width / len(data.names) < LEAST_COLUMN:
        return math.inf
    names = named_rows(data.names, letters_of(width, 0.3), padding=0.8)
    return max(names.inches, 0.6 * width) + 0.3 * width


def in_terminal(data: Squares, screen: Screen) -> list[Text]:
    """Return the numbers of all tables, a line for each row, with letters for the columns."""
    lines: list[Text] = []
    for table in data.tables:
        lines += [*wrapped(visible(table.title), screen, "bold"), *_lines(table, screen)]
    return lines


def _lines(data: Square, screen: Screen) -> list[Text]:
    names = [visible(name) for name in data.names]
    side = min(max(map(cell_len, names)) + 4, screen.width // 2)
    size = max(1, (screen.width - side) // 6)
    lines: list[Text] = []
    for first in range(0, len(names), size):
        part = range(first, min(first + size, len(names)))
        lines.append(Text(" " * side + "".join(f"{letter(j):>6}" for j in part)))
        for i, name in enumerate(names):
            *before, last = folded_cells(f" {letter(i)} {name}", side - 1)
            lines += [Text(text) for text in before]
            line = Text(last + " " * (side - cell_len(last)))
            for j in part:
                value = float(data.values[i, j])
                style = "bold" if data.bold is not None and data.bold[i, j] else ""
                line.append("     -" if np.isnan(value) else f"{value:6.2f}", style=style)
            lines.append(line)
    return lines


def register_squares(
    name: str,
    data: Callable[[Results, Choices], Iterable[Squares]],
    *,
    of_runs: bool,
    **more: Any,
) -> None:
    """Register a kind with tables of all against all, of runs or of other names."""
    fewer = FewerRuns(lambda table: table.best, lambda table, places: table.only(places))
    drawing = Drawing(
        draw,
        inches,
        (2, 1),
        parts=lambda panel: panel.tables,
        fewer=fewer if of_runs else None,
    )
    register(PlotKind(name, data, drawing, in_terminal, collections=True, **more))
