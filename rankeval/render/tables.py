"""The one value for tables; each output has its own drawing of it.

`rankeval.render.text`, `markdown` and `latex` draw tables and the sentences between them.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from rankeval.support.frozen import frozen


class Emphasis(Enum):
    """Reasons to make a cell stand out.

    PLAIN nothing
    BEST  the best of several values
    ALARM a failure
    """

    PLAIN = 0
    BEST = 1
    ALARM = 2


class Cell(NamedTuple):
    """A cell of a table; `better` and `worse` are the letters of runs that it differs from."""

    text: str
    emphasis: Emphasis = Emphasis.PLAIN
    better: tuple[str, ...] = ()
    worse: tuple[str, ...] = ()


class Column(NamedTuple):
    """A column of a table.

    ===== ================================================================================
    least the least width that it may be folded to; 0 if it may not be folded
    right True for numbers, which are aligned to the right; others are names
    words True if it holds words to be wrapped, not a name to be folded without loss
    ===== ================================================================================
    """

    head: str
    least: int = 0
    right: bool = False
    words: bool = False


Row = Sequence[str | Cell]


@frozen
class Table:
    """A table with a title. Titles, heads and cells are not yet escaped.

    ======= ==============================================================================
    footing True when the last row is the value over all of those above
    long    True for a table that may take several pages
    turned  the head of the first column if rows and columns may be exchanged for a terminal
            that is too narrow; "" if not
    ======= ==============================================================================
    """

    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    footing: bool = False
    long: bool = False
    turned: str = ""

    def cells(self) -> Iterator[list[Cell]]:
        """Yield the cells of each row."""
        return ([cell_of(one) for one in row] for row in self.rows)


Block = Table | str
"""A table, or a sentence below one; "" is an empty line."""


def cell_of(one: str | Cell) -> Cell:
    """Return a cell; text is one without emphasis."""
    return one if isinstance(one, Cell) else Cell(one)


def numbers(heads: Iterable[str]) -> list[Column]:
    """Return columns of numbers with these heads."""
    return [Column(head, right=True) for head in heads]
