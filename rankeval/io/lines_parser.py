"""Parse lines at once by the compiled reader, or one by one, where a wrong one must be named."""

import re
import struct
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Self

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.base.wording import count, quoted
from rankeval.errors import InputError
from rankeval.io.blocks import library
from rankeval.io.columns import Columns, Layout, is_number
from rankeval.io.kernel import enough, structure
from rankeval.io.names import SEEDS, Names, NumberedTopics, Texts

LEAVE_OUT = 'leave such lines out: --on-error skip, in Python on_error="skip"'
"""How to go on where a line is wrong."""


def row_of(name: str, row: int) -> str:
    """Return the place of a row of a value in memory in messages; they count from 0."""
    return f"{name}, row {row} (from 0)"


class LineError(InputError):
    """A line of a file is wrong; `kind` says how, in words that many lines may share.

    `otherwise` says how to go on without mending the line.
    """

    def __init__(
        self,
        problem: str,
        *,
        kind: str,
        name: str,
        line: int,
        expected: str = "",
        remedy: str = "",
        otherwise: str = LEAVE_OUT,
    ) -> None:
        remedy = "; or ".join(filter(None, (remedy, otherwise)))
        super().__init__(problem, place=f"{name}:{line}", expected=expected, remedy=remedy)
        self.kind = kind
        self.line = line

    def at_row(self, name: str) -> Self:
        """Name a row of a table in memory, counted from 0, as the place."""
        self.place = row_of(name, self.line - 1)
        return self


class Problems:
    """Wrong lines of a file, counted by kind; the first few of them are kept.

    Threads may add to it, in any order of lines.
    """

    def __init__(self, most: int = 10) -> None:
        self.most = most
        self.counts: Counter[str] = Counter()
        self.first: list[LineError] = []
        from threading import Lock  # not where nothing is read from a file

        self._lock = Lock()

    def add(self, errors: Iterable[LineError]) -> list[int]:
        """Count some wrong lines, in their order, and return their numbers."""
        lines: list[int] = []
        with self._lock:
            for error in errors:
                self.counts[error.kind] += 1
                if len(lines) < self.most:
                    self.first.append(error)
                lines.append(error.line)
            self.first = sorted(self.first, key=lambda e: e.line)[: self.most]
        return lines

    def clear(self) -> None:
        """Forget all, before the file is read once more."""
        self.counts.clear()
        self.first = []


MOST_FIELDS, MOST_KEPT = 16, 4
"""As in kernel.c."""


def can_part(layout: Layout) -> bool:
    """Return True for lines that the compiled reader can part."""
    is_cut = layout.split is None or len(layout.separator) == 1
    is_small = len(layout.fields) <= MOST_FIELDS and len(layout.kept) <= MOST_KEPT
    return is_cut and is_small and layout.decimal and not layout.objects


def parse_at_once(block: bytes, layout: Layout, first_line: int) -> Columns | None:
    """Parse whole lines by the compiled reader, as `parse` does; None where that must read them."""
    if layout.integers:
        return None
    every = layout.topic, layout.docno, layout.value, layout.rank, layout.tag
    places = [-1 if place is None else place for place in every]
    rules = layout.more, layout.comments, -1 if layout.split is None else layout.separator[0]
    kept = [place for _, place in layout.kept]
    shape = [len(layout.fields), *places, *rules, len(kept), *kept, *[-1] * (MOST_KEPT - len(kept))]
    n_lines = library().rankeval_lines(block, len(block))
    start, size = np.empty((2, n_lines), dtype=np.int32)
    hashes, values = np.empty(n_lines, dtype=np.uint64), np.empty(n_lines)
    ranks = None if layout.rank is None else np.empty(n_lines)
    of_topics = begin, number, _ = np.empty((3, n_lines), dtype=np.int64)
    of_names = np.empty((4, n_lines), dtype=np.int32)
    texts = np.empty((len(kept), 2, n_lines), dtype=np.int32)
    arrays = start, size, hashes, values, ranks, *of_topics, *of_names, texts
    columns = structure(*arrays, n_lines, 0, 0, 0)
    form, seeds = np.array(shape, np.int32), np.array(SEEDS, np.uint64)
    if enough(library().rankeval_parse(block, len(block), form.ctypes, seeds.ctypes, columns)):
        return None
    n_stretches, n_topics, n_tags = struct.unpack("13P4q", columns.raw)[-3:]
    names = tuple(Names(Texts(block, *of_names[:2, :n_topics])).tolist())
    tags = Names(Texts(block, *of_names[2:, :n_tags])).tolist()
    come_again = n_topics < n_stretches
    return Columns(
        topics=NumberedTopics(number[:n_stretches].copy(), names) if come_again else names,
        starts=np.append(begin[:n_stretches], n_lines),
        docnos=Names(Texts(block, start, size), hashes),
        values=0.0 - values if layout.ranked else values,
        lines=range(first_line, first_line + n_lines),
        tags=frozenset(tags),
        last_tag=tags[-1] if tags else b"",
        kept={
            role: Names(Texts(block, *own))
            for (role, _), own in zip(layout.kept, texts, strict=True)
        },
        ranks=ranks,
    )


NEWLINE = ord("\n")


def parse(
    block: bytes, layout: Layout, name: str, first_line: int, problems: Problems | None = None
) -> Columns:
    """Parse whole lines; LineError names the first line that is wrong.

    Wrong lines are added to `problems` if it is given, and the others are parsed.
    """
    lines, numbers = _data_lines(block, layout, first_line)
    try:
        return _parse_lines(lines, numbers, layout)
    except ValueError:
        # The columns of all lines are parsed together; the wrong lines are found one by one.
        every = zip(lines, numbers.tolist(), strict=True)
        found = filter(None, (wrong_line(line, layout, name, number) for line, number in every))
        if problems is None:
            raise next(found) from None
    right = np.flatnonzero(~np.isin(numbers, problems.add(found)))
    return _parse_lines([lines[i] for i in right.tolist()], numbers[right], layout)


_TEXT = re.compile(rb"^[ \t\r\v\f]*+[^\s][^\n]*", re.MULTILINE)
_DATA = re.compile(rb"^[ \t\r\v\f]*+[^#\s][^\n]*", re.MULTILINE)
"""Lines that are not empty, and those that are no comments either."""


def _data_lines(block: bytes, layout: Layout, first_line: int) -> tuple[list[bytes], Integers]:
    """Return the lines that have data, and their numbers."""
    # All at once: a little compressed data can hold millions of lines without any.
    found = list((_DATA if layout.comments else _TEXT).finditer(block))
    ends = np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == NEWLINE)
    starts = np.fromiter((line.start() for line in found), np.int64, len(found))
    return [line[0] for line in found], np.searchsorted(ends, starts) + first_line


def _parse_lines(lines: Sequence[bytes], numbers: Integers, layout: Layout) -> Columns:
    """Parse line by line, in one loop: a call per line would be slow; ValueError for wrong ones."""
    width, split = len(layout.fields), layout.split or bytes.split
    topic, docno = layout.topic, layout.docno
    fields: list[bytes] = []
    for line in lines:
        found = split(line)
        is_whole = len(found) == width or (layout.more and len(found) > width)
        if not (is_whole and found[topic] and found[docno]):
            raise ValueError
        fields += found[:width]
    columns = [fields[place::width] for place in range(width)]
    if not all(_is_integer(text) for place in layout.integers for text in columns[place]):
        raise ValueError
    values = np.ones(len(lines))
    if layout.value is not None:
        values = _numbers(columns[layout.value], layout)
    return Columns.of_rows(
        Names.from_names(columns[topic]),
        Names.from_names(columns[docno]),
        0.0 - values if layout.ranked else values,
        numbers,
        None if layout.tag is None else Names.from_names(columns[layout.tag]),
        kept={role: Names.from_names(columns[place]) for role, place in layout.kept},
        ranks=None if layout.rank is None else _numbers(columns[layout.rank], layout),
    )


def _numbers(texts: list[bytes], layout: Layout) -> Floats:
    """Read a column of numbers; ValueError if one is wrong."""
    plain = layout.decimal and b"_" not in b"".join(texts)  # what float() reads alike, and faster
    try:
        values = np.fromiter(map(float if plain else layout.number, texts), np.float64, len(texts))
    except ValueError:
        values = np.fromiter(map(layout.number, texts), np.float64, len(texts))
    if layout.finite and not np.isfinite(values).all():
        raise ValueError
    return values


def wrong_line(line: bytes, layout: Layout, name: str, number: int) -> LineError | None:
    """Return the error of a line; None if the line is right."""
    shown, width = quoted(line.strip()), len(layout.fields)
    tell = partial(LineError, name=name, line=number, expected=" ".join(layout.fields))
    try:
        fields = (layout.split or bytes.split)(line)
    except ValueError as error:
        return tell(f"{error}: {shown}", kind="cannot be split")
    if len(fields) != width and not (layout.more and len(fields) > width):
        remedy, otherwise = _of_width(line, fields, layout, is_first=number == 1)
        found = f"found {count(len(fields), 'column')}: {shown}"
        return tell(found, kind="wrong number of columns", remedy=remedy, otherwise=otherwise)
    for which, role in (layout.topic, "topic"), (layout.docno, "docno"):
        if not fields[which]:
            found = f"the {role} is empty: {shown}"
            return tell(found, kind=f"empty {role}", remedy=f"add the {role}")
    for place in layout.integers:
        if not _is_integer(fields[place]):
            role = layout.fields[place]
            found = f"the {role} {quoted(fields[place])} is not an integer"
            return tell(
                f"found {width} columns, and {found}",
                kind=f"{role} that is not an integer",
                remedy="write strata as numbers; judgments without strata have 4 columns, and "
                "names must not hold blanks",
            )
    for number_at, role in (layout.value, layout.value_name), (layout.rank, "rank"):
        if number_at is not None and _is_wrong(text := fields[number_at], layout):
            point = " with a point, not a comma" if b"," in text else ""
            remedy, otherwise = f"write the {role} as a decimal number{point}", LEAVE_OUT
            if number == 1 and layout.split is None and not any(map(is_number, fields)):
                remedy, otherwise = _of_header(layout, " ".join(layout.fields))
            return tell(
                f"{role} {quoted(text)} is not a finite number",
                kind=f"{role} that is not a finite number",
                remedy=remedy,
                otherwise=otherwise,
            )
    return None


def _is_wrong(text: bytes, layout: Layout) -> bool:
    """Return True for a field that is not a number, or none that is finite where it has to be."""
    try:
        return not np.isfinite(layout.number(text)) and layout.finite
    except ValueError:
        return True


def _is_integer(text: bytes) -> bool:
    return text.removeprefix(b"-").isdigit()


def _are_qrels(fields: list[bytes]) -> bool:
    """Return True for topic, iteration, docno and grade, False for topic, docno, rank and score."""
    _, second, third, last = fields
    return last.lstrip(b"-").isdigit() and (is_number(second) or not is_number(third))


def _of_header(layout: Layout, names: str) -> tuple[str, str]:
    """Return the remedy for a first line that may be one of data, or of unknown names."""
    meant = f"--columns topic=NAME,docno=NAME,{layout.value_name}=NAME"
    given = f"name the columns in a first line, such as {names}"
    return f"{given}; or say what its names mean: {meant}", ""


def _of_width(
    line: bytes, fields: list[bytes], layout: Layout, *, is_first: bool
) -> tuple[str, str]:
    """Return what to do with a line of too few or too many columns."""
    what, n_fields, wanted = layout.what, len(fields), len(layout.fields)
    if (what, wanted, n_fields) == ("qrels", 4, 5):
        remedy = "judgments have 4 columns, and names must not hold blanks"
        if all(map(_is_integer, fields[3:])):
            remedy = "stratified qrels are for xinfAP, infNDCG and statAP: ask for one of them"
    elif (what, wanted, n_fields) == ("qrels", 4, 6):
        remedy = "this looks like a run: name the qrels first, then the runs"
    elif (what, wanted, n_fields) == ("run", 6, 4) and _are_qrels(fields):
        remedy = "this looks like qrels: name the qrels first, then the runs"
    elif n_fields < wanted and is_first and (n_fields in (3, 4) or b"," in line):
        separator = "," if b"," in line else " "
        return _of_header(layout, separator.join(("topic", "docno", layout.value_name)))
    elif n_fields < wanted:
        remedy = "add the missing column, or check that the file is complete"
    elif n_fields % wanted == 0:
        remedy = f"part the line: it has the columns of {n_fields // wanted} lines"
    else:
        blanks = "" if layout.split else ", and names must not hold blanks"
        remedy = f"remove what is too much: a line has {wanted} columns{blanks}"
    return remedy, LEAVE_OUT
