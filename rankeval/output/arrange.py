"""Fit tables into the width of a terminal: fold heads and names, turn, leave out, or divide."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress
from typing import NamedTuple

from rich.cells import cell_len

from rankeval.base.wording import visible
from rankeval.output.plain import GAP, marks, width_of
from rankeval.output.style import Style
from rankeval.output.tables import NAME, Cell, Emphasis, Row, Table

_BREAK = re.compile(r"(?<=[-_/:,+ (])|(?<=\.)(?!\d)|(?=@)")
"""Places where a name may be broken: not within a number such as 0.75."""


def folded(text: str, width: int) -> list[str]:
    """Break a name into lines, after punctuation if possible; no character is lost."""
    if cell_len(text) <= width:
        return [text]
    lines = [""]
    room = width
    for piece in _BREAK.split(text):
        if cell_len(piece) > room and lines[-1]:
            lines.append("")
            room = width
        for character in piece if cell_len(piece) > room else [piece]:
            if cell_len(character) > room and lines[-1]:
                lines.append("")
                room = width
            lines[-1] += character
            room -= cell_len(character)
    return lines


HEADS, NARROW_HEADS, CROWDED = 24, 10, 8
"""Widths to which heads of numbers may be folded, and names where nothing else helps."""
LEAST_HEADS = 7
"""Width to which heads of numbers are folded before a table is divided."""


class Size(NamedTuple):
    """The width of a column that folds nothing, and the least that it may be given.

    Of a column of names, `least` may be folded further where the terminal is narrow. A column of
    intervals has the width of each of two lines in `half`; others have 0.
    """

    natural: int
    least: int
    names: bool
    half: int


def arranged(table: Table, style: Style) -> Iterator[tuple[Table, list[int]]]:
    """Yield a table that fits the width: as it is, turned about, or some columns at a time.

    Before it is divided it does without its spare columns, and has intervals in two lines.
    """
    sizes = _sizes(table, style)
    width = style.width or total_of([size.natural for size in sizes])
    # Turning about is better than heads in many lines.
    heads = HEADS if table.turned else NARROW_HEADS
    if widths := _fitted(_folded(sizes, width, heads), width):
        yield table, widths
        return
    if table.turned:
        turned = table.turned_about()
        if widths := _fitted(_folded(_sizes(turned, style), width, NARROW_HEADS), width):
            yield turned, widths
            return
    for fewer, halved in _smaller(table):
        smaller = _folded(_sizes(fewer, style), width, LEAST_HEADS, halved=halved)
        if widths := _fitted(smaller, width):
            yield fewer, widths
            return
    names = next((i for i, c in enumerate(table.columns) if c.right), len(table.columns))
    folded = _folded(sizes, width, NARROW_HEADS)
    if not _fits(folded[: names + 1], width):
        folded = _folded(sizes, width, CROWDED, names=CROWDED)
    first = names
    while first < len(folded) or first == names:
        last = first + 1
        while last < len(folded) and _fits([*folded[:names], *folded[first : last + 1]], width):
            last += 1
        chosen = [*folded[:names], *folded[first:last]]
        # A number is never cut: a row that is still too wide sticks out.
        yield (
            _part(table, names, slice(first, last)),
            _fitted(chosen, width) or [one.least for one in chosen],
        )
        first = last


def _smaller(table: Table) -> Iterator[tuple[Table, bool]]:
    """Yield the table with fewer columns, and True where some columns take two lines."""
    if not any(column.spare for column in table.columns):
        return
    spare = [i for i, column in enumerate(table.columns) if column.spare]
    for number, halved in ((0, True), (1, False), *((n, True) for n in range(1, len(spare) + 1))):
        left = [i not in spare[:number] for i in range(len(table.columns))]
        rows = [[*compress(row, left)] for row in table.rows]
        yield replace(table, columns=[*compress(table.columns, left)], rows=rows), halved


def _part(table: Table, names: int, chosen: slice) -> Table:
    """Return the columns that name the rows, and some of the others."""

    def of(row: Sequence[str | Cell]) -> Row:
        return [*row[:names], *row[chosen]]

    columns = [*table.columns[:names], *table.columns[chosen]]
    return replace(table, columns=columns, rows=[of(row) for row in table.rows])


def _sizes(table: Table, style: Style) -> list[Size]:
    """Return the sizes of the columns; numbers may not be folded, their heads may."""
    rows = list(table.cells())
    sizes = []
    for i, column in enumerate(table.columns):
        room = room_of([row[i] for row in rows], style)
        head = width_of(visible(column.head))
        value = max((width_of(visible(row[i].text)) for row in rows), default=0) + room
        natural = max(head, value)
        names = bool(column.least) and not column.right
        least = column.least if names else value if column.right else natural
        sizes.append(Size(natural, least, names, column.least if column.right else 0))
    return sizes


def _folded(
    sizes: Sequence[Size], width: int, heads: int, names: int = NAME, *, halved: bool = False
) -> list[Size]:
    """Return the sizes with the least widths to which heads and names may be folded."""
    share = max(width // 3, CROWDED)

    def of(size: Size) -> Size:
        if size.names:
            return size._replace(least=min(size.natural, size.least, names, share))
        if halved and size.half:
            return size._replace(natural=size.half, least=size.half)
        return size._replace(least=max(min(size.natural, heads), size.least))

    return [of(one) for one in sizes]


def _fits(sizes: Sequence[Size], width: int) -> bool:
    return total_of([size.least for size in sizes]) <= width


def total_of(widths: Sequence[int]) -> int:
    """Return the width of a table whose columns have these widths."""
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _fitted(sizes: Sequence[Size], width: int) -> list[int] | None:
    """Return widths that fit, the widest column folded first; None if none do."""
    if not _fits(sizes, width):
        return None
    for limit in range(max(one.natural for one in sizes), 0, -1):
        widths = [max(min(one.natural, limit), one.least) for one in sizes]
        if total_of(widths) <= width:
            return widths
    return [size.least for size in sizes]


def room_of(cells: Sequence[Cell], style: Style) -> int:
    """Return the width of the marks behind the numbers of a column."""
    return max((len(marks_of(cell, style)) for cell in cells), default=0)


def marks_of(cell: Cell, style: Style) -> str:
    """Return the marks behind a number; without colours the best value has a star."""
    return marks(cell, starred=cell.emphasis is Emphasis.BEST and not style.colour)
