"""The rows of a result for programs: one projection, written as TSV, CSV and JSON Lines.

In TSV and CSV names are escaped, see `rankeval.output.escape`: a control character shows as \\x1b,
and a name that a spreadsheet would run as a formula gets a ' in front. An undefined value is an
empty field.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rankeval.output import escape
from rankeval.output.document_form import Document, plain
from rankeval.output.style import Style


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
        yield "\t".join([_text(value, style, escape.tsv) for value in row]) + "\n"


def csv(rows: Rows, style: Style) -> Iterator[str]:
    """Yield comma-separated values, quoted where the csv module quotes."""
    from csv import writer  # few need it

    comma_separated = writer(_Echo(), lineterminator="\n")
    for row in rows:
        yield comma_separated.writerow([_text(value, style, escape.csv) for value in row])


class _Echo:
    """A file for csv.writer that returns each line: writerow passes it on."""

    def write(self, text: str) -> str:
        return text


def _text(value: Value, style: Style, safe: Callable[[str], str]) -> str:
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
