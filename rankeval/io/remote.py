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
    """Return the address of a file, or those of the files in a folder.

    Names within it that begin with _ or . are skipped. InputError if no file is left.
    """
    with _errors(address):
        system, path = _found(address)
        if system.get_file_info(path).is_file:
            return [address]
        every = system.get_file_info(fs.FileSelector(path, recursive=True))
        names = sorted(one.path[len(path) :].strip("/") for one in every if one.is_file)
        base, mark, query = address.partition("?")
        found = [
            f"{base.rstrip('/')}/{quote(name, safe='/=')}{mark}{query}"
            for name in names
            if not any(part.startswith(("_", ".")) for part in name.split("/"))
        ]
        if not found:
            raise FileNotFoundError("there is no file")
        return found


class RemoteFile(io.RawIOBase):
    """A remote file that is open for reading; InputError says why its system does not answer."""

    def __init__(self, address: str) -> None:
        self._address = address
        with _errors(address):
            system, path = _found(address)
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
        with _errors(self._address):
            data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


@cache
def _found(address: str) -> tuple[Any, str]:
    """Return the file system of an address, and the path in it."""
    refuse_secrets(address)
    try:
        system, path = fs.FileSystem.from_uri(address)
    except pa.ArrowInvalid as error:
        if "nrecognized filesystem" not in str(error):
            raise
        import fsspec  # where pyarrow does not know the kind of address

        one, path = fsspec.core.url_to_fs(address)
        system = fs.PyFileSystem(fs.FSSpecHandler(one))
    return system, path.rstrip("/")


@contextmanager
def _errors(address: str) -> Iterator[None]:
    """Tell as InputError why a file system does not answer."""
    try:
        yield
    except UsageError:
        raise
    except Exception as error:  # noqa: BLE001  libraries of file systems raise what they like
        reason = str(error).partition("\n")[0][:200] or type(error).__name__
        raise InputError(f"cannot be reached: {reason}", place=address, remedy=HELP) from None
