"""Writing runs and judgments: whole files, in the format and compression of their suffix."""

import bz2
import gzip
import io
import lzma
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Any, BinaryIO

from rankeval.errors import InputError, UsageError
from rankeval.io.formats.file_format import LONGEST_MAGIC, Form
from rankeval.io.formats.formats import FORMATS, FileFormat, detect, format_named
from rankeval.io.parsers.columns import Columns
from rankeval.io.sources.atomic import atomic_bytes, write_errors
from rankeval.io.sources.blocks import BYTE_ORDER_MARK, suffix
from rankeval.io.sources.blocks import MAGIC as COMPRESSED
from rankeval.io.sources.parts import STDIN

AT_ONCE = 1 << 16
"""Lines that are text in memory at once."""

STDOUT = STDIN


def format_for(path: str, given: str | None) -> str:
    """Return the name of the format to write: the given one, else that of the suffix."""
    if given is not None:
        return format_named(given).name
    ending = suffix(path)
    every = FORMATS.values()
    found = next((one for one in every if ending in (*one.suffixes, *one.written)), None)
    if found is None:
        raise UsageError(
            "has no suffix that names the format to write"
            if path == STDOUT
            else "the suffix does not name the format to write",
            place="standard output" if path == STDOUT else path,
            expected=f"one of {', '.join(FORMATS)}",
            remedy="name the format with --to",
        )
    return found.name


def write(
    path: str, form: str, what: str, parts: Iterator[Columns], *, comments: bytes = b""
) -> list[str]:
    """Write columns that a format can hold to a file, whole or not at all, or to stdout.

    `comments` are lines to put before them, which the format has to allow. Return warnings if the
    beginning of the file will be taken for another format.
    """
    first = next(parts, None)
    if first is None:
        raise InputError("no line is left to write", place=path)
    parts = (piece for part in chain([first], parts) for piece in part.pieces(AT_ONCE))
    target = format_named(form)
    data = target.write(what, parts)
    beginning = next(data)
    notes = _look_at(beginning, target, what)
    with opened(path) as stream:
        stream.write(comments)
        stream.write(beginning)
        stream.writelines(data)
    return notes


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """Open a file for writing, compressed as its suffix says; `-` is standard output."""
    if path == STDOUT:
        if sys.stdout is None:
            raise InputError("it is closed", place="standard output", remedy="name a file")
        with write_errors("standard output"):
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        return
    with atomic_bytes(path) as raw:
        ending = path.lower().rpartition(".")[2]
        if ending not in COMPRESSORS:
            yield raw
            return
        with COMPRESSORS[ending](raw) as stream:
            yield stream


class _LeftOpen(io.RawIOBase):
    """A stream that Arrow may close, when the one below is renamed only after all is written."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        return self._raw.write(data)


def _by_arrow(kind: str, raw: BinaryIO) -> Any:
    import pyarrow as pa

    return pa.CompressedOutputStream(pa.PythonFile(_LeftOpen(raw), mode="w"), kind)


COMPRESSORS: dict[str, Callable[[BinaryIO], Any]] = {
    # Without a name and a time, so that equal files are equal when compressed, too.
    "gz": lambda raw: gzip.GzipFile("", "wb", fileobj=raw, mtime=0),
    "bz2": lambda raw: bz2.BZ2File(raw, "wb"),
    "xz": lambda raw: lzma.LZMAFile(raw, "wb"),  # noqa: SIM115  `opened` closes it
    "zst": partial(_by_arrow, "zstd"),
    "lz4": partial(_by_arrow, "lz4"),
}


def _look_at(beginning: bytes, target: FileFormat, what: str) -> list[str]:
    """Return a warning if the first line will be taken for another format."""
    if beginning.startswith((BYTE_ORDER_MARK, b"\xff\xfe", b"\xfe\xff", *COMPRESSED)):
        raise InputError(
            "the first line would look like the start of a compressed file",
            expected="another format",
            remedy="convert to csv, tsv, jsonl, parquet or arrow",
        )
    line = beginning.partition(b"\n")[0]
    found = detect(beginning[:LONGEST_MAGIC], line, "", Form(what))
    if found in (target.name, target.found_as):
        return []
    option = "run" if what == "run" else "qrels"
    return [
        f"the first line looks like {found}: read the file with --{option}-format {target.name}"
    ]
