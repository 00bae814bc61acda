"""Write a file completely or not at all, or append lines to one of several processes."""

import contextlib
import errno
import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO, cast

from rankeval.errors import InputError
from rankeval.io.sources.blocks import reading_errors

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_REMEDIES = {
    errno.EBADF: "leave it open, or write to a file",
    errno.ENOSPC: "make room there, or write to another disk",
    errno.EDQUOT: "make room within your quota, or write to another disk",
    errno.EACCES: "ask for permission to write there, or write to another place",
    errno.EPERM: "ask for permission to write there, or write to another place",
    errno.EROFS: "write to a disk that is not read-only",
    errno.ENOENT: "create the directory first",
    errno.EEXIST: "check the path: a part of it is a file, not a directory",
    errno.ENOTDIR: "check the path: a part of it is a file, not a directory",
    errno.EISDIR: "name a file inside the directory",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.ELOOP: "check the symbolic links of the path: they lead in a circle",
}

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
            remedy=_REMEDIES.get(error.errno or 0, "write to another place"),
        ) from error


def create_folder(path: str) -> None:
    """Create the folder of a file, and those above it, where they are missing; see write_errors."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)


@contextmanager
def atomic_text(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    r"""Open `path` for UTF-8 text with \n line ends, as `atomic_bytes` does for bytes.

    Bytes that surrogateescape decoded because they were not UTF-8 are written unchanged.
    """
    with atomic_bytes(path) as binary:
        text = io.TextIOWrapper(binary, "utf-8", errors="surrogateescape", newline="\n")
        try:
            yield text
            text.flush()
        finally:
            # atomic_bytes closes the stream below, because it has to know if writing succeeded.
            with contextlib.suppress(InputError, OSError):
                text.detach()


@contextmanager
def atomic_bytes(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open `path` for writing; its content changes when the block ends without an error.

    The text is written to a temporary file next to the target, which then replaces the target and
    takes its mode. After an error or an interrupt, the old file is unchanged and the temporary file
    is removed. It has no name until it is whole, where the system can do that (Linux, on most
    disks); elsewhere `.rankeval-*.tmp` is left by a process that is killed. A symbolic link stays,
    and its target is replaced. A device, a pipe and /dev/stdout are written to directly.

    Raises InputError when writing is impossible; a closed pipe stays a BrokenPipeError, and errors
    that the block itself raises pass unchanged.
    """
    place = os.fspath(path)
    with write_errors(place):
        present = _writable(place)
    if place.startswith(_DESCRIPTORS) or (present and not stat.S_ISREG(present.st_mode)):
        writing = _directly(place)
    else:
        writing = _replacing(Path(os.path.realpath(place)), place, present)
    with writing as stream:
        yield stream


def require_place(path: str | os.PathLike[str]) -> None:
    """Raise InputError if a file could not be made or replaced at the path, as things are now."""
    place = os.fspath(path)
    if place.startswith(_DESCRIPTORS):
        return
    with write_errors(place):
        present = _writable(place)
        if present and stat.S_ISDIR(present.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if present and not stat.S_ISREG(present.st_mode):
            return  # a device or a pipe is written to directly
        folder = Path(os.path.realpath(place)).parent
        if not stat.S_ISDIR(folder.stat().st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _writable(place: str) -> os.stat_result | None:
    """Return the status of a file that may be written to, links followed; None if there is none."""
    try:
        present = os.stat(place)  # noqa: PTH116  a Path loses the slash of "results/"
    except FileNotFoundError:
        if not place or place.endswith(("/", os.sep)):
            raise
        return None
    # The target's own permission, because renaming needs only the directory's.
    if not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return present


class _Target(io.FileIO):
    """A file that reports its own failed writes, apart from other errors in the same block."""

    def __init__(self, descriptor: int, place: str) -> None:
        super().__init__(descriptor, "wb")
        self._place = place

    def write(self, data: "ReadableBuffer", /) -> int:
        with write_errors(self._place):
            return super().write(data)


@contextmanager
def _buffered(descriptor: int, place: str) -> Iterator[BinaryIO]:
    stream = io.BufferedWriter(_Target(descriptor, place))
    try:
        yield cast("BinaryIO", stream)
        stream.flush()
    finally:
        # The caller gets the error of a failed flush, which closing would repeat.
        with contextlib.suppress(InputError, OSError):
            stream.close()


@contextmanager
def _directly(place: str) -> Iterator[BinaryIO]:
    with write_errors(place):
        # Append, so that `>> file` keeps the file's content when the output is /dev/stdout.
        descriptor = os.open(place, os.O_WRONLY | os.O_APPEND)
    with _buffered(descriptor, place) as stream:
        yield stream


@contextmanager
def _replacing(target: Path, place: str, present: os.stat_result | None) -> Iterator[BinaryIO]:
    temporary = target.with_name(f".rankeval-{os.urandom(8).hex()}.tmp")
    try:
        with write_errors(place):
            descriptor = _create(temporary, present)
        with _buffered(descriptor, place) as stream:
            yield stream
            stream.flush()
            with write_errors(place):
                # Otherwise a power cut could leave the new name without its content.
                os.fsync(descriptor)
                _give_name(descriptor, temporary)
        with write_errors(place):
            temporary.replace(target)
    except BaseException:
        _remove(temporary)
        raise


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
        with contextlib.suppress(OSError):
            os.fchmod(descriptor, stat.S_IMODE(present.st_mode))
    return descriptor


def _give_name(descriptor: int, temporary: Path) -> None:
    """Give a file its name, if it has none yet."""
    if not os.fstat(descriptor).st_nlink:
        # With a descriptor to start from, Python follows the link, and names the file behind it.
        os.link(f"{_OPENED}/{descriptor}", temporary, src_dir_fd=descriptor)


def _remove(temporary: Path) -> None:
    with contextlib.suppress(OSError):
        temporary.unlink(missing_ok=True)


def append_text(path: str, text: str, *, beginning: str) -> None:
    r"""Append lines in one write at the end of a file, after those of others that append.

    Missing folders are created, and a last line without \n gets one. The file is locked, except on
    Windows. After a failed write it is as it was. InputError if the file has content that does not
    start with `beginning`, or if it cannot be written.
    """
    data = text.encode("utf-8", "surrogateescape")
    with write_errors(path):
        create_folder(path)
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        descriptor = os.open(path, flags, 0o666)
        try:
            if sys.platform != "win32":
                import fcntl

                fcntl.flock(descriptor, fcntl.LOCK_EX)  # until it is closed
            size = os.fstat(descriptor).st_size
            if size:
                _require(os.read(descriptor, len(beginning.encode())), beginning, path)
            if size and os.lseek(descriptor, -1, os.SEEK_END) and os.read(descriptor, 1) != b"\n":
                data = b"\n" + data
            written = 0
            try:
                written = os.write(descriptor, data)
                if written != len(data):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            finally:
                if written != len(data):
                    with contextlib.suppress(OSError):  # a device has no length
                        os.ftruncate(descriptor, size)
        finally:
            os.close(descriptor)


def require_appendable(path: str, *, beginning: str) -> None:
    """Raise the InputError of `append_text` for a file of another kind, before there is a text."""
    if Path(path).is_file():
        with reading_errors(path), Path(path).open("rb") as stream:
            _require(stream.read(len(beginning.encode())) or beginning.encode(), beginning, path)


def _require(head: bytes, beginning: str, path: str) -> None:
    if head != beginning.encode():
        raise InputError(
            "is another kind of file, to which nothing is appended",
            place=path,
            expected=f"a new file, or one that begins with {beginning}",
        )
