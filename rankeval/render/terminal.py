"""Tables on a terminal, drawn by rich: nothing is cut off, whatever the width.

Rows are drawn in batches, so that the first of many topics are seen while the others are drawn.
Batches of rows that have no style and fold nothing are aligned without rich, which takes ten times
as long and prints the same.
A table that is too wide is turned about if it may be, or drawn in parts, one below the other.
"""

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from rich.box import Box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from rankeval.render.folding import folded
from rankeval.render.plain import GAP, marks, padded, width_of
from rankeval.render.style import Style
from rankeval.render.tables import NAME, Cell, Column, Emphasis, Row, Table
from rankeval.support.visible import visible

BATCH = 100
"""Rows drawn at a time."""

STYLES = {
    Emphasis.PLAIN: "",
    Emphasis.BEST: "bold green",
    Emphasis.SECOND: "underline",
    Emphasis.ALARM: "bold red",
}
_RULES = "    \n    \n {0}{0} \n    \n {0}{0} \n {0}{0} \n    \n    \n"
LINES = Box(_RULES.format("─"))
ASCII = Box(_RULES.format("-"), ascii=True)

HEADS, NARROW_HEADS, CROWDED = 24, 10, 8
"""Widths to which heads of numbers may be folded, and names where nothing else helps."""


class Size(NamedTuple):
    """The width of a column that folds nothing, and the least that it may be given.

    Of a column of names, `least` may be folded further where the terminal is narrow.
    """

    natural: int
    least: int
    names: bool


def terminal(table: Table, style: Style) -> Iterator[str]:
    """Print a table within the width, in parts if it is too wide, with empty lines between."""
    for number, (part, widths) in enumerate(_arranged(table, style)):
        yield "\n" if number else ""
        yield from _drawn(part, widths, style)


def _arranged(table: Table, style: Style) -> Iterator[tuple[Table, list[int]]]:
    """Yield a table that fits the width: as it is, turned about, or some columns at a time."""
    sizes = _sizes(table, style)
    width = style.width or _total([one.natural for one in sizes])
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
        # A number is never cut: what is still too wide sticks out.
        yield (
            _part(table, names, slice(first, last)),
            _fitted(chosen, width) or [one.least for one in chosen],
        )
        first = last


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
        marks = _room([row[i] for row in rows], style)
        head = width_of(visible(column.head))
        value = max((width_of(visible(row[i].text)) for row in rows), default=0) + marks
        natural = max(head, value)
        names = bool(column.least)
        least = column.least if names else value if column.right else natural
        sizes.append(Size(natural, least, names))
    return sizes


def _room(cells: Sequence[Cell], style: Style) -> int:
    """Return the width of the marks behind the numbers of a column."""
    return max((len(_marks(cell, style)) for cell in cells), default=0)


def _folded(sizes: Sequence[Size], width: int, heads: int, names: int = NAME) -> list[Size]:
    """Return the sizes with the least widths to which heads and names may be folded."""
    share = max(width // 3, CROWDED)
    return [
        one._replace(
            least=min(one.natural, one.least, names, share)
            if one.names
            else max(min(one.natural, heads), one.least)
        )
        for one in sizes
    ]


def _fits(sizes: Sequence[Size], width: int) -> bool:
    return _total([one.least for one in sizes]) <= width


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _fitted(sizes: Sequence[Size], width: int) -> list[int] | None:
    """Return widths that fit, the widest column folded first; None if none do."""
    if not _fits(sizes, width):
        return None
    for limit in range(max(one.natural for one in sizes), 0, -1):
        widths = [max(min(one.natural, limit), one.least) for one in sizes]
        if _total(widths) <= width:
            return widths
    return [one.least for one in sizes]


def _drawn(table: Table, widths: Sequence[int], style: Style) -> Iterator[str]:
    console = Console(
        file=io.StringIO(),
        width=_total(widths) + len(GAP),
        color_system="standard" if style.colour else None,
        force_terminal=True,
        legacy_windows=False,
        _environ={},  # the style has what the environment asks for
    )
    rows = list(table.cells())
    rooms = [_room([row[i] for row in rows], style) for i in range(len(widths))]
    columns = list(zip(table.columns, widths, rooms, strict=True))
    # No batch is a footing alone: the rule above it belongs to the row before it.
    starts = [*range(0, max(len(rows) - max(table.footing, 1), 1), BATCH), len(rows)]
    for first, end in pairwise(starts):
        within = first > 0 and end < len(rows)
        if within and (lines := _aligned_lines(rows[first:end], columns)):
            yield lines
            continue
        batch = RichTable(
            box=LINES if style.unicode else ASCII,
            show_edge=False,
            pad_edge=False,
            padding=(0, len(GAP) - 1, 0, 0),
            show_header=first == 0,
            header_style="bold",
        )
        for column, width, room in columns:
            # A head ends above the last digit, or if it is too long, begins above the first.
            above = min(width, max(width - room, width_of(visible(column.head))))
            head = _text(Cell(column.head), column, above, style)
            batch.add_column(head, width=width, no_wrap=True, overflow="ignore")
        for number in range(first, end):
            cells = zip(rows[number], columns, strict=True)
            batch.add_row(
                *(
                    _text(cell, column, width - room, style)
                    for cell, (column, width, room) in cells
                ),
                end_section=bool(table.footing) and number == len(rows) - table.footing - 1,
            )
        with console.capture() as printed:
            console.print(batch)
        yield "".join(line.rstrip() + "\n" for line in printed.get().splitlines())


def _aligned_lines(
    rows: Sequence[Sequence[Cell]], columns: Sequence[tuple[Column, int, int]]
) -> str:
    """Return the lines of rows without any style; "" if a cell has one, or must be folded."""
    lines = []
    for row in rows:
        cells = []
        for cell, (column, width, room) in zip(row, columns, strict=True):
            text = visible(cell.text)
            if cell.emphasis is not Emphasis.PLAIN or width_of(text) > width - room:
                return ""
            number = padded(text, width - room, right=column.right)
            cells.append(padded(number + marks(cell, starred=False), width))
        lines.append(GAP.join(cells).rstrip() + "\n")
    return "".join(lines)


def _text(cell: Cell, column: Column, width: int, style: Style) -> Text:
    text = Text()
    for number, line in enumerate(folded(visible(cell.text), width)):
        blanks = " " * (width - width_of(line)) if column.right else ""
        text.append(("\n" if number else "") + blanks).append(line, STYLES[cell.emphasis])
    return text.append(_marks(cell, style))


def _marks(cell: Cell, style: Style) -> str:
    return marks(cell, starred=cell.emphasis is Emphasis.BEST and not style.colour)
