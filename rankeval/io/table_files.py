"""Parquet and Arrow (Feather): tables of columns, read and written in groups of rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa

from rankeval.errors import InputError
from rankeval.io.arrow_parser import as_names, as_numbers
from rankeval.io.blocks import (
    display_name,
    first_bytes,
    is_rereadable,
    random_access,
    whole,
)
from rankeval.io.column_names import (
    KEPT,
    VALUES,
    ContentGuess,
    guess_by_names,
    roles_of,
)
from rankeval.io.columns import Columns
from rankeval.io.formats import Beginning, Form
from rankeval.io.python_values import WITHOUT_NAMES, columns_of_fields, numeric_roles
from rankeval.io.text_formats import FIELDS, rows_of

LARGEST = 1 << 30
"""Bytes of a table that is compressed as a whole, or comes through a pipe."""

ROWS = 1 << 16
"""Rows that are made into columns at once, and"""

BYTES = 16 << 20
"""bytes of the names in them, however little of a file or of memory they take."""

AT_ONCE = 1 << 11
"""Rows that are read at once: few kilobytes of a file may hold one long name for each row."""


def read(name: str, path: str, begun: Beginning, form: Form) -> Iterator[Columns]:
    """Read a table in batches; InputError for a file or a row that cannot be used.

    Rows that are wrong are left out where the form gathers what is wrong.
    """
    place = display_name(path)
    try:
        schema, batches = _opened(name, table_source(path, begun.whole, place))
        roles, wanted = _roles(schema.names, form, place)
        yield from _blocks(batches(wanted), schema.names, roles, form, place)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(
            f"is not a readable {name.title()} file: {_reason(error)}",
            place=place,
            remedy="check that the file is complete, and write it again",
        ) from None


def columns_in_memory(table: Any, form: Form) -> Iterator[Columns]:
    """Take a table, or arrays by the names of their columns; InputError as for a file."""
    try:
        whole = table if isinstance(table, pa.Table) else pa.table(table)
        roles, wanted = _roles(whole.column_names, form, form.what)
        batches = whole.select(wanted).to_batches()
        yield from _blocks(batches, whole.column_names, roles, form, "")
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise InputError(
            f"is not a table of topics, docnos and numbers: {_reason(error)}",
            place=form.what,
            remedy="give only the columns that are needed, each of one type, and text as UTF-8",
        ) from None


def _roles(names: list[str], form: Form, place: str) -> tuple[dict[str, int], list[str]]:
    """Return the place of each role among the columns, and the columns that have one."""
    roles = roles_of(names, form.what, form.columns, place, form.fixed)
    return roles, [names[at] for at in sorted(set(roles.values()))]


def guess(begun: Beginning, path: str, given: Mapping[str, str]) -> ContentGuess:
    """Guess the content of a table from the names and types of its columns."""
    try:
        schema, _ = _opened(begun.binary, random_access(path))
    except (pa.ArrowException, OSError, ValueError):  # a pipe, or what reading tells
        return ContentGuess("run", certain=False)
    first_row = ["1" if "int" in str(field.type) else "1.0" for field in schema]
    return guess_by_names(schema.names, first_row, given)


def _blocks(
    batches: Iterable[Any], names: list[str], roles: Mapping[str, int], form: Form, place: str
) -> Iterator[Columns]:
    """Yield the rows of batches in pieces; without a place, they are in memory."""
    first_row = 1
    texts = [*WITHOUT_NAMES, *(role for role in KEPT[form.what] if role in roles)]
    for batch in batches:
        batch.validate(full=True)  # offsets that lie would be followed out of the buffer
        for start in range(0, batch.num_rows, ROWS):
            rows = batch.slice(start, ROWS)
            column = partial(_column, rows, names, roles, place or form.what)
            counted = {role: column(role, numeric=True) for role in numeric_roles(roles, form)}
            found = {role: column(role) for role in texts}
            yield columns_of_fields(found, counted, {}, form, place, first_row)
            first_row += rows.num_rows


def _reason(error: Exception) -> str:
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__


def table_source(path: str, data: Iterable[bytes], name: str) -> Any:
    """Return the file itself if it is one and not compressed, otherwise its bytes."""
    iterator = iter(data)
    first = next(iterator, b"")
    if is_rereadable(path) and first_bytes(path, 8) == first[:8]:
        return random_access(path)
    return pa.BufferReader(whole(chain([first], iterator), name, "a table", LARGEST))


def _opened(name: str, source: Any) -> tuple[Any, Any]:
    """Return the schema of a table, and a function that yields batches of some columns."""
    if name == "parquet":
        from pyarrow.parquet import ParquetFile

        # What the file says of its columns is not asked: where that is damaged, pyarrow ends the
        # process.
        file = ParquetFile(source)
        rows = partial(file.iter_batches, AT_ONCE, use_threads=False)

        def pieces(names: Sequence[str]) -> Iterator[Any]:
            tables = _grouped(rows(columns=names), ROWS, BYTES)
            return chain.from_iterable(table.to_batches() for table in tables)

        return file.schema_arrow, pieces
    from pyarrow import ipc

    is_file = source.read(6) == b"ARROW1"
    source.seek(0)
    reader = (ipc.open_file if is_file else ipc.open_stream)(source)

    def batches(names: Sequence[str]) -> Iterator[Any]:
        every = map(reader.get_batch, range(reader.num_record_batches)) if is_file else reader
        return (batch.select(names) for batch in every)

    return reader.schema, batches


def _column(
    batch: Any,
    names: list[str],
    roles: Mapping[str, int],
    place: str,
    role: str,
    *,
    numeric: bool = False,
) -> Any:
    """Return a column as names or numbers; InputError for one of another type."""
    name = names[roles[role]]
    column = batch.column(batch.schema.get_field_index(name))
    try:
        if numeric:
            found: Any = as_numbers(column, truth_values=role == "grade")
        else:
            found = as_names(column, numbers=role not in WITHOUT_NAMES)
    except InputError as error:
        error.place = place
        raise
    if found is None:
        raise InputError(
            f"column {name!r} is of the type {column.type}",
            place=place,
            expected=f"{'numbers' if numeric else 'text or integers'} as {role}",
            remedy=f"write the {role} like this, or name another column with --columns {role}=NAME",
        )
    return found


GROUP = 1 << 17
"""Rows of a group: smaller groups make larger and slower files."""


def write(name: str, what: str, parts: Iterator[Columns], stream: BinaryIO) -> None:
    """Write a table; the first rows determine its columns and their types."""
    tables = _grouped((_batch(what, part) for part in parts), GROUP, LARGEST)
    first = next(tables)
    sink, schema = pa.PythonFile(stream, mode="w"), first.schema
    if name == "parquet":
        from pyarrow import parquet

        writer = parquet.ParquetWriter(sink, schema, compression="zstd")
    else:
        writer = pa.ipc.new_file(sink, schema, options=pa.ipc.IpcWriteOptions(compression="zstd"))
    with writer:
        for table in chain([first], tables):
            writer.write_table(table)


def _grouped(batches: Iterable[Any], most_rows: int, most_bytes: int) -> Iterator[Any]:
    """Yield tables of about so many rows or bytes, made of smaller pieces."""
    pending: list[Any] = []
    n_rows = n_bytes = 0
    for batch in chain(batches, [None]):
        if batch is not None:
            pending.append(batch)
            n_rows += batch.num_rows
            n_bytes += batch.nbytes
        if pending and (batch is None or n_rows >= most_rows or n_bytes >= most_bytes):
            yield pa.Table.from_batches(pending).combine_chunks()
            pending, n_rows, n_bytes = [], 0, 0


def _batch(what: str, columns: Columns) -> Any:
    """Return text, numbers for ranks and values, and integers if all grades are."""
    rows = rows_of(what, columns)
    names = [name for name in FIELDS[what] if name in rows]
    values: Any = columns.values
    # Judgments are one part, so that no later one can be of another type.
    if what != "run" and (values == np.floor(values)).all():
        values = values.astype(np.int64)
    arrays = {VALUES[what]: pa.array(values)}
    if "rank" in rows:
        arrays["rank"] = pa.array([int(rank) for rank in rows["rank"]], pa.int64())
    for name in names:
        if name not in arrays:
            arrays[name] = pa.array([text.decode() for text in rows[name]], pa.string())
    return pa.RecordBatch.from_arrays([arrays[name] for name in names], names=names)
