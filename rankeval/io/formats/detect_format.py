"""Open a file and find its format: the one that was named, or by its content, or by its suffix."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from rankeval.io.formats import formats
from rankeval.io.formats.file_format import FileFormat, LaidOutLines
from rankeval.io.formats.form import LONGEST_MAGIC, Beginning, Form
from rankeval.io.parsers.columns import Columns
from rankeval.io.sources.blocks import BLOCK_SIZE, BYTE_ORDER_MARK, first_bytes, pieces
from rankeval.io.sources.blocks import MAGIC as COMPRESSIONS

IRDS = "irds:"
LOOKED_AT = 1 << 20
"""Bytes within which a file's first line of data ends, unless it is a line of TREC's, or JSON."""

COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".lz4")


def begin(
    path: str, block_size: int = BLOCK_SIZE, progress: Callable[[int], None] | None = None
) -> Beginning:
    """Open a file, and read as far as its first line of data."""
    return begin_with(pieces(path, block_size, progress=progress))


def begin_with(data: Iterator[bytes]) -> Beginning:
    """Read the pieces of a file as far as its first line of data."""
    return Beginning(*_first_line(data), data)


def find_format(
    form: Form, path: str, block_size: int, progress: Callable[[int], None] | None = None
) -> LaidOutLines | Iterator[Columns]:
    """Open a file, find its format, and return its lines and their layout, or its columns."""
    if path.startswith(IRDS):
        from rankeval.io.sources import irds

        return irds.columns(path.removeprefix(IRDS), form.what, path)
    begun = form.begun or begin(path, block_size, progress)
    if form.passing is not None:
        begun = replace(begun, head=(), data=form.passing(begun.whole, path))
    name = form.name or detect(begun.first, begun.line, path, form)
    return formats.format_named(name).read(path, begun, form)


def detect(head: bytes, line: bytes, path: str, form: Form) -> str:
    """Return the format of a file by its first bytes, its first line of data, and its path."""
    for one in formats.registered_formats():
        if form.what in one.limits.kinds and (
            suffix(path) in one.suffixes or is_of(one, head, line, form)
        ):
            return one.name
    own = formats.own_formats()
    found = next((one for one in own if is_of(one, head, line, form)), None)
    if found is None:
        found = next((one for one in own if suffix(path) in one.suffixes), None)
    return "trec" if found is None else found.name


def is_of(one: FileFormat, head: bytes, line: bytes, form: Form) -> bool:
    """Return True if the content of a file tells that it is of a format."""
    return one.has_magic(head) or one.recognises(line, form)


def is_packed(path: str) -> bool:
    """Return True if a file may hold more than its size tells: compressed, or binary."""
    head = first_bytes(path, LONGEST_MAGIC)
    if head.startswith(tuple(COMPRESSIONS)):
        return True
    return any(head.startswith(one.magic) for one in formats.all_formats())


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
