"""JSON in files: an object may not have a name twice, and errors say where."""

import json
from typing import Any

from rankeval.errors import InputError


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
