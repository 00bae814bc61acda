"""Tables on a terminal, drawn by rich: nothing is cut off, whatever the width.

Rows are drawn in batches, so that the first of many topics are seen while the others are drawn.
Batches of rows that have no style and fold nothing are aligned without rich, which takes ten times
as long and prints the same.
`arrange` fits them into the width.
"""

import io
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rich.box import Box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from rankeval.base.wording import visible
from rankeval.output.arrange import arranged, folded, marks_of, room_of, total_of
from rankeval.output.plain import GAP, padded, width_of
from rankeval.output.style import Style
from rankeval.output.tables import Cell, Column, Emphasis, Table

BATCH = 100
"""Rows drawn at a time."""

STYLES = {
    Emphasis.PLAIN: "",
    Emphasis.BEST: "bold green",
    Emphasis.SECOND: "underline",
    Emphasis.ALARM: "bold red",
    Emphasis.GOOD: "green",
}
_RULES = "    \n    \n {0}{0} \n    \n {0}{0} \n {0}{0} \n    \n    \n"
LINES = Box(_RULES.format("─"))
ASCII = Box(_RULES.format("-"), ascii=True)


def terminal(table: Table, style: Style) -> Iterator[str]:
    """Print a table within the width, in parts if it is too wide, with empty lines between."""
    for number, (part, widths) in enumerate(arranged(table, style)):
        yield "\n" if number else ""
        yield from _drawn(part, widths, style)


def _drawn(table: Table, widths: Sequence[int], style: Style) -> Iterator[str]:
    console = Console(
        file=io.StringIO(),
        width=total_of(widths) + len(GAP),
        color_system="standard" if style.colour else None,
        force_terminal=True,
        legacy_windows=False,
        _environ={},  # the style has what the environment asks for
    )
    rows = list(table.cells())
    rooms = [room_of([row[i] for row in rows], style) for i in range(len(widths))]
    columns = list(zip(table.columns, widths, rooms, strict=True))
    # No batch is a footing alone: the rule above it belongs to the row before it.
    starts = [*range(0, max(len(rows) - max(table.footing, 1), 1), BATCH), len(rows)]
    for first, end in pairwise(starts):
        within = first > 0 and end < len(rows)
        if within and (lines := _aligned_lines(rows[first:end], columns, style)):
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
    rows: Sequence[Sequence[Cell]], columns: Sequence[tuple[Column, int, int]], style: Style
) -> str:
    """Return the lines of rows without any style; "" if a cell has one, or must be folded."""
    lines = []
    for row in rows:
        cells = []
        for cell, (column, width, room) in zip(row, columns, strict=True):
            text = visible(cell.text)
            if cell.emphasis is not Emphasis.PLAIN or cell.bold or width_of(text) > width - room:
                return ""
            number = padded(text, width - room, right=column.right)
            cells.append(padded(number + marks_of(cell, style), width))
        lines.append(GAP.join(cells).rstrip() + "\n")
    return "".join(lines)


def _text(cell: Cell, column: Column, width: int, style: Style) -> Text:
    text = Text()
    for number, part in enumerate(folded(visible(cell.text), width)):
        line = part.strip() if column.right or column.prose else part
        blanks = " " * (width - width_of(line)) if column.right else ""
        text.append(("\n" if number else "") + blanks).append(line, STYLES[cell.emphasis])
    _embolden(text, cell)
    return text.append(marks_of(cell, style))


def _embolden(text: Text, cell: Cell) -> None:
    """Make emphasised words bold, wherever they were folded."""
    places = [place for place, letter in enumerate(text.plain) if letter not in " \n"]
    for start, end in cell.bold or ():
        first = len(visible(cell.text[:start] + "|").replace(" ", "")) - 1
        last = first + len(visible(cell.text[start:end]))
        if first < last <= len(places):
            text.stylize("bold", places[first], places[last - 1] + 1)
