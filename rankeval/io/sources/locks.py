"""Locks between processes that change the same file; on Windows there are none."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from rankeval.io.sources.atomic import create_folder, write_errors

SUFFIX = ".lock"
"""Of the file beside one that is replaced, which is there also before the first one."""


def open_locked(path: str, flags: int) -> int:
    """Open a file and wait until no other process has it open so; closing it ends the lock.

    A file that was replaced or removed while we waited is opened again.
    """
    while True:
        descriptor = os.open(path, flags, 0o666)
        try:
            if _lock(descriptor, path):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


@contextmanager
def held(path: str) -> Iterator[None]:
    """Hold a file that is there: those who append to it wait, and go on with what replaces it."""
    if sys.platform == "win32":
        yield
        return
    with write_errors(path):
        descriptor = open_locked(path, os.O_RDWR)
    try:
        yield
    finally:
        os.close(descriptor)


@contextmanager
def locked(paths: Iterable[str]) -> Iterator[None]:
    """Hold files that are read and then replaced: other processes wait until the block ends.

    A file FILE.lock lies beside each one meanwhile. The order is the same in every process, so that
    no two wait for each other. A process that ends without unwinding leaves the file behind, but
    not the lock.
    """
    with ExitStack() as every:
        for place in sorted({os.path.realpath(path) for path in paths}):
            every.enter_context(_locked(place))
        yield


@contextmanager
def _locked(place: str) -> Iterator[None]:
    if sys.platform == "win32":
        yield
        return
    beside = place + SUFFIX
    with write_errors(place):
        create_folder(place)
        descriptor = open_locked(beside, os.O_RDWR | os.O_CREAT)
    try:
        yield
    finally:
        with suppress(OSError):  # while it is locked: the next process makes a new one
            Path(beside).unlink()
        os.close(descriptor)


def _lock(descriptor: int, path: str) -> bool:
    """Lock the file; return False if the path leads to another one by then."""
    if sys.platform == "win32":
        return True
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        return os.path.samestat(os.fstat(descriptor), Path(path).stat())
    except FileNotFoundError:
        return False
