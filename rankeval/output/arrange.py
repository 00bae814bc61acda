"""Fit tables into the width of a terminal: fold heads and names, turn, leave out, or divide."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rankeval.output.style import Style
from rankeval.output.tables import NAME, Table, total_of, width_of

_BREAK = re.compile(r"(?<=[-_/:,+ (])|(?<=\.)(?!\d)|(?=@)")
"""Places where a name may be broken: not within a number such as 0.75."""


def folded(text: str, width: int) -> list[str]:
    """Break a name into lines, after punctuation if possible; no character is lost."""
    if width_of(text) <= width:
        return [text]
    lines = [""]
    for piece in _BREAK.split(text):
        if lines[-1] and width_of(lines[-1] + piece) > width:
            lines.append("")
        for part in piece if width_of(piece) > width else [piece]:
            if lines[-1] and width_of(lines[-1] + part) > width:
                lines.append("")
            lines[-1] += part
    return lines


HEADS, NARROW_HEADS, CROWDED = 24, 10, 8
"""Widths to which heads of numbers may be folded, and names where nothing else helps."""
LEAST_HEADS = 7
"""Width to which heads of numbers are folded before a table is divided."""


class Size(NamedTuple):
    """The width of a column that folds nothing, and the least that it may be given."""

    natural: int
    least: int


def arranged(table: Table, style: Style) -> Iterator[tuple[Table, list[int]]]:
    """Yield a table that fits the width: as it is, turned about, or some columns at a time.

    Before it is divided it does without its spare columns, and has intervals in two lines.
    """
    width = style.width or total_of([one.natural for one in table.widths(style)])
    for one, heads, halved in _attempts(table):
        if widths := _fitted(_sizes(one, style, width, heads, halved=halved), width):
            yield one, widths
            return
    names = next((i for i, c in enumerate(table.columns) if c.right), len(table.columns))
    sizes = _sizes(table, style, width, NARROW_HEADS)
    if not _fits(sizes[: names + 1], width):
        sizes = _sizes(table, style, width, CROWDED, names=CROWDED)
    first = names
    while first < len(sizes) or first == names:
        last = first + 1
        while last < len(sizes) and _fits([*sizes[:names], *sizes[first : last + 1]], width):
            last += 1
        chosen = [*sizes[:names], *sizes[first:last]]
        # A number is never cut: a row that is still too wide sticks out.
        widths = _fitted(chosen, width) or [one.least for one in chosen]
        yield table.part([*range(names), *range(first, min(last, len(sizes)))]), widths
        first = last


def _attempts(table: Table) -> Iterator[tuple[Table, int, bool]]:
    """Yield the table as it is and smaller, the width of heads, and True to halve intervals."""
    # Turning about is better than heads in many lines.
    yield table, HEADS if table.turned else NARROW_HEADS, False
    if table.turned:
        yield table.turned_about(), NARROW_HEADS, False
    places = range(len(table.columns))
    spare = [i for i in places if table.columns[i].spare]
    for number in range(len(spare) + 1 if spare else 0):
        fewer = table.part([i for i in places if i not in spare[:number]])
        if number == 1:
            yield fewer, LEAST_HEADS, False
        yield fewer, LEAST_HEADS, True


def _sizes(
    table: Table, style: Style, width: int, heads: int, names: int = NAME, *, halved: bool = False
) -> list[Size]:
    """Return the sizes of the columns where heads and names may be folded to some widths.

    Numbers may not be folded, but with `halved` an interval may, into two lines.
    """
    sizes = []
    for column, found in zip(table.columns, table.widths(style), strict=True):
        natural = found.natural
        least = found.text + found.marks if column.right else natural
        if column.least and not column.right:
            sizes.append(Size(natural, min(natural, column.least, names, max(width // 3, CROWDED))))
        elif halved and column.least:
            sizes.append(Size(column.least, column.least))
        else:
            sizes.append(Size(natural, max(min(natural, heads), least)))
    return sizes


def _fits(sizes: Sequence[Size], width: int) -> bool:
    return total_of([size.least for size in sizes]) <= width


def _fitted(sizes: Sequence[Size], width: int) -> list[int] | None:
    """Return widths that fit, the widest column folded first; None if none do."""
    if not _fits(sizes, width):
        return None
    for limit in range(max(one.natural for one in sizes), 0, -1):
        widths = [max(min(one.natural, limit), one.least) for one in sizes]
        if total_of(widths) <= width:
            return widths
    return [size.least for size in sizes]
