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

START = b"ir_metadata.start"
_HEADER = re.compile(
    rb"^[ \t]*#[ \t]*ir_metadata\.start\s*\n(.*?)^[ \t]*#[ \t]*ir_metadata\.end[ \t\r]*\n",
    re.MULTILINE | re.DOTALL,
)
_MARK = re.compile(rb"^[ \t]*#[ \t]?", re.MULTILINE)

HINT = "The run has an ir_metadata header; to show it, install PyYAML: {}"


class NoYAMLError(Exception):
    """Raised when a header is to be read and PyYAML is not installed."""


def header_of(begun: Beginning, place: str) -> bytes:
    """Return the lines of the header, from the one with the start to the one with the end.

    They come before the first line of data. b"" if there is no start; InputError if there is one
    and no end within LARGEST bytes.
    """
    text = b"".join(begun.head)[: min(begun.start, LARGEST)]
    if found := _HEADER.search(text):
        return found[0]
    if START in text:
        raise InputError(
            "the ir_metadata header has no end",
            place=place,
            expected=f"a line '# ir_metadata.end' within {LARGEST >> 10} KB, before the first line "
            "of data",
        )
    return b""


def metadata_of(header: bytes, place: str) -> dict[str, Any]:
    """Read a header: dictionaries and lists of text, as it is written.

    InputError for YAML that is wrong, or with aliases, by which few bytes can mean any number;
    NoYAMLError without PyYAML.
    """
    try:
        yaml: Any = import_module("yaml")
    except ImportError:
        raise NoYAMLError from None
    lines = _MARK.sub(b"", header).decode("utf-8", "backslashreplace").split("\n")
    text = "\n".join(line.rstrip("\r") for line in lines[1:-2])
    try:
        _refuse_hostile(yaml, text)
        found = yaml.load(text, Loader=yaml.BaseLoader)
        if not isinstance(found, dict):
            raise ValueError("it has no names")  # noqa: TRY004, TRY301  as any other header
    except (yaml.YAMLError, ValueError) as error:
        problem = getattr(error, "problem", None) or str(error).partition("\n")[0]
        mark = getattr(error, "problem_mark", None)
        where = "" if mark is None else f" in line {mark.line + 1} below its start"
        raise InputError(
            f"the ir_metadata header is not read: {problem}{where}",
            place=place,
            expected="YAML as in https://www.ir-metadata.org",
        ) from None
    return dict(found)


def _refuse_hostile(yaml: Any, text: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=yaml.BaseLoader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        problem = f"it has more than {DEEPEST} levels" if depth > DEEPEST else ""
        if problem or isinstance(event, yaml.AliasEvent):
            raise ValueError(problem or "it has aliases")
