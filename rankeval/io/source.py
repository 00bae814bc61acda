"""Where bytes come from: files, standard input, compressed or not, cut at line ends."""

import bz2
import gzip
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from rankeval.errors import InputError

BLOCK_SIZE = 4 << 20
"""Bytes read at once: large enough for a parser to be busy, small enough for the cache."""

LONGEST_LINE = 64 << 20
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
STDIN = "-"

MAGIC = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x04\x22\x4d\x18": "lz4",
}


def display_name(path: str) -> str:
    """How messages call a file."""
    return "standard input" if path == STDIN else path


def is_rereadable(path: str) -> bool:
    """Tell whether the file can be read a second time from its beginning."""
    return path != STDIN and Path(path).is_file()


@contextmanager
def opened(path: str) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Open a file for reading, as it is and decompressed; InputError tells why it cannot be."""
    name = display_name(path)
    if not path:
        raise InputError(
            "a file name is empty", remedy="check the variable or the list that it comes from"
        )
    try:
        raw = sys.stdin.buffer if path == STDIN else Path(path).open("rb")  # noqa: SIM115
    except FileNotFoundError:
        raise InputError("no such file", place=name, remedy="check the path") from None
    except IsADirectoryError:
        raise InputError(
            "is a directory", place=name, expected="a file", remedy="name the file inside it"
        ) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(
            f"cannot be opened: {reason}", place=name, remedy="check the path and its permissions"
        ) from None
    try:
        yield cast("BinaryIO", raw), _decompressed(cast("BinaryIO", raw))
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
        raise InputError(
            f"the compressed data is damaged or cut off: {error}",
            place=name,
            remedy="copy or compress the file again",
        ) from None
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror or error}", place=name, remedy="check the file"
        ) from None
    finally:
        if path != STDIN:
            raw.close()


def _decompressed(raw: BinaryIO) -> BinaryIO:
    """The stream itself, or its decompressed form if it begins as compressed data does."""
    head = cast("gzip.GzipFile", raw).peek(6)
    kind = next((kind for magic, kind in MAGIC.items() if head.startswith(magic)), None)
    match kind:
        case None:
            return raw
        case "gzip":
            return cast("BinaryIO", gzip.GzipFile(fileobj=raw))
        case "bzip2":
            return cast("BinaryIO", bz2.BZ2File(raw))
        case "xz":
            return cast("BinaryIO", lzma.LZMAFile(raw))
        case _:
            import pyarrow as pa

            return cast("BinaryIO", pa.CompressedInputStream(raw, kind))


def blocks(
    path: str, size: int = BLOCK_SIZE, *, progress: Callable[[int], None] | None = None
) -> Iterator[bytes]:
    """Yield the file in blocks of whole lines, each ended by a newline.

    `progress` is told how far into the file on disk the reading has come, in bytes.

    A byte order mark is skipped. InputError for a file that cannot be read, that holds NUL
    bytes (it is no text), or a line of more than LONGEST_LINE bytes.
    """
    name = display_name(path)
    with opened(path) as (raw, stream):
        carry: list[bytes] = []
        carried = 0
        first = True
        while data := stream.read(size):
            if progress is not None:
                progress(raw.tell())
            if first:
                _refuse_other_encodings(data, name)
                data = data.removeprefix(BYTE_ORDER_MARK)
                first = False
            if b"\0" in data:
                raise InputError(
                    "holds NUL bytes, so it is no text file",
                    place=name,
                    expected="lines of text",
                    remedy="check that this is the right file, in UTF-8 or ASCII",
                )
            cut = data.rfind(b"\n") + 1
            if cut:
                yield b"".join((*carry, memoryview(data)[:cut]))
                carry, carried = [], 0
            carry.append(data[cut:])
            carried += len(data) - cut
            if carried > LONGEST_LINE:
                raise InputError(
                    f"a line is longer than {LONGEST_LINE >> 20} MB",
                    place=name,
                    remedy="check that this is the right file",
                )
        if carried:
            yield b"".join((*carry, b"\n"))


def _refuse_other_encodings(data: bytes, name: str) -> None:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(
            "is encoded in UTF-16",
            place=name,
            expected="UTF-8 or another encoding that contains ASCII",
            remedy=f"iconv -f UTF-16 -t UTF-8 {name}",
        )
