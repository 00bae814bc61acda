"""Lock files that several processes change, and append lines to them; Windows has no locks."""

import os
import sys
from contextlib import suppress
from pathlib import Path

from rankeval.errors import InputError
from rankeval.io.sources.atomic import create_folder, write_errors
from rankeval.io.sources.blocks import reading_errors


def _open_locked(path: str, flags: int) -> int:
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


BINARY = getattr(os, "O_BINARY", 0)
"""On Windows, the flag that keeps ends of lines as they are."""


def append_text(path: str, text: str, *, beginning: str) -> None:
    r"""Append lines in one write at the end of a file, after those of others that append.

    Missing folders are created, and a last line without \n gets one. The file is locked, except on
    Windows. After a failed write it is as it was. InputError if the file has content that does not
    start with `beginning`, or if it cannot be written.
    """
    data = text.encode("utf-8", "surrogateescape")
    with write_errors(path):
        create_folder(path)
        descriptor = _open_locked(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY)
        try:
            size = os.fstat(descriptor).st_size
            if size:
                _require(os.read(descriptor, len(beginning.encode())), beginning, path)
            if size and os.lseek(descriptor, -1, os.SEEK_END) and os.read(descriptor, 1) != b"\n":
                data = b"\n" + data
            written = 0
            try:
                written = os.write(descriptor, data)
            finally:
                if written != len(data):
                    with suppress(OSError):  # a device has no length; the failed write is reported
                        os.ftruncate(descriptor, size)
        finally:
            os.close(descriptor)
    if written != len(data):
        raise InputError(
            "cannot write: only a part had room",
            place=path,
            remedy="make room there, or write to another disk",
        )


def require_appendable(path: str, *, beginning: str) -> None:
    """Raise the InputError of `append_text` for a file of another kind, before there is a text."""
    if Path(path).is_file():
        with reading_errors(path), Path(path).open("rb") as stream:
            head = stream.read(len(beginning.encode()))
        if head:
            _require(head, beginning, path)


def _require(head: bytes, beginning: str, path: str) -> None:
    if head != beginning.encode():
        raise InputError(
            "is another kind of file, to which nothing is appended",
            place=path,
            expected=f"a new file, or one that begins with {beginning}",
        )
