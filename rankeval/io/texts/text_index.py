"""An index of the texts in files, in SQLite: the place of each document, or its text.

    entries  for each bucket of hashes, arrays of hash, place and length of records
    pieces   the records themselves, compressed, of files in which nothing can be found by its place
    state    the files with their sizes and times, without which the index is not used

An index is completed next to its place and then moved there. One that cannot be made, read or
trusted is ignored: names are compared once more in the records that it gives.
"""

import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from rankeval.base.arrays import NDArray
from rankeval.base.frozen import frozen
from rankeval.base.threads import in_order
from rankeval.errors import InputError
from rankeval.io.sources.blocks import compression, display_name, first_bytes, pieces
from rankeval.io.sources.parts import STDIN, files_of, is_remote
from rankeval.io.texts.text_fields import Text
from rankeval.io.texts.text_files import (
    HEAD,
    Found,
    RecordBlock,
    RecordFormat,
    Records,
    hashes_of,
    line_bounds,
    place_in,
    record_format,
    rows_of_csv,
    whole_blocks,
)

VERSION = 2
ENTRY = np.dtype([("hash", "<u8"), ("place", "<u8"), ("length", "<u4")])
FILE_BITS = 40
"""A place is a byte of a file, and above these bits the number of the file."""

BUCKET_BITS = 14
FLUSHED = 1 << 19
"""Entries that are sorted and written at once."""

PIECE = 1 << 14
"""Bytes of records that are compressed together: a text that is looked up costs a piece."""


class NoIndexError(Exception):
    """The index cannot be made, or does not say where the texts are."""


def index_path(path: str) -> Path:
    """Return the place of the index of a path; the folder need not be there."""
    named = os.environ.get("XDG_CACHE_HOME")
    folder = Path(named) if named else Path.home() / ".cache"
    key = sha256(os.path.realpath(path).encode("utf-8", "surrogateescape")).hexdigest()
    return folder / "rankeval" / f"texts-{key[:32]}.sqlite"


def texts_by_index(path: str, wanted: Collection[bytes], jobs: int = 1) -> Iterator[Found]:
    """Yield the texts of the wanted names by the index of a path, which is made where needed.

    NoIndexError where there can be no index.
    """
    if path == STDIN or is_remote(path):
        raise NoIndexError
    files = files_of(path)
    try:
        place = index_path(path)
        if _state_in(place) != _state_of(files):
            _make(place, files, jobs)
        with closing(sqlite3.connect(f"{place.as_uri()}?mode=ro", uri=True)) as connection:
            yield from _IndexedTexts(connection, files).texts(wanted)
    except (sqlite3.Error, OSError, RuntimeError, ValueError, KeyError, zlib.error) as error:
        raise NoIndexError from error


def _state_of(files: Sequence[str]) -> str:
    """Return the files with their sizes and times of change, as the index keeps them."""
    found = [(file, os.stat(file)) for file in files]  # noqa: PTH116  it takes any text; a Path does not
    facts = [[os.path.realpath(file), stat.st_size, stat.st_mtime_ns] for file, stat in found]
    return json.dumps([VERSION, facts])


def _state_in(place: Path) -> str:
    """Return the state of the files that an index was made of; "" if it cannot be read."""
    with suppress(sqlite3.Error, OSError):
        if place.is_file():
            with closing(sqlite3.connect(f"{place.as_uri()}?mode=ro", uri=True)) as connection:
                found = connection.execute("SELECT state FROM state").fetchone()
                return str(found[0]) if found else ""
    return ""


def _make(place: Path, files: Sequence[str], jobs: int) -> None:
    """Make an index, next to its place, and move it there."""
    state = _state_of(files)
    place.parent.mkdir(parents=True, exist_ok=True)
    temporary = place.with_suffix(f".{os.getpid()}.part")
    try:
        with closing(sqlite3.connect(temporary)) as connection:
            _fill(connection, files, jobs)
            connection.execute("INSERT INTO state VALUES (?)", [state])
            connection.commit()
        temporary.replace(place)
    finally:
        temporary.unlink(missing_ok=True)


def _fill(connection: sqlite3.Connection, files: Sequence[str], jobs: int) -> None:
    connection.executescript(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
        "CREATE TABLE state (state TEXT);"
        "CREATE TABLE entries (bucket INTEGER, entries BLOB);"
        "CREATE TABLE pieces (place INTEGER PRIMARY KEY, data BLOB);"
    )
    waiting: list[NDArray[Any]] = []
    for number, path in enumerate(files):
        for entries, stored in _indexed(number, path, jobs):
            connection.executemany("INSERT INTO pieces VALUES (?, ?)", stored)
            waiting.append(entries)
            if sum(map(len, waiting)) >= FLUSHED:
                _write(connection, waiting)
    _write(connection, waiting)
    connection.execute("CREATE INDEX of_buckets ON entries (bucket)")


def _write(connection: sqlite3.Connection, waiting: list[NDArray[Any]]) -> None:
    """Write entries by bucket."""
    if not waiting:
        return
    entries = np.concatenate(waiting)
    waiting.clear()
    entries = entries[np.argsort(entries["hash"], kind="stable")]
    buckets = (entries["hash"] >> np.uint64(64 - BUCKET_BITS)).astype(np.int64)
    starts = np.flatnonzero(np.diff(buckets, prepend=-1)).tolist()
    connection.executemany(
        "INSERT INTO entries VALUES (?, ?)",
        (
            (int(buckets[start]), entries[start:end].tobytes())
            for start, end in zip(starts, [*starts[1:], len(entries)], strict=True)
        ),
    )


Stored = list[tuple[int, bytes]]
"""Pieces of records: their place, and their compressed bytes."""


def _indexed(number: int, path: str, jobs: int) -> Iterator[tuple[NDArray[Any], Stored]]:
    """Yield entries and pieces, block by block."""
    form, is_stored = form_of(path)
    data = lines_of_rows(path) if isinstance(form, StoredLines) else pieces(path)
    blocks = whole_blocks(data, form.end, display_name(path))
    work = partial(_of_block, form=form, before=number << FILE_BITS, path=path, store=is_stored)
    tasks = ((block, at) for at, block in enumerate(blocks))
    yield from in_order(work, tasks, jobs, threads_take=True)


def _of_block(
    block: RecordBlock, _number: int, *, form: RecordFormat, before: int, path: str, store: bool
) -> tuple[NDArray[Any], Stored]:
    records = form.records(block.data, lambda at: place_in(path, block.offset + at))
    entries = np.empty(len(records.hashed), dtype=ENTRY)
    entries["hash"] = records.hashed
    entries["place"] = records.bounds[:, 0] + before + block.offset
    entries["length"] = records.bounds[:, 1] - records.bounds[:, 0]
    return entries, _stored(block, records, before) if store else []


def _stored(block: RecordBlock, records: Records, before: int) -> Stored:
    """Compress the records of a block in pieces, each of whole records."""
    starts = records.bounds[:, 0]
    wished = np.arange(PIECE, len(block.data), PIECE)
    at = np.searchsorted(starts, wished)
    cuts = np.unique(np.append(starts[at[at < len(starts)]], [0, len(block.data)])).tolist()
    return [
        (
            before + block.offset + start,
            zlib.compress(block.data[start:end], 1),
        )
        for start, end in pairwise(cuts)
    ]


def form_of(path: str) -> tuple[RecordFormat, bool]:
    """Return the format of the records of a file, and True if the index stores them."""
    packed = compression(path) is not None
    head = next(pieces(path, HEAD), b"") if packed else first_bytes(path, HEAD)
    if head.startswith(b"PAR1"):
        return StoredLines(), True
    form = record_format(path, head)
    return (StoredLines(), True) if form is None else (form, packed)


def lines_of_rows(path: str) -> Iterator[bytes]:
    """Yield the rows of a table or of CSV as lines of JSON."""
    from rankeval.io.texts.text_tables import in_parquet

    is_table = next(pieces(path, HEAD), b"").startswith(b"PAR1")
    rows = in_parquet(path, None) if is_table else rows_of_csv(pieces(path), display_name(path))
    lines: list[bytes] = []
    for name, text in rows:
        lines.append(json.dumps([name.decode("utf-8", "replace"), *text]).encode() + b"\n")
        if len(lines) >= FLUSHED >> 7:
            yield b"".join(lines)
            lines.clear()
    yield b"".join(lines)


@frozen
class StoredLines:
    """Lines of [name, title, body] in JSON."""

    end: bytes = b"\n"

    def records(self, block: bytes, _place: Callable[[int], str]) -> Records:
        """Return the lines of a block."""
        bounds = line_bounds(np.frombuffer(block, dtype=np.uint8))
        names = [json.loads(block[start:end])[0].encode() for start, end in bounds.tolist()]
        return Records(hashes_of(names), np.zeros_like(bounds), bounds)

    def text(self, record: bytes, _place: Callable[[], str]) -> Found:
        """Read a line."""
        name, title, body = json.loads(record)
        return name.encode(), Text(title, body)


class _IndexedTexts:
    """Reads records by an index."""

    def __init__(self, connection: sqlite3.Connection, files: Sequence[str]) -> None:
        self._connection, self._files = connection, files
        self._forms: dict[int, tuple[RecordFormat, bool]] = {}
        self._piece: tuple[int, bytes] = (0, b"")

    def texts(self, wanted: Iterable[bytes]) -> Iterator[Found]:
        """Yield the texts of names; of several records of a name, the first."""
        names = list(wanted)
        places = []
        for name, hashed in zip(names, hashes_of(names).tolist(), strict=True):
            rows = self._connection.execute(
                "SELECT entries FROM entries WHERE bucket = ?", [hashed >> (64 - BUCKET_BITS)]
            )
            entries = np.frombuffer(b"".join(row[0] for row in rows), dtype=ENTRY)
            same = entries[entries["hash"] == hashed].tolist()
            places += [(place, length, name) for _, place, length in same]
        seen: set[bytes] = set()
        for place, length, name in sorted(places):
            found, text = self._record(place, length)
            if found == name and name not in seen:
                seen.add(name)
                yield name, text
        if {name for _, _, name in places} - seen:
            raise NoIndexError

    def _record(self, place: int, length: int) -> Found:
        number = place >> FILE_BITS
        if number not in self._forms:
            self._forms[number] = form_of(self._files[number])
        form, stored = self._forms[number]
        offset = place & ((1 << FILE_BITS) - 1)
        record = self._from_piece(place, length) if stored else self._at(number, offset, length)
        if len(record) != length:
            raise NoIndexError
        try:
            return form.text(record, str)
        except InputError:
            raise NoIndexError from None

    def _at(self, number: int, offset: int, length: int) -> bytes:
        with Path(self._files[number]).open("rb", buffering=0) as file:
            file.seek(offset)
            return file.read(length)

    def _from_piece(self, place: int, length: int) -> bytes:
        start, data = self._piece
        if not start <= place < start + len(data):
            start, packed = self._connection.execute(
                "SELECT place, data FROM pieces WHERE place <= ? ORDER BY place DESC LIMIT 1",
                [place],
            ).fetchone()
            data = zlib.decompress(packed)
            self._piece = start, data
        return data[place - start : place - start + length]
