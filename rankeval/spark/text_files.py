"""Files of lines that Spark reads: TREC, CSV, TSV, MS MARCO and JSON Lines, each file its own.

The driver finds the layout of every file by its first line, as on one machine, and workers parse.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from rankeval.errors import InputError, UsageError
from rankeval.io import trec
from rankeval.io.blocks import compression
from rankeval.io.column_names import VALUES
from rankeval.io.detect_format import begin, find_format
from rankeval.io.file_format import LaidOutLines
from rankeval.io.form import Beginning, Form
from rankeval.io.hive import part_of
from rankeval.io.parts import BETWEEN, files_of, is_in_parts, is_remote
from rankeval.io.read_parts import require_kind
from rankeval.io.secrets import with_secrets
from rankeval.spark.frames import LEFT_OUT, Rows
from rankeval.spark.lines import TextFile, columns_of_lines, key_of

READ = "Parquet, ORC, and lines of TREC, CSV, TSV, MS MARCO or JSON Lines"
"""What Spark is given."""

BEGINNING = 1 << 16
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
    """Return the lines of a file, a folder or a glob as columns; InputError for what is wrong."""
    if is_remote(path):
        lines = _with_places(listed(session, path))
        files = _remote_files(lines, path, form)
    else:
        require_kind(path, form)
        found = [(str(Path(given).resolve()), given) for given in files_of(path)]
        files = {file: _local_file(given, file, path, form) for file, given in found}
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
    return _text(session, [with_secrets(address) for address in path.split(BETWEEN)])


def _text(session: Any, paths: Sequence[str]) -> Any:
    """Return the lines of files, cut where one machine cuts them; names of folders say nothing."""
    reader = session.read.option("lineSep", "\n").option("recursiveFileLookup", "true")
    return reader.text(paths)


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


def _local_file(given: str, file: str, path: str, form: Form) -> TextFile:
    """Return what workers have to know of a local file; UsageError if Spark cannot read it."""
    if CODECS.get(Path(file).suffix) != compression(given):
        raise _wrong_compression(given)
    return _text_file(given, form, begin(given, BEGINNING), in_parts=is_in_parts(path))


def _wrong_compression(place: str) -> UsageError:
    return UsageError(
        "Spark cannot unpack this file",
        place=place,
        expected="text as it is, or .gz, .bz2 or .zst with the compression that the name says",
        remedy="compress it anew, by gzip for instance",
    )


def _remote_files(lines: Any, path: str, form: Form) -> dict[str, TextFile]:
    """Return what workers have to know of remote files, whose first lines Spark reads."""
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
        found[key_of(address)] = _text_file(address, form, begun, in_parts=True)
    if not found:
        raise InputError(
            "there is no file",
            place=path,
            expected="a file, or a folder of files whose names do not begin with _ or .",
            remedy="check the path",
        )
    return found


def _text_file(path: str, form: Form, begun: Beginning, *, in_parts: bool) -> TextFile:
    """Return what workers have to know of a file that is open."""
    fixed = part_of(path).fixed(form.what, form.columns) if in_parts else {}
    label = form.label or (trec.SUBTOPIC if form.what == "qrels" else None)
    form = replace(form, begun=begun, fixed=fixed, label=label, problems=None)
    found = find_format(form, path, BEGINNING)
    if not isinstance(found, LaidOutLines):
        raise not_read(path)
    next(found.blocks, None)  # raises an error for text in another encoding
    layout = found.layout
    if layout.tag is not None:
        layout = replace(layout, kept=tuple({**dict(layout.kept), "tag": layout.tag}.items()))
    return TextFile(path, layout, found.header, fixed, not begun.line)


def not_read(place: str) -> UsageError:
    """Return the error of a file in a format that Spark is not given."""
    return UsageError(
        f"Spark is given {READ} only",
        place=place,
        remedy="write it as Parquet: rankeval convert IN OUT.parquet",
    )
