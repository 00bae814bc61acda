"""Values that callers give: choices among names, paths, open files."""

import os
from collections.abc import Iterable
from typing import TypeVar

from rankeval.errors import InputError, UsageError

Choice = TypeVar("Choice", bound=str)


def choice(name: str, value: object, known: Iterable[Choice]) -> Choice:
    """Return the known word that a value is; UsageError lists them for another value.

    An enumeration knows its members.
    """
    words = [*known]
    if isinstance(value, str) and value in words:
        return words[words.index(value)]
    raise UsageError(f"{name} cannot be {value!r}", expected=f"one of {', '.join(words)}")


def path_text(given: object, what: str, *, also: str = "") -> str:
    """Return a path as text; UsageError for anything else, such as an open file.

    `also` is what could stand in its place, for the message.
    """
    if isinstance(given, str):
        return given
    path = os.fspath(given) if isinstance(given, os.PathLike) else None
    if not isinstance(path, str):
        raise UsageError(
            f"{what} is of the type {type(given).__name__}",
            expected=f"{also and also + ', or '}the path of a file, as text or pathlib.Path",
        )
    return path


def refuse_closed(given: object, place: str) -> None:
    """Raise InputError for a file that was closed; anything else is left alone."""
    if getattr(given, "closed", False) is True:
        raise InputError(
            "the file is closed", place=place, expected="a file that is open for reading"
        )
