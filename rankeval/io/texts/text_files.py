"""Find the texts of some topics or documents in files of any format, in one pass.

A file of lines or of TREC's SGML is a sequence of records, which are looked at in blocks: the names
of all records of a block are hashed at once, and only records that are wanted are read. Tables and
CSV are read by pyarrow and by csv.
"""

import csv
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, Protocol

import numpy as np

from rankeval.base.arrays import Integers, NDArray
from rankeval.base.frozen import frozen
from rankeval.base.threads import in_order
from rankeval.base.wording import quoted
from rankeval.errors import InputError
from rankeval.io.formats.detect_format import suffix
from rankeval.io.formats.json_lines import load_line
from rankeval.io.sources.blocks import (
    BYTE_ORDER_MARK,
    LONGEST_LINE,
    display_name,
    long_line,
    pieces,
)
from rankeval.io.sources.parts import STDIN, files_of
from rankeval.io.texts.text_fields import (
    Fields,
    Text,
    fields_by_name,
    fields_of_columns,
    marked_name,
    text_of_keys,
    text_of_marked,
    text_of_row,
)

Found = tuple[bytes, Text]
"""The name of a topic or document, and its text."""

HEAD = 1 << 16
"""Bytes at the beginning of a file by which its format is found."""

LONGEST_NAME = 64
"""Bytes of a name that are looked for at once; a longer one is looked for by itself."""


@frozen(eq=False)
class Records:
    """The records of a block: hashes of their names, and where names and records begin and end.

    ====== =====================================================
    hashed (N,) hash of each name
    names  (N, 2) the first byte of each name, and the one behind
    bounds (N, 2) the same of each record
    ====== =====================================================
    """

    hashed: NDArray[np.uint64]
    names: Integers
    bounds: Integers


class RecordFormat(Protocol):
    """A way to cut a file into records, and to read them."""

    @property
    def end(self) -> bytes:
        """The bytes that end a record."""

    def records(self, block: bytes, place: Callable[[int], str]) -> Records:
        """Return the records of a block; `place` returns the place of a byte of it, for errors."""

    def text(self, record: bytes, place: Callable[[], str]) -> Found:
        """Read a record; `place` returns its place, for errors."""


_ODD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_MASKS = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)


def hashes(block: bytes, names: Integers) -> NDArray[np.uint64]:
    """Return a hash of each name, the same in every process: an index keeps it."""
    padded = np.frombuffer(block + bytes(8), dtype=np.uint8)
    eight = np.ndarray(len(block) + 1, dtype="<u8", buffer=padded, strides=(1,))
    starts, lengths = names[:, 0], names[:, 1] - names[:, 0]
    hashed = lengths.astype(np.uint64) * _ODD
    rows: Any = slice(None)
    for offset in range(0, int(lengths.max(initial=0)), 8):
        if offset:
            rows = np.flatnonzero(lengths > offset)
        words = eight[starts[rows] + offset] & _MASKS.take(lengths[rows] - offset, mode="clip")
        mixed = (hashed[rows] ^ words) * _ODD
        hashed[rows] = mixed ^ (mixed >> _SHIFT)
    return hashed


def hashes_of(names: Collection[bytes]) -> NDArray[np.uint64]:
    """Return the hash of each of some names."""
    ends = np.cumsum([0, *map(len, names)], dtype=np.int64)
    return hashes(b"".join(names), np.column_stack([ends[:-1], ends[1:]]))


@frozen
class TabbedLines:
    """Lines of columns between tabs."""

    fields: Fields
    header: bytes = b""
    end: bytes = b"\n"

    def records(self, block: bytes, _place: Callable[[int], str]) -> Records:
        """Return the lines of a block that have a name."""
        characters = np.frombuffer(block, dtype=np.uint8)
        bounds = line_bounds(characters)
        names = bounds.copy()
        for _ in range(self.fields.name):
            names[:, 0] = np.minimum(_next_tab(block, characters, names[:, 0]) + 1, bounds[:, 1])
        names[:, 1] = np.minimum(_next_tab(block, characters, names[:, 0]), bounds[:, 1])
        there = names[:, 1] > names[:, 0]
        if not there.all():
            names, bounds = names[there], bounds[there]
        return Records(hashes(block, names), names, bounds)

    def text(self, record: bytes, _place: Callable[[], str]) -> Found:
        """Read a line."""
        row = record.rstrip(b"\r\n").decode("utf-8", "replace").split("\t")
        name = record.rstrip(b"\r\n").split(b"\t")[self.fields.name]
        if record.rstrip(b"\r\n") == self.header:
            return b"", Text("", "")
        return name, text_of_row(row, self.fields)


def line_bounds(characters: NDArray[np.uint8]) -> Integers:
    """Return the first byte of each line of a block, and its newline."""
    ends = np.flatnonzero(characters == ord("\n"))
    starts = np.empty_like(ends)
    if len(ends):
        starts[0], starts[1:] = 0, ends[:-1] + 1
    return np.column_stack([starts, ends])


def _next_tab(block: bytes, characters: NDArray[np.uint8], starts: Integers) -> Integers:
    """Return the place of the first tab from each place on; the block's end if there is none."""
    found = np.full(len(starts), len(block), dtype=np.int64)
    rows, places = np.arange(len(starts)), np.minimum(starts, len(block) - 1)
    for _ in range(LONGEST_NAME):
        here = characters[places]
        tabs = here == ord("\t")
        found[rows[tabs]] = places[tabs]
        going = ~tabs & (here != ord("\n"))
        rows, places = rows[going], places[going] + 1
        if not len(rows):
            break
    for row in rows.tolist():
        end = block.find(b"\t", int(starts[row]))
        found[row] = end if end >= 0 else len(block)
    return found


@frozen
class JsonLines:
    """Lines of JSON objects."""

    fields: Fields
    end: bytes = b"\n"

    def records(self, block: bytes, place: Callable[[int], str]) -> Records:
        """Return the lines of a block; a line that is no object is wrong."""
        bounds = line_bounds(np.frombuffer(block, dtype=np.uint8))
        at_start = re.compile(
            rb'\s*\{\s*"%s"\s*:\s*(?:"([^"\\]*)"|(-?\d+))\s*[,}]' % re.escape(self._key)
        )
        names: list[bytes] = []
        kept: list[bool] = []
        for start, end in bounds.tolist():
            found = at_start.match(block, start, end)
            if found is None and block[start:end].strip():
                names.append(self._read(block[start:end], partial(place, start))[0])
                kept.append(True)
            else:
                names.append(found[found.lastindex or 1] if found else b"")
                kept.append(found is not None)
        bounds = bounds[np.array(kept, dtype=bool)] if bounds.size else bounds
        names = [name for name, there in zip(names, kept, strict=True) if there]
        return Records(hashes_of(names), np.zeros_like(bounds), bounds)

    @property
    def _key(self) -> bytes:
        return str(self.fields.name).encode()

    def text(self, record: bytes, place: Callable[[], str]) -> Found:
        """Read a line."""
        return self._read(record, place)

    def _read(self, line: bytes, place: Callable[[], str]) -> Found:
        expected = f'an object with "{self.fields.name}"'
        try:
            values = json.loads(line)
        except (ValueError, RecursionError):
            values = load_line(line, place(), expected)
        name = values.get(self.fields.name) if isinstance(values, dict) else None
        if not isinstance(name, str | int) or isinstance(name, bool):
            raise InputError(
                f"no name of a document or topic in {quoted(line)}",
                place=place(),
                expected=expected,
            )
        return str(name).encode("utf-8", "replace"), text_of_keys(values, self.fields)


@frozen
class MarkedRecords:
    """Documents or topics in SGML: <DOC>...</DOC>, <top>...</top>."""

    tag: bytes
    end: bytes

    def records(self, block: bytes, _place: Callable[[int], str]) -> Records:
        """Return the records of a block that have a name."""
        pattern = rb"<\s*%s\b.*?(?:</\s*%s\s*>|\Z)" % (self.tag, self.tag)
        found = [*re.compile(pattern, re.IGNORECASE | re.DOTALL).finditer(block)]
        named = [(marked_name(record[0]), record.span()) for record in found]
        kept = [(name, span) for name, span in named if name]
        bounds = np.array([span for _, span in kept], dtype=np.int64).reshape(-1, 2)
        return Records(hashes_of([name for name, _ in kept]), np.zeros_like(bounds), bounds)

    def text(self, record: bytes, _place: Callable[[], str]) -> Found:
        """Read a document or a topic."""
        return marked_name(record), text_of_marked(record)


def record_format(path: str, head: bytes) -> RecordFormat | None:
    """Return how the records of a file are found, by its first bytes; None for CSV."""
    name = display_name(path)
    text = head.removeprefix(BYTE_ORDER_MARK).lstrip()
    if not text:
        raise InputError("is empty", place=name, expected="texts of topics or documents")
    line = text.splitlines()[0]
    if line.startswith(b"{"):
        first = load_line(line, f"{name}:1", "an object with name and text")
        return JsonLines(fields_by_name([*first], f"{name}:1"))
    marked = re.search(rb"<\s*(doc|top|topic)\b[^<>]*>", text[:HEAD], re.IGNORECASE)
    if marked is not None and text.startswith(b"<"):
        return MarkedRecords(marked[1], b"</" + marked[1] + b">")
    if b"\t" not in line or suffix(path) == ".csv":
        return None
    fields, has_header = fields_of_columns(line.decode("utf-8", "replace").split("\t"), f"{name}:1")
    return TabbedLines(fields, line if has_header else b"")


class RecordBlock(NamedTuple):
    """Whole records of a file, and the place of their first byte in it, decompressed."""

    data: bytes
    offset: int


def whole_blocks(data: Iterable[bytes], end: bytes, name: str) -> Iterator[RecordBlock]:
    """Cut a file behind records; a block ends with a newline, or with the end of a record."""
    carry: list[bytes] = []
    offset = 0
    for number, given in enumerate(data):
        piece = given
        if not number and piece.startswith(BYTE_ORDER_MARK):
            piece, offset = piece.removeprefix(BYTE_ORDER_MARK), len(BYTE_ORDER_MARK)
        if len(end) > 1:  # it may be cut by the border of two pieces
            piece = b"".join((*carry, piece))
            carry.clear()
        cut = _last_end(piece, end)
        if cut:
            block = b"".join((*carry, memoryview(piece)[:cut]))
            yield RecordBlock(block, offset)
            offset += len(block)
            carry.clear()
        carry.append(piece[cut:])
        if sum(map(len, carry)) > LONGEST_LINE:
            raise long_line(name)
    if last := b"".join(carry):
        yield RecordBlock(last + b"\n", offset)


def _last_end(piece: bytes, end: bytes) -> int:
    """Return the place behind the last end of a record; 0 if none ends in the piece."""
    if len(end) == 1:
        return piece.rfind(end) + 1
    ends = re.compile(re.escape(end), re.IGNORECASE)
    return max((found.end() for found in ends.finditer(piece)), default=0)


def texts_in_files(path: str, wanted: Collection[bytes], jobs: int = 1) -> Iterator[Found]:
    """Yield the texts of the wanted names, each once, in one pass over the files of a path."""
    left = set(wanted)
    for file in files_of(path):
        if not left:
            return
        for name, text in _in_file(file, frozenset(left), jobs):
            if name in left:
                left.remove(name)
                yield name, text
            if not left:
                break


def _in_file(path: str, wanted: frozenset[bytes], jobs: int) -> Iterator[Found]:
    data = pieces(path)
    head = next(data, b"")
    if head.startswith(b"PAR1"):
        from rankeval.io.texts.text_tables import in_parquet

        yield from in_parquet(path, wanted)
        return
    form = record_format(path, _longer(head))
    whole = chain((head,), data)
    if form is None:
        rows = rows_of_csv(whole, display_name(path))
        yield from ((name, text) for name, text in rows if name in wanted)
        return
    search = partial(_wanted_in, form=form, wanted=wanted, table=WantedNames(wanted), path=path)
    blocks = whole_blocks(whole, form.end, display_name(path))
    tasks = ((block, number) for number, block in enumerate(blocks))
    searched = in_order(search, tasks, jobs, threads_take=path != STDIN)
    try:
        for found in searched:
            yield from found
    finally:
        searched.close()


def _longer(head: bytes) -> bytes:
    """Return the beginning of a file as far as the end of its first line."""
    end = head.find(b"\n", HEAD)
    return head if end < 0 else head[:end]


class WantedNames:
    """A table of bits, one for each hash of a wanted name, that rules out most other names."""

    def __init__(self, names: Collection[bytes]) -> None:
        bits = max(16, min(24, (len(names) * 64).bit_length()))
        self._shift = np.uint64(64 - bits)
        self._table = np.zeros(1 << bits, dtype=bool)
        self._table[self._places(hashes_of(names))] = True

    def among(self, hashed: NDArray[np.uint64]) -> Integers:
        """Return the rows whose hash may be that of a wanted name."""
        return np.flatnonzero(self._table[self._places(hashed)])

    def _places(self, hashed: NDArray[np.uint64]) -> NDArray[np.int64]:
        return ((hashed * _ODD) >> self._shift).astype(np.int64)


def _wanted_in(
    block: RecordBlock,
    _number: int,
    *,
    form: RecordFormat,
    wanted: frozenset[bytes],
    table: WantedNames,
    path: str,
) -> list[Found]:
    def place(at: int) -> str:
        """Return the place of a byte of the block."""
        return place_in(path, block.offset + at)

    records = form.records(block.data, place)
    found = []
    for row in table.among(records.hashed).tolist():
        start, end = records.bounds[row].tolist()
        first, last = records.names[row].tolist()
        if last and block.data[first:last] not in wanted:
            continue
        name, text = form.text(block.data[start:end], partial(place, start))
        if name in wanted:
            found.append((name, text))
    return found


def place_in(path: str, offset: int) -> str:
    """Return the line of a byte for messages; the lines before it are counted for that."""
    if path == STDIN:
        return display_name(path)
    line, left = 1, offset
    for piece in pieces(path):
        line += piece.count(b"\n", 0, left)
        left -= len(piece)
        if left <= 0:
            break
    return f"{display_name(path)}:{line}"


def rows_of_csv(data: Iterable[bytes], name: str) -> Iterator[Found]:
    """Yield the texts of a file of CSV, whose fields may hold newlines."""
    before = csv.field_size_limit(LONGEST_LINE)
    try:
        rows = csv.reader(_decoded_lines(data))
        fields: Fields | None = None
        for row in rows:
            if fields is None:
                fields, has_header = fields_of_columns(row, f"{name}:1")
                if has_header:
                    continue
            if len(row) > fields.name:
                yield row[fields.name].encode(), text_of_row(row, fields)
    except csv.Error as error:
        raise InputError(f"is not readable as CSV: {error}", place=name) from None
    finally:
        csv.field_size_limit(before)


def _decoded_lines(data: Iterable[bytes]) -> Iterator[str]:
    for number, block in enumerate(whole_blocks(data, b"\n", "")):
        text = block.data.decode("utf-8", "replace")
        yield from text.removeprefix("\ufeff" if not number else "").splitlines(keepends=True)
