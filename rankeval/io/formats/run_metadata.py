"""The ir_metadata header, which says how a run was made: YAML in lines of comments.

Source: Breuer, Keller and Schaer, "ir_metadata: An Extensible Metadata Schema for IR Experiments",
SIGIR 2022.
"""

import re
from importlib import import_module
from typing import Any

from rankeval.errors import InputError
from rankeval.io.formats.file_format import Beginning

LARGEST = 1 << 16
"""Most bytes of a header; a longer one is no description of a run."""

DEEPEST = 16
"""Levels of a header, one within the other; the schema has five."""

START, END = b"ir_metadata.start", b"ir_metadata.end"

_LINE = re.compile(rb"[ \t]*#[ \t]?([^\n]*)\n")

HINT = "The run has an ir_metadata header; to show it, install PyYAML: {}"


class NoYAMLError(Exception):
    """Raised when a header is to be read and PyYAML is not installed."""


def header_of(begun: Beginning, place: str) -> bytes:
    """Return the lines of the header, from the one with the start to the one with the end.

    They come before the first line of data. b"" if there is no start; InputError if there is one
    and no end within LARGEST bytes.
    """
    text = _comments(begun)
    found = b""
    for line in _LINE.finditer(text):
        content = line[1].strip()
        if found:
            found += line[0]
            if content == END:
                return found
        elif content == START:
            found = line[0]
    if found:
        raise InputError(
            "the ir_metadata header has no end",
            place=place,
            expected=f"a line '# {END.decode()}' within {LARGEST >> 10} KB, before the first line "
            "of data",
        )
    return b""


def _comments(begun: Beginning) -> bytes:
    """Return the bytes before the first line of data, LARGEST of them at most."""
    text = b""
    for piece in begun.head:
        if len(text) >= min(begun.start, LARGEST):
            break
        text += piece[:LARGEST]
    return text.removeprefix(b"\xef\xbb\xbf")[: min(begun.start, LARGEST)]


def metadata_of(header: bytes, place: str) -> dict[str, Any]:
    """Read a header: dictionaries and lists of text, as it is written.

    InputError for YAML that is wrong, or with aliases, by which few bytes can mean any number;
    NoYAMLError without PyYAML.
    """
    try:
        yaml: Any = import_module("yaml")
    except ImportError:
        raise NoYAMLError from None
    lines = _LINE.findall(header)[1:-1]
    text = "\n".join(line.decode("utf-8", "backslashreplace").rstrip("\r") for line in lines)
    try:
        _refuse_hostile(yaml, text)
        found = yaml.load(text, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, ValueError) as error:
        problem = getattr(error, "problem", None) or str(error).partition("\n")[0]
        mark = getattr(error, "problem_mark", None)
        where = "" if mark is None else f" in line {mark.line + 1} below its start"
        raise InputError(
            f"the ir_metadata header is not read: {problem}{where}",
            place=place,
            expected="YAML as in https://www.ir-metadata.org",
        ) from None
    if not isinstance(found, dict):
        raise InputError(
            "the ir_metadata header is not read: it has no names",
            place=place,
            expected="YAML as in https://www.ir-metadata.org",
        )
    return found


def _refuse_hostile(yaml: Any, text: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=yaml.BaseLoader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        problem = f"it has more than {DEEPEST} levels" if depth > DEEPEST else ""
        if problem or isinstance(event, yaml.AliasEvent):
            raise ValueError(problem or "it has aliases")
