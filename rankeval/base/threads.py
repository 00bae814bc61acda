"""Work in several threads, in order and in limited memory, and the progress that work reports."""

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

from rankeval.errors import InputError, UsageError

if TYPE_CHECKING:
    from concurrent.futures import Future

MANY = 1 << 18
"""From this many rows on, giving back the memory that reading leaves behind is worth its time."""


def give_back(n_rows: int) -> None:
    """Give back the memory that reading many rows has left behind in the C library and in Arrow.

    GNU's C library keeps freed arrays of up to 32 MB, and the next arrays seldom fit into them.
    """
    if n_rows >= MANY and sys.platform == "linux":
        import ctypes  # only large files are worth it

        getattr(ctypes.CDLL(None), "malloc_trim", abs)(0)
        if "pyarrow" in sys.modules:
            sys.modules["pyarrow"].default_memory_pool().release_unused()


Result = TypeVar("Result")
Task = TypeVar("Task")


MOST_THREADS = 256


def in_order(
    work: Callable[[Task, int], Result], tasks: Iterator[tuple[Task, int]], jobs: int
) -> Generator[Result, None, None]:
    """Work on tasks in threads, and yield in their order; few tasks are under way at once.

    Of several InputErrors the first in order is raised. Whoever stops early closes the generator;
    then the threads have ended.
    """
    if jobs <= 1:
        for task in tasks:
            yield work(*task)
        return
    from concurrent.futures import ThreadPoolExecutor  # small files are read without

    under_way: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(jobs) as pool:
        for task in first_errors_first(tasks, lambda: [future.result() for future in under_way]):
            under_way.append(pool.submit(work, *task))
            if len(under_way) > jobs:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()


def first_errors_first(
    tasks: Iterator[tuple[Task, int]], earlier: Callable[[], object]
) -> Iterator[tuple[Task, int]]:
    """Pass tasks on; if taking one fails, let `earlier` first raise the errors of earlier tasks.

    Tasks are taken ahead of being worked on, and which error is raised must not depend on how far.
    """
    try:
        yield from tasks
    except InputError:
        earlier()
        raise


def usable_threads(jobs: int | None) -> int:
    """Return the number of threads to work in: as many as wanted, else one per processor.

    More than 256 are not started, whatever is wanted: each takes memory, and none more makes it
    faster. UsageError for less than 1.
    """
    if jobs is None:
        return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    if jobs < 1:
        raise UsageError(f"cannot work in {jobs} threads", expected="1 or more")
    return min(jobs, MOST_THREADS)


Listener = Callable[[str, int, int], None]
"""Takes the name of the items that are counted, how many are done, and how many there are."""

_listening: ContextVar[tuple[Listener, int] | None] = ContextVar("listening", default=None)
"""The listener, and its process; a forked one does not report."""

Item = TypeVar("Item")


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Call a function with the progress of this thread's computations while the block runs."""
    token = _listening.set((listener, os.getpid()))
    try:
        yield
    finally:
        _listening.reset(token)


def report_progress(what: str, done: int, total: int) -> None:
    """Report to the listener, if there is one, how many of something are done."""
    found = _listening.get()
    if found is not None and found[1] == os.getpid():
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
"""Seconds between two lines of progress."""

CLEAR = "\r\x1b[K"
"""Makes a line of a terminal empty."""


@contextmanager
def showing_progress(*, wait: float = 0.0) -> Iterator[Listener]:
    """Show how far this thread's computations are while the block runs, from some seconds on."""
    following, is_shown = time.monotonic() + wait, False

    def update(what: str, done: int, total: int) -> None:
        nonlocal following, is_shown
        if time.monotonic() >= following:
            sys.stderr.write(f"{CLEAR}{what}: {done / max(total, 1):.0%}")
            sys.stderr.flush()
            following, is_shown = time.monotonic() + EVERY, True

    try:
        with listening(update):
            yield update
    finally:
        if is_shown:
            sys.stderr.write(CLEAR)


@contextmanager
def showing_reading(sizes: Mapping[str, int]) -> Iterator[Callable[[str, int], None] | None]:
    """Show how far files are read; takes a path and how many of its bytes were read.

    Without files, it shows the computations.
    """
    done = dict.fromkeys(sizes, 0)
    with showing_progress() as update:

        def report(path: str, position: int) -> None:
            if path in done:
                done[path] = position
                update("reading", sum(done.values()), sum(sizes.values()))

        yield report if sizes else None
