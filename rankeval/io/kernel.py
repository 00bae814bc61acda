"""The functions of the compiled reader, `kernel.c`, on arrays.

They are called by ctypes, so that one library serves all Pythons; a call lets other threads go on.
Names are `Texts` of names.py. Every value is the same without them (docs/decisions.md).
"""

import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from rankeval.base.arrays import Floats, Integers, NDArray, Words, joined
from rankeval.io.kernel_library import library

MOST_FIELDS, MOST_KEPT = 16, 4
"""As in kernel.c."""


def _structure(name: str, **fields: Any) -> type[ctypes.Structure]:
    return type(name, (ctypes.Structure,), {"_fields_": list(fields.items())})


_POINTER, _INT = ctypes.c_void_p, ctypes.c_int32
_Names = _structure("_Names", text=_POINTER, start=_POINTER, size=_POINTER, hash=_POINTER)
_Judgments = _structure("_Judgments", offsets=_POINTER, docno=_POINTER, names=_Names)
_Rows = _structure(
    "_Rows",
    names=_Names,
    **dict.fromkeys(("score", "starts", "topic"), _POINTER),
    n_stretches=ctypes.c_int64,
    order=_INT,
)
_Ranked = _structure(
    "_Ranked",
    **dict.fromkeys(("row", "topic", "judgment", "rank", "tie_first", "tie_last"), _POINTER),
    repeated=_POINTER,
    **dict.fromkeys(("n_rows", "n_repeated"), ctypes.c_int64),
)
_Lines = _structure(
    "_Lines",
    topics=_Names,
    docnos=_Names,
    grades=_Names,
    offsets=_POINTER,
    docno=_POINTER,
    grade=_POINTER,
)
_Columns = _structure(
    "_Columns",
    **dict.fromkeys(("docno_start", "docno_size", "hash", "value", "rank"), _POINTER),
    **dict.fromkeys(("first", "topic_start", "topic_size", "tag_start", "tag_size"), _POINTER),
    kept=_POINTER,
    **dict.fromkeys(("n_lines", "n_stretches", "n_tags"), ctypes.c_int64),
)


def _at(array: NDArray[Any]) -> Any:
    """Return the address of an array, which the caller keeps until the call is over."""
    return _POINTER(array.ctypes.data)


def _size(number: int) -> Any:
    return ctypes.c_int64(number)


def _enough(count: int) -> int:
    """Return the result of a function; MemoryError if it says that memory ran out."""
    if count < -1:
        raise MemoryError
    return count


class ParsedLines(NamedTuple):
    """The parsed block of N lines; positions are in its text.

    The docno of each line, its hash, the number and the rank (None where none is asked for); for
    each stretch of lines with one topic its first line and the place of the topic, and for each
    with one tag the place of the tag; for each line and field that is kept, its place. Places
    are rows of (position, size).
    """

    docno: Integers
    hashes: Words
    values: Floats
    ranks: Floats | None
    first: Integers
    topic: Integers
    tag: Integers
    kept: Integers


def parse(
    text: bytes, layout: Sequence[int], n_kept: int, seeds: Sequence[int], *, ranked: bool
) -> ParsedLines | None:
    """Parse a block of whole lines; None where another parser must read them.

    `layout` is that of kernel.c, which keeps `n_kept` fields, and reads ranks if it is `ranked`.
    """
    functions = library()
    n_lines = functions.rankeval_lines(text, len(text))
    shape = np.array(layout, dtype=np.int32)
    integers = np.empty((7, n_lines), dtype=np.int64)
    hashes = np.empty(n_lines, dtype=np.uint64)
    values = np.empty(n_lines)
    ranks = np.empty(n_lines) if ranked else None
    kept = np.empty((n_kept, 2, n_lines), dtype=np.int64)
    docno_start, docno_size, *others = (row.ctypes.data for row in integers)
    out = _Columns(
        docno_start,
        docno_size,
        hashes.ctypes.data,
        values.ctypes.data,
        None if ranks is None else ranks.ctypes.data,
        *others,
        kept.ctypes.data,
        n_lines,
    )
    mixed = np.array(seeds, dtype=np.uint64)
    found, size = ctypes.byref(out), _size(len(text))
    if _enough(functions.rankeval_parse(text, size, _at(shape), _at(mixed), found)):
        return None
    docno, first = integers[:2], integers[2]
    n_stretches, n_tags = out.n_stretches, out.n_tags
    topic, tag = integers[3:5, :n_stretches].copy(), integers[5:, :n_tags].copy()
    return ParsedLines(docno, hashes, values, ranks, first[:n_stretches].copy(), topic, tag, kept)


def _names(texts: Any, hashed: Words | None, kept: list[Any]) -> Any:
    """Return names for C; `kept` gets the objects that must live as long."""
    start, size = (np.ascontiguousarray(a, dtype=np.int64) for a in (texts.starts, texts.lengths))
    kept += [start, size]
    text = np.frombuffer(texts.text, dtype=np.uint8)
    at = None if hashed is None else hashed.ctypes.data
    return _Names(text.ctypes.data, start.ctypes.data, size.ctypes.data, at)


def number(texts: Any, hashed: Words) -> tuple[Integers, Integers]:
    """Return the first row of each distinct name, and the number of each row's name."""
    kept: list[Any] = [np.ascontiguousarray(hashed)]
    n_rows = len(hashed)
    first, which = np.empty(n_rows, dtype=np.int64), np.empty(n_rows, dtype=np.int64)
    names = _names(texts, kept[0], kept)
    count = library().rankeval_number(ctypes.byref(names), _size(n_rows), _at(first), _at(which))
    return first[: _enough(count)], which


def copied(parts: Sequence[Any], rows: Integers | None = None) -> tuple[bytes, Integers]:
    """Return all names of parts, or some rows of one, end to end, and the size of each."""
    kept: list[Any] = [None if rows is None else np.ascontiguousarray(rows, dtype=np.int64)]
    every = [part.lengths if rows is None else part.lengths[rows] for part in parts]
    sizes = joined(every)
    out = bytes(int(sizes.sum()))  # which nobody else has yet, so that C may fill them
    at = ctypes.cast(ctypes.c_char_p(out), _POINTER).value or 0
    chosen = None if kept[0] is None else _at(kept[0])
    for part, own in zip(parts, every, strict=True):
        names = _names(part, None, kept)
        library().rankeval_copy(ctypes.byref(names), chosen, _size(len(own)), _POINTER(at))
        at += int(own.sum())
    return out, sizes


class PlacedJudgments(NamedTuple):
    """Judgments for looking up.

    Topic t has those from offsets[t] to offsets[t + 1]; `docno` numbers the document of each in the
    texts, of which `hashes` has the hashes.
    """

    offsets: Integers
    docno: Integers
    texts: Any
    hashes: Words


class RowsByRank(NamedTuple):
    """Judged rows by rank: topic, judgment, rank, and the first and last rank with the score.

    And the rows whose hash an earlier row of their stretch has.
    """

    rows: Integers
    topic: NDArray[np.int32]
    judgment: NDArray[np.int32]
    rank: NDArray[np.int32]
    tie_first: NDArray[np.int32]
    tie_last: NDArray[np.int32]
    repeated: Integers


def ranked(
    texts: Any,
    hashed: Words,
    starts: Integers,
    topic: Integers | None = None,
    judgments: PlacedJudgments | None = None,
    scores: Floats | None = None,
    order: int = 0,
) -> RowsByRank:
    """Rank the rows of each stretch by descending score, or as they are; keep the judged ones.

    `topic` is that of each stretch, -1 for one without judgments. Equal scores are ordered
    by docno if `order` is 1, descending if -1, and stay as they are if 0. Without judgments, only
    repeated rows are found.
    """
    kept: list[Any] = [
        np.ascontiguousarray(starts, dtype=np.int64),
        np.ascontiguousarray(starts[1:] * 0 - 1 if topic is None else topic, dtype=np.int64),
        np.ascontiguousarray(hashed),
        None if scores is None else np.ascontiguousarray(scores),
    ]
    starts, topic, hashed, scores = kept
    of_rows = _Rows(
        _names(texts, hashed, kept),
        None if scores is None else scores.ctypes.data,
        starts.ctypes.data,
        kept[1].ctypes.data,
        len(starts) - 1,
        order,
    )
    judged = None
    if judgments is not None:
        kept += [np.ascontiguousarray(array) for array in (*judgments[:2], judgments.hashes)]
        offsets, docno, marks = kept[-3:]
        names = _names(judgments.texts, marks, kept)
        judged = ctypes.byref(_Judgments(offsets.ctypes.data, docno.ctypes.data, names))
    n_rows = len(hashed)
    rows, repeated = (np.empty(n_rows, dtype=np.int64) for _ in range(2))
    numbers = np.empty((5, n_rows), dtype=np.int32)
    out = _Ranked(rows.ctypes.data, *(row.ctypes.data for row in numbers), repeated.ctypes.data)
    _enough(library().rankeval_rank(ctypes.byref(of_rows), judged, ctypes.byref(out)))
    of, judgment, rank, first, last = numbers[:, : out.n_rows].copy()
    again = repeated[: out.n_repeated].copy()
    return RowsByRank(rows[: out.n_rows].copy(), of, judgment, rank, first, last, again)


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
    n_topics = len(topics.starts)
    sizes = docnos.lengths[docno] + grades.lengths[grade]
    sizes = sizes + np.repeat(topics.lengths + 1, np.diff(offsets))
    ends = np.concatenate(([0], np.cumsum(sizes)))[offsets]
    out = np.empty(int(ends[-1]), dtype=np.uint8)
    spare = np.empty(int(np.diff(ends).max(initial=0)), dtype=np.uint8)
    kept: list[Any] = [np.ascontiguousarray(a, dtype=np.int64) for a in (offsets, docno, grade)]
    names = [_names(texts, None, kept) for texts in (topics, docnos, grades)]
    lines = _Lines(*names, *(array.ctypes.data for array in kept[:3]))
    _enough(library().rankeval_lines_of(ctypes.byref(lines), _size(n_topics), _at(out), _at(spare)))
    return out.data, ends
