"""Format the printed lines: a name in 22 columns, the topic, the value, in the numbers of C."""

import math
import re
from collections.abc import Sequence

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen

LARGEST_INTEGER = 2**63 - 1

_INTEGER = re.compile(rb"[ \t\n\v\f\r]*([+-]?[0-9]+)")
_REAL = re.compile(
    rb"""[ \t\n\v\f\r]*
    (?P<number> [+-]? (?:
        (?P<hexadecimal> 0x (?: [0-9a-f]+ \.? [0-9a-f]* | \.[0-9a-f]+ ) (?: p[+-]?[0-9]+ )? )
      | (?: [0-9]+ \.? [0-9]* | \.[0-9]+ ) (?: e[+-]?[0-9]+ )?
      | inf | nan
    ))""",
    re.VERBOSE | re.IGNORECASE,
)
_WHOLE_NUMBER = re.compile(rb"[+-]?[0-9]+")


def integer(text: bytes) -> int:
    """Read an integer as C's atol does."""
    match = _INTEGER.match(text)
    if match is None:
        return 0
    return max(-LARGEST_INTEGER - 1, min(LARGEST_INTEGER, int(match[1][:40])))


def real(text: bytes) -> float:
    """Read a double as C's atof does."""
    try:
        if b"_" not in text:
            return float(text)
    except ValueError:
        pass
    match = _REAL.match(text)
    if match is None:
        return 0.0
    number = match["number"].decode("ascii")
    if match["hexadecimal"] is None:
        return float(number)
    try:
        return float.fromhex(number)
    except OverflowError:
        return -math.inf if number.startswith("-") else math.inf


def is_integer(text: bytes) -> bool:
    """Return True if the text is digits with an optional sign."""
    return _WHOLE_NUMBER.fullmatch(text) is not None


ALL = b"all"


@frozen(eq=False)
class PrintedColumn:
    """A measure to print, with its values.

    ========= ============================================================================
    name      name of the measure
    integer   True to print it without decimals
    per_topic True to print it for each topic
    values    a number or a text for each topic
    summary   value of all topics; None for no line
    ========= ============================================================================
    """

    name: bytes
    integer: bool
    per_topic: bool
    values: Floats | list[bytes]
    summary: float | bytes | None


def topic_lines(
    columns: Sequence[PrintedColumn], topics: Sequence[bytes], *, zscores: bool
) -> bytes:
    """Return the lines of every topic, all measures of one topic together."""
    columns = [column for column in columns if column.per_topic]
    if not columns or not topics:
        return b""
    formats = [_format(column, zscores=zscores) for column in columns]
    plain = b"".join(b"%b\t\0\t%b\n" % (name.replace(b"%", b"%%"), f) for name, f in formats)
    undefined = np.zeros(len(topics), dtype=bool)
    for column in columns:
        if not isinstance(column.values, list):
            undefined |= np.isnan(column.values)
    lines = []
    rows = zip(*(_printable(column, zscores=zscores) for column in columns), strict=True)
    for topic, row, irregular in zip(topics, rows, undefined.tolist(), strict=True):
        if irregular:
            lines += [
                _line(column, topic, value, zscores=zscores)
                for column, value in zip(columns, row, strict=True)
            ]
        else:
            lines.append(plain.replace(b"\0", topic.replace(b"%", b"%%")) % row)
    return b"".join(lines)


def summary_lines(columns: Sequence[PrintedColumn], *, zscores: bool) -> bytes:
    """Return the lines that summarize all topics."""
    return b"".join(
        _line(column, ALL, column.summary, zscores=zscores)
        for column in columns
        if column.summary is not None
    )


def _printable(column: PrintedColumn, *, zscores: bool) -> Sequence[float | bytes]:
    if isinstance(column.values, list):
        return column.values
    whole = column.integer and not zscores
    values: list[float] = (column.values.astype(np.int64) if whole else column.values).tolist()
    return values


def _format(column: PrintedColumn, *, zscores: bool) -> tuple[bytes, bytes]:
    if isinstance(column.values, list):
        return b"%-22b" % column.name, b"%b"
    number = b"%d" if column.integer and not zscores else b"%6.4f"
    return (b"Z" if zscores else b"") + b"%-22b" % column.name, number


def _line(column: PrintedColumn, topic: bytes, value: float | bytes, *, zscores: bool) -> bytes:
    name, form = _format(column, zscores=zscores)
    if isinstance(value, bytes):
        return b"%-22b\t%b\t%b\n" % (column.name, topic, value)
    if math.isnan(value):
        shown = b"  -nan" if math.copysign(1, value) < 0 else b"   nan"
    else:
        shown = form % value
    return b"%b\t%b\t%b\n" % (name, topic, shown)
