"""Files at addresses such as s3://bucket/key, through pyarrow's file systems or fsspec's.

Nothing here is imported, and no credential is looked for, unless an address is given.
"""

import io
import re
from collections.abc import Callable
from functools import cache, lru_cache
from time import monotonic
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import pyarrow as pa
from pyarrow import fs

from rankeval.errors import InputError
from rankeval.io.sources.addresses import in_time, refuse_secrets

BUFFER = 1 << 20
"""Bytes asked for at once, so that short reads make few requests."""

KEPT = 10.0
"""Seconds for which sizes are kept, so that a folder is not listed for each question."""

WILDCARDS = re.compile(r"[*\[]")
HELP = {
    "s3": "check the address, and AWS's credentials and region (AWS_PROFILE, AWS_DEFAULT_REGION)",
    "gs": "check the address, and Google's credentials (GOOGLE_APPLICATION_CREDENTIALS)",
    "gcs": "check the address, and Google's credentials (GOOGLE_APPLICATION_CREDENTIALS)",
    "hdfs": "check the address, and JAVA_HOME, HADOOP_HOME and CLASSPATH, which libhdfs needs",
    "viewfs": "check the address, and JAVA_HOME, HADOOP_HOME and CLASSPATH, which libhdfs needs",
}

LONGER = "check the address and the network, or allow more with RANKEVAL_TIMEOUT=SECONDS"

Result = TypeVar("Result")


def files_of(address: str) -> list[str]:
    """Return the addresses of the file, or of the files in a folder or with names like a pattern.

    Names within it that begin with _ or . are skipped. InputError if no file is left.
    """
    return [file for file, _ in _listed(address)]


def sizes_of(address: str) -> list[tuple[str, int]]:
    """Return the files of an address and their bytes, as they were at most KEPT seconds ago.

    Enough to choose how to read; which files are read is asked anew.
    """
    return _sizes_since(address, int(monotonic() // KEPT))


@lru_cache(maxsize=64)
def _sizes_since(address: str, _time: int) -> list[tuple[str, int]]:
    return _listed(address)


def _listed(address: str) -> list[tuple[str, int]]:
    """Return the files of an address, and the bytes of each."""
    system, path = _found(address)
    base, query = _split(address)
    info = _asked(address, lambda: system.get_file_info(path))
    pattern = _pattern(address)
    if info.type == fs.FileType.File and pattern is None:
        return [(address, int(info.size or 0))]
    every = _asked(address, lambda: system.get_file_info(_selector(path)))
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
            remedy=_help(address),
        )
    return found


def opened(address: str) -> io.BufferedReader:
    """Open a file for reading from its beginning; InputError where it cannot be."""
    return io.BufferedReader(_patient(address), BUFFER)


def random_access(address: str) -> Any:
    """Open a file for Arrow to read at any place; InputError where it cannot be."""
    return pa.PythonFile(_patient(address), mode="r")


def _patient(address: str) -> "_PatientFile":
    system, path = _found(address)
    return _PatientFile(_asked(address, lambda: system.open_input_file(path)))


class _PatientFile(io.RawIOBase):
    """A remote file whose reads end in time: TimeoutError where they do not."""

    def __init__(self, file: Any) -> None:
        self._file = file

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
            data = in_time(lambda: self._file.read(len(buffer)))
        except OSError:
            raise
        except Exception as error:
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
    return _asked(address, lambda: _from_address(base + query))


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


def _asked(address: str, ask: Callable[[], Result]) -> Result:
    try:
        return in_time(ask)
    except TimeoutError as error:
        raise InputError(
            str(error) or "gave no answer in time", place=address, remedy=LONGER
        ) from None
    except FileNotFoundError:
        problem = "no such file"
    except ImportError as error:
        problem = f"nothing here reads addresses of this kind: {error}"
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001  libraries of file systems raise what they like
        problem = f"cannot be reached: {_first_line(error)}"
    raise InputError(problem, place=address, remedy=_help(address)) from None


def _first_line(error: Exception) -> str:
    """Return the beginning of what a library of a file system says."""
    lines = str(error).splitlines()
    return lines[0][:200] if lines else type(error).__name__


def _help(address: str) -> str:
    known = HELP.get(urlsplit(address).scheme)
    return known or "check the address; s3, gs and hdfs need nothing more, others need fsspec"


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


def _selector(path: str) -> Any:
    return fs.FileSelector(path, recursive=True)
