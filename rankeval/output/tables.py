"""The one value for tables; each output has its own drawing of it.

`rankeval.output.text`, `markdown` and `latex` draw tables and the sentences between them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from rankeval.base.frozen import record, replace
from rankeval.output.style import Style


class Emphasis:
    """Reasons to emphasise a cell.

    PLAIN nothing
    BEST  the best of several values
    ALARM a failure
    HEAD  the head of a column; only terminals show it
    """

    PLAIN, BEST, ALARM, HEAD = range(4)


BOLD = (Emphasis.BEST, Emphasis.ALARM)


class Cell(NamedTuple):
    """A cell of a table.

    `mark` is a sign behind the text, and `better` and `worse` are the letters of the runs that
    the value is significantly better or worse than. `prose` is True for a text in words, which is
    escaped mark by mark.
    """

    text: str
    emphasis: int = Emphasis.PLAIN
    mark: str = ""
    better: tuple[str, ...] = ()
    worse: tuple[str, ...] = ()
    prose: bool = False

    def marked(self, safe: Callable[[str], str], *forms: str) -> str:
        """Return a text that `safe` escapes, and its letters, by the signs of a format.

        The forms are those of bold text, and of the letters of better and worse runs.
        """
        bold, better, worse = forms
        text = safe(self.text + self.mark)
        text = bold.format(text) if self.emphasis in BOLD else text
        for form, letters in ((better, self.better), (worse, self.worse)):
            text += form.format(",".join(letters)) if letters else ""
        return text

    def marks(self, style: Style) -> str:
        """Return the marks behind a number: " a" for better than a, " -a" for worse.

        Without colours the best value has a star.
        """
        star = "*" if self.emphasis == Emphasis.BEST and not style.colour else ""
        better = f" {_joined(self.better)}" if self.better else ""
        return self.mark + star + better + (f" -{_joined(self.worse)}" if self.worse else "")


def _joined(letters: Sequence[str]) -> str:
    """Return letters side by side, with commas if one is double."""
    return ("" if all(len(letter) == 1 for letter in letters) else ",").join(letters)


class Column(NamedTuple):
    """A column of a table.

    ===== ================================================================================
    least the least width that it may be folded to; 0 if it may not be folded
    right True for numbers, which are aligned to the right; others are names
    spare True if a terminal that is too narrow for the whole table may do without it
    prose True for texts in words, which LaTeX breaks into lines
    ===== ================================================================================
    """

    head: str
    least: int = 0
    right: bool = False
    spare: bool = False
    prose: bool = False


Row = Sequence[str | Cell]

NAME = 24
"""The least width of a column of names that are easily read."""


@record
class Table:
    """A table with a title. Titles, heads and cells are not yet escaped.

    ======= ==============================================================================
    footing the number of rows at the end that hold values over all of those above
    label   the label of the table in LaTeX
    ======= ==============================================================================
    """

    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    footing: int = 0
    label: str = ""

    def cells(self) -> Iterator[list[Cell]]:
        """Yield the cells of each row."""
        return ([one if isinstance(one, Cell) else Cell(one) for one in row] for row in self.rows)

    def part(self, places: Sequence[int]) -> "Table":
        """Return the table with some of its columns."""
        columns = [self.columns[i] for i in places]
        return replace(self, columns=columns, rows=[[row[i] for i in places] for row in self.rows])


class Caption(str):
    """A sentence on the tables above it, which LaTeX puts into their captions."""

    __slots__ = ()


class Note(str):
    """A fact behind the numbers: a line that is dim on a terminal, and in LaTeX a comment."""

    __slots__ = ()


class Heading(str):
    """The heading of the part of a report that follows; in LaTeX the caption of its table."""

    __slots__ = ()


class Verbatim(str):
    """Lines that stay as they are, such as a formula; in LaTeX comments."""

    __slots__ = ()


Block = Table | str
"""A table, or a sentence or one of its kinds above; "" is an empty line."""


def numbers(heads: Iterable[str]) -> list[Column]:
    """Return columns of numbers with these heads."""
    return [Column(head, right=True) for head in heads]


def ranked(printed: Sequence[float | None], *, loss: bool) -> list[int]:
    """Return the emphasis of each of several values: those that print as the best have one.

    None is a value that is undefined.
    """
    known = [value for value in printed if value is not None]
    best = (min if loss else max)(known, default=0.0)
    return [Emphasis.BEST if value == best else Emphasis.PLAIN for value in printed]
