"""The formats of files as one table, and how a file is opened and its format and content found."""

import io
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import Enum
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from rankeval.base.frozen import frozen
from rankeval.errors import InputError, UsageError
from rankeval.io.formats.layouts import LONGEST_MAGIC, Beginning, Form, LaidOutLines
from rankeval.io.parsers.column_names import KEPT, ContentGuess
from rankeval.io.sources.blocks import (
    BYTE_ORDER_MARK,
    LONGEST_LINE,
    USUAL,
    ReadSizes,
    decompressed,
    is_rereadable,
    pieces,
    reading_errors,
    suffix,
)

if TYPE_CHECKING:  # --help must not wait for numpy
    from rankeval.io.parsers.columns import Columns

IRDS = "irds:"
LOOKED_AT = LONGEST_LINE
"""Bytes within which a file's first line of data ends, unless it is JSON."""


class NameRule(Enum):
    """The names that a format can hold."""

    WORDS = "words without blanks"
    RECORDS = "text in one line"
    UNICODE = "text in UTF-8"


ALL_ROLES = frozenset(role for roles in KEPT.values() for role in roles)
"""Every column that a format may hold in addition to topics, docnos and numbers."""


@frozen(eq=False)
class FileFormat:
    """A format of runs and judgments.

    =============== =========================================================================
    name            its name in options
    module          that of its functions `read` and `write`, which take the name first
    names           the names that it can hold
    roles           columns that it can hold in addition to topics, docnos and numbers
    required        those of them that every line has
    scores          it holds the scores of a run; otherwise ranks take their place
    suffixes        suffixes of its files, with the dot
    written         a further suffix, which names the format of a file that is to be written
    magic           first bytes of its files, at most eight, if it is binary
    =============== =========================================================================
    """

    name: str
    module: str
    names: NameRule
    roles: frozenset[str] = ALL_ROLES
    required: frozenset[str] = frozenset()
    scores: bool = True
    suffixes: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    magic: tuple[bytes, ...] = ()

    @property
    def functions(self) -> Any:
        """The functions that read and write its files."""
        return import_module(f"rankeval.io.formats.{self.module}")

    def has_magic(self, head: bytes) -> bool:
        """Return True if a file begins as files of this format do, and not with a word."""
        return any(
            head.startswith(magic) and not head[len(magic) :][:1].isspace() for magic in self.magic
        )


_OF_MSMARCO = frozenset({"rank", "iteration"})
_OF_TREC = _OF_MSMARCO | {"tag"}

FORMATS = {
    one.name: one
    for one in (
        FileFormat(
            "trec",
            "text_formats",
            NameRule.WORDS,
            required=_OF_TREC,
            suffixes=(".run", ".trec", ".txt", ".res", ".qrels", ".qrel"),
        ),
        FileFormat(
            "msmarco",
            "text_formats",
            NameRule.WORDS,
            _OF_MSMARCO,
            required=_OF_MSMARCO,
            scores=False,
        ),
        FileFormat("beir", "text_formats", NameRule.RECORDS, frozenset()),
        FileFormat("csv", "text_formats", NameRule.RECORDS, suffixes=(".csv",)),
        FileFormat("tsv", "text_formats", NameRule.RECORDS, written=(".tsv",)),
        FileFormat("json", "json_formats", NameRule.UNICODE, frozenset(), suffixes=(".json",)),
        FileFormat("jsonl", "json_formats", NameRule.UNICODE, suffixes=(".jsonl", ".ndjson")),
        FileFormat(
            "parquet",
            "table_files",
            NameRule.UNICODE,
            suffixes=(".parquet", ".pq"),
            magic=(b"PAR1",),
        ),
        FileFormat(
            "arrow",
            "table_files",
            NameRule.UNICODE,
            suffixes=(".arrow", ".feather", ".ipc"),
            magic=(b"ARROW1\0\0", b"\xff\xff\xff\xff"),
        ),
    )
}
"""All formats by their names, in the order of --help."""


def format_named(name: str) -> FileFormat:
    """Return the format of a name; UsageError if there is none."""
    check_name(name)
    return FORMATS[name]


def check_name(name: str | None) -> None:
    """Raise UsageError if there is no format of that name; None means no name."""
    if name is not None and name not in FORMATS:
        raise UsageError(f"there is no format '{name}'", expected=f"one of {', '.join(FORMATS)}")


def begin(
    path: str, sizes: ReadSizes = USUAL, progress: Callable[[int], None] | None = None
) -> Beginning:
    """Open a file, and read as far as its first line of data."""
    data = pieces(path, sizes.block_bytes, progress=progress)
    return Beginning(*_first_line(data), data)


def find_format(
    form: Form, path: str, sizes: ReadSizes = USUAL, progress: Callable[[int], None] | None = None
) -> "LaidOutLines | Iterator[Columns]":
    """Open a file, find its format, and return its lines and their layout, or its columns."""
    if path.startswith(IRDS):
        from rankeval.io.sources import irds

        return irds.columns(path.removeprefix(IRDS), form.what, path)
    begun = form.begun or begin(path, sizes, progress)
    if form.passing is not None:
        begun = replace(begun, head=(), data=form.passing(begun.whole, path))
    named = with_name(form, begun, path)
    found: LaidOutLines | Iterator[Columns]
    found = format_named(str(named.name)).functions.read(named.name, path, begun, named)
    return found


def with_name(form: Form, begun: Beginning, path: str) -> Form:
    """Return the form with a name: that which is given, else that of the format found."""
    if form.name is not None:
        return form
    return replace(form, name=detect(begun.first, begun.line, path, form), detected=True)


def detect(head: bytes, line: bytes, path: str, form: Form) -> str:
    """Return the format of a file by its first bytes, its first line of data, and its path."""
    from rankeval.io.formats import text_formats

    of_suffix = (one.name for one in FORMATS.values() if suffix(path) in one.suffixes)
    return (
        _binary(head)
        or _json(line)
        or text_formats.recognised(line, form)
        or next(of_suffix, "trec")
    )


def _binary(head: bytes) -> str:
    return next((one.name for one in FORMATS.values() if one.has_magic(head)), "")


def _json(line: bytes) -> str:
    """Return the format of a line that begins with a bracket and goes on as JSON does."""
    text = line.lstrip()
    opening, rest = text[:1], text[1:].lstrip()
    if opening not in (b"{", b"["):
        return ""
    if rest and rest[:1] not in ((b'"', b"}") if opening == b"{" else (b"{", b"]")):
        return ""
    from rankeval.io.formats import json_formats

    return "jsonl" if json_formats.is_first_of_lines(line) else "json"


def _first_line(data: Iterator[bytes]) -> tuple[list[bytes], bytes, int]:
    """Return the pieces of a file as far as its first line of data, that line, and its offset.

    Comments, which begin with #, and blank lines are no data. A byte order mark does not count.
    The line is empty where it holds a NUL, as text does not, or begins too far behind.
    """
    head: list[bytes] = []
    text = b""
    found = None
    for piece in data:
        text += piece if head else piece.removeprefix(BYTE_ORDER_MARK)
        head.append(piece)
        found = _DATA_LINE.search(text)
        is_whole = found is not None and found.end() < len(text)
        looked_at = len(text) - (found.start() if found else 0)
        if is_whole or looked_at > LOOKED_AT or (b"\0" in text and len(text) >= LONGEST_MAGIC):
            break
    # Where the first line starts decides, not where a piece ends: pieces differ in size.
    if found is None or found.start() > LOOKED_AT:
        return head, b"", len(text)
    return head, b"" if b"\0" in found[0] else found[0], found.start()


_DATA_LINE = re.compile(rb"^[^\S\n]*+[^\s#][^\n]*", re.MULTILINE)
"""A line that is neither empty nor a comment."""


def kind_of(begun: Beginning | None, path: str, form: Form) -> ContentGuess:
    """Guess the content of a file from its beginning.

    A file that could be either holds judgments if its first number is an integer. `begun` is None
    for a data set of ir_datasets.
    """
    if begun is None:  # ir_datasets
        return ContentGuess("qrels", certain=False)
    if table := _binary(begun.first):
        from rankeval.io.formats import table_files

        return table_files.guess(table, path, form.columns)
    if begun.line.lstrip()[:1] in (b"{", b"["):
        from rankeval.io.formats import json_formats

        return json_formats.guess(begun, form.columns)
    from rankeval.io.formats import text_formats

    return text_formats.guess(begun, form.columns)


IN_MEMORY = "file object"
"""The name in messages of an open file that has none."""


@runtime_checkable
class ReadableFile(Protocol):
    """An open file: its `read` gives bytes or text."""

    def read(self, size: int = -1, /) -> Any:
        """Return the next bytes or characters, at most `size`; all of them for -1."""


def path_of(file: ReadableFile) -> str | None:
    """Return the path of an open file that nothing was read from; None for any other."""
    name: Any = getattr(file, "name", None)
    if not isinstance(name, str | os.PathLike) or not is_rereadable(os.fspath(name)):
        return None
    try:
        return os.fspath(name) if cast("io.IOBase", file).tell() == 0 else None
    except (OSError, AttributeError, ValueError):
        return None


def begun(file: ReadableFile) -> tuple[str, Beginning]:
    """Return the name of an open file in messages, and its beginning; the file is read whole."""
    shown = _shown(file)
    found = file.read()
    if isinstance(found, str):
        found = found.encode("utf-8", "surrogateescape")
    if not isinstance(found, bytes | bytearray | memoryview):
        raise InputError(
            f"its read() gives {type(found).__name__}",
            place=shown,
            expected="a file that is open for reading, in bytes or in text",
        )
    with reading_errors(shown):
        stream = decompressed(io.BufferedReader(io.BytesIO(found)))
        data = iter(partial(stream.read, USUAL.block_bytes), b"")
        return shown, Beginning(*_first_line(data), data)


def _shown(file: ReadableFile) -> str:
    name = getattr(file, "name", None)
    return name if isinstance(name, str) and not is_rereadable(name) and name else IN_MEMORY
