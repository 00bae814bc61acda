"""The rows of a result for programs: one projection, written as TSV, CSV and JSON Lines."""

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


def texts(rows: Rows, style: Style, safe: Callable[[str], str]) -> Iterator[list[str]]:
    """Yield rows of text, escaped by `safe`."""
    for row in rows:
        yield [_text(value, style, safe) for value in row]


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
