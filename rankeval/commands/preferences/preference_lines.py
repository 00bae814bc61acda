"""Preferences between the answers of two systems: lines, records and tables of four values."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rankeval.base.frozen import frozen
from rankeval.base.wording import count, decoded, quoted
from rankeval.errors import InputError
from rankeval.io.formats.delimited import likely_separator, names_in, split_at
from rankeval.io.formats.json_lines import load_line
from rankeval.io.python_values import described
from rankeval.io.sources.blocks import data_lines, display_name
from rankeval.ranking.in_memory import as_table, listed_values

PreferencesLike = str | os.PathLike[str] | Iterable[Any] | Mapping[str, Sequence[Any]]
"""A file of preferences, rows of topic, a, b and result, records, {column: values} or a table."""

FIELDS = ("topic", "a", "b", "result")
SCORES = {"a": 1.0, "b": 0.0, "tie": 0.5}
"""The worth of a result to the first system."""
EXPECTED = "topic, a, b and result, which is a, b or tie: q1 bm25 dense tie"


@frozen
class Preferences:
    """Preferences: the topic of each, its systems a and b, and the score of a; where they are."""

    place: str
    topics: tuple[str, ...]
    first: tuple[str, ...]
    second: tuple[str, ...]
    scores: tuple[float, ...]


def read_preferences(given: PreferencesLike) -> Preferences:
    """Read preferences; InputError names the line or the record that is wrong."""
    path = os.fspath(given) if isinstance(given, str | os.PathLike) else None
    name = "preferences" if path is None else display_name(path)
    rows = _records(given) if path is None else _lines(path, name)
    found = [_preference(fields, place) for place, fields in rows]
    if not found:
        raise InputError("holds no preference", place=name, expected=EXPECTED)
    topics, first, second, scores = zip(*found, strict=True)
    return Preferences(name, topics, first, second, scores)


def _preference(fields: Sequence[Any], place: str) -> tuple[str, str, str, float]:
    if len(fields) != len(FIELDS):
        problem = f"found {count(len(fields), 'value')}"
        raise InputError(problem, place=place, expected=EXPECTED)
    topic, a, b, result = (
        _text(field, role, place) for role, field in zip(FIELDS, fields, strict=True)
    )
    if result.lower() not in SCORES:
        raise InputError(
            f"the result is {_shown(result)}",
            place=place,
            expected="a where the first system's answer is better, b where the second's is, or tie",
        )
    if a == b:
        raise InputError(
            f"the system {_shown(a)} is compared with itself",
            place=place,
            expected="two systems",
            remedy="drop the line",
        )
    return topic, a, b, SCORES[result.lower()]


def _shown(text: str) -> str:
    return quoted(text.encode("utf-8", "surrogateescape"))


def _text(field: Any, role: str, place: str) -> str:
    if isinstance(field, bytes):
        field = decoded(field)
    if isinstance(field, bool) or not isinstance(field, str | int) or field == "":
        found = "is empty" if field == "" else f"is {described(field)}"
        raise InputError(f"the {role} {found}", place=place, expected=EXPECTED)
    return str(field)


def _lines(path: str, name: str) -> Iterator[tuple[str, Sequence[Any]]]:
    """Yield the fields of each line: JSON, or fields at tabs, commas, semicolons or blanks."""
    order: Sequence[int] | None = None
    separator = b""
    for number, line in data_lines(path):
        place = f"{name}:{number}"
        if line.lstrip().startswith(b"{"):
            yield place, _named(load_line(line, place, _JSON), place)
            continue
        if order is None:
            separator = likely_separator(line)
            order = _header(line, separator)
            if order is not None:
                continue
            order = range(len(FIELDS))
        try:
            fields = split_at(separator, line) if separator else line.split()
        except ValueError as error:
            raise InputError(str(error), place=place, expected=EXPECTED) from None
        yield place, [fields[at] for at in order] if len(fields) > max(order) else fields


_JSON = '{"topic": "q1", "a": "bm25", "b": "dense", "result": "tie"}'


def _header(line: bytes, separator: bytes) -> Sequence[int] | None:
    """Return the places of the four columns; None for a line that is no header."""
    names = [name.lower() for name in names_in(line, separator) or []]
    return [names.index(field) for field in FIELDS] if set(FIELDS) <= set(names) else None


def _named(record: object, place: str) -> list[Any]:
    if not isinstance(record, Mapping):
        raise InputError("this is not a JSON object", place=place, expected=_JSON)
    lacking = [field for field in FIELDS if field not in record]
    if lacking:
        problem = f'the object has no "{lacking[0]}"'
        raise InputError(problem, place=place, expected=_JSON)
    return [record[field] for field in FIELDS]


def _records(given: Any) -> Iterator[tuple[str, Sequence[Any]]]:
    """Yield the values of rows in memory: tuples, records, {column: values} or a table."""
    columns = given if isinstance(given, Mapping) else _columns(given)
    if columns is not None:
        lists = [listed_values(values) for values in _named(columns, "preferences")]
        if len({len(values) for values in lists}) > 1:
            raise InputError(
                "the columns have other numbers of values", place="preferences", expected=EXPECTED
            )
        for number, fields in enumerate(zip(*lists, strict=True), 1):
            yield f"row {number}", fields
        return
    for number, row in enumerate(given, 1):
        place = f"row {number}"
        if isinstance(row, Mapping):
            yield place, _named(row, place)
        elif isinstance(row, Sequence) and not isinstance(row, str | bytes):
            yield place, row
        else:
            raise InputError(f"this is {described(row)}", place=place, expected=EXPECTED)


def _columns(given: Any) -> Mapping[str, Any] | None:
    """Return the columns of a table; None for rows."""
    table = as_table(given)
    if table is None or isinstance(table, Mapping):
        return table
    import pyarrow as pa

    found = pa.table(table)
    return dict(zip(found.column_names, found.columns, strict=True))
