"""Files of runs and judgments that Spark reads: Parquet, ORC and lines of text, in parts or not."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rankeval.errors import UsageError
from rankeval.io.blocks import display_name, first_bytes, is_rereadable
from rankeval.io.detect_format import suffix
from rankeval.io.form import Form
from rankeval.io.formats import all_formats
from rankeval.io.parts import BETWEEN, STDIN, files_of, first_file, is_in_parts, is_remote
from rankeval.io.secrets import with_secrets
from rankeval.spark.text_files import listed, not_read, rows_of_lines, without_wildcards

TABLES = {"parquet": b"PAR1", "orc": b"ORC"}
"""Formats of tables that Spark reads, and their first bytes."""


def frame_of(session: Any, path: str, form: Form) -> Any:
    """Return the DataFrame of a file, a folder or a glob, or the rows of its lines.

    Names of folders such as topic=7 are columns. InputError for what Spark cannot read.
    """
    if not is_remote(path):
        _require_files(files_of(path))
    kind = _kind(session, path, form)
    if kind not in TABLES:
        return rows_of_lines(session, path, form)
    if is_remote(path):
        files, base = [with_secrets(address) for address in path.split(BETWEEN)], None
    else:
        files = [without_wildcards(str(Path(file).resolve())) for file in files_of(path)]
        base = _base(path)
    reader = session.read if base is None else session.read.option("basePath", base)
    return reader.parquet(*files) if kind == "parquet" else reader.orc(files)


def _require_files(paths: Sequence[str]) -> None:
    """InputError for a file that is not there; UsageError for what Spark would leave out."""
    seen = set()
    for path in paths:
        if path != STDIN:
            first_bytes(path, 1)
        if not is_rereadable(path):
            raise UsageError("is no file, and Spark reads files", place=display_name(path))
        file = Path(path).resolve()
        if file.name.startswith(("_", ".")) or ":" in file.name or not _is_utf8(str(file)):
            raise UsageError(
                "Spark reads no file of such a name",
                place=path,
                expected="UTF-8 without a colon, and neither _ nor . at the beginning",
                remedy="rename it",
            )
        if file in seen:
            raise UsageError(
                "is given twice, and Spark reads a file once", place=path, remedy="give it once"
            )
        seen.add(file)


def _is_utf8(path: str) -> bool:
    return path.encode("utf-8", "replace") == path.encode("utf-8", "surrogateescape")


def _kind(session: Any, path: str, form: Form) -> str:
    """Return parquet, orc or lines; UsageError for a format that Spark does not read."""
    if form.name is not None:
        kind = form.name.lower()
    elif is_remote(path):
        kind = _named_kind(path) or _kind_of_folder(session, path)
    else:
        begun = first_bytes(first_file(path), 4)
        kind = next((kind for kind, magic in TABLES.items() if begun.startswith(magic)), "lines")
    if kind in ("json", "arrow"):
        raise not_read(path)
    return kind


def _kind_of_folder(session: Any, path: str) -> str:
    """Return what the names of files at an address say; those that say nothing hold Parquet."""
    found = (_named_kind(file) for file in listed(session, path).inputFiles())
    return next(filter(None, found), "parquet")


def _named_kind(path: str) -> str | None:
    """Return what a name says, if it says anything."""
    for kind in TABLES:
        if f".{kind}" in path:
            return kind
    known = ((form.name, (*form.suffixes, *form.output_suffixes)) for form in all_formats())
    return next((name for name, suffixes in known if suffix(path) in suffixes), None)


def _base(path: str) -> str | None:
    """Return the folder above folders whose names are columns; None for one file."""
    if not is_in_parts(path) or BETWEEN in path:
        return None
    folder = Path(path)
    while not folder.is_dir():
        folder = folder.parent
    return str(folder.resolve())
