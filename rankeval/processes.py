"""Work on many small things in several processes, which share what was read before they began."""

import os
import pickle
import selectors
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import NoReturn, TypeVar

Result = TypeVar("Result")

ENDING = [getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, n)]
MOST_SHARES = 1000
"""Shares of the work; four bytes for each fit into any pipe."""


def can_share() -> bool:
    """Whether other processes can go on from where this one is: on Linux, with one thread."""
    return sys.platform == "linux" and threading.active_count() == 1


def in_processes(
    work: Callable[[int], Result], n_tasks: int, n_processes: int
) -> Iterator[tuple[int, Result]]:
    """Work on tasks numbered from 0, and yield each number and result as it comes.

    Tasks are begun in their order. One that fails is left out, and no more are begun then; so is
    one whose process ends: whoever asked does these again, and sees what is wrong.
    """
    size = -(-n_tasks // MOST_SHARES)
    shares = _filled_pipe(b"".join(first.to_bytes(4) for first in range(0, n_tasks, size)))
    tasks = (range(first, min(first + size, n_tasks)) for first in _taken(shares))
    readers: dict[int, int] = {}
    selector = selectors.DefaultSelector()
    # A signal while a process divides would be lost: Python ignores errors in what it does then.
    handled = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        for _ in range(n_processes):
            reader, writer = os.pipe()
            try:
                process = _fork()
            except OSError:  # there may be no more processes, and then there are fewer
                os.close(reader)
                os.close(writer)
                break
            if not process:
                _serve(work, chain.from_iterable(tasks), writer, [*readers, reader], handled)
            os.close(writer)
            readers[reader] = process
            selector.register(reader, selectors.EVENT_READ)
        signal.pthread_sigmask(signal.SIG_SETMASK, handled)
        while selector.get_map():
            for key, _ in selector.select():
                message = _received(key.fd)
                if message is None:
                    selector.unregister(key.fd)
                elif message:
                    yield pickle.loads(message)  # noqa: S301  from a copy of this process
                else:
                    while os.read(shares, 1 << 16):  # so that the others find no more
                        pass
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, handled)
        selector.close()
        os.close(shares)
        for reader, process in readers.items():
            os.close(reader)
            # Who ignores SIGCHLD has no children to wait for.
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)


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


def _fork() -> int:
    with warnings.catch_warnings():
        # Newer Pythons warn of threads, which here are Arrow's, idle, and begin anew by themselves.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _serve(
    work: Callable[[int], object],
    tasks: Iterable[int],
    writer: int,
    others: Iterable[int],
    handled: Iterable[int],
) -> NoReturn:
    """Be a process that works, and tells the one that it came from."""
    try:
        for number in ENDING:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, handled)
        for reader in others:
            os.close(reader)
        for task in tasks:
            _send(writer, _worked(work, task))
    finally:
        os._exit(0)  # without what this process would do at its end, such as to write its output


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
