"""Ask whether a file is complete where a line lacks columns, is the last one, and has no end."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from rankeval.io.blocks import compression
from rankeval.io.line_errors import LineError

PIECE = 1 << 20
"""Bytes read at once to count lines."""


@contextmanager
def asking_whether_complete() -> Iterator[None]:
    """Let the remedy of a LineError say that the file may have been cut off, if it looks so."""
    try:
        yield
    except LineError as error:
        if is_cut_off(error):
            error.remedy = "is the file complete? its last line is cut off: copy or write it again"
        raise


def is_cut_off(error: LineError) -> bool:
    """Return True where a line lacks columns, is the last one of several, and has no end."""
    file, _, line = error.place.rpartition(":")
    return error.is_short and line.isdigit() and _is_cut_at(file, int(line))


def _is_cut_at(file: str, line: int) -> bool:
    """Return True for the last line of several, if no newline ends it."""
    from pathlib import Path  # an error may take its time

    with suppress(OSError, ValueError):
        path = Path(file)
        if line == 1 or not path.is_file() or compression(file) is not None:
            return False
        with path.open("rb") as stream:
            stream.seek(-1, os.SEEK_END)
            if stream.read() in (b"\n", b"\r"):
                return False
            stream.seek(0)
            n_ends = sum(piece.count(b"\n") for piece in iter(lambda: stream.read(PIECE), b""))
        return n_ends + 1 == line
    return False
