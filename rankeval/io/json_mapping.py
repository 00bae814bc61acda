"""JSON: {topic: {docno: value}}, or a list of objects as in JSON Lines."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np

from rankeval.errors import InputError
from rankeval.io import json_lines
from rankeval.io.columns import Columns
from rankeval.io.conventions import VALUES
from rankeval.io.plain import PlainDocnos, parse, quoted

LARGEST = 1 << 30
"""Bytes of one JSON value, which has to be in memory as a whole."""


def read(data: Iterable[bytes], what: str, given: Mapping[str, str], name: str) -> Columns:
    """Read a whole file; InputError tells where it is no JSON, or not of this form."""
    found = _load(whole(data, name, "JSON"), name)
    if isinstance(found, list):
        return _records(found, what, given, name)
    if not isinstance(found, dict):
        raise _wrong("is no JSON object", what, name)
    value = VALUES[what]
    topics, sizes, docnos, values = [], [0], [], []
    for topic, documents in found.items():
        if not isinstance(documents, dict):
            raise _wrong(f"topic {_shown(topic)} has no object of documents", what, name)
        if not documents:
            continue
        if not topic or "" in documents:
            raise _wrong("a topic or a docno is empty", what, name)
        topics.append(topic.encode("utf-8", "surrogatepass"))
        sizes.append(len(documents))
        docnos += [docno.encode("utf-8", "surrogatepass") for docno in documents]
        for docno, number in documents.items():
            values.append(_number(number))
            if not math.isfinite(values[-1]):
                raise _wrong(
                    f"the {value} of document {_shown(docno)} of topic {_shown(topic)} is "
                    f"{_brief(number)}, no finite number",
                    what,
                    name,
                )
    return Columns(
        topics=tuple(topics),
        starts=np.cumsum(sizes),
        docnos=PlainDocnos(docnos),
        values=np.array(values, dtype=float),
        lines=range(1, len(values) + 1),
    )


def whole(data: Iterable[bytes], name: str, kind: str) -> bytes:
    """All bytes of a file that cannot be read in parts; InputError if they are too many."""
    parts, size = [], 0
    for part in data:
        parts.append(part)
        size += len(part)
        if size > LARGEST:
            raise InputError(
                f"holds more than {LARGEST >> 20} MB of {kind}",
                place=name,
                remedy="convert it to lines, such as TREC's or JSON Lines, which are read in parts",
            )
    return b"".join(parts)


def _load(text: bytes, name: str) -> Any:
    try:
        return json_lines.load(text.removeprefix(b"\xef\xbb\xbf"))
    except json.JSONDecodeError as error:
        raise InputError(
            f"is no JSON: {error.msg[:1].lower()}{error.msg[1:]} at column {error.colno}",
            place=f"{name}:{error.lineno}",
            remedy="check that the file is complete",
        ) from None
    except ValueError as error:
        raise InputError(f"cannot be used: {error}", place=name) from None


def _records(found: list[Any], what: str, given: Mapping[str, str], name: str) -> Columns:
    """Objects in a list, read as lines; their numbers count from 1."""
    lines = [json.dumps(record).encode() for record in found]
    first = lines[0] if lines else b"{}"
    if not lines:
        return parse(b"", json_lines.layout(b"", what, given, name), name, 1)
    layout = json_lines.layout(first, what, given, name)
    return parse(b"".join(chain(*((line, b"\n") for line in lines))), layout, name, 1)


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


def _wrong(problem: str, what: str, name: str) -> InputError:
    return InputError(problem, place=name, expected=f"{{topic: {{docno: {VALUES[what]}}}}}")


def columns(
    data: Iterable[bytes], what: str, given: Mapping[str, str], name: str
) -> Iterator[Columns]:
    """Read a whole file when it is asked for."""
    yield read(data, what, given, name)
