"""Tables of results for a terminal: nothing is cut off, whatever the width.

Lines are laid out here and not by rich, which needs 3.7 s for the 6,980 topics of MS MARCO with
ten measures and 50 ms to be imported. Only its widths of characters are used.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from rich.cells import cell_len

from rankeval.render.style import Style
from rankeval.render.tables import Cell, Emphasis, Table
from rankeval.render.text import GAP, WIDTH, bold, folded, left, right
from rankeval.support.visible import visible

STAR = "*"


class Floors(NamedTuple):
    """The least widths to which labels of rows and heads of columns may be folded."""

    label: int
    head: int


CROWDED = Floors(8, 8)


def _floors(width: int, *, heads: int) -> Floors:
    """Return the least widths: labels may be folded to 24 columns, or a third of the terminal."""
    return Floors(min(24, max(width // 3, CROWDED.label)), heads)


class Sizes(NamedTuple):
    """The unfolded widths of a grid: of the labels, and per column of head, values and mark."""

    label: int
    columns: tuple[tuple[int, int, int], ...]

    def of(self, columns: slice) -> "Sizes":
        """Return the sizes of some of the columns beside the same labels."""
        return Sizes(self.label, self.columns[columns])


def drawn(table: Table, style: Style) -> Iterator[str]:
    """Draw a table transposed or in parts if it is too wide, each with an empty line below.

    The best value of a measure is bold, or has a * where escape codes are not wanted.
    """
    shown = _shown(table)
    if shown.title:
        yield bold(shown.title, style) + "\n"
    for part, widths in _arranged(shown, style):
        yield from _drawn(part, widths, style)
        yield "\n"


def _shown(table: Table) -> "_Grid":
    cells = list(table.cells())
    return _Grid(
        title=visible(table.title),
        corner=table.columns[0].head,
        heads=tuple(visible(column.head) for column in table.columns[1:]),
        labels=tuple(visible(row[0].text) for row in cells),
        rows=tuple(tuple(row[1:]) for row in cells),
        footing=table.footing,
        turned=table.turned,
    )


class _Grid(NamedTuple):
    """The parts of a table, with what does not print made visible."""

    title: str
    corner: str
    heads: tuple[str, ...]
    labels: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    footing: bool
    turned: str

    def columns(self) -> list[tuple[Cell, ...]]:
        """Return the cells by column."""
        return list(zip(*self.rows, strict=True)) or [()] * len(self.heads)

    def part(self, columns: slice) -> "_Grid":
        """Return some of the columns, beside the same labels."""
        rows = tuple(row[columns] for row in self.rows)
        return self._replace(heads=self.heads[columns], rows=rows)

    def transposed(self) -> "_Grid":
        """Return the same with rows and columns exchanged."""
        return self._replace(
            corner=self.turned, heads=self.labels, labels=self.heads, rows=tuple(self.columns())
        )


def _arranged(grid: _Grid, style: Style) -> Iterator[tuple[_Grid, Sequence[int]]]:
    """Yield a grid that fits the width: as it is, transposed, or cut into groups of columns."""
    width = style.width or WIDTH
    sizes = _sizes(grid, style)
    narrow = _floors(width, heads=10)
    if widths := _fitted(sizes, width, _floors(width, heads=24) if grid.turned else narrow):
        yield grid, widths
        return
    if grid.turned:
        turned = grid.transposed()
        if widths := _fitted(_sizes(turned, style), width, narrow):
            yield turned, widths
            return
    first = 0
    while first < len(grid.heads):
        group = slice(first, first + _most_columns(sizes, first, width, narrow))
        one = sizes.of(group)
        # A number is never cut: what is still too wide sticks out.
        widths = _fitted(one, width, narrow) or _fitted(one, width, CROWDED)
        yield grid.part(group), widths or _widths(one, CROWDED)
        first = group.stop


def _most_columns(sizes: Sizes, first: int, width: int, floors: Floors) -> int:
    """Return the number of columns, from `first` on, that fit beside the labels; at least 1."""
    label, *columns = _widths(sizes.of(slice(first, first + width)), floors)
    ends = accumulate((len(GAP) + column for column in columns), initial=label)
    return max(1, bisect_right(list(ends), width) - 1)


def _sizes(grid: _Grid, style: Style) -> Sizes:
    columns = []
    for head, cells in zip(grid.heads, grid.columns(), strict=True):
        mark = (
            len(STAR)
            if not style.colour and any(cell.emphasis is Emphasis.BEST for cell in cells)
            else 0
        )
        columns.append((cell_len(head), max((len(c.text) for c in cells), default=0), mark))
    return Sizes(max(map(cell_len, [grid.corner, *grid.labels])), tuple(columns))


def _widths(sizes: Sizes, limits: Floors) -> list[int]:
    """Return the widths of the labels and of each column if names are folded at the limits."""
    return [
        min(sizes.label, limits.label),
        *(max(value, min(head, limits.head)) + mark for head, value, mark in sizes.columns),
    ]


def _fitted(sizes: Sizes, width: int, floors: Floors) -> list[int] | None:
    """Return the widths that fit with the least folding; None if none do."""
    if _total(_widths(sizes, floors)) > width:
        return None
    longest = max(sizes.label, *(head for head, _, _ in sizes.columns), *floors)
    limits = range(min(floors), min(longest, max(width, *floors)) + 1)

    def widths(limit: int) -> list[int]:
        return _widths(sizes, Floors(max(limit, floors.label), max(limit, floors.head)))

    fitting = bisect_right(limits, width, key=lambda limit: _total(widths(limit)))
    return widths(limits[fitting - 1])


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _drawn(grid: _Grid, widths: Sequence[int], style: Style) -> Iterator[str]:
    rule = ("─" if style.unicode else "-") * _total(widths) + "\n"
    marks = [mark for _, _, mark in _sizes(grid, style).columns]
    heads = [
        folded(head, width - mark)
        for head, width, mark in zip(grid.heads, widths[1:], marks, strict=True)
    ]
    height = max(map(len, heads), default=1)
    for i in range(height):
        words = (head[i - height + len(head)] if i >= height - len(head) else "" for head in heads)
        cells = (
            right(word, width - mark) + " " * mark
            for word, width, mark in zip(words, widths[1:], marks, strict=True)
        )
        yield _line([left(grid.corner if i == height - 1 else "", widths[0]), *cells])
    yield rule
    for number, (label, row) in enumerate(zip(grid.labels, grid.rows, strict=True), 1):
        if grid.footing and number == len(grid.rows) > 1:
            yield rule
        printed = [
            _cell(cell, width, mark, style)
            for cell, width, mark in zip(row, widths[1:], marks, strict=True)
        ]
        top, *others = folded(label, widths[0])
        yield _line([left(top, widths[0]), *printed])
        yield from (_line([text]) for text in others)


def _line(cells: Sequence[str]) -> str:
    return GAP.join(cells).rstrip() + "\n"


def _cell(cell: Cell, width: int, mark: int, style: Style) -> str:
    blanks = " " * (width - mark - len(cell.text))
    if style.colour:
        return blanks + (bold(cell.text, style) if cell.emphasis is Emphasis.BEST else cell.text)
    return blanks + cell.text + (STAR if cell.emphasis is Emphasis.BEST else "").ljust(mark)
