"""Find the lines that repeat a document of a topic, and keep one of them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress
from typing import Literal

import numpy as np

from rankeval.base.arrays import Floats, Integers, offsets_of
from rankeval.base.frozen import frozen
from rankeval.base.wording import quoted
from rankeval.io.parsers.columns import Columns, stretches
from rankeval.io.parsers.line_errors import LineError

Duplicates = Literal["refuse", "first", "last", "best"]
KEEP_FIRST = 'keep the first one: --duplicates first, in Python duplicates="first"'
LABELS = ("iteration", "group", "subgroup")
"""Columns in which lines may differ that judge the same document."""


def repeated(columns: Columns, labels: Sequence[str] = ()) -> list[tuple[int, int]]:
    """Find rows that repeat the docno of an earlier row of their topic: (earlier, later).

    Rows whose kept columns `labels` differ do not repeat each other.
    """
    pairs = columns.docnos.duplicates(columns.starts)
    if not pairs or not labels:
        return pairs
    kept = [columns.kept[label] for label in labels]
    first: dict[tuple[object, ...], int] = {}
    found = []
    for earlier, later in pairs:
        for row in earlier, later:
            key = (earlier, *(names[row] for names in kept))
            before = first.setdefault(key, row)
            if before != row:
                found.append((before, row))
    return found


@frozen
class Duplicate:
    """A document that is repeated in the ranking of a topic."""

    topic: bytes
    docno: bytes
    first_line: int
    line: int


def duplicates_of(columns: Columns, pairs: Sequence[tuple[int, int]]) -> tuple[Duplicate, ...]:
    """Return the documents that are repeated by pairs of rows, the later one last."""
    stretch = np.searchsorted(columns.starts, [later for _, later in pairs], "right") - 1
    return tuple(
        Duplicate(
            columns.topics[at],
            columns.docnos[later],
            int(columns.lines[earlier]),
            int(columns.lines[later]),
        )
        for (earlier, later), at in zip(pairs, stretch.tolist(), strict=True)
    )


def duplicate_lines(
    columns: Columns, pairs: Sequence[tuple[int, int]], name: str
) -> list[LineError]:
    """Return the error of each line that repeats a document."""
    return [duplicate_error(again, 0, name) for again in duplicates_of(columns, pairs)]


def duplicate_error(
    again: Duplicate, n_more: int, name: str, *, of_rows: bool = False
) -> LineError:
    """Return the error of a repeated document; `n_more` other lines repeat one, too.

    `of_rows` is for a table in memory, whose rows count from 0.
    """
    what, first = ("row", again.first_line - 1) if of_rows else ("line", again.first_line)
    more = f" (and {n_more} more such {what}s)" if n_more else ""
    error = LineError(
        f"document {quoted(again.docno)} is listed twice in topic {quoted(again.topic)}, "
        f"first in {what} {first}{more}",
        kind="duplicate document",
        name=name,
        line=again.line,
        expected="each document once per topic",
        remedy="keep one row of each: frame.drop_duplicates(subset=[topic, docno]) of pandas"
        if of_rows
        else "keep one line for each document of a topic",
        otherwise=KEEP_FIRST,
    )
    return error.at_row(name) if of_rows else error


def without_duplicates(
    columns: Columns, pairs: list[tuple[int, int]], rule: Duplicates, numbers: Floats | None = None
) -> Columns:
    """Keep one line of each document; `pairs` are the rows of its first and a later line.

    `numbers` are what "best" compares; by default the scores or grades.
    """
    numbers = columns.values if numbers is None else numbers
    groups: dict[int, list[int]] = {}
    for first, later in pairs:
        groups.setdefault(first, [first]).append(later)
    dropped = []
    for rows in groups.values():
        if rule == "best":
            chosen = max(rows, key=numbers.__getitem__)
        else:
            chosen = rows[0] if rule == "first" else rows[-1]
        dropped += [row for row in rows if row != chosen]
    kept = np.ones(len(columns), dtype=bool)
    kept[dropped] = False
    return rows_of_topics(columns, np.flatnonzero(kept))


def rows_of_topics(columns: Columns, rows: Integers) -> Columns:
    """Select rows, in the order of the stretches; a topic without any of them goes, too."""
    sizes = np.bincount(stretches(columns)[rows], minlength=len(columns.topics))
    there = sizes > 0
    chosen = columns.taken(rows, offsets_of(sizes[there]))
    if there.all():
        return chosen
    return replace(chosen, topics=tuple(compress(columns.topics, there.tolist())))


def without_rows(columns: Columns, rows: Integers) -> Columns:
    """Drop some rows, and topics without others."""
    if not len(rows):
        return columns
    return rows_of_topics(columns, np.delete(np.arange(len(columns)), rows))
