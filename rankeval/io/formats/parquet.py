"""Parquet in batches that stay small, however much of a column its encoding folds together."""

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
from pyarrow.parquet import ParquetFile

from rankeval.io.parsers.table_columns import BYTES, ROWS, lengths_of

FEW_ROWS = 1 << 10
"""Rows at once of names that share their beginnings, of which nothing tells how long they are."""

PIECE = 1 << 16
"""Bytes read at once to look at the dictionary of a column."""


def batches_of(source: Any, file: ParquetFile, names: Sequence[str]) -> Iterator[Any]:
    """Some columns of a file, batch by batch."""
    for groups, rows in _groups(source, file, names):
        yield from file.iter_batches(
            batch_size=rows, row_groups=groups, columns=names, use_threads=False
        )


def _groups(
    source: Any, file: ParquetFile, names: Sequence[str]
) -> Iterator[tuple[list[int], int]]:
    """Adjacent row groups, and how many of their rows are to be read at once."""
    texts = [name for name in names if _is_folded(file.schema_arrow.field(name).type)]
    folded = ParquetFile(source, metadata=file.metadata, read_dictionary=texts, buffer_size=PIECE)
    pending: list[int] = []
    n_rows, together = 0, ROWS
    for group in range(file.metadata.num_row_groups):
        rows = _rows_at_once(folded, group, texts)
        if pending and (rows != together or n_rows >= ROWS):
            yield pending, together
            pending, n_rows = [], 0
        pending.append(group)
        together = rows
        n_rows += file.metadata.row_group(group).num_rows
    if pending:
        yield pending, together


def _is_folded(kind: Any) -> bool:
    """Return True if a column has text that Arrow writes out row by row."""
    return str(kind).removeprefix("large_") in ("string", "binary", "string_view", "binary_view")


def _rows_at_once(file: ParquetFile, group: int, texts: Sequence[str]) -> int:
    """Return the number of rows of a row group that take about BYTES when written out."""
    found = file.metadata.row_group(group)
    chunks = [found.column(i) for i in range(found.num_columns)]
    chunks = [chunk for chunk in chunks if chunk.path_in_schema in texts]
    most = ROWS
    if any("DELTA_BYTE_ARRAY" in chunk.encodings for chunk in chunks):
        size = sum(chunk.total_uncompressed_size for chunk in chunks)
        most = min(max(BYTES // max(size, 1), FEW_ROWS), ROWS)
    with_dictionary = [chunk.path_in_schema for chunk in chunks if chunk.has_dictionary_page]
    # The first row brings the whole dictionary along.
    one_row = file.iter_batches(
        batch_size=1, row_groups=[group], columns=with_dictionary, use_threads=False
    )
    batch = next(one_row, None) if with_dictionary else None
    if batch is None:
        return most
    longest = sum(_longest(column) for column in batch.columns)
    return max(min(BYTES // max(longest, 1), most), 1)


def _longest(column: Any) -> int:
    """The bytes of the longest name in a dictionary."""
    if not pa.types.is_dictionary(column.type):
        return 0
    lengths = lengths_of(column.dictionary)
    return 0 if lengths is None else int(lengths.max(initial=0))
