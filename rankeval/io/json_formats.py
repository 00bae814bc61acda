"""JSON: {topic: {docno: value}}, or a list of objects; and JSON Lines, an object per line or topic.

An object of a topic has nuggets, which are judged by their importance; or `expected_ids`, which are
judgments of grade 1, and `retrieved_ids`, a run, the best document first, as tools for
retrieval-augmented generation write them.
"""

import contextlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

from rankeval.base.wording import quoted
from rankeval.errors import InputError
from rankeval.io import text_formats
from rankeval.io.formats import LAYOUTS, Beginning, Form, LaidOutLines
from rankeval.io.parsers.column_names import (
    KEPT,
    TOPIC,
    VALUES,
    ContentGuess,
    guess_by_names,
    is_integer,
    name_columns,
    plain_name,
    roles_of,
    value_role,
)
from rankeval.io.parsers.columns import Columns, Layout
from rankeval.io.parsers.line_errors import LineError
from rankeval.io.parsers.plain_parser import parse
from rankeval.io.python_values import columns_of
from rankeval.io.sources.blocks import display_name, whole, whole_lines
from rankeval.io.text_formats import FIELDS, Rows, every_rows, numbers_of


def load(text: bytes | str) -> Any:
    """Read JSON; ValueError for any other text, and for an object that has a name twice."""
    try:
        if isinstance(text, bytes):
            text = text.decode(json.detect_encoding(text), "surrogatepass")
        return _DECODER.decode(text)
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None
    except json.JSONDecodeError:
        raise
    except UnicodeDecodeError:
        raise ValueError("the JSON is not in UTF-8") from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]  # None, which is false
        raise ValueError(f"the name {json.dumps(twice)} occurs twice in an object")
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_distinct)
"""One for all lines: `json.loads` makes another one at each call, which takes as long as a line."""


def in_words(error: ValueError) -> ValueError:
    """Return the error of a line that `load` refused, in the words of messages."""
    if isinstance(error, json.JSONDecodeError):
        return ValueError(f"this is not JSON ({error.msg} at column {error.colno})")
    return error


def load_line(line: bytes | str, place: str, expected: str) -> Any:
    """Read a line of JSON; InputError, with place and expectation, for any other text."""
    try:
        return load(line)
    except ValueError as error:
        raise InputError(str(in_words(error)), place=place, expected=expected) from None


def as_bytes(value: object) -> bytes:
    """Return a JSON value as a field of a line: text as it is, anything else as JSON writes it."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "surrogatepass")


LARGEST = 256 << 20
"""Bytes of one JSON value, which has to be in memory as a whole."""

NUGGETS = "nuggets"
IDS = {"qrels": "expected_ids", "run": "retrieved_ids"}
"""The list of ids of each kind of file."""

EXPECTED = {
    NUGGETS: '{"qid": "q1", "nuggets": [{"text": "a fact", "importance": "vital"}]}, one per line',
    **dict.fromkeys(
        IDS.values(),
        '{"query_id": "1", "expected_ids": ["d1"], "retrieved_ids": ["d2", "d1"]}, one per line',
    ),
}
GRADES = {"vital": 2, "okay": 1}
"""The grade of a nugget by its importance; 0 for any other."""

ANSWERED = {"answer": 1}
"""The judgments of a topic without nuggets, whose answers were judged by their citations."""


def read(name: str, path: str, begun: Beginning, form: Form) -> LaidOutLines | Iterator[Columns]:
    """Read a whole file when it is asked for, or lay out its lines."""
    if name == "json":
        return _read_whole(display_name(path), begun, form)
    if not begun.line:
        return text_formats.read("trec", path, begun, form)
    if key := kinds_of_line(begun.line).get(form.what):
        lines = _records_in(whole_lines(begun.whole, path))
        return _columns_of_topics(lines, form, key, display_name(path))
    found = layout(begun.line, form.what, form.columns, display_name(path), form.fixed)
    return LaidOutLines(form.with_ranks(found), whole_lines(begun.whole, path))


def _read_whole(name: str, begun: Beginning, form: Form) -> Iterator[Columns]:
    found = _load(whole(begun.whole, name, "JSON", LARGEST), name)
    expected = f"{{topic: {{docno: {VALUES[form.what]}}}}}"
    if isinstance(found, list):
        if key := kinds_of(next(iter(found), None)).get(form.what):
            yield from _columns_of_topics(enumerate(found, 1), form, key, name)
            return
        # Read as lines, which count from 1.
        lines = [json.dumps(record).encode() + b"\n" for record in found]
        of_lines = layout(lines[0] if lines else b"", form.what, form.columns, name)
        yield parse(b"".join(lines), form.with_ranks(of_lines), name, 1, form.problems)
    elif not isinstance(found, dict):
        raise InputError("is not a JSON object", place=name, expected=expected)
    elif {"schema", "rankeval"} <= {*found}:
        raise InputError(
            "holds saved results, which have values and no documents",
            place=name,
            expected=expected,
            remedy="name the run itself",
        )
    else:
        yield columns_of(found, LAYOUTS[form.what], file=name)


def _load(text: bytes, name: str) -> Any:
    try:
        return load(text.removeprefix(b"\xef\xbb\xbf"))
    except json.JSONDecodeError as error:
        first = text.lstrip().partition(b"\n")[0]
        of_first: object = None
        with contextlib.suppress(ValueError):
            of_first = load(first)
        if error.msg == "Extra data" and isinstance(of_first, dict):
            raise InputError(
                f"is JSON Lines, of which the first one is not a document: {quoted(first.strip())}",
                place=name,
                expected='{"topic": "1", "docno": "d1", "score": 0.5} in each line, or '
                + EXPECTED["retrieved_ids"],
            ) from None
        raise InputError(
            f"is not JSON: {error.msg[:1].lower()}{error.msg[1:]} at column {error.colno}",
            place=f"{name}:{error.lineno}",
            remedy="check that the file is complete",
        ) from None
    except ValueError as error:
        raise InputError(f"cannot be used: {error}", place=name) from None


def kinds_of(record: object) -> dict[str, str]:
    """Return the kinds of files that an object may belong to, and the list that it has for each."""
    if not isinstance(record, dict):
        return {}
    if "qid" in record and any(isinstance(record.get(key), list) for key in (NUGGETS, "answer")):
        return {"qrels": NUGGETS}
    if _topic_of(record) is None:
        return {}
    return {what: key for what, key in IDS.items() if isinstance(record.get(key), list)}


def kinds_of_line(line: bytes) -> dict[str, str]:
    """Return what `kinds_of` does, for a line of JSON."""
    with contextlib.suppress(ValueError):
        if any(name in line for name in (b'"nuggets"', b'"answer"', b'_ids"')):
            return kinds_of(load(line))
    return {}


def _topic_of(record: Mapping[str, Any]) -> Any:
    names = {plain_name(key): key for key in record}
    return next((record[names[name]] for name in TOPIC if name in names), None)


def nugget_grades(nuggets: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return {nugget: grade}: a nugget is called by its number, and its text if it has one.

    >>> nugget_grades([{"text": "a fact", "importance": "vital"}, {"importance": "okay"}])
    {'1 a fact': 2, '2': 1}
    """
    found = {}
    for number, nugget in enumerate(nuggets, 1):
        text = nugget.get("text")
        words = " ".join(text.split()) if isinstance(text, str) else ""
        importance = nugget.get("importance")
        grade = GRADES.get(importance, 0) if isinstance(importance, str) else 0
        found[f"{number} {words}".strip()] = grade
    return found


def _records_in(blocks: Iterable[tuple[bytes, int]]) -> Iterator[tuple[int, object]]:
    """Yield the number of each line with data, and its value, or what is wrong with it."""
    for block, first_line in blocks:
        for number, line in enumerate(block.split(b"\n"), first_line):
            if line.strip():
                try:
                    yield number, load(line)
                except ValueError as error:
                    yield number, in_words(error)


def _columns_of_topics(
    records: Iterable[tuple[int, object]], form: Form, key: str, name: str
) -> Iterator[Columns]:
    """Yield the documents of each object, if it has any; a wrong one is left out or refused."""
    for number, record in records:
        try:
            columns = columns_of(_of_topic(record, key), LAYOUTS[form.what])
        except (ValueError, InputError) as error:
            problem = error.problem if isinstance(error, InputError) else str(error)
            kind, expected = f"wrong list of {key}", EXPECTED[key]
            wrong = LineError(problem, kind=kind, name=name, line=number, expected=expected)
            if form.problems is None:
                raise wrong from None
            form.problems.add([wrong])
            continue
        if len(columns):
            ranks = 0.0 - columns.values if form.what == "run" and form.ranks else None
            yield replace(
                columns, lines=[number] * len(columns), ranks=ranks, tags=frozenset(), last_tag=b""
            )


def _of_topic(record: Any, key: str) -> dict[Any, Any]:
    """Return a topic and its documents, the best first, or their grades; ValueError for others."""
    if isinstance(record, ValueError):
        raise record
    record = record if isinstance(record, dict) else {}
    topic, found = _topic_of(record), record.get(key)
    if key == NUGGETS and found is None and isinstance(record.get("answer"), list):
        return {record.get("qid"): ANSWERED}
    if not isinstance(found, list):
        raise ValueError(f'this is no object with a list "{key}"')  # noqa: TRY004  as of a wrong line
    if key == NUGGETS:
        if not all(isinstance(nugget, dict) for nugget in found):
            raise ValueError("a nugget is no object")
        return {record.get("qid"): nugget_grades(found)}
    if "" in (topic, *found):
        raise ValueError("a topic or a document has no name")
    return {topic: found}


def fields_of(names: Sequence[str], line: bytes) -> list[bytes]:
    """Return the values of an object under some names."""
    try:
        found = load(line)
    except ValueError as error:
        raise in_words(error) from None
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
    if kinds_of_line(line):
        return True
    if not line.startswith(b"{") or _NESTED.match(line):  # a whole file may be one line
        return False
    try:
        found = load(line)
    except ValueError:
        return False
    return bool(found) and not any(isinstance(v, dict | list) for v in found.values())


_NESTED = re.compile(rb'\{\s*"(?:[^"\\]|\\.)*+"\s*:\s*[{\[]')
"""An object whose first value is no plain one."""


def guess(begun: Beginning, given: Mapping[str, str]) -> ContentGuess:
    """Guess the content of JSON from the keys of its first object, or from its first number."""
    if kinds := kinds_of_line(begun.line):
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


_FIRST_NUMBER = re.compile(rb":\s*(-?[0-9.eE+-]+)\s*[,}]")
"""The first value in JSON that is a number."""


def write(name: str, what: str, parts: Iterator[Columns]) -> Iterator[bytes]:
    """Yield the pieces of a file."""
    if name == "json":
        return _write_whole(what, parts)
    return (_objects(what, rows) for rows in every_rows(what, parts))


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
        return [str(int(text)) for text in column]
    return list(map(_json_string, (text.decode() for text in column)))


def _write_whole(what: str, parts: Iterator[Columns]) -> Iterator[bytes]:
    """Yield {topic: {docno: value}}, a topic per line; a part may continue the topic before it."""
    last = None
    empty: dict[bytes, None] = {}
    for columns in parts:
        empty.update(dict.fromkeys(columns.empty))
        numbers = [text.decode() for text in numbers_of(what, columns)]
        docnos = [_json_string(docno.decode()) for docno in columns.docnos.tolist()]
        pairs = [f"{docno}: {number}" for docno, number in zip(docnos, numbers, strict=True)]
        bounds = pairwise(columns.starts.tolist())
        for topic, (start, stop) in zip(columns.topics, bounds, strict=True):
            opening = ", "
            if topic != last:
                opening = f"{'{' if last is None else '},'}\n{_json_string(topic.decode())}: {{"
            yield (opening + ", ".join(pairs[start:stop])).encode()
            last = topic
    ending = "{" if last is None else "}," if empty else "}"
    without = ",\n".join(f"{_json_string(topic.decode())}: {{}}" for topic in empty)
    yield f"{ending}\n{without}{chr(10) * bool(without)}}}\n".encode()
