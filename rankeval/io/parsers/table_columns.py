"""Columns of Arrow's many types, and Parquet's, as names and numbers in pieces that stay small."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow.parquet import ParquetFile

from rankeval.base.arrays import Floats, Integers
from rankeval.errors import InputError
from rankeval.io.parsers.names import as_numpy
from rankeval.io.sources.blocks import LONGEST_LINE

ROWS = 1 << 16
"""Rows that are made into columns at once, and"""

BYTES = 16 << 20
"""bytes of the names in them, however little of a file or of memory they take."""

VIEW = 4
"""Numbers of 32 bits that a view is made of; the first of them is its length."""


def in_pieces(batches: Iterable[Any], name: str) -> Iterator[Any]:
    """Batches of few rows and few bytes of names; InputError for a row that is a bomb by itself.

    Dictionaries and views give a long name to many rows in a few bytes; every other type takes
    what it holds.
    """
    first_row = 1
    for batch in batches:
        for start in range(0, max(batch.num_rows, 1), ROWS):
            rows = batch.slice(start, ROWS)
            for first, last in _pieces(rows, name, first_row + start):
                yield rows.slice(first, last - first)
        first_row += batch.num_rows


def _pieces(batch: Any, name: str, first_row: int) -> Iterator[tuple[int, int]]:
    """The rows of each piece: the first one, and the one behind the last."""
    sizes = np.zeros(batch.num_rows, dtype=np.int64)
    for column in batch.columns:
        lengths = _shared_lengths(column)
        if lengths is not None:
            sizes += lengths
    if sizes.sum() <= BYTES:
        yield 0, batch.num_rows
        return
    too_long = np.flatnonzero(sizes > LONGEST_LINE)
    if len(too_long):
        raise InputError(
            f"the names of the row take more than {LONGEST_LINE >> 20} MB",
            place=f"{name}:{first_row + too_long[0]}",
            remedy="check that the right columns are read; a topic and a docno are short names",
        )
    ends, first = np.cumsum(sizes), 0
    while first < len(sizes):
        before = ends[first - 1] if first else 0
        last = max(int(np.searchsorted(ends, before + BYTES, "right")), first + 1)
        yield first, last
        first = last


def _shared_lengths(column: Any) -> Integers | None:
    """Return the bytes of each row written out; None if the rows are written out already."""
    found = lengths_of(column) if _is_view(column.type) else None
    if pa.types.is_dictionary(column.type):
        found = lengths_of(column.dictionary)
        if found is not None and len(found):
            found = found[as_numpy(_filled(column.indices.cast(pa.int64()), 0), np.int64)]
    if found is None or len(found) != len(column):
        return None
    known = as_numpy(column.is_valid().cast(pa.uint8()), np.bool_)
    return np.where(known, found, 0)


def lengths_of(column: Any) -> Integers | None:
    """Return the number of bytes of each name; None if the column is no text."""
    if _is_view(column.type):
        views = np.frombuffer(column.buffers()[1] or b"", dtype=np.int32)[::VIEW]
        return views[column.offset :][: len(column)].astype(np.int64)
    if not _is_text(column.type):
        return None
    lengths_or_null = pc.binary_length(column).cast(pa.int64())
    return as_numpy(_filled(lengths_or_null, 0), np.int64)


def as_text(column: Any) -> Any:
    """Return names as binary, from text or integers, in dictionaries or not; None if neither."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        names = as_text(column.dictionary)
        return None if names is None else names.take(column.indices)
    if pa.types.is_integer(kind):
        return column.cast(pa.string()).cast(pa.binary())
    if pa.types.is_fixed_size_binary(kind):
        return column.cast(pa.binary())
    if not (_is_text(kind) or _is_view(kind)):
        return None
    large = pa.types.is_large_string(kind) or pa.types.is_large_binary(kind)
    return column.cast(pa.large_binary() if large else pa.binary())


def as_any_text(column: Any) -> Any:
    """Return any values that have a text, such as ranks that are floats; None for other types."""
    found = as_text(column)
    if found is None and (
        pa.types.is_null(column.type)
        or pa.types.is_primitive(column.type)
        or pa.types.is_decimal(column.type)
    ):
        found = column.cast(pa.string()).cast(pa.binary())
    return found


def as_numbers(column: Any, *, truth_values: bool = False) -> Floats | None:
    """Return numbers as float64, NaN where one is missing; None for other types.

    False and True are 0 and 1 if `truth_values` are taken.
    """
    kind = column.type
    if pa.types.is_boolean(kind) and truth_values:
        column = column.cast(pa.uint8())
        kind = column.type
    if pa.types.is_dictionary(kind):
        values = as_numbers(column.dictionary, truth_values=truth_values)
        if values is None:
            return None
        # Of an index that is missing, the number behind the last one.
        indices = _filled(column.indices.cast(pa.int64()), len(values))
        return np.append(values, np.nan)[as_numpy(indices, np.int64)]
    if pa.types.is_decimal(kind):
        column = column.cast(pa.string())  # Arrow's own conversion is off by a last bit
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        return None
    return as_numpy(_filled(column.cast(pa.float64(), safe=False), float("nan")), np.float64)


def _filled(column: Any, value: float) -> Any:
    return pc.fill_null(column, value)


def _is_text(kind: Any) -> bool:
    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
    )


def _is_view(kind: Any) -> bool:
    return str(kind) in ("string_view", "binary_view")


FEW_ROWS, SOME_ROWS = 1 << 6, 1 << 10
"""Rows at once of names that share their beginnings: a few if the first ones are long."""

SHORT = 1 << 8
"""Bytes of a row of short names, on average."""

PIECE = 1 << 16
"""Bytes read at once to look at the dictionary of a column."""


def batches_of(source: Any, file: ParquetFile, names: Sequence[str]) -> Iterator[Any]:
    """Yield some columns of a Parquet file, in batches of about ROWS rows and few bytes.

    What the file says of its columns is not asked: where that is damaged, pyarrow ends the process.
    """
    texts = [name for name in names if _is_folded(file.schema_arrow.field(name).type)]
    folded = ParquetFile(source, metadata=file.metadata, read_dictionary=texts, buffer_size=PIECE)

    def batches() -> Iterator[Any]:
        for group in range(file.num_row_groups):
            rows = _rows_at_once(file, folded, group, texts) if texts else ROWS
            yield from file.iter_batches(
                batch_size=rows, row_groups=[group], columns=names, use_threads=False
            )

    pending: list[Any] = []
    n_rows = n_bytes = 0
    for batch in batches():
        pending.append(batch)
        n_rows += batch.num_rows
        n_bytes += batch.nbytes
        if n_rows >= ROWS or n_bytes >= BYTES:
            yield from _together(pending)
            pending, n_rows, n_bytes = [], 0, 0
    yield from _together(pending)


def _together(batches: Sequence[Any]) -> Sequence[Any]:
    """Return the rows of some batches as one batch."""
    if len(batches) < 2:
        return batches
    found: list[Any] = pa.Table.from_batches(batches).combine_chunks().to_batches()
    return found


def _rows_at_once(file: ParquetFile, folded: ParquetFile, group: int, texts: Sequence[str]) -> int:
    """Return the number of rows of a row group that take about BYTES when written out.

    The first row brings a dictionary along, whose names any row may have. Other names take as many
    bytes in the file; those that share their beginnings are not read as a dictionary.
    """
    how = {"row_groups": [group], "columns": texts, "use_threads": False}
    try:
        batch = next(folded.iter_batches(1, **how), None)
    except (pa.ArrowException, OSError):
        first = next(file.iter_batches(FEW_ROWS, **how), None)
        return SOME_ROWS if first is None or first.nbytes <= FEW_ROWS * SHORT else FEW_ROWS
    longest = 0 if batch is None else sum(map(_longest, batch.columns))
    return max(min(BYTES // max(longest, 1), ROWS), 1)


def _longest(column: Any) -> int:
    """The bytes of the longest name in a dictionary."""
    if not pa.types.is_dictionary(column.type):
        return 0
    lengths = lengths_of(column.dictionary)
    return 0 if lengths is None else int(lengths.max(initial=0))


def _is_folded(kind: Any) -> bool:
    """Return True if a column has text that Arrow writes out row by row."""
    return str(kind).removeprefix("large_") in ("string", "binary", "string_view", "binary_view")
