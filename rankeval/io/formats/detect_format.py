"""Open a file, with or without a path, and find its format and its kind of content."""

import io
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Protocol, cast, runtime_checkable

from rankeval.base.dicts import refuse_closed
from rankeval.errors import InputError
from rankeval.io.formats import formats
from rankeval.io.formats.file_format import LONGEST_MAGIC, Beginning, Form, LaidOutLines
from rankeval.io.parsers.column_names import ContentGuess
from rankeval.io.parsers.columns import Columns
from rankeval.io.read_sizes import USUAL, ReadSizes
from rankeval.io.sources.blocks import (
    BYTE_ORDER_MARK,
    LONGEST_LINE,
    GivenBytes,
    decompressed,
    first_bytes,
    is_rereadable,
    pieces,
    reading_errors,
)
from rankeval.io.sources.blocks import MAGIC as COMPRESSIONS

IRDS = "irds:"
LOOKED_AT = LONGEST_LINE
"""Bytes within which a file's first line of data ends, unless it is JSON."""

COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".lz4")


def begin(
    path: str, sizes: ReadSizes = USUAL, progress: Callable[[int], None] | None = None
) -> Beginning:
    """Open a file, and read as far as its first line of data."""
    return begin_with(pieces(path, sizes.block_bytes, progress=progress))


def begin_with(data: Iterator[bytes]) -> Beginning:
    """Read the pieces of a file as far as its first line of data."""
    return Beginning(*_first_line(data), data)


def find_format(
    form: Form, path: str, sizes: ReadSizes = USUAL, progress: Callable[[int], None] | None = None
) -> LaidOutLines | Iterator[Columns]:
    """Open a file, find its format, and return its lines and their layout, or its columns."""
    if path.startswith(IRDS):
        from rankeval.io.sources import irds

        return irds.columns(path.removeprefix(IRDS), form.what, path)
    begun = form.begun or begin(path, sizes, progress)
    if form.passing is not None:
        begun = replace(begun, head=(), data=form.passing(begun.whole, path))
    named = with_name(form, begun, path)
    return formats.format_named(str(named.name)).read(path, begun, named)


def with_name(form: Form, begun: Beginning, path: str) -> Form:
    """Return the form with a name: that which is given, else that of the format found."""
    if form.name is not None:
        return form
    return replace(form, name=detect(begun.first, begun.line, path, form), detected=True)


def detect(head: bytes, line: bytes, path: str, form: Form) -> str:
    """Return the format of a file by its first bytes, its first line of data, and its path."""
    own = formats.all_formats()
    shown = (one for one in own if one.has_magic(head) or one.recognises(line, form))
    found = next(shown, None)
    if found is None:
        found = next((one for one in own if suffix(path) in one.suffixes), None)
    return "trec" if found is None else found.name


def is_packed(path: str) -> bool:
    """Return True if a file may hold more than its size suggests: compressed, or binary."""
    head = first_bytes(path, LONGEST_MAGIC)
    if head.startswith(tuple(COMPRESSIONS)):
        return True
    return any(head.startswith(form.magic) for form in formats.all_formats())


def suffix(path: str) -> str:
    """Return the suffix of a path without that of its compression, in lower case."""
    name = path.lower().rpartition("/")[2]
    for compressed in COMPRESSED:
        name = name.removesuffix(compressed)
    stem, dot, last = name.rpartition(".")
    return dot + last if stem else ""


def _first_line(data: Iterator[bytes]) -> tuple[list[bytes], bytes, int]:
    """Return the pieces of a file as far as its first line of data, that line, and its offset.

    Comments, which begin with #, and blank lines are no data. A byte order mark does not count.
    """
    head: list[bytes] = []
    text = b""
    start = 0
    for piece in data:
        text += piece if head else piece.removeprefix(BYTE_ORDER_MARK)
        head.append(piece)
        while start <= LOOKED_AT and (end := text.find(b"\n", start)) >= 0:
            if empty := _EMPTY_LINES.match(text, start):
                start = empty.end()
                continue
            if _is_data(text[start:end]):
                return head, _without_nul(text[start:end]), start
            start = end + 1
        # Where the first line starts decides, not where a piece ends: pieces differ in size.
        if start > LOOKED_AT:
            return head, b"", start
        if (b"\0" in text and len(text) >= LONGEST_MAGIC) or len(text) - start > LOOKED_AT:
            break
    line = text[start:]
    return head, _without_nul(line) if _is_data(line) else b"", start


_EMPTY_LINES = re.compile(rb"\s*\n")
"""There may be millions of them, so they are skipped at once."""


def _is_data(line: bytes) -> bool:
    return line.strip() != b"" and not line.lstrip().startswith(b"#")


def _without_nul(line: bytes) -> bytes:
    """Return the line, or none if it holds a NUL: it is no text then."""
    return b"" if b"\0" in line else line


def kind_of(begun: Beginning | None, path: str, form: Form) -> ContentGuess:
    """Guess the content of a file from its beginning.

    A file that could be either holds judgments if its first number is an integer. `begun` is None
    for a data set of ir_datasets.
    """
    if begun is None:  # ir_datasets
        return ContentGuess("qrels", certain=False)
    for one in formats.all_formats():
        if one.has_magic(begun.first) or not one.magic:
            guess = one.guess(begun, path, form.columns)
            if guess is not None:
                return guess
    return ContentGuess("run", certain=False)


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
        stream = decompressed(io.BufferedReader(GivenBytes(partial(_next_bytes, file, name))))
        while data := stream.read(USUAL.block_bytes):
            yield data


def _next_bytes(file: ReadableFile, name: str, size: int) -> bytes:
    """Return the next bytes of an open file, be it of bytes or of text."""
    found = file.read(size)
    if isinstance(found, str):
        return found.encode("utf-8", "surrogateescape")
    if not isinstance(found, bytes | bytearray | memoryview):
        raise InputError(
            f"its read() gives {type(found).__name__}",
            place=name,
            expected="a file that is open for reading, in bytes or in text",
        )
    return bytes(found)
