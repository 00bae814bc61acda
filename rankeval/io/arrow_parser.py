"""Columns of Arrow's many types as ours, and the lines that Arrow parses: of text, and of JSON.

Its parsers accept a subset of what lines_parser.py accepts and give the same columns; a block that
they cannot read is left to it, which reads it or names the line that is wrong.
"""

import re
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv, json

from rankeval.base.arrays import Floats
from rankeval.errors import InputError
from rankeval.io.blocks import BYTE_ORDER_MARK, PIECE, newlines
from rankeval.io.columns import Columns, Layout
from rankeval.io.names import Names, Texts, as_numpy

MOST_COLUMNS = 100
"""Arrow takes seconds for a line of a million; a line that wide is wrong, or the only one."""

POOL = (
    pa.jemalloc_memory_pool()
    if "jemalloc" in pa.supported_memory_backends()
    else pa.default_memory_pool()
)
"""Of Arrow's allocators the one that holds least, and as fast as any with blocks of this size."""


def parse(block: bytes, layout: Layout, first_line: int) -> Columns | None:
    """Parse whole lines as lines_parser.py does, which must read them where this is None."""
    if layout.integers:
        return None
    kept = dict(layout.kept)
    tag = set() if layout.tag is None else {layout.tag}
    places = {layout.topic, layout.docno, *tag, *kept.values()}
    try:
        found = (_values if layout.objects else _fields)(block, layout, places)
        if found is None:
            return None
        names: Any = {place: as_names(found[place]) for place in places}
        ranks = None if layout.rank is None else _numbers(found[layout.rank])
        values = None if layout.value is None else _numbers(found[layout.value])
    except (pa.ArrowException, UnicodeError):  # what it cannot read, or no thread to read with
        return None
    n_lines = len(names[layout.topic])
    values = np.ones(n_lines) if values is None else values
    named = names[layout.topic].texts.lengths.all() and names[layout.docno].texts.lengths.all()
    if not named or (ranks is not None and not np.isfinite(ranks).all()):
        return None
    if layout.finite and not np.isfinite(values).all():
        return None
    return Columns.of_rows(
        names[layout.topic],
        names[layout.docno],
        0.0 - values if layout.ranked else values,
        range(first_line, first_line + n_lines),
        names.get(layout.tag),
        kept={role: names[place] for role, place in kept.items()},
        ranks=ranks,
    )


def _numbers(column: Any) -> Floats:
    """Return numbers, of which some may be text."""
    if not pa.types.is_float64(column.type):
        text = column.cast(pa.string()) if pa.types.is_binary(column.type) else column
        column = text.cast(pa.float64())
    return as_numpy(column, np.float64)


Fields = dict[int, Any]
"""Arrow's columns of the fields that are used, by their places in the line."""


def _fields(block: bytes, layout: Layout, places: set[int]) -> Fields | None:
    """Let Arrow cut lines; None unless each has as many fields as the first."""
    if layout.split is None:
        text, separator = _spaced(block), b" "
    else:
        text, separator = _separated(block, layout.separator), layout.separator
    if text is None or text.startswith(BYTE_ORDER_MARK):  # which Arrow would drop
        return None
    width = text.count(separator, 0, text.find(b"\n")) + 1
    if width > MOST_COLUMNS or width < len(layout.fields):
        return None
    is_comment = layout.comments and b"#" in text and re.search(rb"^#", text, re.MULTILINE)
    if is_comment or (width > len(layout.fields) and not layout.more):
        return None
    numbers = {place for place in (layout.value, layout.rank) if place is not None}
    kinds = {str(at): pa.binary() if at in places else pa.float64() for at in places | numbers}
    table = csv.read_csv(
        pa.BufferReader(text),
        read_options=csv.ReadOptions(
            use_threads=False,
            block_size=len(text) + 1,
            column_names=[*map(str, range(width))],
        ),
        parse_options=csv.ParseOptions(
            delimiter=separator.decode(), quote_char=False, double_quote=False, escape_char=False
        ),
        convert_options=csv.ConvertOptions(
            include_columns=[*kinds],
            column_types=kinds,
            null_values=[],
            strings_can_be_null=False,
        ),
        memory_pool=POOL,
    )
    if len(table) < newlines(text):  # a line was empty
        return None
    return {int(name): _whole(table.column(name)) for name in kinds}


def _whole(column: Any) -> Any:
    """Return a column of a table as one array."""
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


WHITE = (b"\t", b"\r", b"\v", b"\f")
WHITE_TO_SPACE = bytes.maketrans(b"".join(WHITE), b"    ")
SPACE, NEWLINE = b" \n"


def _spaced(block: bytes) -> bytes | None:
    """Return lines with one space between two fields, and none at their ends; None for others."""
    text = block.translate(WHITE_TO_SPACE) if any(one in block for one in WHITE) else block
    if _are_apart(text, SPACE):
        return text
    while b"  " in text:
        text = text.replace(b"  ", b" ")
    text = text.replace(b" \n", b"\n").replace(b"\n ", b"\n").removeprefix(b" ")
    return text if _are_apart(text, SPACE) else None


def _separated(block: bytes, separator: bytes) -> bytes | None:
    """Return lines with a separator; None for quotes, or blanks at the ends of fields."""
    text = block.replace(b"\r\n", b"\n") if b"\r" in block else block
    is_read = separator and b'"' not in text and _are_apart(text, separator[0])
    return text if is_read else None


def _are_apart(text: bytes, separator: int) -> bool:
    """Return True if no blank or control character is beside a separator, or the end of a line.

    Of separators that are blank none is beside another one. The text is scanned once, in pieces
    that stay in the processor's cache.
    """
    characters = np.frombuffer(b"\n" + text, dtype=np.uint8)
    for start in range(0, len(characters), PIECE):
        some = characters[start : start + PIECE + 1]
        blank = some <= SPACE
        if separator <= SPACE and not (blank[1:] & blank[:-1]).any():
            continue  # as in nearly all pieces
        ends = (some == separator) | (some == NEWLINE)
        if separator != SPACE:
            blank &= ~ends
        if ((blank[1:] & ends[:-1]) | (ends[1:] & blank[:-1])).any():
            return False
    return True


MOST_NAMES = 100
"""Names of values that an object may have here; each becomes a column."""

_KINDS = {str: pa.binary(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}


def _values(block: bytes, layout: Layout, places: set[int]) -> Fields | None:
    """Let Arrow read objects of plain values that have the same names, and numbers as Python does.

    Arrow knows more names of infinity than Python, and to Python the whole number -0 has no sign.
    """
    text = block.replace(b"\r\n", b"\n") if b"\r" in block else block
    n_lines = newlines(text)
    # A string holds no line end, and within an object a { never follows a } at once: if these are
    # on both sides of each line end, none is within an object.
    whole = text.startswith(b"{") and text.endswith(b"}\n")
    if not whole or text.count(b"}\n{") < n_lines - 1:
        return None
    names = {layout.fields[place] for place in places}
    kinds = _kinds(text[: text.find(b"\n")], layout, names)
    if kinds is None:
        return None
    text.decode()
    table = json.read_json(
        pa.BufferReader(text),
        read_options=json.ReadOptions(use_threads=False, block_size=len(text) + 1),
        parse_options=json.ParseOptions(
            explicit_schema=pa.schema(list(kinds.items())), unexpected_field_behavior="error"
        ),
        memory_pool=POOL,
    )
    if len(table) != n_lines:
        return None
    columns = dict(zip(table.column_names, map(_whole, table.columns), strict=True))
    for column in columns.values():
        if pa.types.is_floating(column.type):
            numbers = as_numpy(column.drop_null(), np.float64)
            if not np.isfinite(numbers).all() or np.signbit(numbers[numbers == 0]).any():
                return None
    found = {place: columns[name] for place, name in enumerate(layout.fields)}
    known = (pa.binary(), pa.int64(), pa.float64())
    return None if any(c.null_count or c.type not in known for c in found.values()) else found


def _kinds(line: bytes, layout: Layout, names: set[str]) -> dict[str, Any] | None:
    """The type of the column under each name, by the first line; None for nested values."""
    from rankeval.io.json_formats import load

    try:
        first = load(line)
    except ValueError:
        return None
    nested = any(isinstance(value, list | dict) for value in first.values())
    if nested or len(first) > MOST_NAMES or not set(layout.fields) <= first.keys():
        return None
    if any(type(first[name]) not in (str, int) for name in names):
        return None
    kinds = {name: _KINDS.get(type(value), pa.null()) for name, value in first.items()}
    whole = pa.int64()  # which the others of these numbers need not be
    return {n: pa.float64() if kinds[n] == whole and n not in names else kinds[n] for n in kinds}


NUMBERS = pa.types.is_null, pa.types.is_primitive, pa.types.is_decimal

MOST_OF_VIEWS = 256 << 20
"""Bytes that the names of views that are read at once may take when they are written out."""


def as_names(column: Any, *, numbers: bool = False) -> Names | None:
    """Return names, from text or integers, in dictionaries or not; None for other types.

    With `numbers`, other numbers are names, too, such as ranks that are floats.
    Those of a dictionary stay there, as a long one may be that of many rows. A missing name is
    empty.
    """
    kind = str(column.type)
    if pa.types.is_dictionary(column.type):
        names = as_names(column.dictionary)
        places = column.indices.cast(pa.int64()).fill_null(len(column.dictionary))
        if names is not None and column.null_count:
            names = names.followed_by([Names.from_names([b""])])
        return None if names is None else names.view(as_numpy(places, np.int64))
    if kind in ("string_view", "binary_view"):
        views = np.frombuffer(column.buffers()[1] or b"", np.int32)[::4][column.offset :]
        if views[: len(column)].sum(dtype=np.int64) > MOST_OF_VIEWS:
            raise InputError(
                f"{len(column):,} names take more than {MOST_OF_VIEWS >> 20} MB",
                remedy="check that the right column is read; a topic and a docno are short names",
            )
    elif pa.types.is_integer(column.type) or (numbers and any(of(column.type) for of in NUMBERS)):
        column = column.cast(pa.string())
    elif not (kind.endswith(("string", "binary")) or pa.types.is_fixed_size_binary(column.type)):
        return None
    if kind.endswith("view") or pa.types.is_fixed_size_binary(column.type):
        column = column.cast(pa.binary())
    return Names(Texts.from_arrow(column.fill_null("") if column.null_count else column))


def as_numbers(column: Any, *, truth_values: bool = False) -> Floats | None:
    """Return numbers as float64, NaN where one is missing; None for other types.

    False and True are 0 and 1 if `truth_values` are taken.
    """
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_boolean(column.type) and truth_values:
        column = column.cast(pa.uint8())
    if pa.types.is_decimal(column.type):
        column = column.cast(pa.string())  # Arrow's own conversion is off by a last bit
    elif not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        return None
    numbers = column.cast(pa.float64(), safe=False)
    # fill_null() imports pandas: 0.15 CPU s.
    return as_numpy(numbers.fill_null(float("nan")) if numbers.null_count else numbers, np.float64)
