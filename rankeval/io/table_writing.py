"""Writing Parquet and Arrow (Feather), in groups of rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, BinaryIO

import pyarrow as pa

from rankeval.io.column_names import VALUES

ROWS = 1 << 17
"""Rows of a group: smaller groups make larger and slower files."""


def write(
    stream: BinaryIO,
    form: str,
    what: str,
    names: Sequence[str],
    every: Iterable[Mapping[str, Sequence[bytes]]],
) -> None:
    """Write rows; the first of them tell which columns there are, and of which types."""
    batches = _grouped(_batch(rows, what, names) for rows in every)
    first = next(batches)
    with _writer(form, stream, first.schema) as writer:
        writer.write_table(first)
        for table in batches:
            writer.write_table(table)


def _writer(form: str, stream: BinaryIO, schema: Any) -> AbstractContextManager[Any]:
    if form == "parquet":
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


def _batch(rows: Mapping[str, Sequence[bytes]], what: str, names: Sequence[str]) -> Any:
    present = [name for name in names if name in rows]
    columns = [_column(name, rows[name], what) for name in present]
    return pa.RecordBatch.from_arrays(columns, names=present)


def _column(name: str, texts: Sequence[bytes], what: str) -> Any:
    """Numbers for ranks and values, whole ones for judgments that have no others; or text."""
    if name == "rank":
        return pa.array(list(map(int, texts)), pa.int64())
    if name != VALUES[what]:
        return pa.array([text.decode() for text in texts], pa.string())
    # Judgments are one part, so that no later one can be of another type.
    if what == "run" or not all(text.lstrip(b"-").isdigit() for text in texts):
        return pa.array(list(map(float, texts)), pa.float64())
    return pa.array(list(map(int, texts)), pa.int64())
