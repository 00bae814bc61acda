"""Find the texts of some topics or documents in tables: Parquet files, and tables in memory."""

from collections.abc import Collection, Iterator
from typing import Any

from rankeval.errors import InputError
from rankeval.io.sources.blocks import display_name, pieces
from rankeval.io.texts.text_fields import Fields, Text, fields_by_name, text_of_keys

ROWS = 1 << 12
"""Rows whose texts are in memory at once."""


def in_parquet(path: str, wanted: Collection[bytes] | None) -> Iterator[tuple[bytes, Text]]:
    """Yield the texts of the wanted names, or of all, from a Parquet file.

    Of a group of rows without a wanted name, only the names are read; a file that is compressed
    from outside is read whole.
    """
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    from rankeval.io.formats.table_files import table_source

    name = display_name(path)
    try:
        with ParquetFile(table_source(path, pieces(path), name)) as file:
            fields = fields_by_name(file.schema_arrow.names, name)
            chosen = None if wanted is None else _as_strings(wanted)
            for group in range(file.num_row_groups):
                names = file.iter_batches(ROWS, row_groups=[group], columns=[fields.name])
                if chosen is None or any(_places(batch, fields, chosen) for batch in names):
                    columns = [key for key in (fields.name, fields.title, *fields.body) if key]
                    for batch in file.iter_batches(ROWS, row_groups=[group], columns=columns):
                        yield from _rows(batch, fields, chosen)
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            f"is not a readable Parquet file: {str(error).splitlines()[0]}",
            place=name,
            remedy="check that the file is complete, and write it again",
        ) from None


def in_table(table: Any, wanted: Collection[bytes], place: str) -> Iterator[tuple[bytes, Text]]:
    """Yield the texts of the wanted names from a table: pandas, Polars, pyarrow."""
    import pyarrow as pa

    try:
        whole = pa.table(table)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise InputError(
            f"is not a table of texts: {str(error).splitlines()[0]}",
            place=place,
            expected="columns such as docno, title and text",
        ) from None
    fields = fields_by_name(whole.column_names, place)
    chosen = _as_strings(wanted)
    columns = [key for key in (fields.name, fields.title, *fields.body) if key]
    for batch in whole.select(columns).to_batches(ROWS):
        yield from _rows(batch, fields, chosen)


def _as_strings(names: Collection[bytes]) -> Any:
    import pyarrow as pa

    return pa.array([name.decode("utf-8", "replace") for name in names], pa.string())


def _rows(batch: Any, fields: Fields, chosen: Any) -> Iterator[tuple[bytes, Text]]:
    if chosen is not None:
        places = _places(batch, fields, chosen)
        batch = _written_out(batch).take(places) if places else batch.slice(0, 0)
    for row in batch.to_pylist():
        yield str(row[fields.name]).encode(), text_of_keys(row, fields)


def _written_out(batch: Any) -> Any:
    """Return a batch whose texts are no views, of which Arrow takes no rows."""
    import pyarrow as pa

    columns = [
        column.cast(pa.large_string()) if column.type == pa.string_view() else column
        for column in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _places(batch: Any, fields: Fields, chosen: Any) -> list[int]:
    """Return the rows of a batch whose name is among those that are chosen."""
    import pyarrow as pa
    import pyarrow.compute as pc

    names = batch.column(batch.schema.get_field_index(fields.name)).cast(pa.string())
    found: list[int] = pc.indices_nonzero(pc.is_in(names, value_set=chosen)).to_pylist()
    return found
