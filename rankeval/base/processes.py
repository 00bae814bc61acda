"""A pool of forked workers that inherit the data that was read before.

A forked `ProcessPoolExecutor` takes a tenth more CPU time, loses the other results when a worker is
killed, and leaves its workers behind when the command is (`docs/decisions/forked-workers.md`).
"""

import os
import pickle
import selectors
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain
from typing import NoReturn, TypeVar

Result = TypeVar("Result")

ENDING = [getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, n)]
MOST_SHARES = 1000
"""Shares of the work; four bytes for each fit into any pipe."""


def can_share() -> bool:
    """Return True if this process can fork workers: on Linux, with one thread."""
    is_main = threading.current_thread() is threading.main_thread()
    return sys.platform == "linux" and is_main and threading.active_count() == 1


def in_processes(
    work: Callable[[int], Result], n_tasks: int, n_processes: int
) -> Iterator[tuple[int, Result]]:
    """Work on tasks numbered from 0, and yield each number and result as it comes.

    Tasks are begun in their order. One that fails is left out, and no more are begun then; so is
    one whose process ends, and all of them where no process can be had: whoever asked does these
    again, and sees what is wrong.
    """
    size = -(-n_tasks // MOST_SHARES)
    running: dict[int, int] = {}  # the processes, by where their results are read
    with ExitStack() as stack:
        try:
            shares = _filled_pipe(b"".join(first.to_bytes(4) for first in range(0, n_tasks, size)))
            stack.callback(os.close, shares)
            selector = stack.enter_context(selectors.DefaultSelector())
        except OSError:  # no more files may be open
            return
        tasks = (range(first, min(first + size, n_tasks)) for first in _taken(shares))
        stack.callback(_end, running)
        with _signals_put_off(), suppress(OSError):  # what cannot be had makes them fewer
            for _ in range(n_processes):
                _divide(work, chain.from_iterable(tasks), running)
        for reader in running:
            selector.register(reader, selectors.EVENT_READ)
        while running:
            for key, _ in selector.select():
                message = _received(key.fd)
                if message is None:
                    selector.unregister(key.fd)
                    os.close(key.fd)
                    _wait_for(running.pop(key.fd))
                elif message:
                    yield pickle.loads(message)  # noqa: S301  from a copy of this process
                else:
                    while os.read(shares, 1 << 16):  # so that the others find no more
                        pass


def _filled_pipe(content: bytes) -> int:
    """A pipe that several processes can read to its end."""
    reader, writer = os.pipe()
    os.write(writer, content)
    os.close(writer)
    return reader


def _taken(shares: int) -> Iterator[int]:
    """The first tasks of the shares that no process has taken yet."""
    while share := os.read(shares, 4):
        yield int.from_bytes(share)


@contextmanager
def _signals_put_off() -> Iterator[None]:
    """Let handlers of signals wait: Python ignores their exceptions while a process forks."""
    came: list[int] = []
    handlers = {number: signal.getsignal(number) for number in ENDING}
    waiting = {number: handler for number, handler in handlers.items() if callable(handler)}
    for number in waiting:
        signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number, handler in waiting.items():
            signal.signal(number, handler)
        for number in came:
            signal.raise_signal(number)


def _divide(work: Callable[[int], object], tasks: Iterable[int], running: dict[int, int]) -> None:
    """Begin one more process; OSError if there may be none."""
    reader, writer = os.pipe()
    try:
        with warnings.catch_warnings():
            # Newer Pythons warn of threads, which are Arrow's, idle, and begin anew by themselves.
            warnings.simplefilter("ignore", DeprecationWarning)
            process = os.fork()
    except OSError:
        os.close(reader)
        os.close(writer)
        raise
    if not process:
        _serve(work, tasks, writer, [*running, reader])
    os.close(writer)
    running[reader] = process


def _serve(
    work: Callable[[int], object], tasks: Iterable[int], writer: int, others: Iterable[int]
) -> NoReturn:
    """Do the work in this process, and report to the parent."""
    try:
        for number in ENDING:
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)
        for reader in others:
            os.close(reader)
        for task in tasks:
            _send(writer, _worked(work, task))
    finally:
        os._exit(0)  # without what this process would do at its end, such as to write its output


def _end(running: dict[int, int]) -> None:
    for reader, process in running.items():
        os.close(reader)
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        _wait_for(process)


def _wait_for(process: int) -> None:
    with suppress(ChildProcessError):  # who ignores SIGCHLD has no children to wait for
        os.waitpid(process, 0)


def _worked(work: Callable[[int], object], task: int) -> bytes:
    """The number and result of a task, nothing if it failed."""
    try:
        return pickle.dumps((task, work(task)), protocol=pickle.HIGHEST_PROTOCOL)
    except Exception:  # noqa: BLE001  it comes up again in the process that asked
        return b""


def _send(writer: int, message: bytes) -> None:
    left = memoryview(len(message).to_bytes(8) + message)
    while left:
        left = left[os.write(writer, left) :]


def _received(reader: int) -> bytes | None:
    """The next message of a process; None when it has ended."""
    size = _exactly(reader, 8)
    return None if size is None else _exactly(reader, int.from_bytes(size))


def _exactly(reader: int, size: int) -> bytes | None:
    found = bytearray()
    while len(found) < size:
        data = os.read(reader, size - len(found))
        if not data:
            return None
        found += data
    return bytes(found)
