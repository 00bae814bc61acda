"""Lines that repeat a document of a topic, or are chunks of one: keep one line for each."""

from collections.abc import Container, Sequence
from itertools import compress
from typing import Literal, NamedTuple

import numpy as np

from rankeval.base.arrays import Floats, Integers, offsets_of
from rankeval.base.frozen import replace
from rankeval.base.wording import quoted
from rankeval.errors import UsageError
from rankeval.io.columns import Columns, stretches
from rankeval.io.lines_parser import LineError
from rankeval.io.names import Names

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
    names = [columns.docnos.tolist(), *(columns.kept[label].tolist() for label in labels)]
    return Names.from_names([*map(b"\n".join, zip(*names, strict=True))]).duplicates(columns.starts)


class Duplicate(NamedTuple):
    line: int
    first_line: int
    topic: bytes
    docno: bytes


"""A document that is repeated in the ranking of a topic."""


def duplicates_of(columns: Columns, pairs: Sequence[tuple[int, int]]) -> tuple[Duplicate, ...]:
    """Return the documents that are repeated by pairs of rows, the later one last."""
    stretch = np.searchsorted(columns.starts, [later for _, later in pairs], "right") - 1
    return tuple(
        Duplicate(
            int(columns.lines[later]),
            int(columns.lines[earlier]),
            columns.topics[at],
            columns.docnos[later],
        )
        for (earlier, later), at in zip(pairs, stretch.tolist(), strict=True)
    )


def duplicate_lines(
    columns: Columns, pairs: Sequence[tuple[int, int]], name: str
) -> list[LineError]:
    """Return the error of each line that repeats a document."""
    return [duplicate_error(again, 0, name) for again in duplicates_of(columns, pairs)]


def duplicate_error(
    again: Duplicate, n_more: int, name: str, *, counted: str = "line"
) -> LineError:
    """Return the error of a repeated document; `n_more` others are repeated, too.

    `counted` is "row" for a table in memory, whose rows count from 0, and "" for other values.
    """
    first = again.first_line - (counted == "row")
    where = f", first in {counted} {first}" if counted else ""
    more = f" (and {n_more} more such {counted or 'document'}s)" if n_more else ""
    error = LineError(
        f"document {quoted(again.docno)} is listed twice in topic {quoted(again.topic)}"
        f"{where}{more}",
        kind="duplicate document",
        name=name,
        line=again.line,
        expected="each document once per topic",
        remedy=f"keep one {counted or 'place'} for each document of a topic",
        otherwise=KEEP_FIRST,
    )
    if not counted:
        error.place = name
    return error.at_row(name) if counted == "row" else error


def without_duplicates(
    columns: Columns, pairs: list[tuple[int, int]], rule: Duplicates, numbers: Floats | None = None
) -> Columns:
    """Keep one line of each document; `pairs` are the rows of its first and a later line.

    `numbers` are what "best" compares; by default the scores or grades.
    """
    numbers = columns.values if numbers is None else numbers
    chosen: dict[int, int] = {}
    for first, later in pairs:
        best = chosen.setdefault(first, first)
        if rule == "last" or (rule == "best" and numbers[later] > numbers[best]):
            chosen[first] = later
    kept = np.ones(len(columns), dtype=bool)
    kept[np.array(pairs)] = False
    kept[[*chosen.values()]] = True
    return rows_of_topics(columns, np.flatnonzero(kept))


def rows_of_topics(columns: Columns, rows: Integers) -> Columns:
    """Select rows, in the order of the stretches; a topic without any of them goes, too."""
    sizes = np.bincount(stretches(columns)[rows], minlength=len(columns.topics))
    there = sizes > 0
    topics = None if there.all() else tuple(compress(columns.topics, there.tolist()))
    return columns.taken(rows, offsets_of(sizes[there]), topics)


def without_rows(columns: Columns, rows: Integers) -> Columns:
    """Drop some rows, and topics without others."""
    if not len(rows):
        return columns
    return rows_of_topics(columns, np.delete(np.arange(len(columns)), rows))


def documents_of(regex: str, docnos: list[bytes]) -> list[bytes]:
    """Return the document of each chunk: the first group of the match, or what is left without it.

    A docno that does not match, or of which nothing is left, is a document itself. Arrow matches
    with RE2, in time that grows with a name's length, whatever the pattern; Python's own `re` tries
    all ways to match, of which there may be as many as 2 to that length.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    names = pa.array(docnos, pa.large_binary())
    try:
        whole = rf"\A(?s:.*?)(?:{regex})(?s:.*)\z"
        found = pc.replace_substring_regex(names, pattern=whole, replacement=r"\1")
    except ValueError as error:
        if "Invalid replacement" not in str(error):  # which says that there is no group
            raise
        found = pc.replace_substring_regex(names, pattern=regex, replacement="", max_replacements=1)
    return [document or docno for document, docno in zip(found.to_pylist(), docnos, strict=True)]


class Collapse(NamedTuple):
    """A rule that maps chunks to documents, by a regular expression, and their scores.

    `by` is "first": the rank of its best chunk; or "max", "sum": the greatest or the sum of the
    scores of its chunks.
    """

    regex: str
    by: str = "first"


def collapse_at(text: str) -> Collapse:
    """Return the rule of [RULE:]REGEX; UsageError for an expression that cannot be matched."""
    by, colon, regex = text.partition(":")
    rule = Collapse(regex, by) if colon and by in ("first", "max", "sum") else Collapse(text)
    try:
        documents_of(rule.regex, [b""])
    except ValueError as error:  # of Arrow, or of a text that is not UTF-8
        raise UsageError(
            f"--collapse cannot be matched in bounded time: {error}",
            expected="a regular expression without lookaround, backreferences and possessive "
            "quantifiers, repeated at most 1000 times",
            remedy=r"write it as '#\d+$'",
        ) from None
    return rule


def collapsed(
    columns: Columns,
    collapse: Collapse,
    numbers: Floats,
    ties: Sequence[Integers | Floats] = (),
    *,
    ties_open: bool = False,
) -> Columns:
    """Replace chunks by documents, at the rank of the best chunk or, by "sum", of the summed score.

    Chunks are sorted by `numbers`, descending; equal ones by `ties`, ascending, the last key
    first; then in the order of the file. With `ties_open`, documents whose best chunks tie
    tie as well.
    """
    stretch = stretches(columns)
    order = np.lexsort([*ties, -numbers, stretch])
    documents: dict[bytes, int] = {}
    code = Names.from_names(documents_of(collapse.regex, columns.docnos.tolist())).number(documents)
    key = (stretch * len(documents) + code)[order]
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    by_rank = np.argsort(first)
    rows = order[first[by_rank]]
    names = list(documents)
    best = replace(
        rows_of_topics(columns, rows),
        docnos=Names.from_names([names[i] for i in code[rows].tolist()]),
    )
    if collapse.by == "sum":
        sums = np.bincount(which, weights=columns.values[order])[by_rank]
        return replace(best, values=sums.astype(np.float64))
    if collapse.by == "max" or ties_open:
        return best
    ranks = (np.arange(1, len(rows) + 1) - best.starts[stretches(best)]).astype(np.float64)
    return replace(best, values=-ranks, ranks=None if columns.ranks is None else ranks)


SEPARATORS = (b"#", b"@", b"::", b":", b"_", b"-", b".", b"/")
"""Texts that may separate a document's name from the number of its chunk."""


def folded(name: bytes) -> bytes:
    """Return a docno in lower case and without blanks, so that misspellings become equal."""
    return b"".join(name.lower().split())


def document_of_chunk(name: bytes, documents: Container[bytes]) -> tuple[bytes, bytes] | None:
    """Return the document that a chunk is of and the separator behind it; None if there is none."""
    for separator in SEPARATORS:
        head, found, _ = name.partition(separator)
        if found and head in documents:
            return head, separator
    return None
