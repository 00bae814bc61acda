"""Progress of computations, which report it to a listener, and bars that show it."""

import math
import os
import sys
import time
from _thread import get_ident  # threading takes a millisecond to import
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

Listener = Callable[[str, int, int], None]
"""Takes the name of the items that are counted, how many are done, and how many there are."""

_listening: ContextVar[tuple[Listener, int, int] | None] = ContextVar("listening", default=None)
"""The listener, its process and its thread: no others report, whatever context they have."""

Item = TypeVar("Item")


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Call a function with the progress of this thread's computations while the block runs."""
    token = _listening.set((listener, os.getpid(), get_ident()))
    try:
        yield
    finally:
        _listening.reset(token)


def report_progress(what: str, done: int, total: int) -> None:
    """Report to the listener, if there is one, how many of something are done."""
    found = _listening.get()
    if found is not None and found[1:] == (os.getpid(), get_ident()):
        found[0](what, done, total)


def counted(items: Iterable[Item], what: str, total: int) -> Iterator[Item]:
    """Yield items, and report after the work on each how many are done.

    >>> with listening(lambda what, done, total: print(f"{done} of {total} {what}")):
    ...     found = [number * number for number in counted([3, 4], "squares", 2)]
    1 of 2 squares
    2 of 2 squares
    """
    for done, item in enumerate(items, 1):
        yield item
        report_progress(what, done, total)


EVERY = 0.1
"""Seconds between two refreshes of a bar."""


@contextmanager
def reading_bar(sizes: Mapping[str, int]) -> Iterator[Callable[[str, int], None]]:
    """Show a bar; the function that is yielded takes a path and how many of its bytes were read."""
    from pathlib import Path

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
