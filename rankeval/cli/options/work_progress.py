"""The progress of long computations, on a terminal."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rankeval.base.progress import listening

if TYPE_CHECKING:  # short commands need no bar
    from rich.progress import Progress, TaskID

WAIT = 1.0
"""Seconds after which progress is shown."""

EVERY = 0.1
"""Seconds between two updates."""


@contextmanager
def work_shown() -> Iterator[None]:
    """Show on standard error how far the work is, if it takes longer than a second."""
    bars = Bars()
    try:
        with listening(bars.update):
            yield
    finally:
        bars.close()


class Bars:
    """A line for each thing that is counted; they go when all of it is done."""

    def __init__(self) -> None:
        self._begun = self._shown = time.monotonic()
        self._progress: Progress | None = None
        self._tasks: dict[str, TaskID] = {}

    def update(self, what: str, done: int, total: int) -> None:
        """Show how many are done; remove complete bars."""
        now = time.monotonic()
        if done >= total:
            self._forget(what)
        elif now - self._begun > WAIT and now - self._shown > EVERY:
            if self._progress is None:
                self._progress = _started()
            if what not in self._tasks:
                self._tasks[what] = self._progress.add_task(what, total=total)
            self._progress.update(self._tasks[what], completed=done, total=total)
            self._progress.refresh()
            self._shown = now

    def close(self) -> None:
        """Take the lines away."""
        if self._progress is not None:
            self._progress.stop()
        self._progress, self._tasks = None, {}

    def _forget(self, what: str) -> None:
        if self._progress is not None and what in self._tasks:
            self._progress.remove_task(self._tasks.pop(what))
            if not self._tasks:
                self.close()


def _started() -> "Progress":
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,  # it would start a thread, and a process with threads is not forked
    )
    progress.start()
    return progress
