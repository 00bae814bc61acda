"""JSON, Parquet and Arrow as formats; their readers and writers are imported when needed."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from rankeval.io.formats import trec
from rankeval.io.formats.file_format import (
    Beginning,
    FileFormat,
    Form,
    LaidOutLines,
    Limits,
    NameRule,
)
from rankeval.io.parsers.column_names import ContentGuess, unread_columns
from rankeval.io.parsers.columns import Columns
from rankeval.io.sources.blocks import display_name, is_rereadable, whole_lines


def begins_as_json(line: bytes) -> bool:
    """Return True if a line begins with a bracket and goes on as JSON does."""
    line = line.lstrip()
    opening, rest = line[:1], line[1:].lstrip()
    if opening not in (b"{", b"["):
        return False
    return not rest or rest[:1] in ((b'"', b"}") if opening == b"{" else (b"{", b"]"))


def is_json_lines(line: bytes, _form: Form) -> bool:
    """Return True for a whole object of plain values in one line."""
    if not begins_as_json(line):
        return False
    from rankeval.io.formats import json_lines

    return json_lines.is_object(line) or _holds_nuggets(line) or bool(_lists_of_ids(line))


def _lists_of_ids(line: bytes) -> list[str]:
    """Return "qrels", "run" or both for an object of a topic with lists of docnos."""
    from rankeval.io.formats import ranked_ids

    return ranked_ids.kinds_of(line)


def _holds_nuggets(line: bytes) -> bool:
    """Return True for the nuggets of a topic, which count as judgments of the topic."""
    from rankeval.io.formats import nugget_records

    return nugget_records.holds_nuggets(line)


def is_json(line: bytes, form: Form) -> bool:
    """Return True for the beginning of JSON that is not JSON Lines."""
    return begins_as_json(line) and not is_json_lines(line, form)


def read_json(path: str, begun: Beginning, form: Form) -> Iterator[Columns]:
    """Read a whole file when it is asked for."""
    from rankeval.io.formats import json_files

    return json_files.columns(begun.whole, form, display_name(path))


def read_json_lines(path: str, begun: Beginning, form: Form) -> LaidOutLines | Iterator[Columns]:
    """Lay out the objects of a file, one per line; take nuggets of topics as judgments."""
    if not begun.line:
        return trec.read(path, begun, form)
    if form.what == "qrels" and _holds_nuggets(begun.line):
        from rankeval.io.formats import nugget_records

        return nugget_records.judged_nuggets(begun.whole, path)
    if form.what in _lists_of_ids(begun.line):
        from rankeval.io.formats import ranked_ids

        return ranked_ids.columns_of_lines(begun.whole, form, path)
    from rankeval.io.formats import json_lines

    place = display_name(path)
    layout = json_lines.layout(begun.line, form.what, form.columns, place, form.fixed)
    return LaidOutLines(form.with_ranks(layout), whole_lines(begun.whole, path))


def _write_json(way: str, what: str, parts: Iterator[Columns]) -> Iterator[bytes]:
    from rankeval.io.formats import json_files

    written: Iterator[bytes] = getattr(json_files, way)(what, parts)
    return written


def guess(begun: Beginning, _path: str, given: Mapping[str, str]) -> ContentGuess | None:
    """Guess from the first object or number of JSON."""
    if begun.line.lstrip()[:1] not in (b"{", b"["):
        return None
    if _holds_nuggets(begun.line):
        return ContentGuess("qrels", certain=True)
    if kinds := _lists_of_ids(begun.line):
        return ContentGuess(kinds[0], certain=len(kinds) == 1)
    from rankeval.io.formats import json_lines

    return json_lines.guess(b"".join(begun.head), given)


def unread_keys(_path: str, begun: Beginning, form: Form) -> Sequence[str]:
    """Describe the keys of no known meaning."""
    if _holds_nuggets(begun.line) or _lists_of_ids(begun.line):
        return ()
    from rankeval.io.formats import json_lines

    names = list(json_lines.load(begun.line))
    return unread_columns(names, form.what, form.columns, form.fixed)


JSON = FileFormat(
    "json",
    Limits(NameRule.UNICODE, kinds=("run", "qrels"), roles=frozenset()),
    read_json,
    partial(_write_json, "write_json"),
    suffixes=(".json",),
    recognises=is_json,
    guess=guess,
)
JSONL = FileFormat(
    "jsonl",
    Limits(NameRule.UNICODE),
    read_json_lines,
    partial(_write_json, "write_json_lines"),
    suffixes=(".jsonl", ".ndjson"),
    recognises=is_json_lines,
    guess=guess,
    unread=unread_keys,
)


def _read(kind: str, path: str, begun: Beginning, form: Form) -> Iterator[Columns]:
    from rankeval.io.formats import table_files as tables

    return tables.columns(kind, path, begun.whole, form, display_name(path))


def _write(kind: str, what: str, parts: Iterator[Columns]) -> Iterator[bytes]:
    from rankeval.io.formats import table_files

    return table_files.write(kind, what, parts)


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
