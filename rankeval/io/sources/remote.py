"""Files at addresses such as s3://bucket/key, through pyarrow's file systems or fsspec's.

Nothing here is imported, and no credential is looked for, unless an address is given.
"""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from urllib.parse import quote

import pyarrow as pa
from pyarrow import fs

from rankeval.errors import InputError, UsageError

BUFFER = 1 << 20
"""Bytes asked for at once, so that short reads make few requests."""

WILDCARDS = re.compile(r"[*\[]")
HELP = (
    "check the address, and credentials in the environment or a profile, such as AWS_PROFILE; "
    "hdfs needs JAVA_HOME, HADOOP_HOME and CLASSPATH, other kinds than s3, gs and hdfs need fsspec"
)

_SECRET = re.compile(
    r"://[^\s/?#@]*:(?!\d+/)[^\s?#@]*@|[?&;][^\s=&#]*(?:key|secret|token|sig|pass|pwd|cred|auth)[^\s=&#]*=",
    re.IGNORECASE,
)


def refuse_secrets(address: str) -> None:
    """Raise UsageError, which does not show it, for an address with a password, key or token."""
    if _SECRET.search(address):
        raise UsageError(
            "an address holds a password, a key or a token, which lists of processes show",
            expected="an address without secrets, such as s3://bucket/run.parquet",
            remedy="give credentials in the environment or in a profile, such as AWS_PROFILE",
        )


def files_of(address: str) -> list[str]:
    """Return the addresses of the file, or of the files in a folder or with names like a pattern.

    Names within it that begin with _ or . are skipped. InputError if no file is left.
    """
    return [file for file, _ in sizes_of(address)]


def sizes_of(address: str) -> list[tuple[str, int]]:
    """Return the files of an address, and the bytes of each."""
    system, path = _found(address)
    base, query = _split(address)
    pattern = _pattern(address)
    with _errors(address):
        info = system.get_file_info(path)
        if info.type == fs.FileType.File and pattern is None:
            return [(address, int(info.size or 0))]
        every = system.get_file_info(fs.FileSelector(path, recursive=True))
    inside = sorted((one.path[len(path) :].strip("/"), one.size) for one in every if one.is_file)
    found = [
        (f"{base.rstrip('/')}/{quote(name, safe='/=')}{query}", int(size or 0))
        for name, size in inside
        if not any(part.startswith(("_", ".")) for part in name.split("/"))
        and (pattern is None or pattern.fullmatch(name))
    ]
    if not found:
        raise InputError(
            "there is no file",
            place=address,
            expected="a file, or a folder of files whose names do not begin with _ or .",
            remedy=HELP,
        )
    return found


def opened(address: str) -> io.BufferedReader:
    """Open a file for reading from its beginning; InputError where it cannot be."""
    return io.BufferedReader(_RemoteFile(address), BUFFER)


def random_access(address: str) -> Any:
    """Open a file for Arrow to read at any place; InputError where it cannot be."""
    return pa.PythonFile(_RemoteFile(address), mode="r")


class _RemoteFile(io.RawIOBase):
    """A remote file, whose errors are all OSErrors."""

    def __init__(self, address: str) -> None:
        system, path = _found(address)
        with _errors(address):
            self._file = system.open_input_file(path)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return int(self._file.tell())

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        return int(self._file.seek(offset, whence))

    def readinto(self, buffer: Any, /) -> int:
        try:
            data = self._file.read(len(buffer))
        except Exception as error:  # libraries of file systems raise what they like
            raise OSError(_first_line(error)) from error
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


def _found(address: str) -> tuple[Any, str]:
    """Return the file system of an address, and the path in it before the first wildcard."""
    refuse_secrets(address)
    base, query = _split(address)
    with _errors(address):
        found: tuple[Any, str] = _from_address(base + query)
        return found


@cache
def _from_address(address: str) -> tuple[Any, str]:
    """Return the file system of an address, and the path in it."""
    try:
        system, path = fs.FileSystem.from_uri(address)
    except pa.ArrowInvalid as error:
        if "nrecognized filesystem" not in str(error):
            raise
        import fsspec  # where pyarrow does not know the kind of address

        one, path = fsspec.core.url_to_fs(address)
        return fs.PyFileSystem(fs.FSSpecHandler(one)), path.rstrip("/")
    return system, path.rstrip("/")


@contextmanager
def _errors(address: str) -> Iterator[None]:
    """Tell as InputError why a file system does not answer."""
    try:
        yield
    except FileNotFoundError:
        raise _refused(address, "no such file") from None
    except ImportError as error:
        problem = f"nothing here reads addresses of this kind: {error}"
        raise _refused(address, problem) from None
    except Exception as error:  # noqa: BLE001  libraries of file systems raise what they like
        raise _refused(address, f"cannot be reached: {_first_line(error)}") from None


def _refused(address: str, problem: str) -> InputError:
    return InputError(problem, place=address, remedy=HELP)


def _first_line(error: Exception) -> str:
    """Return the beginning of what a library of a file system says."""
    lines = str(error).splitlines()
    return lines[0][:200] if lines else type(error).__name__


def _split(address: str) -> tuple[str, str]:
    """Return an address as far as the folder before the first wildcard, and its query."""
    address, mark, query = address.partition("?")
    wildcard = WILDCARDS.search(address)
    if wildcard:
        address = address[: address.rfind("/", 0, wildcard.start()) + 1]
    return address, mark + query


def _pattern(address: str) -> re.Pattern[str] | None:
    """Return the pattern of names within the folder before the first wildcard."""
    whole = address.partition("?")[0]
    base, _ = _split(address)
    if len(base) == len(whole):
        return None
    pieces = re.split(r"(\*\*/?|\*|\[[^\]]+\])", whole[len(base) :])
    known = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}
    return re.compile(
        "".join(
            known.get(piece, piece if piece.startswith("[") else re.escape(piece))
            for piece in pieces
        )
        + "(?:/.*)?"
    )
