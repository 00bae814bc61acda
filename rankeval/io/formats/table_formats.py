"""Parquet and Arrow as formats; pyarrow is imported when they are read or written."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from rankeval.io.formats.file_format import FileFormat, Limits, NameRule
from rankeval.io.formats.form import Beginning, Form
from rankeval.io.parsers.column_names import ContentGuess, unread_columns
from rankeval.io.parsers.columns import Columns
from rankeval.io.sources.blocks import display_name, is_rereadable


def _read(kind: str, path: str, begun: Beginning, form: Form) -> Iterator[Columns]:
    from rankeval.io.formats import table_files as tables

    return tables.columns(kind, path, begun.whole, form, display_name(path))


def _write(kind: str, what: str, parts: Iterator[Columns]) -> Iterator[bytes]:
    from rankeval.io.formats import table_writing

    return table_writing.write(kind, what, parts)


def _guess(kind: str, _begun: Beginning, path: str, given: Mapping[str, str]) -> ContentGuess:
    """Guess from the names and types of columns; a pipe cannot be looked at."""
    if not is_rereadable(path):
        return ContentGuess("run", certain=False)
    from rankeval.io.formats import table_files as tables

    return tables.guess(kind, path, given)


def _unread(kind: str, path: str, _begun: Beginning, form: Form) -> Sequence[str]:
    """Describe the columns of no known meaning; a pipe cannot be looked at."""
    if not is_rereadable(path):
        return ()
    from rankeval.io.formats import table_files as tables

    names = list(tables.schema_of(kind, path))
    return unread_columns(names, form.what, form.columns, form.fixed)


def _table_format(kind: str, suffixes: tuple[str, ...], magic: tuple[bytes, ...]) -> FileFormat:
    return FileFormat(
        kind.lower(),
        Limits(NameRule.UNICODE, integer_ranks=True),
        partial(_read, kind),
        partial(_write, kind),
        suffixes=suffixes,
        magic=magic,
        guess=partial(_guess, kind),
        unread=partial(_unread, kind),
    )


PARQUET = _table_format("Parquet", (".parquet", ".pq"), (b"PAR1",))
ARROW = _table_format("Arrow", (".arrow", ".feather", ".ipc"), (b"ARROW1\0\0", b"\xff\xff\xff\xff"))
