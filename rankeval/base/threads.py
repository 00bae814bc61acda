"""Work in several threads, in order and in limited memory, and who hears of its progress."""

import os
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

from rankeval.errors import InputError, UsageError

if TYPE_CHECKING:
    from concurrent.futures import Future


def give_back(n_rows: int) -> None:
    """Give back the memory that reading many rows has left behind in the C library and in Arrow.

    GNU's C library keeps freed arrays of up to 32 MB, and the next arrays seldom fit into them.
    For fewer rows it is not worth its time.
    """
    if n_rows >= 1 << 18 and sys.platform == "linux":
        _ask("malloc_trim", 0)
        if "pyarrow" in sys.modules:
            sys.modules["pyarrow"].default_memory_pool().release_unused()


def _ask(function: str, *arguments: int) -> None:
    """Call a function of the C library, if it has it."""
    import ctypes  # only large files are worth it

    getattr(ctypes.CDLL(None), function, lambda *_: 0)(*arguments)


Result = TypeVar("Result")
Task = TypeVar("Task")


def in_order(
    work: Callable[[Task, int], Result], tasks: Iterator[tuple[Task, int]], jobs: int
) -> Generator[Result, None, None]:
    """Work on tasks in threads, and yield in their order; few tasks are under way at once.

    Of several InputErrors the first in order is raised. Whoever stops early closes the generator;
    then the threads have ended.
    """
    if jobs <= 1:
        yield from (work(*task) for task in tasks)
        return
    from concurrent.futures import ThreadPoolExecutor  # small files are read without

    if sys.platform == "linux" and os.environ.get("MALLOC_ARENA_MAX") == "1":
        _ask("mallopt", -8, 1)  # as GNU's C library reads it at its start, before we set it
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
    return min(jobs, 256)


listener: ContextVar[Callable[[str, int, int], None] | None] = ContextVar("listener", default=None)
"""What this thread's computations tell their progress: the name of the items that are counted, how
many are done, and how many there are.
"""


def report_progress(what: str, done: int, total: int) -> None:
    """Report to the listener, if there is one, how many of something are done."""
    if told := listener.get():
        told(what, done, total)


def counted(items: Iterable[Task], what: str, total: int) -> Iterator[Task]:
    """Yield items, and report after the work on each how many are done."""
    for done, item in enumerate(items, 1):
        yield item
        report_progress(what, done, total)
