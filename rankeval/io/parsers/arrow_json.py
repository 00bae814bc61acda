"""The fast parser of JSON Lines: Arrow reads the objects of a block, if all hold plain values.

It accepts a subset of what the plain parser accepts and gives the same columns, as the fast
parser of other lines does.
"""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import json

from rankeval.io.json_formats import load
from rankeval.io.parsers.arrow_parser import POOL, Fields, columns_of
from rankeval.io.parsers.columns import Columns, Layout
from rankeval.io.parsers.names import as_numpy
from rankeval.io.sources.blocks import newlines

MOST_NAMES = 100
"""Names of values that an object may have here; each becomes a column."""

_KINDS = {str: pa.binary(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}


def parse(block: bytes, layout: Layout, first_line: int) -> Columns | None:
    """Parse whole lines as the plain parser does; None when that needs the plain parser."""
    found = _fields(block.replace(b"\r\n", b"\n") if b"\r" in block else block, layout)
    return None if found is None else columns_of(found, layout, first_line)


def _fields(text: bytes, layout: Layout) -> Fields | None:
    """Return the fields of lines with strings or numbers under the same names as the first."""
    kinds = _kinds(text[: text.find(b"\n")], layout) if _is_object_per_line(text) else None
    if kinds is None:
        return None
    try:
        if not text.isascii():
            text.decode()
        table = json.read_json(
            pa.BufferReader(text),
            read_options=json.ReadOptions(use_threads=False, block_size=len(text) + 1),
            parse_options=json.ParseOptions(
                explicit_schema=pa.schema(list(kinds.items())), unexpected_field_behavior="error"
            ),
            memory_pool=POOL,
        )
        return _used(table, layout) if len(table) == newlines(text) else None
    except (pa.ArrowException, UnicodeError):  # what it cannot read, or cannot be a name
        return None


def _is_object_per_line(text: bytes) -> bool:
    """Return True if objects end where lines do, if this is JSON at all.

    A string holds no line end, and within an object a { never follows a } at once: if these
    are on both sides of each line end, none is within an object.
    """
    whole = text.startswith(b"{") and text.endswith(b"}\n")
    return whole and text.count(b"}\n{") == newlines(text) - 1


def _kinds(line: bytes, layout: Layout) -> dict[str, Any] | None:
    """The type of the column under each name, by the first line; None for nested values."""
    try:
        first = load(line)
    except ValueError:
        return None
    nested = any(isinstance(value, list | dict) for value in first.values())
    if nested or len(first) > MOST_NAMES or not set(layout.fields) <= first.keys():
        return None
    whole = {layout.fields[place] for place in _names(layout)}
    if any(type(first[name]) not in (str, int) for name in whole):
        return None
    return {
        name: pa.float64()
        if type(value) is int and name not in whole
        else _KINDS.get(type(value), pa.null())
        for name, value in first.items()
    }


def _names(layout: Layout) -> set[int]:
    """The places of fields that are names, where numbers have to be whole."""
    tag = set() if layout.tag is None else {layout.tag}
    return {layout.topic, layout.docno, *tag, *dict(layout.kept).values()}


def _used(table: Any, layout: Layout) -> Fields | None:
    """The fields by their places; None where Python reads something in another way.

    Arrow knows more names of infinity than Python, and to Python the whole number -0 has no sign.
    """
    for name in table.column_names:
        column = table.column(name)
        if (
            pa.types.is_floating(column.type)
            and not pc.all(pc.is_finite(column), min_count=0).as_py()
        ):
            return None
    kept, numbers = set(dict(layout.kept).values()), {layout.value, layout.rank} - {None}
    columns, texts = {}, {}
    for place, name in enumerate(layout.fields):
        column = table.column(name).combine_chunks()
        is_text = pa.types.is_binary(column.type)
        if column.null_count or not (is_text or column.type in (pa.int64(), pa.float64())):
            return None
        if place in _names(layout):
            text = column if is_text else column.cast(pa.string()).cast(pa.binary())
            columns[place] = text
            if place in kept:
                texts[place] = text
        if place in numbers:
            number = (column.cast(pa.string()) if is_text else column).cast(pa.float64())
            values = as_numpy(number, np.float64)
            if not is_text and np.signbit(values[values == 0]).any():
                return None
            columns[place] = number
    return columns, texts
