"""Writing Parquet and Arrow (Feather), in groups of rows."""

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from typing import Any

import pyarrow as pa

from rankeval.io.formats.text_rows import FIELDS, every_rows
from rankeval.io.parsers.column_names import VALUES
from rankeval.io.parsers.columns import Columns

ROWS = 1 << 17
"""Rows of a group: smaller groups make larger and slower files."""


def write(kind: str, what: str, parts: Iterator[Columns]) -> Iterator[bytes]:
    """Yield the bytes of a table; the first rows tell its columns and their types."""
    batches = _grouped(_batch(rows, what) for rows in every_rows(what, parts))
    first = next(batches)
    written = _Pieces()
    with _writer(kind, written, first.schema) as writer:
        for table in chain([first], batches):
            writer.write_table(table)
            yield written.drain()
    yield written.drain()


class _Pieces(io.RawIOBase):
    """A stream whose bytes are taken from it piece by piece."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._pieces.append(bytes(data))
        return len(self._pieces[-1])

    def drain(self) -> bytes:
        """Return the bytes since the last call."""
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


def _writer(kind: str, stream: _Pieces, schema: Any) -> AbstractContextManager[Any]:
    if kind == "Parquet":
        from pyarrow import parquet

        return parquet.ParquetWriter(stream, schema, compression="zstd")
    return pa.ipc.new_file(stream, schema, options=pa.ipc.IpcWriteOptions(compression="zstd"))


def _grouped(batches: Iterable[Any]) -> Iterator[Any]:
    """Tables of some ROWS rows, made of what comes in smaller pieces."""
    pending: list[Any] = []
    for batch in batches:
        pending.append(batch)
        if sum(each.num_rows for each in pending) >= ROWS:
            yield pa.Table.from_batches(pending).combine_chunks()
            pending = []
    if pending:
        yield pa.Table.from_batches(pending).combine_chunks()


def _batch(rows: Mapping[str, Sequence[bytes]], what: str) -> Any:
    present = [name for name in FIELDS[what] if name in rows]
    columns = [_column(name, rows[name], what) for name in present]
    return pa.RecordBatch.from_arrays(columns, names=present)


def _column(name: str, texts: Sequence[bytes], what: str) -> Any:
    """Return numbers for ranks and values, integers if all grades are integers; otherwise text."""
    if name == "rank":
        return pa.array(list(map(int, texts)), pa.int64())
    if name != VALUES[what]:
        return pa.array([text.decode() for text in texts], pa.string())
    # Judgments are one part, so that no later one can be of another type.
    if what == "run" or not all(text.lstrip(b"-").isdigit() for text in texts):
        return pa.array(list(map(float, texts)), pa.float64())
    return pa.array(list(map(int, texts)), pa.int64())
