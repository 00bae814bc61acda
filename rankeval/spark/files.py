"""Files of runs and judgments that Spark reads: Parquet, ORC and TREC's lines, in parts or not."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from rankeval.errors import InputError, UsageError
from rankeval.io import trec
from rankeval.io.blocks import first_bytes
from rankeval.io.form import Form
from rankeval.io.line_errors import LineError
from rankeval.io.parts import files_of, first_file, is_in_parts, is_remote
from rankeval.io.plain_parser import parse
from rankeval.spark.work import Batches

TABLES = {"parquet": b"PAR1", "orc": b"ORC"}
"""Formats of tables that Spark reads, and their first bytes."""

COMPRESSED = (".gz", ".bz2", ".zst", ".lz4")
COLUMNS = "topic binary, docno binary, value double, more binary, rank double"


def frame_of(session: Any, path: str, form: Form) -> Any:
    """Return the DataFrame of a file, a folder or a glob; InputError for what Spark cannot read.

    Names of folders such as topic=7 are columns.
    """
    kind = _kind(path, form)
    if is_remote(path):
        files, base = [path], None
    else:
        files = [str(Path(file).resolve()) for file in files_of(path)]
        for file in files:
            first_bytes(file, 1)  # tells of a file that is not there, or not to be read
        base = _base(path)
    if kind == "lines":
        return _lines(session, files, form)
    reader = session.read if base is None else session.read.option("basePath", base)
    return getattr(reader, kind)(*files) if kind == "parquet" else reader.orc(files)


def _kind(path: str, form: Form) -> str:
    """Return parquet, orc or lines."""
    if form.name is not None:
        kind = {"parquet": "parquet", "orc": "orc", "trec": "lines"}.get(form.name.lower())
    elif is_remote(path):
        kind = next((kind for kind in TABLES if f".{kind}" in path), None)
        kind = kind or ("lines" if path.rpartition(".")[2] in form.what else "parquet")
    else:
        file = first_file(path)
        begun = first_bytes(file, 4)
        kind = next((kind for kind, magic in TABLES.items() if begun.startswith(magic)), None)
        if kind is None and (file.endswith(COMPRESSED) or _is_trec(begun, file, form)):
            kind = "lines"
    if kind is None:
        raise UsageError(
            "Spark is given Parquet, ORC and TREC's lines only",
            place=path,
            remedy="write it as Parquet: rankeval convert IN OUT.parquet",
        )
    return kind


def _is_trec(begun: bytes, file: str, form: Form) -> bool:
    """Return True for lines with the fields of TREC's format."""
    with Path(file).open("rb") as opened:
        lines = (line for line in opened if line.strip() and not line.startswith(b"#"))
        fields = next(lines, b"").split()
    return b"\0" not in begun and len(fields) >= len(trec.LAYOUTS[form.what].fields)


def _base(path: str) -> str | None:
    """Return the folder above folders whose names are columns; None for one file."""
    if not is_in_parts(path) or " + " in path:
        return None
    folder = Path(path)
    while not folder.is_dir():
        folder = folder.parent
    return str(folder.resolve())


def _lines(session: Any, files: list[str], form: Form) -> Any:
    """Return lines of TREC's format as columns, parsed in the workers as on one machine."""
    from pyspark.sql import functions

    if form.problems is not None:
        raise UsageError(
            "wrong lines cannot be skipped where Spark reads them",
            remedy="leave out --on-error skip, or write the file as Parquet before",
        )
    text = session.read.text(files).select(
        functions.col("value").cast("binary").alias("line"),
        functions.input_file_name().alias("file"),
    )
    parsed = text.mapInArrow(partial(columns_of_lines, form=replace(form, begun=None)), COLUMNS)
    value, more = ("grade", "iteration") if form.what == "qrels" else ("score", "tag")
    names = {"value": value, "more": more}
    wanted = ["topic", "docno", "value", "more", *(["rank"] if form.ranks else [])]
    return parsed.select(*(functions.col(name).alias(names.get(name, name)) for name in wanted))


def columns_of_lines(batches: Batches, *, form: Form) -> Iterator[Any]:
    """Yield the fields of lines as columns; InputError for a line that is wrong."""
    layout = trec.layout(b"", replace(form, label=trec.SUBTOPIC))
    if form.what == "run":
        layout = replace(layout, kept=(("tag", 5),))
    for batch in batches:
        if not batch.num_rows:
            continue
        lines = batch.column(0).to_pylist()
        try:
            columns = parse(b"\n".join(lines) + b"\n", layout, "", 1)
        except LineError as error:
            raise InputError(
                error.problem,
                place=batch.column(1)[error.line - 1].as_py(),
                expected=error.expected,
                remedy=error.remedy,
            ) from None
        sizes = [
            stop - start for start, stop in zip(columns.starts, columns.starts[1:], strict=False)
        ]
        topics = [
            topic for topic, size in zip(columns.topics, sizes, strict=True) for _ in range(size)
        ]
        label = "tag" if form.what == "run" else trec.SUBTOPIC
        ranks = columns.ranks
        yield pa.RecordBatch.from_arrays(
            [
                pa.array(topics, pa.binary()),
                pa.array(columns.docnos.tolist(), pa.binary()),
                pa.array(columns.values, pa.float64()),
                pa.array(columns.kept[label].tolist(), pa.binary()),
                pa.nulls(len(columns), pa.float64()) if ranks is None else pa.array(ranks),
            ],
            ["topic", "docno", "value", "more", "rank"],
        )
