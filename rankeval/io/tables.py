"""Parquet and Arrow (Feather): tables of columns, read some ten thousand rows at once."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankeval.errors import InputError
from rankeval.io.arrow import ArrowDocnos, as_numpy
from rankeval.io.columns import Columns
from rankeval.io.conventions import KEPT, roles_of, value_role
from rankeval.io.json_mapping import whole
from rankeval.io.source import is_rereadable

ROWS = 1 << 16


def columns(
    kind: str, path: str, data: Iterable[bytes], what: str, given: Mapping[str, str], name: str
) -> Iterator[Columns]:
    """Read a table in batches; InputError for a file or a row that cannot be used."""
    try:
        schema, batches = _opened(kind, _source(path, data, name))
        roles = roles_of(schema.names, what, given, name)
        yield from _blocks(batches(sorted(set(roles.values()))), schema.names, roles, what, name)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(
            f"is no readable {kind} file: {_reason(error)}",
            place=name,
            remedy="check that the file is complete, and write it again",
        ) from None


def columns_in_memory(table: Any, what: str, given: Mapping[str, str]) -> Iterator[Columns]:
    """Take a table, or arrays by the names of their columns; InputError as for a file."""
    try:
        whole = pa.table(table)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise InputError(
            f"is no table of topics, docnos and numbers: {_reason(error)}",
            place=what,
            remedy="give the columns that matter only, with one type in each",
        ) from None
    roles = roles_of(whole.column_names, what, given, what)
    names = [whole.column_names[i] for i in sorted(set(roles.values()))]
    batches = whole.select(names).to_batches(max_chunksize=ROWS)
    yield from _blocks(batches, whole.column_names, roles, what, what)


def schema_of(name: str, path: str) -> dict[str, str]:
    """The columns of a table and their types; nothing for a file that is none."""
    try:
        schema, _ = _opened("Parquet" if name == "parquet" else "Arrow", pa.OSFile(path))
    except (pa.ArrowException, OSError, ValueError):
        return {}  # reading it tells what is wrong
    return {field.name: str(field.type) for field in schema}


def _blocks(
    batches: Iterable[Any], names: list[str], roles: Mapping[str, int], what: str, name: str
) -> Iterator[Columns]:
    first_row = 1
    for batch in batches:
        batch.validate(full=True)  # offsets that lie would be followed out of the buffer
        if batch.num_rows:
            yield _columns(batch, names, roles, what, name, first_row)
            first_row += batch.num_rows


def _reason(error: Exception) -> str:
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__


def _source(path: str, data: Iterable[bytes], name: str) -> Any:
    """The file itself if it is one and not compressed, otherwise its bytes."""
    iterator = iter(data)
    first = next(iterator, b"")
    if is_rereadable(path):
        with Path(path).open("rb") as file:
            same = file.read(8) == first[:8]
        if same:
            return pa.OSFile(path)
    from itertools import chain

    return pa.BufferReader(whole(chain([first], iterator), name, "a table"))


def _opened(kind: str, source: Any) -> tuple[Any, Any]:
    if kind == "Parquet":
        from pyarrow import parquet

        file = parquet.ParquetFile(source)
        schema = file.schema_arrow

        def batches(fields: list[int]) -> Iterator[Any]:
            names = [schema.names[i] for i in fields]
            return file.iter_batches(batch_size=ROWS, columns=names, use_threads=False)

        return schema, batches
    from pyarrow import ipc

    if source.read(6) == b"ARROW1":
        source.seek(0)
        reader = ipc.open_file(source)

        def batches_of_file(fields: list[int]) -> Iterator[Any]:
            for number in range(reader.num_record_batches):
                yield reader.get_batch(number).select([reader.schema.names[i] for i in fields])

        return reader.schema, batches_of_file
    source.seek(0)
    stream = ipc.open_stream(source)

    def batches_of_stream(fields: list[int]) -> Iterator[Any]:
        for batch in stream:
            yield batch.select([stream.schema.names[i] for i in fields])

    return stream.schema, batches_of_stream


def _columns(
    batch: Any, names: list[str], roles: Mapping[str, int], what: str, name: str, first_row: int
) -> Columns:
    value_name = value_role(what, roles)

    def column(role: str) -> Any:
        return batch.column(batch.schema.get_field_index(names[roles[role]]))

    def text(role: str) -> Any:
        found = _text(column(role))
        if found is None:
            raise InputError(
                f"column {names[roles[role]]!r} is of the type {column(role).type}",
                place=name,
                expected=f"text or integers as {role}",
            )
        return found

    topics, docnos = text("topic"), text("docno")
    for role, found in ("topic", topics), ("docno", docnos):
        empty = pc.fill_null(pc.equal(pc.binary_length(found), 0), fill_value=True)
        row = pc.index(empty, value=True).as_py()
        if row >= 0:
            raise InputError(f"the {role} is empty", place=f"{name}:{first_row + row}")
    values = _numbers(column(value_name))
    if values is None:
        raise InputError(
            f"column {names[roles[value_name]]!r} is of the type {column(value_name).type}",
            place=name,
            expected=f"numbers as {value_name}",
        )
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        raise InputError(
            f"the {value_name} is {values[wrong[0]]}, or missing",
            place=f"{name}:{first_row + int(wrong[0])}",
            expected=f"finite {value_name}s",
        )
    stretches = pc.run_end_encode(topics, run_end_type=pa.int64())
    tags = text("tag") if "tag" in roles else None
    tag_names = [] if tags is None else [tag or b"" for tag in pc.unique(tags).to_pylist()]
    kept = {
        role: ArrowDocnos(pc.fill_null(text(role), b"")) for role in KEPT[what] if role in roles
    }
    return Columns(
        topics=tuple(stretches.values.to_pylist()),
        starts=np.concatenate(([0], as_numpy(stretches.run_ends, np.int64))),
        docnos=ArrowDocnos(docnos),
        values=0.0 - values if value_name == "rank" else values,
        lines=range(first_row, first_row + batch.num_rows),
        tags=frozenset(tag_names),
        last_tag=b"" if tags is None else tags[-1].as_py() or b"",
        kept=kept,
    )


def _text(column: Any) -> Any:
    """Names as binary, from text or integers, compressed as dictionaries or not."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    kind = column.type
    if pa.types.is_integer(kind):
        column = column.cast(pa.string())
    elif not (
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
        or str(kind).endswith("_view")
    ):
        return None
    return column.cast(pa.large_binary() if pa.types.is_large_string(kind) else pa.binary())


def _numbers(column: Any) -> Any:
    """Numbers as float64, NaN where one is missing."""
    kind = column.type
    if pa.types.is_boolean(kind) or not (
        pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    ):
        return None
    numbers = pc.fill_null(column.cast(pa.float64(), safe=False), float("nan"))
    return as_numpy(numbers, np.float64)
