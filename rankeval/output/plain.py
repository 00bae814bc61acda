"""Tables in plain aligned columns, for pipes and files: one line per row, whatever its width."""

from collections.abc import Iterator, Sequence

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
