"""JSON, Parquet and Arrow as formats; their readers and writers are imported when needed."""

from collections.abc import Callable
from functools import partial
from typing import Any

from rankeval.io.formats.file_format import FileFormat, Form, Limits, NameRule


def _later(module: str, name: str, *first: Any) -> Callable[..., Any]:
    """Return a function of a format's module, which is imported when it is called."""

    def call(*given: Any) -> Any:
        from importlib import import_module

        function = getattr(import_module(f"rankeval.io.formats.{module}"), name)
        return function(*first, *given)

    return call


def is_json_lines(line: bytes, _form: Form) -> bool:
    """Return True for a whole object of plain values, or of a topic, in one line."""
    return _begins_as_json(line) and bool(_later("json_files", "is_first")(line))


def is_json(line: bytes, form: Form) -> bool:
    """Return True for the beginning of JSON that is not JSON Lines."""
    return _begins_as_json(line) and not is_json_lines(line, form)


def _begins_as_json(line: bytes) -> bool:
    """Return True if a line begins with a bracket and goes on as JSON does."""
    line = line.lstrip()
    opening, rest = line[:1], line[1:].lstrip()
    if opening not in (b"{", b"["):
        return False
    return not rest or rest[:1] in ((b'"', b"}") if opening == b"{" else (b"{", b"]"))


JSON = FileFormat(
    "json",
    Limits(NameRule.UNICODE, kinds=("run", "qrels"), roles=frozenset()),
    _later("json_files", "columns"),
    _later("json_files", "write_json"),
    suffixes=(".json",),
    recognises=is_json,
    guess=_later("json_files", "guess"),
)
JSONL = FileFormat(
    "jsonl",
    Limits(NameRule.UNICODE),
    _later("json_files", "read_lines"),
    _later("json_files", "write_json_lines"),
    suffixes=(".jsonl", ".ndjson"),
    recognises=is_json_lines,
    guess=_later("json_files", "guess"),
    unread=_later("json_files", "unread"),
)


def _table_format(kind: str, suffixes: tuple[str, ...], magic: tuple[bytes, ...]) -> FileFormat:
    later = partial(_later, "table_files")
    return FileFormat(
        kind.lower(),
        Limits(NameRule.UNICODE, integer_ranks=True),
        later("columns", kind),
        later("write", kind),
        suffixes=suffixes,
        magic=magic,
        guess=later("guess", kind),
        unread=later("unread", kind),
    )


PARQUET = _table_format("Parquet", (".parquet", ".pq"), (b"PAR1",))
ARROW = _table_format("Arrow", (".arrow", ".feather", ".ipc"), (b"ARROW1\0\0", b"\xff\xff\xff\xff"))
