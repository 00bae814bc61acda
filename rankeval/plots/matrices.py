"""Square tables of numbers as shades, drawn by the kinds of plots that compare all with all."""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from rich.cells import cell_len
from rich.text import Text

from rankeval.base.arrays import Booleans, Floats
from rankeval.base.frozen import frozen
from rankeval.base.wording import visible
from rankeval.output.arrange import folded as folded_cells
from rankeval.plots.canvas import letter
from rankeval.plots.kinds import Screen
from rankeval.plots.look import distinct, letters_of, named_rows, sentence, width_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHADES = {"rising": "cividis", "falling": "cividis_r"}
"""Colours by the meaning of values, which read the same in grey and to colour-blind readers."""

STEPS = 45
"""Shades; with more, matplotlib draws a colour bar as pixels."""

LEAST_CELL = 0.15
"""Inches of the narrowest cell that has its number."""


@frozen(eq=False)
class Matrix:
    """A table of values of all against all.

    ======= ========================================================================================
    title   what is shown
    names   of rows and columns
    values  shape (names, names); NaN where undefined
    span    values of the darkest and the brightest shade
    word    name of the colours
    shades  "rising" from dark to bright, or "falling"
    bold    True for cells in bold, or None
    ======= ========================================================================================
    """

    title: str
    names: tuple[str, ...]
    values: Floats
    span: tuple[float, float]
    word: str
    shades: str = "rising"
    bold: Booleans | None = None


def short_share(value: float) -> str:
    """Return a number of two decimals in few characters: .05, 1, -.2."""
    text = f"{value:.2f}".replace("0.", ".")
    return {"1.00": "1", "-1.00": "-1", ".00": "0", "-.00": "0"}.get(text, text)


def draw_matrix(data: Matrix, ax: "Axes", share: float) -> None:
    """Draw a matrix as shades, with the numbers where cells are large enough."""
    import matplotlib as mpl

    width = width_of(ax) * share
    names = distinct(data.names, letters_of(width, 0.3))
    size = len(names)
    ax.patch.set(facecolor="none", hatch="////", edgecolor="#a0a0a0")
    edges = np.arange(size + 1) - 0.5
    low, high = data.span
    shades = mpl.colormaps[SHADES[data.shades]].resampled(STEPS)
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


def matrix_inches(data: Matrix, width: float) -> float:
    """Return the height of a matrix; infinity where its columns are narrower than a letter."""
    if 0.55 * width / len(data.names) < LEAST_COLUMN:
        return math.inf
    names = named_rows(data.names, letters_of(width, 0.3), padding=0.8)
    return max(names.inches, 0.6 * width) + 0.3 * width


def matrix_lines(
    data: Matrix,
    screen: Screen,
    style: Callable[[float], str] | None = None,
) -> list[Text]:
    """Return the numbers of a matrix, a line for each row, with letters for the columns."""
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
            lines.append(_line(data, i, part, last + " " * (side - cell_len(last)), style))
    return lines


def _line(
    data: Matrix,
    row: int,
    columns: Sequence[int],
    head: str,
    style: Callable[[float], str] | None,
) -> Text:
    line = Text(head)
    for j in columns:
        value = float(data.values[row, j])
        marked = data.bold is not None and bool(data.bold[row, j])
        look = style(value) if style else "bold" if marked else ""
        line.append("     -" if np.isnan(value) else f"{value:6.2f}", style=look)
    return line
