"""Columns as rows of text, in which formats of text are written; lines of runs by Arrow."""

import math
from collections.abc import Iterator
from itertools import chain, repeat
from typing import Any

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.io.parsers.column_names import VALUES
from rankeval.io.parsers.columns import Columns, stretches

FIELDS = {
    "run": ("topic", "docno", "rank", "score", "tag"),
    "qrels": ("topic", "iteration", "docno", "stratum", "grade"),
}
"""The order of columns in formats that name them."""

Rows = dict[str, list[bytes]]
"""Columns by their roles, with one item per line."""


def rows_of(what: str, columns: Columns) -> Rows:
    """Return every column as text, one item per line."""
    sizes = (columns.starts[1:] - columns.starts[:-1]).tolist()
    topics = chain.from_iterable(map(repeat, columns.topics, sizes))
    return {
        "topic": list(topics),
        "docno": columns.docnos.tolist(),
        VALUES[what]: numbers_of(what, columns),
        **{role: names.tolist() for role, names in columns.kept.items()},
    }


def every_rows(what: str, parts: Iterator[Columns]) -> Iterator[Rows]:
    """Return the rows of each part in turn."""
    return map(rows_of, repeat(what), parts)


def numbers_of(what: str, columns: Columns) -> list[bytes]:
    """Return scores or grades as the shortest exact text; whole grades without a point.

    A grade that a sampled document lacks is an empty text.
    """
    if what == "run":
        return [b"%a" % value for value in columns.values.tolist()]
    return [*map(_grade_text, columns.values.tolist())]


def _grade_text(value: float) -> bytes:
    if value.is_integer():
        return b"%d" % value
    return b"" if math.isnan(value) else b"%a" % value


def lines_of_fields(
    fields: tuple[str, ...], separator: bytes, rows: Rows, constants: dict[str, bytes]
) -> bytes:
    """Return lines of fields; `constants` fills the fields that are no columns."""
    columns = [
        repeat(constants[name]) if name not in rows and name in constants else rows[name]
        for name in fields
    ]
    return b"\n".join([*map(separator.join, zip(*columns, strict=False)), b""])


SHORTEST, LONGEST = 1e-4, 1e10
"""Between these, Arrow writes a fraction as Python does; elsewhere, one of them has an exponent."""


def arrow_lines(columns: Columns, constant: bytes) -> bytes | None:
    """Return lines of topic, a constant, docno, rank, score and tag; None if not from a parser."""
    kept = [columns.kept[role] for role in ("rank", "tag") if role in columns.kept]
    every: list[Any] = [columns.docnos, *kept]
    if len(every) < 3 or not all(hasattr(column, "as_arrow") for column in every):
        return None
    docno, rank, tag = (column.as_arrow() for column in every)
    import pyarrow as pa
    import pyarrow.compute as pc

    from rankeval.io.parsers.names import Names, integers_as_arrow

    topic = (
        Names.from_names(list(columns.topics))
        .as_arrow()
        .take(integers_as_arrow(stretches(columns)))
    )
    parts = [topic, constant, docno, rank, number_texts(columns.values), tag]
    kind = pa.large_binary()
    columnar = [
        part.cast(kind) if isinstance(part, pa.Array) else pa.scalar(part, kind) for part in parts
    ]
    lines = pc.binary_join_element_wise(*columnar, pa.scalar(b" ", kind))
    ended = pc.binary_join_element_wise(lines, pa.scalar(b"", kind), pa.scalar(b"\n", kind))
    _, offsets, text = ended.buffers()
    bounds = np.frombuffer(offsets, dtype=np.int64)[ended.offset :][: len(ended) + 1]
    return bytes(memoryview(text)[int(bounds[0]) : int(bounds[-1])])


def number_texts(values: Floats) -> Any:
    """Return the shortest exact text of each number, as Python's repr has it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found = pa.array(values).cast(pa.string()).cast(pa.binary())
    size = np.abs(values)
    other = (size < SHORTEST) | (size >= LONGEST) | (values == np.floor(values))
    if not other.any():
        return found
    texts = pa.array([b"%a" % value for value in values[other].tolist()], pa.binary())
    return pc.replace_with_mask(found, pa.array(other), texts)
