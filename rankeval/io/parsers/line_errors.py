"""Errors of lines, which end the reading, or are gathered."""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Self

from rankeval.errors import InputError
from rankeval.io.sources.blocks import PIECE, compression


class LineError(InputError):
    """A line of a file is wrong; `kind` says how, in words that many lines may share.

    `is_short` is True where columns are missing, as in a line that was cut off.
    """

    def __init__(
        self,
        problem: str,
        *,
        kind: str,
        name: str,
        line: int,
        expected: str = "",
        remedy: str = "",
        is_short: bool = False,
    ) -> None:
        super().__init__(problem, place=f"{name}:{line}", expected=expected, remedy=remedy)
        self.kind = kind
        self.is_short = is_short
        self.line = line

    def at_row(self, name: str) -> Self:
        """Name a row of a table in memory, counted from 0, as the place."""
        self.place = f"{name}, row {self.line - 1}"
        return self


class Problems:
    """Wrong lines of a file, counted by kind; the first few of them are kept.

    Threads may add to it, in any order of lines.
    """

    def __init__(self, most: int = 10) -> None:
        self.most = most
        self.counts: Counter[str] = Counter()
        self.first: list[LineError] = []
        from threading import Lock  # not where nothing is read from a file

        self._lock = Lock()

    def add(self, errors: list[LineError]) -> None:
        """Count some wrong lines."""
        with self._lock:
            self.counts.update(error.kind for error in errors)
            self.first = sorted([*self.first, *errors], key=lambda e: e.line)[: self.most]

    def clear(self) -> None:
        """Forget all, before the file is read once more."""
        with self._lock:
            self.counts.clear()
            self.first = []


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
