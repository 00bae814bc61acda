"""Tables and sentences as text: for a terminal within its width, for a pipe or a file plain."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from rankeval.base.visible import visible
from rankeval.output.style import Style
from rankeval.output.tables import Block, Cell, Column, Emphasis, Table

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
    """Return head and cells in one width; marks stand behind numbers, so that digits line up.

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
    """Return the text of a cell, and what stands behind it."""
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


WIDTH = 80
LEAST_WORDS = 24
BOLD, PLAIN = "\x1b[1m", "\x1b[0m"


def text(blocks: Iterable[Block], style: Style) -> Iterator[str]:
    """Print sentences wrapped, and empty lines before titles and between tables."""
    before: Block | None = None
    for block in blocks:
        if isinstance(block, str):
            yield paragraph(visible(block), style) + "\n"
            before = block
            continue
        apart = isinstance(before, Table) or (before is not None and block.title)
        yield "\n" if apart else ""
        before = block
        if block.title:
            yield bold(paragraph(visible(block.title), style), style) + "\n"
        yield from drawn(block, style)


def drawn(table: Table, style: Style) -> Iterator[str]:
    """Draw a table, by rich for a terminal."""
    if style.width is None and not style.colour:
        from rankeval.output.text import plain

        return plain(table)
    from rankeval.output.terminal import terminal  # rich takes 50 ms

    return terminal(table, style)


def paragraph(text: str, style: Style, *, indent: str = "", bullet: str = "") -> str:
    """Wrap words; lines after the first are indented to the text behind the bullet."""
    return "\n".join(
        textwrap.wrap(
            text,
            style.width or WIDTH,
            initial_indent=indent + bullet,
            subsequent_indent=indent + " " * len(bullet),
            break_on_hyphens=False,
        )
    )


def entry(name: str, words: str, style: Style) -> str:
    """Return an entry of a list: a padded name, and words behind it or, if narrow, below it."""
    if (style.width or WIDTH) - len(name) < LEAST_WORDS:
        return f"{name.rstrip()}\n" + paragraph(words, style, indent="    ")
    return paragraph(words, style, bullet=name)


def bold(text: str, style: Style) -> str:
    """Return the text in bold if escape codes are wanted."""
    return f"{BOLD}{text}{PLAIN}" if style.colour else text
