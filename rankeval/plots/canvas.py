"""A canvas of characters: dots in braille, letters, and axes around it, for the terminal."""

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import StringIO
from string import ascii_lowercase, ascii_uppercase, digits

import numpy as np
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from rankeval.base.arrays import Floats
from rankeval.base.frozen import record
from rankeval.plots import look
from rankeval.plots.kinds import Form, Screen

LETTERS = ascii_lowercase + ascii_uppercase + digits
COLOURS = tuple(
    f"color({number})" for number in (39, 203, 41, 171, 214, 44, 212, 112, 105, 178, 137, 249)
)
"""Bright ones of the 256 colours of terminals, distinct on dark and on light backgrounds."""
BRAILLE = 0x2800
SIGN = 3
"""Width of a letter in a legend."""
DOTS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
"""The bits of the two by four dots of a braille character."""


def letter(place: int) -> str:
    """Return the letter of a run; after 62 runs they come again."""
    return LETTERS[place % len(LETTERS)]


def colour(place: int) -> str:
    """Return the colour of a run."""
    return COLOURS[place % len(COLOURS)]


@record
class Axis:
    """The interval that a side of a canvas shows."""

    low: float
    high: float

    @classmethod
    def over(cls, values: Iterable[float]) -> "Axis":
        """Return an axis that holds all values that are numbers."""
        found = [v for v in values if np.isfinite(v)] or [0.0, 1.0]
        low, high = min(found), max(found)
        return cls(low, high) if high > low else cls(low - 0.5, high + 0.5)

    def share(self, values: Floats) -> Floats:
        """Return where values lie: 0 at the low end, 1 at the high end."""
        return (values - self.low) / (self.high - self.low)


class Canvas:
    """Characters with dots and letters on them; dots are braille, or stars in ASCII."""

    def __init__(self, width: int, height: int, x: Axis, y: Axis, *, unicode: bool) -> None:
        self.width, self.height, self.x, self.y = width, height, x, y
        self._fine = (2, 4) if unicode else (1, 1)
        self._bits = np.zeros((height, width), dtype=int)
        self._letters = np.full((height, width), "", dtype=object)
        self._colours = np.full((height, width), "", dtype=object)

    def dots(self, x: Floats, y: Floats, style: str) -> None:
        """Set the dots nearest to points; those outside are left out."""
        across, down = self._fine
        columns, rows = self._places(x, y, self.width * across, self.height * down)
        for column, row in zip(columns.tolist(), rows.tolist(), strict=True):
            self._bits[row // down, column // across] |= int(DOTS[row % down, column % across])
            self._colours[row // down, column // across] = style

    def line(self, x: Floats, y: Floats, style: str) -> None:
        """Draw straight lines between points that are numbers."""
        steps = 2 * max(self.width * self._fine[0], self.height * self._fine[1])
        for i in range(len(x) - 1):
            length = float(
                max(np.ptp(self.x.share(x[i : i + 2])), np.ptp(self.y.share(y[i : i + 2])))
            )
            if np.isfinite(length):
                n = int(min(max(length, 0.0), 4.0) * steps) + 2
                self.dots(np.linspace(x[i], x[i + 1], n), np.linspace(y[i], y[i + 1], n), style)
        if len(x) == 1:
            self.dots(x, y, style)

    def bar(self, x: float, y: float, style: str) -> None:
        """Fill the dots from 0 to y."""
        n = int(abs(y) / (self.y.high - self.y.low) * self.height * self._fine[1]) + 1
        self.dots(np.full(2 * n, x), np.linspace(0.0, y, 2 * n), style)

    def mark(self, x: float | None, y: float, text: str, style: str = "") -> None:
        """Write a letter at a point, if there is one, over the dots."""
        self.fill(x, x, text, style, y)

    def fill(
        self, low: float | None, high: float | None, text: str, style: str = "", y: float = 0.0
    ) -> None:
        """Write a letter from one end to the other, if both are known."""
        if low is not None and high is not None:
            ends, rows = self._places(np.array([low, high]), np.full(2, y), self.width, self.height)
            if len(ends) == 2:
                self._letters[rows[0], ends[0] : ends[1] + 1] = text
                self._colours[rows[0], ends[0] : ends[1] + 1] = style

    def rows(self) -> list[Text]:
        """Return the lines of the canvas."""
        lines = []
        for bits, letters, colours in zip(self._bits, self._letters, self._colours, strict=True):
            line = Text(no_wrap=True)
            for dots, text, style in zip(bits.tolist(), letters, colours, strict=True):
                line.append(text or self._character(dots), style=style or None)
            lines.append(line)
        return lines

    def _character(self, dots: int) -> str:
        if not dots:
            return " "
        return chr(BRAILLE + dots) if self._fine == (2, 4) else "*"

    def _places(
        self, x: Floats, y: Floats, width: int, height: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return columns and rows of points on a grid; points beyond the axes are left out."""
        across, up = self.x.share(np.asarray(x)), self.y.share(np.asarray(y))
        inside = (across >= -1e-9) & (across <= 1 + 1e-9) & (up >= -1e-9) & (up <= 1 + 1e-9)
        columns = np.rint(across[inside] * (width - 1)).astype(int)
        rows = np.rint((1.0 - up[inside]) * (height - 1)).astype(int)
        return np.clip(columns, 0, width - 1), np.clip(rows, 0, height - 1)


def framed(canvas: Canvas, x_name: str, y_name: str, screen: Screen) -> list[Text]:
    """Return the canvas with numbers at its left and below it, and the names of the axes."""
    bar, corner, flat = "│└─" if screen.unicode else "|+-"
    low, high, height = canvas.y.low, canvas.y.high, canvas.height
    numbers = {0: short(high), height // 2: short((low + high) / 2), height - 1: short(low)}
    side = max(map(len, numbers.values()))
    lines = [Text(y_name, style="bold", no_wrap=True)]
    for i, row in enumerate(canvas.rows()):
        lines.append(Text(f"{numbers.get(i, ''):>{side}} {bar}", no_wrap=True).append_text(row))
    lines.append(Text(" " * (side + 1) + corner + flat * canvas.width, no_wrap=True))
    return [*lines, *numbered(canvas.x, x_name, side + 2, canvas.width, screen)]


def numbered(axis: Axis, name: str, side: int, width: int, screen: Screen) -> list[Text]:
    """Return the ends of an axis, with its name between them, or below if that is too long."""
    low, high = short(axis.low), short(axis.high)
    room = width - len(low) - len(high)
    inside = name if cell_len(name) + 2 <= room else ""
    line = Text(" " * side + low + inside.center(max(1, room)) + high, no_wrap=True)
    return [line, *([] if inside else wrapped(name, screen))]


def legend(names: Sequence[str], screen: Screen) -> list[Text]:
    """Return letters and names in columns, as many as there is room for."""
    labels = distinct(names, max(8, screen.width // 2 - SIGN), screen)
    column = max(map(cell_len, labels)) + SIGN + 1
    n_columns = max(1, screen.width // column)
    lines = []
    for first in range(0, len(labels), n_columns):
        line = Text(no_wrap=True)
        for i, text in enumerate(labels[first : first + n_columns], first):
            line.append(f" {letter(i)} ", style=f"bold {colour(i)}")
            line.append(set_cell_size(text, column - SIGN))
        line.rstrip()
        lines.append(line)
    return lines


def short(value: float) -> str:
    """Return a number in few characters."""
    return f"{value:.3g}" if value else "0"


LEAST_LINES = 5
"""Lines of a plot on a screen that is lower than it and its legend."""


def terminal_text(panels: Sequence[Form], screen: Screen, *, colour: bool) -> Iterator[str]:
    """Yield the lines of a plot in characters, one panel after the other."""
    console = Console(
        file=StringIO(),
        width=max(screen.width, 20),
        force_terminal=colour,
        color_system="256" if colour else None,
        no_color=not colour,
    )
    for i, panel in enumerate(panels):
        with console.capture() as capture:
            for line in panel.in_terminal(screen):
                console.print(line, soft_wrap=True)
        yield "\n" if i else ""
        # Blanks at the ends of lines would only be in the way of those who copy it.
        yield from (line.rstrip() + "\n" for line in capture.get().splitlines())


def canvas_beside(screen: Screen, x: Axis, y: Axis, other_lines: int) -> Canvas:
    """Return a canvas that leaves room for the axes and other lines."""
    side = max(len(short(v)) for v in (y.low, y.high, (y.low + y.high) / 2)) + 2
    height = max(LEAST_LINES, screen.height - other_lines - 4)
    return Canvas(max(10, screen.width - side - 1), height, x, y, unicode=screen.unicode)


def strip(axis: Axis, width: int) -> Canvas:
    """Return a canvas of one line."""
    return Canvas(width, 1, axis, Axis(0.0, 1.0), unicode=False)


def row_per_run(
    names: Sequence[str],
    drawn: Callable[[int, int], Text],
    axis: Axis | None,
    axis_name: str,
    screen: Screen,
    right: int = 0,
) -> list[Text]:
    """Return a line per run: its name, and its drawing in the room that is left; then the axis."""
    labels = distinct(names, max(8, screen.width // 3), screen)
    side = max(map(cell_len, labels)) + 1
    width = max(10, screen.width - side - right)
    lines = [
        Text(set_cell_size(label, side), no_wrap=True).append_text(drawn(i, width))
        for i, label in enumerate(labels)
    ]
    if axis is None:
        return [*lines, Text(" " * side + axis_name)]
    return [*lines, *numbered(axis, axis_name, side, width, screen)]


def lettered(
    names: Sequence[str],
    n_columns: int,
    cell: Callable[[int, int], tuple[str, str]],
    screen: Screen,
) -> Iterator[Text]:
    """Yield a line for each name with cells under letters, as many columns at a time as fit.

    `cell` returns words and their style by row and column.
    """
    labels = distinct(names, screen.width // 2 - 4, screen)
    side = max(map(cell_len, labels)) + 2
    size = max(1, (screen.width - side) // 6)
    for first in range(0, n_columns, size):
        part = range(first, min(first + size, n_columns))
        yield Text(" " * side + "".join(f"{letter(j):>6}" for j in part))
        for i, label in enumerate(labels):
            line = Text(set_cell_size(label, side), no_wrap=True)
            for words, style in (cell(i, j) for j in part):
                line.append(f"{words:>6}", style=style)
            yield line


def distinct(names: Sequence[str], cells: int, screen: Screen) -> list[str]:
    """Return names that fit, with a sign in ASCII where there is no Unicode."""
    return look.distinct(names, cells, look.DOTS if screen.unicode else "~")


def wrapped(text: str, screen: Screen, style: str = "") -> list[Text]:
    """Return a text in lines that fit the screen."""
    return [Text(line, style=style) for line in textwrap.wrap(text, screen.width)]
