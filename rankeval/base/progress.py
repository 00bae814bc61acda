"""Progress of long computations, which report it to a listener that shows it."""

import os
from _thread import get_ident  # threading takes a millisecond to import
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

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
