"""JSON: {topic: {docno: value}}, or a list of objects; and JSON Lines, an object per line."""

import contextlib
import json
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from rankeval.base.wording import quoted
from rankeval.errors import InputError
from rankeval.io.formats import text_formats, topic_records
from rankeval.io.formats.file_format import Beginning, Form, LaidOutLines
from rankeval.io.formats.json_values import as_bytes, load
from rankeval.io.formats.text_rows import FIELDS, Rows, every_rows, numbers_of
from rankeval.io.parsers.column_names import (
    KEPT,
    VALUES,
    ContentGuess,
    guess_by_names,
    is_integer,
    name_columns,
    roles_of,
    unread_columns,
    value_role,
)
from rankeval.io.parsers.columns import Columns, Layout, PlainDocnos
from rankeval.io.parsers.line_errors import LineError
from rankeval.io.parsers.plain_parser import parse
from rankeval.io.sources.blocks import display_name, whole, whole_lines

LARGEST = 256 << 20
"""Bytes of one JSON value, which has to be in memory as a whole."""


def read(name: str, path: str, begun: Beginning, form: Form) -> LaidOutLines | Iterator[Columns]:
    """Read a whole file when it is asked for, or lay out its lines."""
    return _read_whole(path, begun, form) if name == "json" else _read_lines(path, begun, form)


def _read_whole(path: str, begun: Beginning, form: Form) -> Iterator[Columns]:
    name = display_name(path)
    found = _load(whole(begun.whole, name, "JSON", LARGEST), name)
    kinds = topic_records.kinds_of(next(iter(found), None)) if isinstance(found, list) else {}
    if form.what in kinds:
        yield from topic_records.columns_of_records(found, form, kinds[form.what], name)
    else:
        yield _columns(found, form, name)


def _read_lines(path: str, begun: Beginning, form: Form) -> LaidOutLines | Iterator[Columns]:
    """Lay out the objects of a file, one per line; read those that hold a topic with lists."""
    if not begun.line:
        return text_formats.read("trec", path, begun, form)
    key = topic_records.kinds_of_line(begun.line).get(form.what)
    if key is not None:
        return topic_records.columns_of_lines(begun.whole, form, key, path)
    found = layout(begun.line, form.what, form.columns, display_name(path), form.fixed)
    return LaidOutLines(form.with_ranks(found), whole_lines(begun.whole, path))


def _columns(found: Any, form: Form, name: str) -> Columns:
    """Take the content of a whole file; InputError says where it is not of this form.

    A document without a name or a finite number, and a topic without documents, are left out
    where the form gathers what is wrong. Documents are counted as lines are.
    """
    if isinstance(found, list):
        return _records(found, form, name)
    value = VALUES[form.what]
    expected = f"{{topic: {{docno: {value}}}}}"
    _require_mapping(found, name, expected)
    errors: list[LineError] = []
    topics, sizes, docnos, values, lines = [], [0], [], [], []
    empty = []
    n_before = 0
    for topic, documents in found.items():
        wrong = _wrong_documents(topic, documents, value)
        for row, kind, problem in wrong:
            error = LineError(problem, kind=kind, name=name, line=n_before + row, expected=expected)
            error.place = name  # which says more than the number of a document
            if form.problems is None:
                raise error
            errors.append(error)
        if not isinstance(documents, dict):
            continue
        rows = range(1, len(documents) + 1)
        left_out = {row for row, _, _ in wrong} if topic else set(rows)
        kept = [row for row in rows if row not in left_out] if left_out else list(rows)
        if kept:
            topics.append(topic.encode("utf-8", "surrogatepass"))
            sizes.append(len(kept))
            names, numbers = list(documents), list(documents.values())
            docnos += [names[row - 1].encode("utf-8", "surrogatepass") for row in kept]
            values += [_number(numbers[row - 1]) for row in kept]
            lines += [n_before + row for row in kept]
        elif not documents:
            empty.append(topic.encode("utf-8", "surrogatepass"))
        n_before += len(documents)
    if form.problems is not None:
        form.problems.add(errors)
    return Columns(
        topics=tuple(topics),
        starts=np.cumsum(sizes),
        docnos=PlainDocnos(docnos),
        values=np.array(values, dtype=float),
        lines=lines,
        empty=tuple(empty) if form.what == "run" else (),
    )


def _require_mapping(found: object, name: str, expected: str) -> None:
    """Raise InputError if a JSON value is no mapping of topics."""
    if not isinstance(found, dict):
        raise InputError("is not a JSON object", place=name, expected=expected)
    if str(found.get("schema", "")).startswith("rankeval"):
        raise InputError(
            "holds saved results",
            place=name,
            expected=expected,
            remedy=_instead(name),
        )


def _instead(name: str) -> str:
    """Return the remedy for saved results instead of a run."""
    if name.lower().endswith(".json"):
        return "name the run itself: saved results hold values, and no documents"
    return "name the run itself, or end its name in .json where a command takes saved results"


def _wrong_documents(topic: str, documents: object, value: str) -> list[tuple[int, str, str]]:
    """Return the wrong documents of a topic: the number of each, the kind of problem, a message."""
    if not isinstance(documents, dict):
        problem = f"topic {_shown(topic)} has no object of documents"
        return [(1, "topic without an object of documents", problem)]
    if not topic and documents:
        return [(1, "empty topic", "a topic or a docno is empty")]
    wrong = []
    for row, (docno, number) in enumerate(documents.items(), 1):
        if not docno:
            wrong.append((row, "empty docno", "a topic or a docno is empty"))
        elif not math.isfinite(_number(number)):
            problem = (
                f"the {value} of document {_shown(docno)} of topic {_shown(topic)} is "
                f"{_brief(number)}, not a finite number"
            )
            wrong.append((row, f"{value} that is not a finite number", problem))
    return wrong


def _load(text: bytes, name: str) -> Any:
    try:
        return load(text.removeprefix(b"\xef\xbb\xbf"))
    except json.JSONDecodeError as error:
        first = text.lstrip().partition(b"\n")[0]
        if error.msg == "Extra data" and isinstance(_object_in(first), dict):
            raise InputError(
                f"is JSON Lines, of which the first one is not a document: {quoted(first.strip())}",
                place=name,
                expected='{"topic": "1", "docno": "d1", "score": 0.5} in each line, or '
                + topic_records.EXPECTED["retrieved_ids"],
            ) from None
        raise InputError(
            f"is not JSON: {error.msg[:1].lower()}{error.msg[1:]} at column {error.colno}",
            place=f"{name}:{error.lineno}",
            remedy="check that the file is complete",
        ) from None
    except ValueError as error:
        raise InputError(f"cannot be used: {error}", place=name) from None


def _object_in(line: bytes) -> object:
    """Return the value of a line of JSON; None for any other text."""
    try:
        return load(line)
    except ValueError:
        return None


def _records(found: list[Any], form: Form, name: str) -> Columns:
    """Objects in a list, read as lines; their numbers count from 1."""
    lines = [json.dumps(record).encode() + b"\n" for record in found]
    of_lines = layout(lines[0] if lines else b"", form.what, form.columns, name)
    return parse(b"".join(lines), form.with_ranks(of_lines), name, 1, form.problems)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _brief(value: object) -> str:
    return quoted(json.dumps(value).encode())[1:-1]


def _shown(text: str) -> str:
    return quoted(text.encode("utf-8", "surrogatepass"))


def fields_of(names: Sequence[str], line: bytes) -> list[bytes]:
    """Return the values of an object under some names."""
    try:
        found = load(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"this is not JSON ({error.msg} at column {error.colno})") from None
    if not isinstance(found, dict):
        raise ValueError("this is not a JSON object")  # noqa: TRY004  a line that cannot be split
    missing = [name for name in names if name not in found]
    if missing:
        raise ValueError(f"the object has no {json.dumps(missing[0])}")
    return [as_bytes(found[name]) for name in names]


def layout(
    line: bytes, what: str, given: Mapping[str, str], place: str, fixed: Collection[str] = ()
) -> Layout:
    """Return the layout of lines whose first one is given."""
    try:
        first = load(line)
    except ValueError:
        first = None
    if isinstance(first, dict):
        keys = list(first)
        places = roles_of(keys, what, given, place, fixed)
        roles = {role: keys[i] for role, i in places.items()}
    else:  # the parser reports the first line as it does any wrong line
        needed = ("topic", "docno", VALUES[what])
        roles = {name: given.get(name, name) for name in needed}
    kept = [role for role in KEPT[what] if role in roles]
    every = dict.fromkeys(["topic", "docno", value_role(what, roles), *kept])
    order = [role for role in every if role in roles]
    names = tuple(roles[role] for role in order)
    places = {role: i for i, role in enumerate(order)}
    return Layout.by_roles(what, names, places, partial(fields_of, names), objects=True)


def is_first_of_lines(line: bytes) -> bool:
    """Return True for a first line of JSON Lines: an object of plain values, or one of a topic."""
    return _is_object(line) or bool(topic_records.kinds_of_line(line))


def _is_object(line: bytes) -> bool:
    """Return True if a line is a whole object of plain values, one at least."""
    if not line.startswith(b"{") or _NESTED.match(line):  # a whole file may be one line
        return False
    try:
        found = load(line)
    except ValueError:
        return False
    if not isinstance(found, dict) or not found:
        return False
    return not any(isinstance(v, dict | list) for v in found.values())


_NESTED = re.compile(rb'\{\s*"(?:[^"\\]|\\.)*+"\s*:\s*[{\[]')
"""An object whose first value is no plain one."""


def guess(begun: Beginning, given: Mapping[str, str]) -> ContentGuess:
    """Guess the content of JSON from the keys of its first object, or from its first number."""
    if kinds := topic_records.kinds_of_line(begun.line):
        return ContentGuess(next(iter(kinds)), certain=len(kinds) == 1)
    head = b"".join(begun.head)
    record = head[head.find(b"{") :].partition(b"}")[0] + b"}"
    first: object = None
    with contextlib.suppress(ValueError):  # a topic's object inside another, or no JSON at all
        first = load(record)
    if isinstance(first, dict) and name_columns(list(first), given):
        return guess_by_names(list(first), list(map(json.dumps, first.values())), given)
    number = _FIRST_NUMBER.search(head)
    integer = number is not None and is_integer(number[1].decode())
    return ContentGuess("qrels" if integer else "run", certain=False)


def unread(name: str, _path: str, begun: Beginning, form: Form) -> Sequence[str]:
    """Describe the keys of no known meaning."""
    if name == "json" or topic_records.kinds_of_line(begun.line):
        return ()
    return unread_columns(list(load(begun.line)), form.what, form.columns, form.fixed)


_FIRST_NUMBER = re.compile(rb":\s*(-?[0-9.eE+-]+)\s*[,}]")
"""The first value in JSON that is a number."""


def write(name: str, what: str, parts: Iterator[Columns]) -> Iterator[bytes]:
    """Yield the pieces of a file."""
    if name == "json":
        return _write_whole(what, parts)
    return (_objects(what, rows) for rows in every_rows(what, parts))


_INTEGER = re.compile(rb"0|[1-9][0-9]*")
_json_string = json.encoder.encode_basestring_ascii


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


def _write_whole(what: str, parts: Iterator[Columns]) -> Iterator[bytes]:
    """Yield {topic: {docno: value}}, a topic per line; a part may continue the topic before it."""
    last = None
    empty: dict[str, None] = {}
    for columns in parts:
        empty.update(dict.fromkeys(topic.decode() for topic in columns.empty))
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
    without = ",\n".join(f"{_json_string(topic)}: {{}}" for topic in empty)
    yield (f"}}{',' * bool(without)}\n" if last is not None else "{\n").encode()
    yield f"{without}{chr(10) * bool(without)}}}\n".encode()
