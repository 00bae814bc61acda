"""Write a file completely or not at all."""

import errno
import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TextIO

from rankeval.errors import InputError
from rankeval.io.files import StrPath

_DESCRIPTORS = ("/dev/std", "/dev/fd/", "/proc/self/fd/")
"""Paths of open descriptors, which may lead to a regular file that the shell holds open."""

_OPENED = "/proc/self/fd"
_UNNAMED = getattr(os, "O_TMPFILE", 0) if os.path.isdir(_OPENED) else 0  # noqa: PTH112
"""The flag that opens a file without a name in a folder, where it could be named later."""


@contextmanager
def write_errors(place: str) -> Iterator[None]:
    """Turn a failed write into an InputError with a remedy; a BrokenPipeError passes unchanged."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(
            f"cannot write: {reason[:1].lower()}{reason[1:]}",
            place=place,
            remedy="check the path, permissions and room there, or write to another place",
        ) from error


def create_folder(path: str) -> None:
    """Create the folder of a file, and those above it, where they are missing; see write_errors."""
    with write_errors(path):
        Path(path).parent.mkdir(parents=True, exist_ok=True)


@contextmanager
def atomic_text(path: StrPath) -> Iterator[TextIO]:
    r"""Open `path` for UTF-8 text with \n line ends, as `atomic_bytes` does for bytes.

    Bytes that surrogateescape decoded because they were not UTF-8 are written unchanged.
    """
    with atomic_bytes(path) as binary:
        text = io.TextIOWrapper(binary, "utf-8", errors="surrogateescape", newline="\n")
        try:
            yield text
            text.flush()
        finally:
            with suppress(OSError):  # of what is left unwritten after an error
                text.detach()


@contextmanager
def atomic_bytes(path: StrPath) -> Iterator[BinaryIO]:
    """Open `path` for writing; its content changes when the block ends without an error.

    The text is written to a temporary file next to the target, which then replaces the target and
    takes its mode. After an error or an interrupt, the old file is unchanged and the temporary file
    is removed. It has no name until it is whole, where the system can do that (Linux, on most
    disks); elsewhere `.rankeval-*.tmp` is left by a process that is killed. A symbolic link stays,
    and its target is replaced. A device, a pipe and /dev/stdout are written to directly.

    Raises InputError when writing is impossible; a closed pipe stays a BrokenPipeError.
    """
    place = os.fspath(path)
    with write_errors(place):
        present = _status(place)
        if place.startswith(_DESCRIPTORS) or (present and not stat.S_ISREG(present.st_mode)):
            # Append, so that `>> file` keeps the file's content when the output is /dev/stdout.
            with os.fdopen(os.open(place, os.O_WRONLY | os.O_APPEND), "wb") as stream:
                yield stream
            return
        target = Path(os.path.realpath(place))
        temporary = target.with_name(f".rankeval-{os.urandom(8).hex()}.tmp")
        try:
            with os.fdopen(_create(temporary, present), "wb") as stream:
                yield stream
                stream.flush()
                # Otherwise a power cut could leave the new name without its content.
                os.fsync(stream.fileno())
                if not os.fstat(stream.fileno()).st_nlink:  # it has no name yet
                    # With a descriptor to start from, Python follows the link, and names the file.
                    opened = f"{_OPENED}/{stream.fileno()}"
                    os.link(opened, temporary, src_dir_fd=stream.fileno())
            temporary.replace(target)
        except BaseException:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise


def require_place(path: StrPath) -> None:
    """Raise InputError if a file could not be made or replaced at the path, as things are now."""
    with write_errors(os.fspath(path)):
        _status(os.fspath(path))


def _status(place: str) -> os.stat_result | None:
    """Return the status of what is there; OSError if nothing can be written there."""
    if place.startswith(_DESCRIPTORS):
        return None
    # PTH: a Path loses the slash of "results/".
    present, where = None, os.path.join(os.path.dirname(os.path.realpath(place)), "")  # noqa: PTH118, PTH120  pathlib is slow
    try:
        present = os.stat(place)  # noqa: PTH116  as above
    except FileNotFoundError:
        if not place or place.endswith("/"):
            raise
        os.stat(where)  # noqa: PTH116  as above
    if present and stat.S_ISDIR(present.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    # The target's own permission, too, because renaming needs only the folder's.
    if not os.access(place if present else where, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return present


def _create(temporary: Path, present: os.stat_result | None) -> int:
    """Create a file with the mode of the one it replaces; without a name, where the system can.

    Of a file without a name nothing is left when the process is killed.
    """
    try:
        descriptor = os.open(temporary.parent, _UNNAMED | os.O_WRONLY, 0o666)
    except OSError:  # this disk cannot, or nobody can write here, which the next line says
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        descriptor = os.open(temporary, flags, 0o666)
    if present:
        with suppress(OSError):
            os.fchmod(descriptor, stat.S_IMODE(present.st_mode))
    return descriptor
