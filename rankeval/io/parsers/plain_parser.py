"""Parse line by line: small files, and blocks in which a wrong line must be named."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import cast

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.base.wording import quoted
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
        return _parse_lines(*_data_lines(block, layout, first_line), layout, name)
    except LineError as error:
        # The parsers go column by column, so the first error may not be in the first wrong line.
        lines, numbers = _data_lines(block, layout, first_line)
        found = _wrong_lines(lines, numbers, layout, name)
        if problems is None:
            raise next(found, error) from None
    wrong = problems.add(found)
    right = np.flatnonzero(~np.isin(numbers, wrong))
    return _parse_lines([lines[i] for i in right.tolist()], numbers[right], layout, name)


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


def _wrong_lines(
    lines: Sequence[bytes], numbers: Integers, layout: Layout, name: str
) -> Iterator[LineError]:
    """Yield the errors of lines that are wrong."""
    found = (
        wrong_line(line, layout, name, number)
        for line, number in zip(lines, numbers.tolist(), strict=True)
    )
    return filter(None, found)


def _parse_lines(lines: Sequence[bytes], numbers: Integers, layout: Layout, name: str) -> Columns:
    """Parse line by line, in one loop: a call per line would be slow."""
    width, split = len(layout.fields), layout.split or bytes.split
    topic, docno = layout.topic, layout.docno
    fields: list[bytes] = []
    for i, line in enumerate(lines):
        try:
            found = split(line)
        except ValueError:
            found = []
        is_whole = len(found) == width or (layout.more and len(found) > width)
        if not (is_whole and found[topic] and found[docno]):
            raise cast("LineError", wrong_line(line, layout, name, int(numbers[i])))
        fields += found[:width]
    return _columns(fields, layout, name, numbers)


def _columns(
    fields: list[bytes], layout: Layout, name: str, lines: Sequence[int] | Integers
) -> Columns:
    """Return the fields of all lines, one after the other, as columns."""
    width = len(layout.fields)
    for place in layout.integers:
        for row, text in enumerate(fields[place::width]):
            if not _is_integer(text):
                raise _no_integer(text, place, layout, name, int(lines[row]))
    topics, starts = stretches_of(fields[layout.topic :: width])
    tags = [] if layout.tag is None else fields[layout.tag :: width]
    return Columns(
        topics=topics,
        starts=starts,
        docnos=PlainDocnos(fields[layout.docno :: width]),
        values=np.ones(len(lines))
        if layout.value is None
        else _numbers(fields[layout.value :: width], layout, name, lines),
        lines=lines,
        tags=frozenset(tags),
        last_tag=tags[-1] if tags else b"",
        kept={role: PlainDocnos(fields[i::width]) for role, i in layout.kept},
        ranks=None
        if layout.rank is None
        else _numbers(fields[layout.rank :: width], _of_ranks(layout), name, lines),
        stated=layout.stated,
    )


def _of_ranks(layout: Layout) -> Layout:
    """Return the layout with the rank column as its value, for reading ranks."""
    return replace(layout, value=layout.rank, value_name="rank", ranked=False)


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
    for which, role in (layout.topic, "topic"), (layout.docno, "docno"):
        if not fields[which]:
            return LineError(
                f"the {role} is empty: {quoted(line.strip())}",
                kind=f"empty {role}",
                name=name,
                line=number,
                expected=" ".join(layout.fields),
                remedy=f"add the {role}",
            )
    for place in layout.integers:
        if not _is_integer(fields[place]):
            return _no_integer(fields[place], place, layout, name, number)
    for numbers in (layout, _of_ranks(layout)):
        if numbers.value is not None and _is_wrong(fields[numbers.value], layout):
            return wrong_number(fields[numbers.value], numbers, name, number, fields)
    return None


def _numbers(
    texts: list[bytes], layout: Layout, name: str, lines: Sequence[int] | Integers
) -> Floats:
    """Read a column of numbers; LineError for the first one that is wrong."""
    plain = layout.decimal and b"_" not in b"".join(texts)  # what float() reads unchanged
    values: Floats | None = None
    for number in (float, layout.number) if plain else (layout.number,):
        with suppress(ValueError):
            values = np.fromiter(map(number, texts), np.float64, len(texts))
            break
    if values is None or (layout.finite and not np.isfinite(values).all()):
        row = next(row for row, text in enumerate(texts) if _is_wrong(text, layout))
        raise wrong_number(texts[row], layout, name, int(lines[row]))
    return 0.0 - values if layout.ranked else values


def _is_wrong(text: bytes, layout: Layout) -> bool:
    """Return True for a field that is not a number, or none that is finite where it has to be."""
    try:
        return not np.isfinite(layout.number(text)) and layout.finite
    except ValueError:
        return True


def wrong_number(
    text: bytes, layout: Layout, name: str, line: int, fields: Sequence[bytes] = ()
) -> LineError:
    """Return the error for a field that is not a number, among all fields of the line."""
    point = " with a point, not a comma" if b"," in text else ""
    remedy = f"write the {layout.value_name} as a decimal number{point}"
    if line == 1 and layout.split is None and fields and not any(map(is_number, fields)):
        remedy = _of_header(layout, " ".join(layout.fields))
    return LineError(
        f"{layout.value_name} {quoted(text)} is not a finite number",
        kind=f"{layout.value_name} that is not a finite number",
        name=name,
        line=line,
        expected=" ".join(layout.fields),
        remedy=remedy,
        otherwise="" if _COLUMNS in remedy else LEAVE_OUT,
    )


def _is_integer(text: bytes) -> bool:
    return text.removeprefix(b"-").isdigit()


def _no_integer(text: bytes, place: int, layout: Layout, name: str, line: int) -> LineError:
    role = layout.fields[place]
    return LineError(
        f"found {len(layout.fields)} columns, and the {role} {quoted(text)} is not an integer",
        kind=f"{role} that is not an integer",
        name=name,
        line=line,
        expected=" ".join(layout.fields),
        remedy="write strata as numbers; judgments without strata have 4 columns, and names must "
        "not hold blanks",
    )


def _are_qrels(fields: list[bytes]) -> bool:
    """Return True for topic, iteration, docno and grade, False for topic, docno, rank and score."""
    _, second, third, last = fields
    return last.lstrip(b"-").isdigit() and (is_number(second) or not is_number(third))


def _remedy_of_width(  # noqa: C901, PLR0911  one line for each shape
    line: bytes, fields: list[bytes], layout: Layout, number: int
) -> str:
    """Return the remedy for a line of too few or too many columns."""
    shape, wanted = len(fields), len(layout.fields)
    if layout.what == "qrels" and shape == 5 and fields[1] != b"0" and not is_number(fields[3]):
        return (
            "preferences: use 'rankeval trec_eval -R prefs', or drop the column of subgroups "
            "if each group has one"
        )
    if layout.what == "qrels" and shape == 5 and fields[4].lstrip(b"-").isdigit():
        if _is_integer(fields[3]):
            return "stratified qrels are for xinfAP, infNDCG and statAP: ask for one of them"
        return "judgments have 4 columns, and names must not hold blanks"
    if layout.what == "qrels" and shape == 6 and len(layout.fields) == 4:
        return "this looks like a run: name the qrels first, then the runs"
    if layout.what == "run" and shape == 4 and len(layout.fields) == 6 and _are_qrels(fields):
        return "this looks like qrels: name the qrels first, then the runs"
    if line.lstrip().lower().startswith((b"<!doctype", b"<html", b"<?xml")):
        return "this is a web page or XML: get the file itself, or name the right one"
    if shape == 1 and line.count(b",") >= len(layout.fields) - 1:
        return "separate the columns by blanks or tabs, not by commas"
    if number == 1 and (b"," in line or b";" in line) and shape == 1:
        return _of_header(layout, f"topic,docno,{layout.value_name}")
    if number == 1 and shape in (3, 4 if layout.what == "run" else 3) and wanted > shape:
        rank = "rank " if shape == 4 else ""
        return _of_header(layout, f"topic docno {rank}{layout.value_name}")
    if shape < wanted:
        return "add the missing column"
    if shape % wanted == 0:
        return f"part the line: it has the columns of {shape // wanted} lines"
    blanks = "" if layout.split else ", and names must not hold blanks"
    return f"remove what is too much: a line has {wanted} columns{blanks}"


_COLUMNS = "--columns"


def _of_header(layout: Layout, names: str) -> str:
    """Return the remedy for a first line that may be one of data, or of unknown names."""
    return (
        f"name the columns in a first line, such as {names}; or say what its names mean: "
        f"{_COLUMNS} topic=NAME,docno=NAME,{layout.value_name}=NAME"
    )


def _wrong_width(
    line: bytes, fields: list[bytes], layout: Layout, name: str, number: int
) -> LineError:
    shape = len(fields)
    columns = "1 column" if shape == 1 else f"{shape} columns"
    remedy = _remedy_of_width(line, fields, layout, number)
    return LineError(
        f"found {columns}: {quoted(line.strip())}",
        kind="wrong number of columns",
        name=name,
        line=number,
        expected=" ".join(layout.fields),
        remedy=remedy,
        otherwise="" if _COLUMNS in remedy else LEAVE_OUT,
        is_short=shape < len(layout.fields),
    )
