"""Read files and standard input, compressed or not, in blocks cut at line ends."""

import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, BinaryIO, cast

from rankeval.base.frozen import record
from rankeval.errors import InputError
from rankeval.io.files import STDIN, is_in_parts, is_remote

BLOCK_SIZE = 2 << 20
"""Bytes read at once: large enough for a parser to be busy, small enough for the cache."""

LONGEST_LINE = 16 << 20
"""Bytes; the words of a line take some forty times as much when they are parted."""

PIECE = 1 << 20
"""Bytes that numpy processes in one go: few calls, and results that stay in the cache."""

PACKED = 1 << 16
"""Compressed bytes read at once: few, as what is behind the end of a stream is copied."""

Progress = Callable[[int], None] | None
"""Takes the bytes that were read so far, where anybody wants to know."""

NEWLINE = ord("\n")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

MAGIC = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x04\x22\x4d\x18": "lz4",
}


LONGEST_MAGIC = max(map(len, MAGIC))
COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".lz4")
"""Suffixes of compressed files."""


class GivenBytes(io.RawIOBase):
    """A stream of some bytes, and then of those that a function gives when it is asked for some."""

    def __init__(self, give: Callable[[int], bytes], head: bytes = b"") -> None:
        self._give, self._left = give, head

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Fill a buffer, and return how many bytes there are in it."""
        data = self._left or self._give(len(buffer))
        data, self._left = data[: len(buffer)], data[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


def display_name(path: str) -> str:
    """Return the name of a file in messages."""
    return "standard input" if path == STDIN else path


def suffix(path: str) -> str:
    """Return the suffix of a path without that of its compression, in lower case."""
    name = path.lower().rpartition("/")[2]
    for compressed in COMPRESSED:
        name = name.removesuffix(compressed)
    stem, dot, last = name.rpartition(".")
    return dot + last if stem else ""


def is_rereadable(path: str) -> bool:
    """Return True if the file, or all of its parts, can be read from the beginning again."""
    # Path.is_file raises for a name that is too long, or a directory that may not be entered.
    return path != STDIN and (os.path.isfile(path) or is_in_parts(path))  # noqa: PTH113  see above


@contextmanager
def opened(path: str) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Open a file for reading, as it is and decompressed; InputError says why it cannot be."""
    try:
        raw = _standard_input() if path == STDIN else _file(path)
    except FileNotFoundError:
        raise InputError("no such file", place=path or "''", remedy="check the path") from None
    except (OSError, ValueError) as error:
        raise InputError(
            f"cannot be opened: {error.strerror if isinstance(error, OSError) else error}",
            place=display_name(path),
            remedy="check the path and its permissions",
        ) from None
    try:
        with reading_errors(path):
            yield cast("BinaryIO", raw), decompressed(raw)
    finally:
        if path != STDIN:
            raw.close()
        elif raw is not sys.stdin.buffer:
            raw.detach()


@contextmanager
def reading_errors(path: str) -> Iterator[None]:
    """Tell as InputError why a file cannot be read to its end."""
    try:
        yield
    except _errors_of_reading() as error:
        # The decompressors' own OSErrors have no number.
        if isinstance(error, OSError) and error.errno is not None:
            problem, remedy = f"cannot be read: {error.strerror or error}", "check the file"
        else:
            problem = f"the compressed data is damaged or cut off: {error}"
            remedy = "copy or compress the file again"
        raise InputError(problem, place=display_name(path), remedy=remedy) from None


def _errors_of_reading() -> tuple[type[Exception], ...]:
    import lzma
    import zlib

    return EOFError, OSError, zlib.error, lzma.LZMAError


def _file(path: str) -> io.BufferedReader:
    if "://" in path and is_in_parts(path):
        from rankeval.io import remote

        return io.BufferedReader(remote.RemoteFile(path), PIECE)
    return open(path, "rb")  # noqa: PTH123  pathlib is slow to import


def _standard_input() -> io.BufferedReader:
    if sys.stdin is None:
        raise InputError(
            "is closed", place=display_name(STDIN), remedy="name a file instead of -, or pipe it in"
        )
    # A replacement of standard input, in a notebook or a test, may not be able to peek.
    stream: Any = sys.stdin.buffer
    return stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(stream)


def random_access(path: str) -> Any:
    """Return a file for Arrow to read at any place, from this machine or a remote one."""
    import pyarrow as pa

    if is_remote(path) and is_in_parts(path):
        from rankeval.io import remote

        return pa.PythonFile(remote.RemoteFile(path), mode="r")
    return pa.OSFile(path)


def first_bytes(path: str, n_bytes: int) -> bytes:
    """The first bytes of a file, as it is; not of a pipe, whose next reader would miss them."""
    with opened(path) as (raw, _):
        return raw.read(n_bytes)


def decompressed(raw: io.BufferedReader) -> BinaryIO:
    """Return the stream itself, or its decompressed form if it begins as compressed data does."""
    head = raw.peek(LONGEST_MAGIC)
    if len(head) < LONGEST_MAGIC and not raw.seekable():
        # The first write into a pipe may be shorter, and peek waits for no second one.
        head = raw.read(LONGEST_MAGIC)
        raw = io.BufferedReader(GivenBytes(raw.read1, head))
    stream: Any = raw
    kind = next((kind for magic, kind in MAGIC.items() if head.startswith(magic)), None)
    if kind == "gzip":
        import gzip

        stream = gzip.GzipFile(fileobj=raw)
    elif kind in ("bzip2", "xz"):
        import bz2
        import lzma

        begin: Any = bz2.BZ2Decompressor if kind == "bzip2" else lzma.LZMADecompressor
        data = filter(None, _streams(raw, begin))
        stream = io.BufferedReader(GivenBytes(lambda _: next(data, b"")), PIECE)
    elif kind:
        import pyarrow as pa

        stream = pa.CompressedInputStream(raw, kind)
    return cast("BinaryIO", stream)


def _streams(raw: BinaryIO, begin: Callable[[], Any]) -> Iterator[bytes]:
    """Yield the data of compressed streams, between and after which there may be zeros.

    Python's own files of bzip2 and xz leave out, without a word, a stream that begins wrongly.
    """
    left = raw.read(PACKED)
    while left:
        stream = begin()
        yield stream.decompress(left, PIECE)
        while not stream.eof:
            more = raw.read(PACKED) if stream.needs_input else b""
            if stream.needs_input and not more:
                raise EOFError("it ends within a compressed stream")
            yield stream.decompress(more, PIECE)
        left = stream.unused_data.lstrip(b"\0")
        while not left and (more := raw.read(PACKED)):
            left = more.lstrip(b"\0")


def pieces(path: str, size: int = BLOCK_SIZE, *, progress: Progress = None) -> Iterator[bytes]:
    """Yield the file's bytes, decompressed, some `size` of them at once.

    `progress` is called with the position of the reading in the file on disk, in bytes; for a
    pipe it is not called. InputError for a file that cannot be read. A change of the
    file meanwhile is noticed within `unchanged` only, as in `map_blocks`.
    """
    with opened(path) as (raw, stream):
        if not raw.seekable():
            progress = None
        data = stream.read(max(size, len(BYTE_ORDER_MARK)))
        while data:
            if progress is not None:
                progress(raw.tell())
            yield data
            data = stream.read(size)


def blocks(
    path: str, size: int = BLOCK_SIZE, *, progress: Progress = None
) -> Iterator[tuple[bytes, int]]:
    """Yield the file in blocks of whole lines, each ended by a newline, with their first line.

    A byte order mark is skipped. InputError for a file that cannot be read, that holds NUL
    bytes (it is not text), or a line of more than LONGEST_LINE bytes.
    """
    return whole_lines(pieces(path, size, progress=progress), path)


def whole_lines(data_of_file: Iterator[bytes], path: str) -> Iterator[tuple[bytes, int]]:
    """Cut the bytes of a file at line ends, as `blocks` does."""
    line = 1
    carry: list[bytes] = []
    carried = 0
    mark = BYTE_ORDER_MARK
    for piece in data_of_file:
        data, mark = piece.removeprefix(mark), b""
        if b"\0" in data:
            above = data.count(b"\n", 0, data.index(b"\0"))
            raise InputError(
                "holds a NUL byte, so this is not a text file",
                place=f"{display_name(path)}:{line + above}",
                expected="lines of text in UTF-8, or another encoding that contains ASCII",
                remedy="check that this is the right file, and not damaged; "
                "in UTF-16: iconv -f UTF-16 -t UTF-8 FILE > NEW_FILE",
            )
        cut = data.rfind(b"\n") + 1
        if cut:
            yield b"".join((*carry, memoryview(data)[:cut])), line
            carry, carried = [], 0
            line += newlines(data)
        carry.append(data[cut:])
        carried += len(data) - cut
        if carried > LONGEST_LINE:
            raise long_line(f"{display_name(path)}:{line}")
    if carried:
        yield b"".join((*carry, b"\n")), line


def data_lines(path: str, most: int | None = None) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file with their numbers, without blank lines and comments.

    InputError for a file of more than `most` bytes.
    """
    data = pieces(path)
    if most is not None:
        data = iter([whole(data, display_name(path), "lines", most)])
    for block, first_line in whole_lines(data, path):
        for number, line in enumerate(block.splitlines(), first_line):
            if line.strip() and not line.startswith(b"#"):
                yield number, line


VERSION = 4
"""Of the functions, as in kernel.c."""

SWITCH = "RANKEVAL_KERNEL"
"""0 leaves the library out, and a path names another one of the same source."""

NAME = "libkernel." + {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so.1")
"""Not one that Python takes for a module."""

FUNCTIONS = {
    "lines": "Pq",
    "parse": "PqPPP",
    "number": "PqPP",
    "copy": "PPqP",
    "gather": "PPPPqP",
    "rank": "PPP",
    "lines_of": "PqPP",
}
"""What the functions take: pointers and sizes."""


@cache
def library() -> Any:
    """Return the functions of kernel.c; None where they were not compiled, or are not wanted."""
    chosen = os.environ.get(SWITCH, "")
    if chosen == "0":
        return None
    beside = os.path.join(os.path.dirname(__file__), NAME)  # noqa: PTH118, PTH120  pathlib is slow
    from ctypes import CDLL, c_int32, c_int64, c_void_p  # small files need none of it

    try:
        found = CDLL(chosen if len(chosen) > 1 else beside)
        if found.rankeval_version() != VERSION:
            return None
    except (OSError, AttributeError):  # there is none, or it is for another machine
        return None
    for name, kinds in FUNCTIONS.items():
        function = found[f"rankeval_{name}"]
        function.argtypes = [c_int64 if kind == "q" else c_void_p for kind in kinds]
        function.restype = c_int64 if name in ("lines", "number", "gather") else c_int32
        setattr(found, f"rankeval_{name}", function)
    return found


def reader() -> str:
    """Say in two words which reader is in use."""
    return "compiled reader" if library() else "Python reader"


def newlines(text: bytes) -> int:
    """Count newlines; faster than `bytes.count` where lines are short."""
    if len(text) > PIECE and library() is not None:
        return int(library().rankeval_lines(text, len(text)))
    import numpy as np  # --help, which asks how large files are, must not wait for it

    characters = np.frombuffer(text, dtype=np.uint8)
    pieces = range(0, len(characters), PIECE)
    return sum(int(np.count_nonzero(characters[i : i + PIECE] == NEWLINE)) for i in pieces)


def long_line(place: str) -> InputError:
    """Return the error of a line that is too long."""
    return InputError(
        f"the line is longer than {LONGEST_LINE >> 20} MB",
        place=place,
        remedy="check that this is the right file, and that its lines end in newlines",
    )


def whole(data: Iterable[bytes], name: str, kind: str, most: int) -> bytes:
    """All bytes of a file that cannot be read in parts; InputError if they are too many."""
    parts, size = [], 0
    for part in data:
        parts.append(part)
        size += len(part)
        if size > most:
            raise InputError(
                f"holds more than {most >> 20} MB of {kind}",
                place=name,
                remedy="check that this is the right file; runs and judgments may be larger in "
                "lines, such as TREC's or JSON Lines",
            )
    return b"".join(parts)


@record
class ReadSizes:
    """Sizes in bytes or lines; a test gives small ones, by which small files are read as large.

    ============ ===========================================================================
    block_bytes  read at once: enough for a parser, and few enough for the cache
    plain_bytes  of a file, up to which the plain parser reads it, which starts at once; a 64th of
                 them where a fast parser is at hand: the compiled one, or Arrow's
    ranked_lines worked on together where all are in memory, or those of several runs
    held_lines   that may be in memory at once; each takes about a hundred bytes
    ============ ===========================================================================
    """

    block_bytes: int = BLOCK_SIZE
    plain_bytes: int = 2 << 20
    ranked_lines: int = 1 << 16
    held_lines: int = 50_000_000


USUAL = ReadSizes()
"""The sizes that every function takes by default."""
