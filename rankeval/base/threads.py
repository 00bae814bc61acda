"""Work in several threads, whose results come in the order of the tasks, and in limited memory."""

import os
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from rankeval.errors import InputError, UsageError

if TYPE_CHECKING:
    from concurrent.futures import Future


MANY = 1 << 18
"""From this many rows on, giving back the memory that reading leaves behind is worth its time."""


def of_c_library(name: str) -> Any:
    """Return a function of GNU's C library; None where another one lacks it."""
    import ctypes  # only large files are worth it

    return None if sys.platform == "win32" else getattr(ctypes.CDLL(None), name, None)


def give_back(n_rows: int) -> None:
    """Give back the memory that reading many rows has left behind in the C library and in Arrow.

    GNU's C library keeps freed arrays of up to 32 MB, and the next arrays seldom fit into them.
    """
    if n_rows < MANY:
        return
    trim = of_c_library("malloc_trim")
    if trim is not None:
        trim(0)
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
        return usable_processors()
    if jobs < 1:
        raise UsageError(f"cannot work in {jobs} threads", expected="1 or more")
    return min(jobs, MOST_THREADS)


def usable_processors() -> int:
    """Return the number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
