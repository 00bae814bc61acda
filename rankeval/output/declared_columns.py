"""Columns: each is declared once, and tables for people and rows for programs are made from it.

A column names a field of a record, says how people read its values, and what programs get. A list
of columns and some records make a table, which text, Markdown, LaTeX and HTML draw, and rows, which
TSV, CSV and JSON Lines write:

>>> columns = [text("run"), count("topics"), number("mean", "AP")]
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from rankeval.base import wording
from rankeval.output.data_rows import Row, TopicName, Value, Written, exact
from rankeval.output.style import Style
from rankeval.output.tables import NAME, Cell, Column, Emphasis, Table, ranked

Words = Callable[[Any, Style], str | Cell]


def _same(value: Any) -> Value:
    return value


class Declared(NamedTuple):
    """A column of records.

    ====== ==================================================================================
    key    name for programs
    layout head for people, width, alignment
    get    returns the value of a record
    words  returns what people read of a value; None if they do not see the column
    data   returns what programs get; None if they do not get the column
    best   True where the largest of several values is emphasised, False the least, None none
    ====== ==================================================================================
    """

    key: str
    layout: Column
    get: Callable[[Any], Any]
    words: Words | None
    data: Callable[[Any], Value] | None = _same
    best: bool | None = None


class Kind(NamedTuple):
    """A kind of column, which declares one: its words and its values for programs."""

    words: Words
    data: Callable[[Any], Value] = _same
    right: bool = True
    least: int = 0
    prose: bool = False

    def __call__(
        self,
        key: str,
        head: str | None = None,
        get: str | Callable[[Any], Any] = "",
        *,
        words: Words | None = None,
        shown: bool = True,
        data: bool = True,
        best: bool | None = None,
        least: int | None = None,
        right: bool | None = None,
        spare: bool = False,
    ) -> Declared:
        """Declare a column.

        ===== ===============================================================================
        key   name for programs
        head  for people; the key by default
        get   path of attributes to the value, such as "summary.mean", or a function of the
              record; the key by default
        words for a value, instead of those of the kind
        shown False if people do not see the column
        data  False if programs do not get it
        ===== ===============================================================================

        The others are those of `Declared` and `Column`.
        """
        least = self.least if least is None else least
        right = self.right if right is None else right
        return Declared(
            key,
            Column(key if head is None else head, least, right, spare, self.prose),
            get if callable(get) else _path(get or key),
            (words or self.words) if shown else None,
            self.data if data else None,
            best,
        )


def _path(names: str) -> Callable[[Any], Any]:
    """Return the function that follows a path of attributes; None where one of them is None."""
    first, _, rest = names.partition(".")
    if not rest:
        return attrgetter(first)
    further = _path(rest)

    def found(record: Any) -> Any:
        value = getattr(record, first)
        return None if value is None else further(value)

    return found


def _text(value: Any, _: Style) -> str:
    return wording.UNDEFINED if value is None else str(value)


def _flag(value: bool | None) -> Value:  # noqa: FBT001  a value of a column
    return None if value is None else Written(value, str(int(value)))


def _topic(value: str | None) -> Value:
    return None if value is None else TopicName(value)


def _share(value: float | None, _: Style) -> str:
    return wording.percent(value).lstrip("+")


name = Kind(_text, right=False, least=NAME)
text = Kind(_text, right=False, least=NAME // 2)
topic = Kind(_text, _topic, right=False, least=NAME // 2)
prose = Kind(lambda value, _: Cell(value or "", bold=()), right=False, least=NAME, prose=True)
count = Kind(lambda value, _: wording.UNDEFINED if value is None else f"{value:,}")
number = Kind(lambda value, style: wording.number(value, style.decimals))
signed = Kind(lambda value, style: wording.signed(value, style.decimals))
percent = Kind(lambda value, _: wording.percent(value))
share = Kind(_share)
p_value = Kind(lambda value, _: "" if value is None else wording.p_value(value))
grade = Kind(lambda value, _: wording.UNDEFINED if value is None else f"{value:g}", exact)
flag = Kind(_text, _flag, right=False)
written = Kind(lambda value, _: value)
"""Kinds of columns: names and texts, numbers of several kinds, and numbers written already."""


def data(key: str, get: str | Callable[[Any], Any] = "") -> Declared:
    """Declare a column that only programs get."""
    return text(key, get=get, shown=False)


def table(
    title: str, columns: Sequence[Declared], records: Iterable[Any], style: Style, **more: Any
) -> Table:
    """Return the table that people read; `more` are fields of `Table`."""
    shown = [(one, one.words) for one in columns if one.words]
    records = list(records)
    rows: list[list[str | Cell]] = [
        [words(one.get(record), style) for one, words in shown] for record in records
    ]
    for place, (column, _) in enumerate(shown):
        if column.best is not None and len(rows) > 1:
            values = [column.get(record) for record in records]
            for row, emphasis in zip(rows, _emphases(values, column, style), strict=True):
                row[place] = Cell(str(row[place]), emphasis)
    return Table(title, [one.layout for one, _ in shown], rows, **more)


def _emphases(values: Sequence[float | None], column: Declared, style: Style) -> list[Emphasis]:
    printed = [None if value is None else round(value, style.decimals) for value in values]
    return ranked(printed, loss=not column.best)


def grid(
    title: str,
    first: Declared,
    names: Iterable[str],
    values: Mapping[tuple[Any, str], Any],
    kind: Kind,
    style: Style,
    **more: Any,
) -> Table:
    """Return a table of values by row and column; the first column names the rows.

    A place without a value is blank.
    """

    def column(name: str) -> Declared:
        return kind(name, get=lambda row: values.get((row, name), ""), words=words)

    def words(value: Any, style: Style) -> str | Cell:
        return "" if value == "" else kind.words(value, style)

    named = first._replace(get=_same)
    records = dict.fromkeys(row for row, _ in values)
    return table(title, [named, *map(column, names)], records, style, **more)


def rows(
    columns: Sequence[Declared], groups: Iterable[tuple[Mapping[str, Value], Iterable[Any]]]
) -> Iterator[Row]:
    """Yield the heads, and a row for each record of each group, after what the group shares."""
    wanted = [(one, one.data) for one in columns if one.data]
    for number_of, (shared, records) in enumerate(groups):
        if not number_of:
            yield [*shared, *(one.key for one, _ in wanted)]
        for record in records:
            yield [*shared.values(), *(of(one.get(record)) for one, of in wanted)]


def rows_of(columns: Sequence[Declared], records: Iterable[Any]) -> Iterator[Row]:
    """Yield the heads, and a row for each record."""
    return rows(columns, [({}, records)])
