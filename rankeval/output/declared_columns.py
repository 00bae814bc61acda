"""Columns: each is declared once, and tables for people and rows for programs are made from it.

A column names a field of a record, says how people read its values, and what programs get. A list
of columns and some records make a table, which text, Markdown, LaTeX and HTML draw, and rows, which
TSV, CSV and JSON Lines write; JSON is here, too:

>>> columns = [text("run"), count("topics"), number("mean", "AP")]

In TSV and CSV names are escaped, see `rankeval.output.escape`: a control character shows as \\x1b,
and a name that a spreadsheet would run as a formula gets a ' in front. An undefined value is an
empty field.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from types import SimpleNamespace
from typing import Any, NamedTuple

from rankeval.base import wording
from rankeval.output import escape
from rankeval.output.document_form import Document, plain, without_halves
from rankeval.output.style import Style
from rankeval.output.tables import NAME, Cell, Column, Table
from rankeval.stats import in_words


class TopicName(str):
    """The name of a topic; one called "all" is escaped, because "all" names all topics."""

    __slots__ = ()


class Written(NamedTuple):
    """A value with the text that it has in TSV and CSV, whatever the decimals asked for."""

    value: Any
    text: str


Value = str | float | bool | Written | None
"""A cell of a row: None for an undefined number, and where the row has nothing."""


Row = Sequence[Value]


Rows = Iterable[Row]
"""The heads, and then the rows."""


def exact(number: float | None) -> Value:
    """Return a grade, rank or bound as it was read: without decimals if it is whole."""
    return None if number is None else Written(number, f"{number:g}")


def tsv(rows: Rows, style: Style) -> Iterator[str]:
    """Yield tab-separated values, with nothing quoted."""
    for row in rows:
        yield "\t".join([_field(value, style, escape.tsv) for value in row]) + "\n"


def csv(rows: Rows, style: Style) -> Iterator[str]:
    """Yield comma-separated values, quoted where the csv module quotes."""
    from csv import writer  # few need it

    comma_separated = writer(SimpleNamespace(write=str), lineterminator="\n")
    for row in rows:
        yield comma_separated.writerow([_field(value, style, escape.csv) for value in row])


def _field(value: Value, style: Style, safe: Callable[[str], str]) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return style.number(value)
    if isinstance(value, Written):
        return value.text
    text = safe(str(value))
    return escape.topic(text) if isinstance(value, TopicName) else text


def records(rows: Rows) -> Iterator[Document]:
    """Yield each row as a document, by the heads."""
    lines = iter(rows)
    heads = [str(head) for head in next(lines)]
    for row in lines:
        yield plain(dict(zip(heads, map(_data, row), strict=True)))


def _data(value: Value) -> object:
    if isinstance(value, Written):
        return value.value
    return escape.topic(value) if isinstance(value, TopicName) else value


def named_rows(found: Iterable[Mapping[str, Value]]) -> Iterator[Row]:
    """Yield the names of the first of some mappings as heads, and the values of each."""
    for number, row in enumerate(found):
        if not number:
            yield list(row)
        yield list(row.values())


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
    ====== ==================================================================================
    """

    key: str
    layout: Column
    get: Callable[[Any], Any]
    words: Words | None
    data: Callable[[Any], Value] | None = _same


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
        **layout: Any,
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

        The others are those of `Declared`, and of its `Column`.
        """
        column = Column(key if head is None else head, self.least, self.right, prose=self.prose)
        return Declared(
            key,
            column._replace(**layout),
            get if callable(get) else _path(get or key),
            (words or self.words) if shown else None,
            self.data if data else None,
        )


def _path(names: str) -> Callable[[Any], Any]:
    """Return the function that follows a path of attributes; None where one of them is None."""
    if "." not in names:
        return attrgetter(names)

    def found(record: Any) -> Any:
        for name in names.split("."):
            record = None if record is None else getattr(record, name)
        return record

    return found


def _text(value: Any, _: Style) -> str:
    return wording.UNDEFINED if value is None else str(value)


name = Kind(_text, right=False, least=NAME)


text = Kind(_text, right=False, least=NAME // 2)


topic = Kind(_text, lambda value: value and TopicName(value), right=False, least=NAME // 2)


prose = Kind(lambda value, _: Cell(value or "", prose=True), right=False, least=NAME, prose=True)


count = Kind(lambda value, _: wording.UNDEFINED if value is None else f"{value:,}")


number = Kind(lambda value, style: wording.number(value, style.decimals))


signed = Kind(lambda value, style: wording.signed(value, style.decimals))


percent = Kind(lambda value, _: wording.percent(value))


share = Kind(lambda value, _: wording.percent(value).lstrip("+"))


p_value = Kind(lambda value, _: "" if value is None else in_words.p_value(value))


grade = Kind(lambda value, _: wording.UNDEFINED if value is None else f"{value:g}", exact)


flag = Kind(_text, lambda on: None if on is None else Written(on, str(int(on))), right=False)


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
    rows: list[list[str | Cell]] = [
        [words(one.get(record), style) for one, words in shown] for record in records
    ]
    return Table(title, [one.layout for one, _ in shown], rows, **more)


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


def json_document(value: Mapping[str, Any], _: Style) -> Iterator[str]:
    """Yield one object over many lines, in ASCII."""
    for text in json.JSONEncoder(indent=2, allow_nan=False).iterencode(value):
        start = text.index('"') if "\\ud" in text else len(text)  # of the only string
        name = text[start:] and json.dumps(without_halves(json.loads(text[start:])))
        yield text[:start] + name
    yield "\n"


def json_lines(rows: Rows, _: Style) -> Iterator[str]:
    """Yield a line for each row."""
    return map(json_line, records(rows))


def json_line(value: Mapping[str, Any]) -> str:
    """Return one object in a line, in ASCII."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False) + "\n"
