"""Refuse files that change while they are read: truncated, replaced, written to or removed.

Each reader looks at its file before and after, in its own thread and process. Within `one_state`
every reader compares with the first look of all, so that a file which is read twice, or by
several processes, is the same each time.
"""

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from rankeval.errors import InputError
from rankeval.io.sources.parts import STDIN, files_of, is_in_parts, is_remote

State = tuple[int, int, int, int] | None
"""Device, inode, bytes and time of the last change of a regular file; None for anything else."""

_first_states: ContextVar[dict[str, State] | None] = ContextVar("first_states", default=None)


class ChangedError(InputError):
    """A file was not the same at the end of its reading as at the beginning."""

    def __init__(self, path: str) -> None:
        super().__init__(
            "changed while it was read",
            place="standard input" if path == STDIN else path,
            expected="a file that nothing writes to, replaces or removes meanwhile",
            remedy="try again when nothing writes to it any more, or read a copy",
        )


@contextmanager
def one_state(paths: Iterable[str] = ()) -> Iterator[None]:
    """Hold every file that is read within to its state when it was first looked at.

    The paths are looked at now. Within another `one_state`, its first look counts.
    """
    known = _first_states.get()
    token = None if known is not None else _first_states.set({})
    try:
        for path in paths:
            _first_state(path)
        yield
    finally:
        if token is not None:
            _first_states.reset(token)


@contextmanager
def unchanged(*paths: str) -> Iterator[None]:
    """Raise ChangedError if a file, or a part of one, changes before the block ends.

    It comes in the place of any other exception, which the change may have brought about.
    """
    before = {path: {file: _first_state(file) for file in _files(path)} for path in paths}
    try:
        yield
    except Exception:
        _refuse_changed(before)
        raise
    _refuse_changed(before)


def _refuse_changed(before: Mapping[str, Mapping[str, State]]) -> None:
    for path, files in before.items():
        for file in {**files, **dict.fromkeys(_files(path))}:
            # What is no regular file has no state; a part that was not there before has come.
            if file not in files or (files[file] is not None and state_of(file) != files[file]):
                raise ChangedError(file) from None


def _first_state(path: str) -> State:
    """Return the state of a file, as it was when `one_state` first looked at it."""
    known = _first_states.get()
    if known is None or path == STDIN:
        return state_of(path)
    if known.get(path) is None:
        known[path] = state_of(path)
    return known[path]


def _files(path: str) -> list[str]:
    """Return the files on this machine that a path stands for."""
    if is_remote(path):
        return [] if is_in_parts(path) else [path]
    try:
        return files_of(path)
    except InputError:  # all of its parts may be gone; whoever reads it says so
        return []


def state_of(path: str) -> State:
    """Return the state of a file; None for a pipe, and for what is not there."""
    try:
        found = os.fstat(sys.stdin.fileno()) if path == STDIN else os.stat(path)  # noqa: PTH116  it takes any text
    except (OSError, ValueError, AttributeError):  # standard input may be closed, or a substitute
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
