"""Tables and sentences as text: for a terminal within its width, for a pipe or a file plain."""

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from rankeval.base.frozen import record
from rankeval.errors import visible
from rankeval.output.style import Style
from rankeval.output.tables import Block, Cell, Column, Emphasis, Heading, Note, Table, Verbatim

GAP = "  "
"""Between two columns."""


def width_of(text: str) -> int:
    """Return the number of columns of a terminal that a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # other text is rare in tables, and the import takes 2 ms

    return cell_len(text)


def total_of(widths: Sequence[int]) -> int:
    """Return the width of a table whose columns have these widths."""
    return sum(widths) + len(GAP) * (len(widths) - 1)


@record
class Width:
    """The width of the texts of a column, of the marks behind them, and of the head."""

    text: int
    marks: int
    head: int
    natural: int
    """The width of a column that folds nothing."""


def widths_of(table: Table, style: Style) -> list[Width]:
    """Return the widths of the columns."""
    found, rows = [], list(table.cells())
    for i, column in enumerate(table.columns):
        text = max((width_of(visible(row[i].text)) for row in rows), default=0)
        marks = max((len(row[i].marks(style)) for row in rows), default=0)
        head = width_of(visible(column.head))
        found.append(Width(text, marks, head, max(text + marks, head)))
    return found


_BREAK = r"(?<=[-_/:,+ (])|(?<=\.)(?!\d)|(?=@)"
"""Places where a name may be broken: not within a number such as 0.75."""


def folded(text: str, width: int) -> list[str]:
    """Break a name into lines, after punctuation if possible; no character is lost."""
    if width_of(text) <= width:
        return [text]
    lines = [""]
    for piece in re.split(_BREAK, text):
        if lines[-1] and width_of(lines[-1] + piece) > width:
            lines.append("")
        for part in piece if width_of(piece) > width else [piece]:
            if lines[-1] and width_of(lines[-1] + part) > width:
                lines.append("")
            lines[-1] += part
    return lines


NARROW_HEADS, LEAST_HEADS = 10, 8
"""Widths to which heads of numbers may be folded, the last before a table is divided."""


Size = tuple[int, int]
"""The width of a column that folds nothing, and the least that it may be given."""


def arranged(table: Table, style: Style) -> Iterator[tuple[Table, list[int]]]:
    """Yield a table that fits the width: as it is, without spare columns, or in parts."""
    width = style.width or total_of([one.natural for one in widths_of(table, style)])
    needed = table.part([i for i, column in enumerate(table.columns) if not column.spare])
    for one, heads in ((table, NARROW_HEADS), (needed, LEAST_HEADS)):
        if widths := _fitted(_sizes(one, style, width, heads), width):
            yield one, widths
            return
    names = next((i for i, c in enumerate(table.columns) if c.right), len(table.columns))
    sizes = _sizes(table, style, width, NARROW_HEADS)
    first = names
    while first < len(sizes) or first == names:
        last = first + 1
        while last < len(sizes) and _fits([*sizes[:names], *sizes[first : last + 1]], width):
            last += 1
        chosen = [*sizes[:names], *sizes[first:last]]
        # A number is never cut: a row that is still too wide sticks out.
        widths = _fitted(chosen, width) or [least for _, least in chosen]
        yield table.part([*range(names), *range(first, min(last, len(sizes)))]), widths
        first = last


def _sizes(table: Table, style: Style, width: int, heads: int) -> list[Size]:
    """Return the sizes of the columns where heads and names may be folded to some widths."""
    sizes = []
    for column, found in zip(table.columns, widths_of(table, style), strict=True):
        least = natural = found.natural
        if column.right:
            least = max(min(natural, heads), found.text + found.marks)
        elif column.least:
            least = min(natural, column.least, max(width // 3, LEAST_HEADS))
        sizes.append((natural, least))
    return sizes


def _fits(sizes: Sequence[Size], width: int) -> bool:
    return total_of([least for _, least in sizes]) <= width


def _fitted(sizes: Sequence[Size], width: int) -> list[int] | None:
    """Return widths that fit, the widest column folded first; None if none do."""
    for limit in range(max(natural for natural, _ in sizes), 0, -1):
        widths = [max(min(natural, limit), least) for natural, least in sizes]
        if total_of(widths) <= width:
            return widths
    return None


WIDTH = 80


MORE = "-v says more"
"""The end of notes that are in brief."""


BOLD, DIM, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


STYLES = {Emphasis.BEST: "\x1b[1;32m", Emphasis.ALARM: "\x1b[1;31m", Emphasis.HEAD: BOLD}


def text(blocks: Iterable[Block], style: Style) -> Iterator[str]:
    """Print sentences wrapped, and empty lines before titles and between tables."""
    before: Block | None = None
    for block in blocks:
        if isinstance(block, Verbatim):
            yield "".join([f"  {line}\n" for line in block.splitlines()] or ["\n"])
        elif isinstance(block, Heading):
            yield bold(visible(block), style) + "\n"
        elif isinstance(block, str):
            yield (note if isinstance(block, Note) else paragraph)(visible(block), style) + "\n"
        else:
            apart = isinstance(before, Table) or (before is not None and block.title)
            yield "\n" if apart else ""
            if block.title:
                yield bold(paragraph(visible(block.title), style), style) + "\n"
            yield from drawn(block, style)
        before = block


def drawn(table: Table, style: Style) -> Iterator[str]:
    """Yield the rows of a table in aligned columns: one line for each, whatever its width.

    On a terminal it fits the width, in parts with empty lines between if it is too wide.
    """
    if style.width is None:
        yield from _rows(table, None, style)
        return
    for number, (part, widths) in enumerate(arranged(table, style)):
        yield "\n" if number else ""
        yield from _rows(part, widths, style)


def _rows(table: Table, chosen: Sequence[int] | None, style: Style) -> Iterator[str]:
    """Yield the lines of the rows, in columns of the widths that are chosen or needed."""
    found = widths_of(table, style)
    widths = chosen or [one.natural for one in found]
    rule = ("─" if style.unicode else "-") * total_of(widths) + "\n"
    # A head ends above the last digit, or if it is too long for that, begins above the first.
    above = [max(width - one.marks, one.head) for width, one in zip(widths, found, strict=True)]
    behind = [max(width - place, 0) for width, place in zip(widths, above, strict=True)]
    heads = [Cell(column.head, Emphasis.HEAD) for column in table.columns]
    yield _row(heads, [*zip(table.columns, widths, behind, strict=True)], style)
    yield rule
    columns = [*zip(table.columns, widths, [one.marks for one in found], strict=True)]
    for number, row in enumerate(table.cells(), 1):
        if table.footing and number == len(table.rows) - table.footing + 1 > 1:
            yield rule
        yield _row(row, columns, style)


def _row(cells: Sequence[Cell], columns: Sequence[tuple[Column, int, int]], style: Style) -> str:
    """Return the lines of a row: as many as the longest of its cells has; heads end in the last."""
    drawn = [_cell(cell, *of, style) for cell, of in zip(cells, columns, strict=True)]
    height = max(map(len, drawn))
    for cell, lines, (_, width, _) in zip(cells, drawn, columns, strict=True):
        if len(lines) < height:
            place = 0 if cell.emphasis == Emphasis.HEAD else len(lines)
            lines[place:place] = [" " * width] * (height - len(lines))
    return "".join([GAP.join(line).rstrip() + "\n" for line in zip(*drawn, strict=True)])


def _cell(cell: Cell, column: Column, width: int, room: int, style: Style) -> list[str]:
    """Return the lines of a cell; marks stand behind the last, so that digits line up."""
    lines, inner, code = [], width - room, STYLES.get(cell.emphasis) if style.colour else ""
    for piece in folded(visible(cell.text), inner):
        line = piece.strip() if column.right or column.prose else piece
        blanks = " " * (inner - width_of(line))
        line = f"{code}{line}{PLAIN}" if code and line else line
        lines.append(blanks + line if column.right else line + blanks)
    if room:
        *before, last = lines
        lines = [*(line + " " * room for line in before), last + cell.marks(style).ljust(room)]
    return lines


def paragraph(text: str, style: Style) -> str:
    """Wrap words."""
    return textwrap.fill(text, style.width or WIDTH, break_on_hyphens=False)


def note(line: str, style: Style) -> str:
    """Return a note below a table: folded at words within the width, and dim in colour."""
    if style.width is not None:
        line = textwrap.fill(
            line,
            style.width,
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    return f"{DIM}{line}{PLAIN}" if style.colour else line


def bold(text: str, style: Style) -> str:
    """Return the text in bold if escape codes are wanted."""
    return f"{BOLD}{text}{PLAIN}" if style.colour else text
