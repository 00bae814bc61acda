"""Paths that a caller gives."""

import os

from rankeval.errors import UsageError


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
