"""Parse line by line: small files, and blocks in which a wrong line must be named."""

import re
from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.base.wording import count, quoted
from rankeval.io.parsers.columns import Columns, Layout, PlainDocnos, is_number, stretches_of
from rankeval.io.parsers.line_errors import LEAVE_OUT, LineError, Problems

NEWLINE = ord("\n")


def parse(
    block: bytes, layout: Layout, name: str, first_line: int, problems: Problems | None = None
) -> Columns:
    """Parse whole lines; LineError names the first line that is wrong.

    Wrong lines are added to `problems` if it is given, and the others are parsed.
    """
    try:
        return _parse_lines(*_data_lines(block, layout, first_line), layout)
    except ValueError:
        # The columns of all lines are parsed together; the wrong lines are found one by one.
        lines, numbers = _data_lines(block, layout, first_line)
        every = zip(lines, numbers.tolist(), strict=True)
        found = filter(None, (wrong_line(line, layout, name, number) for line, number in every))
        if problems is None:
            raise next(found) from None
    wrong = problems.add(found)
    right = np.flatnonzero(~np.isin(numbers, wrong))
    return _parse_lines([lines[i] for i in right.tolist()], numbers[right], layout)


def _data_lines(block: bytes, layout: Layout, first_line: int) -> tuple[list[bytes], Integers]:
    """Return the lines that have data, and their numbers."""
    # All at once: a little compressed data can hold millions of lines without any.
    found = list((_DATA if layout.comments else _TEXT).finditer(block))
    ends = np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == NEWLINE)
    starts = np.fromiter((line.start() for line in found), np.int64, len(found))
    return [line[0] for line in found], np.searchsorted(ends, starts) + first_line


_TEXT = re.compile(rb"^[ \t\r\v\f]*+[^\s][^\n]*", re.MULTILINE)
_DATA = re.compile(rb"^[ \t\r\v\f]*+[^#\s][^\n]*", re.MULTILINE)
"""Lines that are not empty, and those that are no comments either."""


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
    if not all(_is_integer(text) for place in layout.integers for text in fields[place::width]):
        raise ValueError
    topics, starts = stretches_of(fields[topic::width])
    tags = [] if layout.tag is None else fields[layout.tag :: width]
    values = np.ones(len(lines))
    if layout.value is not None:
        values = _numbers(fields[layout.value :: width], layout)
    return Columns(
        topics=topics,
        starts=starts,
        docnos=PlainDocnos(fields[docno::width]),
        values=0.0 - values if layout.ranked else values,
        lines=numbers,
        tags=frozenset(tags),
        last_tag=tags[-1] if tags else b"",
        kept={role: PlainDocnos(fields[i::width]) for role, i in layout.kept},
        ranks=None if layout.rank is None else _numbers(fields[layout.rank :: width], layout),
    )


def _numbers(texts: list[bytes], layout: Layout) -> Floats:
    """Read a column of numbers; ValueError if one is wrong."""
    values = None
    if layout.decimal and b"_" not in b"".join(texts):  # what float() reads unchanged, and faster
        with suppress(ValueError):
            values = np.fromiter(map(float, texts), np.float64, len(texts))
    if values is None:
        values = np.fromiter(map(layout.number, texts), np.float64, len(texts))
    if layout.finite and not np.isfinite(values).all():
        raise ValueError
    return values


def wrong_line(line: bytes, layout: Layout, name: str, number: int) -> LineError | None:
    """Return the error of a line; None if the line is right."""
    width = len(layout.fields)
    try:
        fields = (layout.split or bytes.split)(line)
    except ValueError as error:
        return LineError(
            f"{error}: {quoted(line.strip())}",
            kind="cannot be split",
            name=name,
            line=number,
            expected=" ".join(layout.fields),
        )
    if len(fields) != width and not (layout.more and len(fields) > width):
        return _wrong_width(line, fields, layout, name, number)
    return _wrong_field(line, fields, layout, name, number)


def _wrong_field(
    line: bytes, fields: list[bytes], layout: Layout, name: str, number: int
) -> LineError | None:
    expected = " ".join(layout.fields)
    for which, role in (layout.topic, "topic"), (layout.docno, "docno"):
        if not fields[which]:
            return LineError(
                f"the {role} is empty: {quoted(line.strip())}",
                kind=f"empty {role}",
                name=name,
                line=number,
                expected=expected,
                remedy=f"add the {role}",
            )
    for place in layout.integers:
        if not _is_integer(fields[place]):
            role = layout.fields[place]
            return LineError(
                f"found {len(layout.fields)} columns, and the {role} {quoted(fields[place])} is "
                "not an integer",
                kind=f"{role} that is not an integer",
                name=name,
                line=number,
                expected=expected,
                remedy="write strata as numbers; judgments without strata have 4 columns, and "
                "names must not hold blanks",
            )
    for at, role in (layout.value, layout.value_name), (layout.rank, "rank"):
        if at is not None and _is_wrong(fields[at], layout):
            point = " with a point, not a comma" if b"," in fields[at] else ""
            remedy, otherwise = f"write the {role} as a decimal number{point}", LEAVE_OUT
            if number == 1 and layout.split is None and not any(map(is_number, fields)):
                remedy, otherwise = _of_header(layout, expected), ""
            return LineError(
                f"{role} {quoted(fields[at])} is not a finite number",
                kind=f"{role} that is not a finite number",
                name=name,
                line=number,
                expected=expected,
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


def _of_header(layout: Layout, names: str) -> str:
    """Return the remedy for a first line that may be one of data, or of unknown names."""
    return (
        f"name the columns in a first line, such as {names}; or say what its names mean: "
        f"--columns topic=NAME,docno=NAME,{layout.value_name}=NAME"
    )


def _wrong_width(
    line: bytes, fields: list[bytes], layout: Layout, name: str, number: int
) -> LineError:
    """Return the error of a line of too few or too many columns."""
    n_fields, wanted, otherwise = len(fields), len(layout.fields), LEAVE_OUT
    if layout.what == "qrels" and wanted == 4 and n_fields == 5:
        remedy = "judgments have 4 columns, and names must not hold blanks"
        if all(map(_is_integer, fields[3:])):
            remedy = "stratified qrels are for xinfAP, infNDCG and statAP: ask for one of them"
    elif layout.what == "qrels" and wanted == 4 and n_fields == 6:
        remedy = "this looks like a run: name the qrels first, then the runs"
    elif layout.what == "run" and wanted == 6 and n_fields == 4 and _are_qrels(fields):
        remedy = "this looks like qrels: name the qrels first, then the runs"
    elif n_fields < wanted and number == 1 and (n_fields in (3, 4) or b"," in line):
        separator = "," if b"," in line else " "
        names = separator.join(("topic", "docno", layout.value_name))
        remedy, otherwise = _of_header(layout, names), ""
    elif n_fields < wanted:
        remedy = "add the missing column, or check that the file is complete"
    elif n_fields % wanted == 0:
        remedy = f"part the line: it has the columns of {n_fields // wanted} lines"
    else:
        blanks = "" if layout.split else ", and names must not hold blanks"
        remedy = f"remove what is too much: a line has {wanted} columns{blanks}"
    return LineError(
        f"found {count(n_fields, 'column')}: {quoted(line.strip())}",
        kind="wrong number of columns",
        name=name,
        line=number,
        expected=" ".join(layout.fields),
        remedy=remedy,
        otherwise=otherwise,
    )
