"""JSON: {topic: {docno: value}}, or a list of objects; and JSON Lines, an object per line or topic.

An object of a topic has nuggets, which are judged by their importance; or `expected_ids`, which are
judgments of grade 1, and `retrieved_ids`, a run, the best document first, as tools for
retrieval-augmented generation write them.
"""

import contextlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, BinaryIO

from rankeval.base.frozen import replace
from rankeval.errors import InputError
from rankeval.io import text_formats
from rankeval.io.blocks import BYTE_ORDER_MARK, display_name, whole, whole_lines
from rankeval.io.column_names import (
    TOPIC,
    VALUES,
    ContentGuess,
    guess_by_names,
    is_integer,
    name_columns,
    plain_name,
    roles_of,
)
from rankeval.io.columns import Columns, Layout
from rankeval.io.formats import LAYOUTS, Beginning, Form, Read
from rankeval.io.lines_parser import LineError
from rankeval.io.python_values import columns_of
from rankeval.io.text_formats import FIELDS, Rows, numbers_of, rows_of


def load(text: bytes | str) -> Any:
    """Read JSON; ValueError for any other text, and for an object that has a name twice."""
    try:
        if isinstance(text, bytes):
            text = text.decode(json.detect_encoding(text), "surrogatepass")
        return _DECODER.decode(text)
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None
    except UnicodeDecodeError:
        raise ValueError("the JSON is not in UTF-8") from None
    except json.JSONDecodeError as error:
        several = error.msg == "Extra data" and error.doc[:1] in "{["  # others are plain text
        what = "more than one JSON value" if several else "not JSON"
        raise ValueError(f"this is {what} ({error.msg} at column {error.colno})") from error


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]  # None, which is false
        raise ValueError(f"the name {json.dumps(twice)} occurs twice in an object")
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_distinct)
"""One for all lines: `json.loads` makes another one at each call, which takes as long as a line."""


def load_line(line: bytes | str, place: str, expected: str) -> Any:
    """Read a line of JSON; InputError, with place and expectation, for any other text."""
    try:
        return load(line)
    except ValueError as error:
        raise InputError(str(error), place=place, expected=expected) from None


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


def read(name: str, path: str, begun: Beginning, form: Form) -> Read:
    """Return the layout of lines and the lines in blocks, or the columns of a whole file."""
    place = display_name(path)
    if name == "json":
        return _read_whole(place, begun, form)
    if not begun.line:
        return text_formats.read("trec", path, begun, form)
    if key := kinds_of_line(begun.line).get(form.what):
        lines = (
            (number, line)
            for block, first in whole_lines(begun.whole, path)
            for number, line in enumerate(block.split(b"\n"), first)
            if line.strip()
        )
        return _columns_of_topics(lines, form, key, place)
    found = layout(begun.line, form.what, form.columns, place, form.fixed)
    return found, whole_lines(begun.whole, path)


def _read_whole(place: str, begun: Beginning, form: Form) -> Read:
    text = whole(begun.whole, place, "JSON", LARGEST).removeprefix(BYTE_ORDER_MARK)
    expected = f"{{topic: {{docno: {VALUES[form.what]}}}}}"
    try:
        found = load(text)
    except ValueError as error:
        line = getattr(error.__cause__, "lineno", 0)
        raise InputError(
            str(error),
            place=f"{place}:{line}" if line else place,
            expected=f"{expected}; or topic, docno and {VALUES[form.what]} as objects in a list or "
            "in lines",
            remedy="check that the file is complete",
        ) from None
    del text
    if isinstance(found, list):
        if key := kinds_of(next(iter(found), None)).get(form.what):
            return _columns_of_topics(enumerate(found, 1), form, key, place)
        lines = [json.dumps(record).encode() + b"\n" for record in found]
        of_lines = layout(lines[0] if lines else b"", form.what, form.columns, place)
        return of_lines, iter([(b"".join(lines), 1)] if lines else [])
    if not isinstance(found, dict) or {"schema", "rankeval"} <= {*found}:
        results = "holds saved results, which have values and no documents: name the run itself"
        problem = results if isinstance(found, dict) else "is not a JSON object"
        raise InputError(problem, place=place, expected=expected)
    return iter([columns_of(found, LAYOUTS[form.what], file=place)])


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
        if not isinstance(nugget, dict):
            raise ValueError("a nugget is no object")  # noqa: TRY004  as of a wrong line
        text = nugget.get("text")
        words = " ".join(text.split()) if isinstance(text, str) else ""
        importance = nugget.get("importance")
        grade = GRADES.get(importance, 0) if isinstance(importance, str) else 0
        found[f"{number} {words}".strip()] = grade
    return found


def _columns_of_topics(
    records: Iterable[tuple[int, Any]], form: Form, key: str, name: str
) -> Iterator[Columns]:
    """Yield the documents of each object, if it has any; a wrong one is left out or refused."""
    for number, record in records:
        try:
            found = load(record) if isinstance(record, bytes) else record
            columns = columns_of(_of_topic(found, key), LAYOUTS[form.what])
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
            yield replace(columns, lines=[number] * len(columns), ranks=ranks)


def _of_topic(record: Any, key: str) -> dict[Any, Any]:
    """Return a topic and its documents, the best first, or their grades; ValueError for others."""
    record = record if isinstance(record, dict) else {}
    found = record.get(key)
    if key == NUGGETS and found is None and isinstance(record.get("answer"), list):
        return {record.get("qid"): ANSWERED}
    if not isinstance(found, list):
        raise ValueError(f'this is no object with a list "{key}"')  # noqa: TRY004  as of a wrong line
    if key == NUGGETS:
        return {record.get("qid"): nugget_grades(found)}
    topic = _topic_of(record)
    if "" in (topic, *found):
        raise ValueError("a topic or a document has no name")
    return {topic: found}


def fields_of(names: Sequence[str], line: bytes) -> list[bytes]:
    """Return the values of an object under some names."""
    found = load(line)
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
    first: object = None
    with contextlib.suppress(ValueError):
        first = load(line)
    if isinstance(first, dict):
        keys = list(first)
        roles = {role: keys[i] for role, i in roles_of(keys, what, given, place, fixed).items()}
    else:  # the parser reports the first line as it does any wrong line
        roles = {role: given.get(role, role) for role in ("topic", "docno", VALUES[what])}
    names, places = tuple(roles.values()), {role: i for i, role in enumerate(roles)}
    return Layout.by_roles(what, names, places, partial(fields_of, names), objects=True)


def is_first_of_lines(line: bytes) -> bool:
    """Return True for a first line of JSON Lines: an object of plain values, or one of a topic."""
    if kinds_of_line(line):
        return True
    found: object = None
    if line.startswith(b"{") and not _NESTED.match(line):  # a whole file may be one line
        with contextlib.suppress(ValueError):
            found = load(line)
    values = found.values() if isinstance(found, dict) else ()
    return bool(values) and not any(isinstance(value, dict | list) for value in values)


_NESTED = re.compile(rb'\{\s*"(?:[^"\\]|\\.)*+"\s*:\s*[{\[]')
"""An object whose first value is no plain one."""


def guess(begun: Beginning, _: str, given: Mapping[str, str]) -> ContentGuess:
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


def write(name: str, what: str, parts: Iterator[Columns], stream: BinaryIO) -> None:
    """Write an object of all, or one for each line."""
    if name == "json":
        stream.writelines(_pieces(what, parts))
    else:
        stream.writelines(_objects(what, rows_of(what, part)) for part in parts)


_json_string = json.encoder.encode_basestring_ascii


def _objects(what: str, rows: Rows) -> bytes:
    """Return an object per line: numbers and ranks as they are, all else as strings."""
    columns = []
    for name in FIELDS[what]:
        if name in rows:
            texts: Iterable[str] = (text.decode() for text in rows[name])
            if name == "rank":
                texts = (str(int(text)) for text in texts)
            elif name != VALUES[what]:
                texts = map(_json_string, texts)
            columns.append([f'"{name}": {text}' for text in texts])
    return "".join("{" + ", ".join(row) + "}\n" for row in zip(*columns, strict=True)).encode()


def _pieces(what: str, parts: Iterator[Columns]) -> Iterator[bytes]:
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
