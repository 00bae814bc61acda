"""Tables in plain aligned columns, for pipes and files: one line per row, whatever its width."""

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from rankeval.base.wording import visible
from rankeval.output.tables import Cell, Column, Emphasis, Table

GAP = "  "
STAR = "*"


def plain(table: Table) -> Iterator[str]:
    """Print the lines of a table; the best value of several has a * behind it."""
    rows = list(table.cells())
    columns = [
        _aligned(column, [_parts(row[i]) for row in rows]) for i, column in enumerate(table.columns)
    ]
    heads, *lines = zip(*columns, strict=True)
    rule = "-" * width_of(GAP.join(heads)) + "\n"
    yield _line(heads)
    yield rule
    for number, line in enumerate(lines, 1):
        if table.footing and number == len(lines) - table.footing + 1 > 1:
            yield rule
        yield _line(line)


def _line(cells: Sequence[str]) -> str:
    return GAP.join(cells).rstrip() + "\n"


def _aligned(column: Column, cells: Sequence[tuple[str, str]]) -> list[str]:
    """Return head and cells in one width; marks come after numbers, so that digits line up.

    A head ends above the last digit, or if it is too long for that, begins above the first.
    """
    head = visible(column.head)
    room = max((len(mark) for _, mark in cells), default=0)
    texts = max((width_of(text) for text, _ in cells), default=0)
    width = max(width_of(head), texts + room)
    above = max(width - room, width_of(head))
    return [
        padded(padded(head, above, right=column.right), width),
        *(
            padded(text, width - room, right=column.right) + mark.ljust(room)
            for text, mark in cells
        ),
    ]


def padded(text: str, width: int, *, right: bool = False) -> str:
    """Return a text with blanks behind it, or before it if it is aligned to the right."""
    blanks = " " * (width - width_of(text))
    return blanks + text if right else text + blanks


def width_of(text: str) -> int:
    """Return the number of columns that a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # other text is rare in tables, and the import takes 2 ms

    return cell_len(text)


def _parts(cell: Cell) -> tuple[str, str]:
    """Return the text of a cell, and the marks after it."""
    return visible(cell.text), marks(cell, starred=cell.emphasis is Emphasis.BEST)


def marks(cell: Cell, *, starred: bool) -> str:
    """Return the marks behind a text: * for the best, +a for better than a, -a for worse."""
    if not (starred or cell.better or cell.worse):
        return cell.mark
    star = STAR if starred else ""
    better, worse = (
        f"{sign}{joined(letters)}" if letters else ""
        for sign, letters in (("+", cell.better), ("-", cell.worse))
    )
    return cell.mark + star + better + worse


def joined(letters: Sequence[str]) -> str:
    """Return letters side by side, with commas if one is double."""
    return ("" if all(len(letter) == 1 for letter in letters) else ",").join(letters)


BLOCKS = "▁▂▃▄▅▆▇█"
DIGITS = "12345678"
"""The levels where a terminal has no more than ASCII."""

MIDDLE = 3
"""The level of numbers that are all the same."""


STEPS = 8.0
"""Standard deviations of the change between two nights that a scale spans at least."""


def shared_scale(histories: Iterable[Sequence[float]]) -> tuple[float, float]:
    """Return the lowest and the highest value of the sparklines of histories that share a scale.

    It holds all values, and spans eight standard deviations of the change from one value to the
    next, pooled over the histories: what varies as usual looks level, and what falls falls.

        sd^2 = sum over histories, sum_t (d_t - mean d)^2  /  sum over histories, (n - 2)

    with d the n - 1 changes of a history of n values. Histories of one or two values show nothing
    of it: if there are no others, the scale is from the lowest value to the highest.

    >>> low, high = shared_scale([[0.40, 0.42, 0.40, 0.42]])
    >>> round(low, 4), round(high, 4)
    (0.3176, 0.5024)
    """
    every = [np.asarray(history, dtype=np.float64) for history in histories]
    low = min(float(values.min()) for values in every)
    high = max(float(values.max()) for values in every)
    changes = [np.diff(values) for values in every if len(values) > 2]
    degrees = sum(len(steps) - 1 for steps in changes)
    squares = sum(float(((steps - steps.mean()) ** 2).sum()) for steps in changes)
    more = max(0.0, STEPS * math.sqrt(squares / degrees) - (high - low)) / 2 if degrees else 0.0
    return low - more, high + more


def sparkline(
    values: Sequence[float], width: int, scale: tuple[float, float], *, unicode: bool, decimals: int
) -> str:
    """Draw numbers on a scale from its lowest to its highest level, in at most `width` characters.

    Where there are more numbers, a character is the mean of its neighbours. Numbers that print the
    same are equal.

    >>> sparkline([0.40, 0.40, 0.41, 0.38, 0.38], 20, (0.38, 0.41), unicode=False, decimals=4)
    '66811'
    """
    levels = BLOCKS if unicode else DIGITS
    parts = np.array_split(np.asarray(values, dtype=np.float64), min(width, len(values)))
    means = np.round([part.mean() for part in parts], decimals)
    low, high = scale
    if round(low, decimals) == round(high, decimals):
        return levels[MIDDLE] * len(means)
    top = len(levels) - 1
    places = np.rint((means - low) / (high - low) * top).clip(0, top).astype(int)
    return "".join(levels[place] for place in places)
