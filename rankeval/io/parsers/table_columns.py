"""Columns of Arrow's many types, and Parquet's, as names and numbers in pieces that stay small."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow.parquet import ParquetFile

from rankeval.base.arrays import Floats
from rankeval.errors import InputError
from rankeval.io.parsers.names import Names, Texts, as_numpy

ROWS = 1 << 16
"""Rows that are made into columns at once, and"""

BYTES = 16 << 20
"""bytes of the names in them, however little of a file or of memory they take."""

MOST_OF_VIEWS = 256 << 20
"""Bytes that the names of ROWS views may take when they are written out."""


def as_names(column: Any) -> Names | None:
    """Return names, from text or integers, in dictionaries or not; None for other types.

    Those of a dictionary stay there, as a long one may be that of many rows. A missing name is
    empty.
    """
    kind = column.type
    if pa.types.is_dictionary(kind):
        names = as_names(column.dictionary)
        rows = as_numpy(pc.fill_null(column.indices.cast(pa.int64()), 0), np.int64)
        if names is None:
            return None
        found = names.view(rows) if len(names) else Names(Texts(b"", 0 * rows, 0 * rows))
    elif pa.types.is_integer(kind):
        found = Names.from_arrow(column.cast(pa.string()).cast(pa.binary()))
    elif str(kind) in ("string_view", "binary_view"):
        views = np.frombuffer(column.buffers()[1] or b"", np.int32)[::4][column.offset :]
        if views[: len(column)].sum(dtype=np.int64) > MOST_OF_VIEWS:
            raise InputError(
                f"{len(column):,} names take more than {MOST_OF_VIEWS >> 20} MB",
                remedy="check that the right column is read; a topic and a docno are short names",
            )
        found = Names.from_arrow(column.cast(pa.binary()))
    elif str(kind) in ("large_string", "large_binary"):
        found = Names.from_arrow(column.cast(pa.large_binary()))
    elif str(kind) in ("string", "binary") or pa.types.is_fixed_size_binary(kind):
        found = Names.from_arrow(column.cast(pa.binary()))
    else:
        return None
    if not column.null_count:
        return found
    known = as_numpy(column.is_valid().cast(pa.uint8()), np.bool_)
    texts = found.texts
    at, sizes = (np.where(known, one, 0) for one in (texts.starts, texts.lengths))
    return Names(Texts(texts.text, at, sizes, adjacent=False))


def as_any_names(column: Any) -> Names | None:
    """Return any values that have a text, such as ranks that are floats; None for other types."""
    kind = column.type
    found = as_names(column)
    has_text = pa.types.is_null(kind) or pa.types.is_primitive(kind) or pa.types.is_decimal(kind)
    return as_names(column.cast(pa.string())) if found is None and has_text else found


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
        indices = pc.fill_null(column.indices.cast(pa.int64()), len(values))
        return np.append(values, np.nan)[as_numpy(indices, np.int64)]
    if pa.types.is_decimal(kind):
        column = column.cast(pa.string())  # Arrow's own conversion is off by a last bit
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        return None
    return as_numpy(pc.fill_null(column.cast(pa.float64(), safe=False), float("nan")), np.float64)


AT_ONCE = 1 << 11
"""Rows that are read at once: few kilobytes of a file may hold one long name for each row."""


def batches_of(file: ParquetFile, names: Sequence[str]) -> Iterator[Any]:
    """Yield some columns of a Parquet file, in batches of about ROWS rows and few bytes.

    What the file says of its columns is not asked: where that is damaged, pyarrow ends the process.
    """
    pending: list[Any] = []
    n_rows = n_bytes = 0
    for batch in file.iter_batches(batch_size=AT_ONCE, columns=names, use_threads=False):
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
