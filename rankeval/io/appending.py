"""Append lines to a file that several processes may write to at once."""

import os
import sys
from contextlib import suppress

from rankeval.errors import InputError
from rankeval.io.atomic import write_errors

BINARY = getattr(os, "O_BINARY", 0)
"""On Windows, the flag that keeps ends of lines as they are."""


def append_text(path: str, text: str, *, beginning: str) -> None:
    r"""Append lines in one write at the end of a file, behind what others append at the same time.

    A last line without \n gets one. The file is locked, except on Windows. After a failed write it
    is as it was. InputError if the file has content that does not start with `beginning`, or if it
    cannot be written.
    """
    data = text.encode("utf-8", "surrogateescape")
    expected = beginning.encode()
    with write_errors(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY, 0o666)
        try:
            _lock(descriptor)
            size = os.fstat(descriptor).st_size
            if size and os.read(descriptor, len(expected)) != expected:
                raise InputError(
                    "is another kind of file, to which nothing is appended",
                    place=path,
                    expected=f"a new file, or one that begins with {beginning}",
                )
            if size and os.lseek(descriptor, -1, os.SEEK_END) and os.read(descriptor, 1) != b"\n":
                data = b"\n" + data
            written = 0
            try:
                written = os.write(descriptor, data)
            finally:
                if written != len(data):
                    with suppress(OSError):  # a device has no length; the failed write is told
                        os.ftruncate(descriptor, size)
        finally:
            os.close(descriptor)
    if written != len(data):
        raise InputError(
            "cannot write: only a part had room",
            place=path,
            remedy="make room there, or write to another disk",
        )


def _lock(descriptor: int) -> None:
    """Wait until no other process writes to the file; closing it ends the lock."""
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)
