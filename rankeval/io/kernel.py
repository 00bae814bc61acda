"""The functions of the compiled reader, `kernel.c`, on arrays.

They are called by ctypes, so that one library serves all Pythons; a call lets other threads go on.
Names are `Texts` of names.py. Every value is the same without them (docs/decisions.md).
"""

import ctypes
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from rankeval.base.arrays import Floats, Integers, NDArray, Words, joined, offsets_of, sizes_of
from rankeval.io.kernel_library import library

Judgments = tuple[Integers, Integers, Any, Words]
"""Topic t has the judgments offsets[t] to offsets[t + 1]; of each the number of its document in
texts; and the hashes of these texts."""


def structure(form: str, *values: int) -> Any:
    """Return a structure of C, of pointers (P) and integers (q, i) as `struct` writes them."""
    packed = struct.pack(form, *values)
    return ctypes.create_string_buffer(packed, len(packed))


def at(array: NDArray[Any] | None) -> int:
    """Return the address of an array, which the caller keeps until the call is over."""
    return 0 if array is None else array.ctypes.data


def enough(count: int) -> int:
    """Return the result of a function; MemoryError if it says that memory ran out."""
    if count < -1:
        raise MemoryError
    return count


def _names(texts: Any, hashed: Words | None, kept: list[Any]) -> tuple[int, ...]:
    """Return the fields of names for C; `kept` gets the arrays that must live as long."""
    text = np.frombuffer(texts.text, dtype=np.uint8)
    start, size = (np.ascontiguousarray(a, dtype=np.int64) for a in (texts.starts, texts.lengths))
    kept += [text, start, size, hashed]
    return at(text), at(start), at(size), at(hashed)


def number(texts: Any, hashed: Words) -> tuple[Integers, Integers]:
    """Return the first row of each distinct name, and the number of each row's name."""
    n_rows, kept = len(hashed), list[Any]()
    first, which = np.empty(n_rows, dtype=np.int64), np.empty(n_rows, dtype=np.int64)
    names = structure("4P", *_names(texts, np.ascontiguousarray(hashed), kept))
    count = library().rankeval_number(names, n_rows, at(first), at(which))
    return first[: enough(count)], which


def copied(parts: Sequence[Any], rows: Integers | None = None) -> tuple[bytes, Integers]:
    """Return all names of parts, or some rows of one, end to end, and the size of each."""
    chosen = None if rows is None else np.ascontiguousarray(rows, dtype=np.int64)
    every = [part.lengths if rows is None else part.lengths[rows] for part in parts]
    sizes = joined(every)
    out = bytes(int(sizes.sum()))  # which nobody else has yet, so that C may fill them
    place = ctypes.cast(ctypes.c_char_p(out), ctypes.c_void_p).value or 0
    for part, own in zip(parts, every, strict=True):
        kept: list[Any] = []
        names = structure("4P", *_names(part, None, kept))
        library().rankeval_copy(names, at(chosen), len(own), place)
        place += int(own.sum())
    return out, sizes


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
    starts = np.ascontiguousarray(starts, dtype=np.int64)
    topic = np.ascontiguousarray(starts[1:] * 0 - 1 if topic is None else topic, dtype=np.int64)
    score = None if scores is None else np.ascontiguousarray(scores)
    kept: list[Any] = []
    fields = _names(texts, np.ascontiguousarray(hashed), kept)
    rows = structure("7Pqi", *fields, at(score), at(starts), at(topic), len(starts) - 1, order)
    judged = None
    if judgments is not None:
        offsets, docno, names, marks = judgments
        fields = _names(names, np.ascontiguousarray(marks), kept)
        judged = structure("6P", at(offsets), at(docno), *fields)
    found, repeated = (np.empty(len(hashed), dtype=np.int64) for _ in range(2))
    numbers = np.empty((5, len(hashed)), dtype=np.int32)
    out = structure("7P2q", at(found), *map(at, numbers), at(repeated), 0, 0)
    enough(library().rankeval_rank(rows, judged, out))
    n_rows, n_repeated = struct.unpack("7P2q", out.raw)[-2:]
    return found[:n_rows].copy(), numbers[:, :n_rows].copy(), repeated[:n_repeated].copy()


def sorted_lines(
    topics: Any,
    docnos: Any,
    grades: Any,
    offsets: Integers,
    docno: Integers,
    grade: Integers,
) -> tuple[memoryview, Integers]:
    """Return judgments as lines, sorted within their topics, and where the topics begin and end.

    `grades` are texts with a blank before and a newline behind the number; topic t has the
    judgments `offsets[t]` to `offsets[t + 1]`, of the documents `docno` and the grades `grade`.
    """
    sizes = docnos.lengths[docno] + grades.lengths[grade]
    ends = offsets_of(sizes + np.repeat(topics.lengths + 1, sizes_of(offsets)))[offsets]
    out = np.empty(int(ends[-1]), dtype=np.uint8)
    spare = np.empty(int(sizes_of(ends).max(initial=0)), dtype=np.uint8)
    own = [np.ascontiguousarray(a, dtype=np.int64) for a in (offsets, docno, grade)]
    kept: list[Any] = []
    fields = [at for texts in (topics, docnos, grades) for at in _names(texts, None, kept)]
    lines = structure("15P", *fields, *map(at, own))
    enough(library().rankeval_lines_of(lines, len(topics.starts), at(out), at(spare)))
    return out.data, ends
