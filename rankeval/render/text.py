"""Text in columns, folded so that nothing is lost, whatever the width."""

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len

from rankeval.render.style import Style
from rankeval.render.tables import Block, Column
from rankeval.support.visible import visible

WIDTH = 80
GAP = "  "
BOLD, PLAIN = "\x1b[1m", "\x1b[0m"
_BREAK = re.compile(r"(?<=[-_./:,+ ])|(?=@)")


def text(blocks: Iterable[Block], style: Style) -> Iterator[str]:
    """Print for a terminal: an empty line before each title, sentences wrapped."""
    for number, block in enumerate(blocks):
        if isinstance(block, str):
            yield paragraph(visible(block), style) + "\n"
            continue
        if block.title:
            yield "\n" if number else ""
            yield bold(paragraph(visible(block.title), style), style) + "\n"
        layout = [c._replace(head=visible(c.head)) for c in block.columns]
        yield from columns(
            layout, [[visible(cell.text) for cell in row] for row in block.cells()], style
        )


def columns(layout: Sequence[Column], rows: Sequence[Sequence[str]], style: Style) -> Iterator[str]:
    """Draw a table; if it is too wide, fold the heads, then the columns that may be folded."""
    cells = [max(map(cell_len, column)) for column in zip(*rows, strict=True)] or [0] * len(layout)
    heads = [[column.head] for column in layout]
    room = (style.width or WIDTH) - len(GAP) * (len(layout) - 1)
    sizes = _sizes(heads, cells)
    if sum(sizes) > room:
        heads = [column.head.split() or [""] for column in layout]
        sizes = _sizes(heads, cells)
    while sum(sizes) > room:
        widest = max(range(len(sizes)), key=lambda i: (sizes[i] > layout[i].least > 0, sizes[i]))
        if not sizes[widest] > layout[widest].least > 0:
            break
        sizes[widest] -= 1
    if any(column.head for column in layout):
        height = max(map(len, heads))
        yield from _drawn([[""] * (height - len(h)) + h for h in heads], layout, sizes)
        total = sum(sizes) + len(GAP) * (len(sizes) - 1)
        yield ("─" if style.unicode else "-") * total + "\n"
    for row in rows:
        parts = [_lines(c, column, s) for c, column, s in zip(row, layout, sizes, strict=True)]
        yield from _drawn(parts, layout, sizes)


def _sizes(heads: Sequence[Sequence[str]], cells: Sequence[int]) -> list[int]:
    return [max(size, *map(cell_len, head)) for head, size in zip(heads, cells, strict=True)]


def _drawn(
    parts: Sequence[Sequence[str]], layout: Sequence[Column], sizes: Sequence[int]
) -> Iterator[str]:
    """Yield the lines of one row, whose cells are lists of lines."""
    for i in range(max(map(len, parts))):
        line = (
            (right if column.right else left)(part[i] if i < len(part) else "", size)
            for part, column, size in zip(parts, layout, sizes, strict=True)
        )
        yield GAP.join(line).rstrip() + "\n"


def _lines(cell: str, column: Column, width: int) -> list[str]:
    if column.words:
        return textwrap.wrap(cell, width, break_on_hyphens=False) or [""]
    return folded(cell, width) if column.least else [cell]


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


def bold(text: str, style: Style) -> str:
    """Return the text in bold if escape codes are wanted."""
    return f"{BOLD}{text}{PLAIN}" if style.colour else text


def left(text: str, width: int) -> str:
    """Pad with blanks on the right."""
    return text + " " * (width - cell_len(text))


def right(text: str, width: int) -> str:
    """Pad with blanks on the left."""
    return " " * (width - cell_len(text)) + text


def folded(text: str, width: int) -> list[str]:
    """Break a name into lines, after punctuation if possible; no character is lost."""
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
