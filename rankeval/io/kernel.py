"""The functions of the compiled reader, `kernel.c`, on arrays.

They are called by ctypes, so that one library serves all Pythons; a call lets other threads go on.
Names are `Texts` of names.py. Every value is the same without them (docs/decisions.md).
"""

import ctypes
import struct
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from rankeval.base.arrays import Floats, Integers, NDArray, Words, joined, offsets_of, sizes_of
from rankeval.io.blocks import library

Judgments = tuple[Integers, Integers, Any, Words]
"""Topic t has the judgments offsets[t] to offsets[t + 1]; of each the number of its document in
texts; and the hashes of these texts."""


whole = partial(np.ascontiguousarray, dtype=np.int64)
"""Makes integers those that C takes."""


def structure(*values: Any) -> Any:
    """Return a structure of C, of arrays, which it keeps, or nulls, and integers."""
    form = "".join("q" if isinstance(value, int) else "P" for value in values)
    addresses = (v if isinstance(v, int) else 0 if v is None else v.ctypes.data for v in values)
    packed = struct.pack(form, *addresses)
    made: Any = ctypes.create_string_buffer(packed, len(packed))
    made.kept = values
    return made


def enough(count: int) -> int:
    """Return the result of a function; MemoryError if it says that memory ran out."""
    if count < -1:
        raise MemoryError
    return count


def fields_of(texts: Any, hashed: Words | None = None) -> tuple[Any, ...]:
    """Return the five fields of names in structures."""
    marks = None if hashed is None else np.ascontiguousarray(hashed)
    text = np.frombuffer(texts.text, dtype=np.uint8)
    places = texts.starts, texts.lengths
    kind = np.result_type(*places, np.int32)  # or int64
    return text, *(np.ascontiguousarray(of, kind) for of in places), marks, kind.itemsize


def number(texts: Any, hashed: Words) -> tuple[Integers, Integers]:
    """Return the first row of each distinct name, and the number of each row's name."""
    first, which = (np.empty(len(hashed), dtype=np.int64) for _ in range(2))
    names = structure(*fields_of(texts, hashed))
    count = library().rankeval_number(names, len(hashed), first.ctypes, which.ctypes)
    return first[: enough(count)], which


def copied(parts: Sequence[Any], rows: Integers | None = None) -> tuple[bytes, Integers]:
    """Return all names of parts, or some rows of one, end to end, and the size of each."""
    chosen = None if rows is None else whole(rows).ctypes
    every = [part.lengths if rows is None else part.lengths[rows] for part in parts]
    sizes = joined(every)
    out = bytes(int(sizes.sum()))  # which nobody else has yet, so that C may fill them
    place = ctypes.cast(ctypes.c_char_p(out), ctypes.c_void_p).value or 0
    for part, own in zip(parts, every, strict=True):
        names = structure(*fields_of(part))
        library().rankeval_copy(names, chosen, len(own), place)
        place += int(own.sum())
    return out, sizes


def table_of(parts: Sequence[Any]) -> Any:
    """Return a structure of Columns that hold docnos, values and line numbers; None for others."""
    fields: list[Any] = []
    for part in parts:
        names, lines = part.docnos, part.lines
        if names.marks is None or part.kept or part.ranks is not None:
            return None
        numbers = (None, lines.start) if isinstance(lines, range) else (whole(lines), 0)
        values = np.ascontiguousarray(part.values)
        fields += *fields_of(names.texts, names.marks), values, *numbers
    return structure(*fields)


def gathered(table: Any, part: Integers, first: Integers, count: Integers) -> Any:
    """Return stretches of rows of such parts, one behind the other.

    Of each it is known which part it is of, its first row, and how many rows it has. Returns all
    docnos and their sizes, line numbers, hashes and values.
    """
    where = *(whole(of).ctypes for of in (part, first, count)), len(part)
    n = int(count.sum())
    text = np.empty(library().rankeval_gather(table, *where, None), dtype=np.uint8)
    sizes, lines = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int64)
    hashed, values = np.empty(n, dtype=np.uint64), np.empty(n)
    library().rankeval_gather(table, *where, structure(text, sizes, hashed, values, lines))
    return text, sizes, lines, hashed, values


def ranked(
    texts: Any,
    hashed: Words,
    starts: Integers,
    topic: Integers | None = None,
    judgments: Judgments | None = None,
    scores: Floats | None = None,
    order: int = 0,
) -> tuple[Integers, NDArray[np.int32], Integers]:
    """Rank the rows of each stretch by descending score, or as they are; keep the judged ones.

    `topic` is that of each stretch, -1 for one without judgments. Equal scores are ordered
    by docno if `order` is 1, descending if -1, and stay as they are if 0. Without judgments, only
    repeated rows are found.

    Returns the judged rows by rank; of each its topic, judgment, rank, and the first and last rank
    with its score; and the rows whose hash an earlier row of their stretch has.
    """
    topic = starts[1:] * 0 - 1 if topic is None else topic
    score = None if scores is None else np.ascontiguousarray(scores)
    arrays = *fields_of(texts, hashed), score, whole(starts), whole(topic)
    rows = structure(*arrays, len(starts) - 1, order)
    judged = None
    if judgments is not None:
        offsets, docno, names, marks = judgments
        judged = structure(offsets, docno, *fields_of(names, marks))
    found, repeated = np.empty((2, len(hashed)), dtype=np.int64)
    numbers = np.empty((5, len(hashed)), dtype=np.int32)
    out = structure(found, *numbers, repeated, 0, 0)
    enough(library().rankeval_rank(rows, judged, out))
    n_rows, n_repeated = struct.unpack("7P2q", out.raw)[-2:]
    return found[:n_rows].copy(), numbers[:, :n_rows].copy(), repeated[:n_repeated].copy()


def sorted_lines(
    topics: Any, docnos: Any, grades: Any, offsets: Integers, docno: Integers, grade: Integers
) -> tuple[memoryview, Integers]:
    """Return judgments as lines, sorted within their topics, and where the topics begin and end.

    `grades` are texts with a blank before and a newline behind the number; topic t has the
    judgments `offsets[t]` to `offsets[t + 1]`, of the documents `docno` and the grades `grade`.
    """
    sizes = docnos.lengths[docno] + grades.lengths[grade]
    ends = offsets_of(sizes + np.repeat(topics.lengths + 1, sizes_of(offsets)))[offsets]
    out = np.empty(int(ends[-1]), dtype=np.uint8)
    spare = np.empty(int(sizes_of(ends).max(initial=0)), dtype=np.uint8)
    fields = [field for texts in (topics, docnos, grades) for field in fields_of(texts)]
    lines = structure(*fields, *map(whole, (offsets, docno, grade)))
    enough(library().rankeval_lines_of(lines, len(topics.starts), out.ctypes, spare.ctypes))
    return out.data, ends
