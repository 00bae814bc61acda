"""Writing JSON and JSON Lines."""

import json
import re
from collections.abc import Iterator, Sequence

from rankeval.io.formats.text_rows import FIELDS, Rows, every_rows, numbers_of
from rankeval.io.parsers.column_names import VALUES
from rankeval.io.parsers.columns import Columns

_INTEGER = re.compile(rb"0|[1-9][0-9]*")
_json_string = json.encoder.encode_basestring_ascii


def write_json_lines(what: str, parts: Iterator[Columns]) -> Iterator[bytes]:
    """Yield objects, one per line."""
    return (_objects(what, rows) for rows in every_rows(what, parts))


def _objects(what: str, rows: Rows) -> bytes:
    names = [name for name in FIELDS[what] if name in rows]
    columns = [_values(name, rows[name], VALUES[what]) for name in names]
    keys = [f'"{name}": ' for name in names]
    lines = (
        "{" + ", ".join(map(str.__add__, keys, values)) + "}\n"
        for values in zip(*columns, strict=True)
    )
    return "".join(lines).encode()


def _values(name: str, column: Sequence[bytes], value: str) -> list[str]:
    """Return a column as JSON: numbers and ranks as they are, all else as strings."""
    if name == value:
        return [text.decode() for text in column]
    if name == "rank":
        return [
            text.decode() if _INTEGER.fullmatch(text) else json.dumps(text.decode())
            for text in column
        ]
    return list(map(_json_string, (text.decode() for text in column)))


def write_json(what: str, parts: Iterator[Columns]) -> Iterator[bytes]:
    """Yield {topic: {docno: value}}, a topic per line; a part may continue the topic before it."""
    last = None
    for columns in parts:
        numbers = [text.decode() for text in numbers_of(what, columns)]
        docnos = [_json_string(docno.decode()) for docno in columns.docnos.tolist()]
        pairs = [f"{docno}: {number}" for docno, number in zip(docnos, numbers, strict=True)]
        text = []
        bounds = columns.starts.tolist()
        for topic, start, stop in zip(columns.topics, bounds[:-1], bounds[1:], strict=True):
            if topic == last:
                text.append(", ")
            else:
                text.append("{\n" if last is None else "},\n")
                text.append(f"{_json_string(topic.decode())}: {{")
            text.append(", ".join(pairs[start:stop]))
            last = topic
        yield "".join(text).encode()
    yield b"}\n}\n"
