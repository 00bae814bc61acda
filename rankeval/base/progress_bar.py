"""A bar that shows the progress of reading files, or of a computation."""

import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from rankeval.base.progress import listening

EVERY = 0.1
"""Seconds between two refreshes of a bar."""


@contextmanager
def reading_bar(sizes: Mapping[str, int]) -> Iterator[Callable[[str, int], None]]:
    """Show a bar; the function that is yielded takes a path and how many of its bytes were read."""
    from rich.markup import escape
    from rich.progress import DownloadColumn

    done = dict.fromkeys(sizes, 0)
    shown = -math.inf
    with _bar(DownloadColumn()) as bar:
        task = bar.add_task("reading", total=sum(sizes.values()))

        def update(path: str, position: int) -> None:
            nonlocal shown
            if path in done:
                done[path] = position
                name = escape("".join(c if c.isprintable() else "?" for c in Path(path).name))
                bar.update(task, completed=sum(done.values()), description=name)
            if time.monotonic() - shown > EVERY:
                bar.refresh()
                shown = time.monotonic()

        yield update


@contextmanager
def computing_bar(*, wait: float = 0.0) -> Iterator[None]:
    """Show how far this thread's computations are while the block runs, from some seconds on."""
    begun, shown = time.monotonic(), -math.inf
    bar: Any = None
    tasks: dict[str, Any] = {}
    with ExitStack() as opened:

        def update(what: str, done: int, total: int) -> None:
            nonlocal bar, shown
            now = time.monotonic()
            if now - begun < wait or (now - shown < EVERY and done < total):
                return
            if bar is None:
                from rich.progress import MofNCompleteColumn, TimeRemainingColumn

                bar = opened.enter_context(_bar(MofNCompleteColumn(), TimeRemainingColumn()))
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done, total=total, visible=not wait or done < total)
            bar.refresh()
            shown = now

        with listening(update):
            yield


def _bar(*counts: Any) -> Any:
    """Return a bar of rich, in a terminal or a notebook, with columns of counts."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    in_notebook = "ipykernel" in sys.modules
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        *counts,
        console=None if in_notebook else Console(stderr=True),
        transient=True,
        auto_refresh=False,  # it would start a thread, and a process with threads is not forked
    )
