"""JSON Lines: an object per line, with the topic, the docno and the value under known names."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from rankeval.errors import InputError
from rankeval.io.parsers.column_names import (
    KEPT,
    VALUES,
    roles_of,
    value_role,
)
from rankeval.io.parsers.columns import Layout


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


def load_line(line: bytes | str, place: str, expected: str) -> Any:
    """Read a line of JSON; InputError, with place and expectation, for any other text."""
    try:
        return load(line)
    except json.JSONDecodeError as error:
        problem = f"this is not JSON ({error.msg} at column {error.colno})"
        raise InputError(problem, place=place, expected=expected) from None
    except ValueError as error:
        raise InputError(str(error), place=place, expected=expected) from None


def as_bytes(value: object) -> bytes:
    """Return a JSON value as a field of a line: text as it is, anything else as JSON writes it."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "surrogatepass")


def is_object(line: bytes) -> bool:
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


_NESTED = re.compile(rb'\{\s*"(?:[^"\\]|\\.)*+"\s*:\s*[{\[]')
"""An object whose first value is no plain one."""
