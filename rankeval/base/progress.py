"""Progress of long computations: told by what computes, shown by whoever listens."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Listener = Callable[[str, int, int], None]
"""Takes what is counted, how many of it are done, and how many there are."""

_listening: ContextVar[tuple[Listener, int] | None] = ContextVar("listening", default=None)
"""Who listens, and in which process: one that is forked from it tells nobody."""

Item = TypeVar("Item")


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Let a function be told of the progress of what this thread computes meanwhile."""
    token = _listening.set((listener, os.getpid()))
    try:
        yield
    finally:
        _listening.reset(token)


def is_heard() -> bool:
    """Return True if somebody listens to this thread."""
    found = _listening.get()
    return found is not None and found[1] == os.getpid()


def told(what: str, done: int, total: int) -> None:
    """Tell whoever listens how many of something are done."""
    found = _listening.get()
    if found is not None and found[1] == os.getpid():
        found[0](what, done, total)


def counted(items: Iterable[Item], what: str, total: int) -> Iterator[Item]:
    """Yield items, and tell after the work on each how many are done.

    >>> with listening(lambda what, done, total: print(f"{done} of {total} {what}")):
    ...     found = [number * number for number in counted([3, 4], "squares", 2)]
    1 of 2 squares
    2 of 2 squares
    """
    for done, item in enumerate(items, 1):
        yield item
        told(what, done, total)
