"""Errors of lines, which end the reading, or are gathered."""

from collections import Counter
from collections.abc import Iterable
from typing import Self

from rankeval.errors import InputError

LEAVE_OUT = 'leave such lines out: --on-error skip, in Python on_error="skip"'
"""How to go on where a line is wrong."""


def row_of(name: str, row: int) -> str:
    """Return the place of a row of a value in memory in messages; they count from 0."""
    return f"{name}, row {row} (from 0)"


class LineError(InputError):
    """A line of a file is wrong; `kind` says how, in words that many lines may share.

    `otherwise` says how to go on without mending the line.
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
        otherwise: str = LEAVE_OUT,
    ) -> None:
        remedy = "; or ".join(filter(None, (remedy, otherwise)))
        super().__init__(problem, place=f"{name}:{line}", expected=expected, remedy=remedy)
        self.kind = kind
        self.line = line

    def at_row(self, name: str) -> Self:
        """Name a row of a table in memory, counted from 0, as the place."""
        self.place = row_of(name, self.line - 1)
        return self


MOST_WRONG = 2_000_000
"""More wrong lines than this are an error, as a little compressed data can hold millions."""


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

    def add(self, errors: Iterable[LineError]) -> list[int]:
        """Count some wrong lines, in their order, and return their numbers."""
        lines: list[int] = []
        with self._lock:
            n_wrong = self.counts.total()
            for error in errors:
                self.counts[error.kind] += 1
                if len(lines) < self.most:
                    self.first.append(error)
                lines.append(error.line)
                if n_wrong + len(lines) > MOST_WRONG:
                    raise InputError(
                        f"more than {MOST_WRONG:,} lines are wrong",
                        place=error.place.rpartition(":")[0],
                        expected=error.expected,
                        remedy="check that this is the right file",
                    )
            self.first = sorted(self.first, key=lambda e: e.line)[: self.most]
        return lines

    def clear(self) -> None:
        """Forget all, before the file is read once more."""
        with self._lock:
            self.counts.clear()
            self.first = []
