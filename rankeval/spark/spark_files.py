"""Files of runs and judgments that Spark reads: Parquet, ORC and lines of text, in parts or not."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from rankeval.errors import InputError, UsageError
from rankeval.io.formats import trec
from rankeval.io.formats.detect_format import begin, find_format, suffix
from rankeval.io.formats.file_format import Beginning, Form, LaidOutLines
from rankeval.io.formats.formats import all_formats
from rankeval.io.parsers.column_names import VALUES
from rankeval.io.read import require_kind
from rankeval.io.read_sizes import ReadSizes
from rankeval.io.sources.addresses import refuse_secrets
from rankeval.io.sources.blocks import compression, display_name, first_bytes, is_rereadable
from rankeval.io.sources.parts import STDIN, files_of, first_file, is_remote
from rankeval.spark.frames import LEFT_OUT, Rows
from rankeval.spark.line_work import TextFile, columns_of_lines, key_of

READ = "Parquet, ORC, and lines of TREC, CSV, TSV, MS MARCO or JSON Lines"
"""The formats that Spark reads."""

BEGINNING = ReadSizes(block_bytes=1 << 16)
"""Bytes of a file that are looked at to find its layout."""

CODECS = {
    ".gz": "gzip",
    ".bz2": "bzip2",
    ".zst": "zstd",
    **dict.fromkeys((".lz4", ".snappy", ".deflate", ".xz"), "of another kind"),
}
"""The compression that Spark takes a file for, by the suffix; the others are not readable there."""

DATA = r"^\s*[^\s#]"
"""Begins a line that is neither empty nor a comment."""


def rows_of_lines(session: Any, path: str, form: Form) -> Rows:
    """Return the lines of a file, a folder or a glob as columns; InputError for a faulty file."""
    if is_remote(path):
        lines = _with_places(listed(session, path))
        files = _remote_files(lines, path, form)
    else:
        require_kind(path, form.what)
        found = [(str(Path(given).resolve()), given) for given in files_of(path)]
        files = {file: _local_file(given, file, form) for file, given in found}
        named = [f"file://{without_wildcards(file)}" for file, _ in found]
        lines = _with_places(_text(session, named))
    with_data = [file for file in files.values() if not file.empty] or [*files.values()]
    ranks = form.ranks and all(file.layout.rank is not None for file in with_data)
    value = VALUES[form.what]
    if form.what == "run":
        roles = ["tag"] if any(file.has("tag") for file in with_data) else []
    else:
        labels = (trec.SUBTOPIC, trec.STRATUM)
        roles = [label for label in labels if all(file.has(label) for file in with_data)]
    fields = [("topic", "binary"), ("docno", "binary"), (value, "double")]
    fields += [(role, "binary") for role in roles]
    fields += [("rank", "double")] if ranks else []
    fields += [(LEFT_OUT, "string")]
    work = partial(
        columns_of_lines,
        what=form.what,
        files=files,
        roles=roles,
        ranks=ranks,
        skip=form.problems is not None,
    )
    frame = lines.mapInArrow(work, ", ".join(map(" ".join, fields)))
    if trec.SUBTOPIC in roles and all(file.layout.stated for file in with_data):
        frame = frame.withColumnRenamed(trec.SUBTOPIC, "subtopic")
    tags = frame.select("tag") if "tag" in roles else None
    return Rows(form.what, path, frame, tags)


def listed(session: Any, path: str) -> Any:
    """Return the lines of all files at an address."""
    refuse_secrets(path)
    return _text(session, [path])


def _text(session: Any, paths: Sequence[str]) -> Any:
    """Return the lines of files, cut where one machine cuts them."""
    return _reader(session).option("lineSep", "\n").text(paths)


def _reader(session: Any) -> Any:
    """Return a reader of files and folders; names of folders such as topic=7 are no columns."""
    return session.read.option("recursiveFileLookup", "true")


def _with_places(text: Any) -> Any:
    """Return lines as bytes, with their file and the place in it at which Spark's task begins."""
    from pyspark.sql import functions

    return text.select(
        functions.col("value").cast("binary").alias("line"),
        functions.col("_metadata.file_path").alias("file"),
        functions.col("_metadata.file_block_start").alias("start"),
    )


def without_wildcards(path: str) -> str:
    """Return a path in which no character is a wildcard."""
    return re.sub(r"([\\{}\[\]*?])", r"\\\1", path)


def _local_file(given: str, file: str, form: Form) -> TextFile:
    """Return the facts of a local file for workers; UsageError if Spark cannot read it."""
    if CODECS.get(Path(file).suffix) != compression(given):
        raise _wrong_compression(given)
    return _text_file(given, form, begin(given, BEGINNING))


def _wrong_compression(place: str) -> UsageError:
    return UsageError(
        "Spark cannot unpack this file",
        place=place,
        expected="text as it is, or .gz, .bz2 or .zst with the compression that the name says",
        remedy="compress it anew, by gzip for instance",
    )


def _remote_files(lines: Any, path: str, form: Form) -> dict[str, TextFile]:
    """Return the facts of remote files for workers; Spark reads their first lines."""
    from pyspark.sql import functions

    found = {}
    for address in lines.inputFiles():
        if CODECS.get(Path(address).suffix, "gzip") not in ("gzip", "bzip2", "zstd"):
            raise _wrong_compression(address)
        names = [address, address.replace("file:///", "file:/")]  # Spark has both
        of_data = functions.col("line").cast("string").rlike(DATA)
        first = lines.where(functions.col("file").isin(names) & of_data)
        row = first.where(functions.col("start") == 0).select("line").first()
        line = b"" if row is None else bytes(row.line)
        begun = Beginning([line + b"\n"], b"" if b"\0" in line else line, 0, iter(()))
        found[key_of(address)] = _text_file(address, form, begun)
    if not found:
        raise InputError(
            "there is no file",
            place=path,
            expected="a file, or a folder of files whose names do not begin with _ or .",
            remedy="check the path",
        )
    return found


def _text_file(path: str, form: Form, begun: Beginning) -> TextFile:
    """Return the facts of an open file for workers."""
    label = form.label or (trec.SUBTOPIC if form.what == "qrels" else None)
    form = replace(form, begun=begun, label=label, problems=None)
    found = find_format(form, path, BEGINNING)
    if not isinstance(found, LaidOutLines):
        raise not_read(path)
    next(found.blocks, None)  # raises an error for text in another encoding
    layout = found.layout
    if layout.tag is not None:
        layout = replace(layout, kept=tuple({**dict(layout.kept), "tag": layout.tag}.items()))
    return TextFile(path, layout, found.header, not begun.line)


def not_read(place: str) -> UsageError:
    """Return the error of a file in a format that Spark is not given."""
    return UsageError(
        f"Spark is given {READ} only",
        place=place,
        remedy="write it as Parquet: rankeval convert IN OUT.parquet",
    )


TABLES = {"parquet": b"PAR1", "orc": b"ORC"}
"""Formats of tables that Spark reads, and their first bytes."""


def frame_of(session: Any, path: str, form: Form) -> Any:
    """Return the DataFrame of a file, a folder or a glob, or the rows of its lines.

    InputError for what Spark cannot read.
    """
    if not is_remote(path):
        _require_files(files_of(path))
    kind = _kind(session, path, form)
    if kind not in TABLES:
        return rows_of_lines(session, path, form)
    if is_remote(path):
        refuse_secrets(path)
        files = [path]
    else:
        files = [without_wildcards(str(Path(file).resolve())) for file in files_of(path)]
    reader = _reader(session)
    return reader.parquet(*files) if kind == "parquet" else reader.orc(files)


def _require_files(paths: Sequence[str]) -> None:
    """InputError for a missing file; UsageError for a file that Spark would leave out."""
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
    """Return the kind by the names of files at an address; Parquet if no name has one."""
    found = (_named_kind(file) for file in listed(session, path).inputFiles())
    return next(filter(None, found), "parquet")


def _named_kind(path: str) -> str | None:
    """Return the kind in a name, if it has one."""
    for kind in TABLES:
        if f".{kind}" in path:
            return kind
    known = ((form.name, (*form.suffixes, *form.output_suffixes)) for form in all_formats())
    return next((name for name, suffixes in known if suffix(path) in suffixes), None)
