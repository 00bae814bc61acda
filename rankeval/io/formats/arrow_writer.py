"""Write the lines of a run by Arrow, column by column, as the plain writer writes them."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankeval.base.arrays import Floats
from rankeval.io.parsers.arrow_parser import ArrowDocnos, as_indices, as_names
from rankeval.io.parsers.columns import Columns, stretches

SHORTEST, LONGEST = 1e-4, 1e10
"""Between these, Arrow writes a fraction as Python does; elsewhere, one of them has an exponent."""


def run_lines(columns: Columns, constant: bytes) -> bytes | None:
    """Return lines of topic, a constant, docno, rank, score and tag; None if not Arrow's."""
    named = [columns.docnos, columns.kept["rank"], columns.kept["tag"]]
    docno, rank, tag = (one.column if isinstance(one, ArrowDocnos) else None for one in named)
    if docno is None or rank is None or tag is None:
        return None
    topic = as_names(list(columns.topics)).take(as_indices(stretches(columns)))
    parts = [topic, constant, docno, rank, number_texts(columns.values), tag]
    kind = pa.large_binary()
    columnar = [
        one.cast(kind) if isinstance(one, pa.Array) else pa.scalar(one, kind) for one in parts
    ]
    lines = pc.binary_join_element_wise(*columnar, pa.scalar(b" ", kind))
    ended = pc.binary_join_element_wise(lines, pa.scalar(b"", kind), pa.scalar(b"\n", kind))
    _, offsets, text = ended.buffers()
    bounds = np.frombuffer(offsets, dtype=np.int64)[ended.offset :][: len(ended) + 1]
    return bytes(memoryview(text)[int(bounds[0]) : int(bounds[-1])])


def number_texts(values: Floats) -> Any:
    """Return the shortest exact text of each number, as Python's repr has it."""
    found = pa.array(values).cast(pa.string()).cast(pa.binary())
    size = np.abs(values)
    other = (size < SHORTEST) | (size >= LONGEST) | (values == np.floor(values))
    if not other.any():
        return found
    texts = pa.array([b"%a" % value for value in values[other].tolist()], pa.binary())
    return pc.replace_with_mask(found, pa.array(other), texts)
