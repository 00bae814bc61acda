"""The work on lines of text in Spark's Python workers: parse them as on one machine.

Spark cuts files into lines; each file has its own layout, which the driver has found.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankeval.base.frozen import frozen
from rankeval.errors import InputError, placed
from rankeval.io.parsers import plain_parser
from rankeval.io.parsers.column_names import VALUES
from rankeval.io.parsers.columns import Columns, Layout
from rankeval.io.parsers.line_errors import LineError, Problems
from rankeval.io.read import fast_parser
from rankeval.io.sources.blocks import LONGEST_LINE, long_line, nul_byte
from rankeval.spark.frames import LEFT_OUT
from rankeval.spark.partition_work import Batches


@frozen(eq=False)
class TextFile:
    """A file of lines, as workers have to know it.

    ====== ================================================================
    path   its path in messages
    layout the layout of its lines
    header the line above them that names their fields; b"" without one
    empty  True where it has no line of data
    ====== ================================================================
    """

    path: str
    layout: Layout
    header: bytes
    empty: bool

    def has(self, role: str) -> bool:
        """Return True if the file has a column of names of the role."""
        return any(role == kept for kept, _ in self.layout.kept)


def key_of(address: str) -> str:
    """Return the path of a file of this machine, or another address, from the one Spark gives."""
    return re.sub("^file:/+", "/", unquote(address))


def columns_of_lines(
    batches: Batches,
    *,
    what: str,
    files: Mapping[str, TextFile],
    roles: Sequence[str],
    ranks: bool,
    skip: bool,
) -> Iterator[Any]:
    """Yield the fields of lines as columns; InputError for a line that is wrong.

    With `skip`, wrong lines are left out, and a row of its own has their number by kind.
    """
    begun: tuple[str, int] | None = None
    header, line = b"", 1
    for address, start, lines in _stretches(batches):
        file = files[key_of(address)]
        if begun != (address, start):
            begun, line = (address, start), 1
            header = file.header if start == 0 else b""
        first_line, line, above = line, line + len(lines), 0
        if header:  # only comments and empty lines are above it
            found = header in lines
            above = lines.index(header) + 1 if found else len(lines)
            header = b"" if found else header
        problems = Problems() if skip else None
        try:
            columns = _parsed(lines[above:], file.layout, first_line + above, problems)
        except LineError as error:
            # The number of a line is known where the task began with the file.
            place = file.path if start else f"{file.path}:{error.line}"
            raise placed(error, place) from None
        if columns is not None and len(columns):
            yield _batch(columns, VALUES[what], roles, ranks=ranks)
        if problems is not None and problems.counts:
            yield _batch_of_counts(problems.counts, VALUES[what], roles, ranks=ranks)


def _stretches(batches: Batches) -> Iterator[tuple[str, int, list[bytes]]]:
    """Yield adjacent lines of a piece of a file, with the file and the place of that piece."""
    for batch in batches:
        if not batch.num_rows:
            continue
        lines, files, starts = (batch.column(name) for name in ("line", "file", "start"))
        ends = {
            end
            for column in (files, starts)
            for end in pc.run_end_encode(column).run_ends.to_pylist()
        }
        first = 0
        for end in sorted(ends):
            yield files[first].as_py(), starts[first].as_py(), lines[first:end].to_pylist()
            first = end


def _parsed(
    lines: list[bytes], layout: Layout, first_line: int, problems: Problems | None
) -> Columns | None:
    """Parse lines as those of a file are parsed; None where all are empty."""
    block = b"\n".join([*lines, b""])
    if b"\0" in block or len(block) > LONGEST_LINE:
        for number, line in enumerate(lines, first_line):
            if b"\0" in line:
                raise _no_text(nul_byte(""), number)
            if len(line) > LONGEST_LINE:
                raise _no_text(long_line(""), number)
    if not block or block.isspace():
        return None
    columns = fast_parser(layout)(block, layout, first_line)
    if columns is None:
        columns = plain_parser.parse(block, layout, "", first_line, problems)
    return columns


def _no_text(error: InputError, line: int) -> LineError:
    return LineError(
        error.problem,
        kind="no text",
        name="",
        line=line,
        expected=error.expected,
        remedy=error.remedy,
    )


def _batch(columns: Columns, value: str, roles: Sequence[str], *, ranks: bool) -> Any:
    """Return columns as a batch of rows."""
    topics = pa.array(list(columns.topics), pa.binary())
    of_rows = np.repeat(np.arange(len(topics)), np.diff(columns.starts))
    arrays = {
        "topic": topics.take(pa.array(of_rows)),
        "docno": pa.array(columns.docnos.tolist(), pa.binary()),
        value: pa.array(columns.values, pa.float64()),
    }
    for role in roles:
        names = columns.kept[role].tolist() if role in columns.kept else [None] * len(columns)
        arrays[role] = pa.array(names, pa.binary())
    if ranks:
        arrays["rank"] = pa.array(columns.ranks, pa.float64())
    arrays[LEFT_OUT] = pa.nulls(len(columns), pa.string())
    return pa.RecordBatch.from_pydict(arrays)


def _batch_of_counts(
    counts: Mapping[str, int], value: str, roles: Sequence[str], *, ranks: bool
) -> Any:
    """Return the row that has the numbers of wrong lines by kind."""
    nothing = pa.array([b""], pa.binary())
    arrays = {"topic": nothing, "docno": nothing, value: pa.array([np.nan])}
    arrays |= dict.fromkeys(roles, pa.nulls(1, pa.binary()))
    if ranks:
        arrays["rank"] = pa.array([np.nan])
    arrays[LEFT_OUT] = pa.array([json.dumps(counts)])
    return pa.RecordBatch.from_pydict(arrays)
