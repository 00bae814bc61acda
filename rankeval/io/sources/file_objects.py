"""Open files, in bytes or in text, as they are read without a path."""

import io
import os
from collections.abc import Iterator
from typing import Any, Protocol, cast, runtime_checkable

from rankeval.base.given import refuse_closed
from rankeval.errors import InputError
from rankeval.io.formats.detect_format import begin_with
from rankeval.io.formats.form import Beginning
from rankeval.io.sources.blocks import BLOCK_SIZE, decompressed, is_rereadable, reading_errors

IN_MEMORY = "file object"
"""The name in messages of an open file that has none."""


@runtime_checkable
class ReadableFile(Protocol):
    """An open file: its `read` gives bytes or text."""

    def read(self, size: int = -1, /) -> Any:
        """Return the next bytes or characters, at most `size`; all of them for -1."""


def path_of(file: ReadableFile) -> str | None:
    """Return the path of an open file that nothing was read from; None for any other.

    InputError for a file that was closed.
    """
    refuse_closed(file, _shown(file))
    name: Any = getattr(file, "name", None)
    if not isinstance(name, str | os.PathLike) or not is_rereadable(os.fspath(name)):
        return None
    try:
        stream = cast("io.IOBase", file)
        same = os.path.samestat(os.fstat(stream.fileno()), os.stat(name))  # noqa: PTH116  as a path
        return os.fspath(name) if same and stream.tell() == 0 else None
    except (OSError, AttributeError, ValueError):
        return None


def begun(file: ReadableFile) -> tuple[str, Beginning]:
    """Return the name of an open file in messages, and its beginning."""
    shown = _shown(file)
    return shown, begin_with(_pieces(file, shown))


def _shown(file: ReadableFile) -> str:
    name = getattr(file, "name", None)
    return name if isinstance(name, str) and not is_rereadable(name) and name else IN_MEMORY


def _pieces(file: ReadableFile, name: str) -> Iterator[bytes]:
    with reading_errors(name):
        stream = decompressed(io.BufferedReader(_AsBytes(file, name)))
        while data := stream.read(BLOCK_SIZE):
            yield data


class _AsBytes(io.RawIOBase):
    """The bytes of an open file, be it of bytes or of text."""

    def __init__(self, file: ReadableFile, name: str) -> None:
        self._file = file
        self._name = name
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self._left or self._read(len(buffer))
        self._left = data[len(buffer) :]
        data = data[: len(buffer)]
        buffer[: len(data)] = data
        return len(data)

    def _read(self, size: int) -> bytes:
        found = self._file.read(size)
        if isinstance(found, str):
            return found.encode("utf-8", "surrogateescape")
        if not isinstance(found, bytes | bytearray | memoryview):
            raise InputError(
                f"its read() gives {type(found).__name__}",
                place=self._name,
                expected="a file that is open for reading, in bytes or in text",
            )
        return bytes(found)
