"""The fast parser: Arrow reads a block's columns, numpy finds its stretches and duplicates.

It accepts a subset of what the plain parser accepts and gives the same columns; a block that
it cannot read is left to the plain parser, which reads it or names the line that is wrong.
"""

import re
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv

from rankeval.io.parsers.columns import Columns, Layout
from rankeval.io.parsers.names import Names, as_numpy, topics_of
from rankeval.io.sources.blocks import BYTE_ORDER_MARK, PIECE, newlines

MOST_COLUMNS = 100
"""Arrow takes seconds for a line of a million; a line that wide is wrong, or the only one."""

_COMMENT = re.compile(rb"^#", re.MULTILINE)

POOL = (
    pa.jemalloc_memory_pool()
    if "jemalloc" in pa.supported_memory_backends()
    else pa.default_memory_pool()
)
"""Of Arrow's allocators the one that holds least, and as fast as any with blocks of this size."""


def parse(block: bytes, layout: Layout, first_line: int) -> Columns | None:
    """Parse whole lines as the plain parser does; None if only the plain parser can read them."""
    if layout.integers:
        return None
    if layout.split is None:
        text, separator = _spaced(block), b" "
    else:
        text, separator = _separated(block, layout.separator), layout.separator
    if text is None or (layout.comments and b"#" in text and _COMMENT.search(text)):
        return None
    found = _read(text, separator, layout)
    return None if found is None else columns_of(found, layout, first_line)


def columns_of(found: "Fields", layout: Layout, first_line: int) -> Columns | None:
    """Return the fields of lines as columns; None if the lines are irregular."""
    columns, kept = found
    n_lines = len(columns[layout.topic])
    topics, starts = Names.from_arrow(columns[layout.topic]).stretches()
    docnos = Names.from_arrow(columns[layout.docno])
    names = topics_of(topics)
    scores = (
        np.ones(n_lines) if layout.value is None else as_numpy(columns[layout.value], np.float64)
    )
    ranks = None if layout.rank is None else as_numpy(columns[layout.rank], np.float64)
    if ranks is not None and not np.isfinite(ranks).all():
        return None
    tags = (
        [] if layout.tag is None else Names.from_arrow(columns[layout.tag]).stretches()[0].tolist()
    )
    if not topics.texts.lengths.all() or (layout.finite and not np.isfinite(scores).all()):
        return None
    if layout.split is not None and not docnos.texts.lengths.all():
        return None
    return Columns(
        topics=names,
        starts=np.append(starts, n_lines),
        docnos=docnos,
        values=0.0 - scores if layout.ranked else scores,
        lines=range(first_line, first_line + n_lines),
        tags=frozenset(tags),
        last_tag=tags[-1] if tags else b"",
        kept={role: Names.from_arrow(kept[i]) for role, i in layout.kept},
        ranks=ranks,
    )


def _width(text: bytes, separator: bytes) -> int:
    """Return the number of fields of the first line."""
    return text.count(separator, 0, text.find(b"\n")) + 1


Fields = tuple[dict[int, Any], dict[int, Any]]
"""The columns that are used, and the text of those that are kept, by their place in the line."""


def _read(text: bytes, separator: bytes, layout: Layout) -> Fields | None:
    """Let Arrow read the fields; None unless each line has as many as the first."""
    width = _width(text, separator)
    if width < len(layout.fields) or (width > len(layout.fields) and not layout.more):
        return None
    if width > MOST_COLUMNS or text.startswith(BYTE_ORDER_MARK):  # which Arrow would drop
        return None
    names = [str(i) for i in range(width)]
    used = {layout.topic, layout.docno, layout.value, layout.tag, layout.rank}
    kept = set(dict(layout.kept).values())
    used |= kept
    fields = sorted(i for i in used if i is not None)
    try:
        table = csv.read_csv(
            pa.BufferReader(text),
            read_options=csv.ReadOptions(
                use_threads=False, block_size=len(text) + 1, column_names=names
            ),
            parse_options=csv.ParseOptions(
                delimiter=separator.decode(),
                quote_char=False,
                double_quote=False,
                escape_char=False,
            ),
            convert_options=csv.ConvertOptions(
                include_columns=[names[i] for i in fields],
                column_types={
                    names[i]: pa.float64()
                    if i in (layout.value, layout.rank) and i not in kept
                    else pa.binary()
                    for i in fields
                },
                null_values=[],
                strings_can_be_null=False,
            ),
            memory_pool=POOL,
        )
        columns = {
            i: column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
            for i, column in zip(fields, table.columns, strict=True)
        }
        texts = {i: columns[i] for i in kept}
        for i in kept & {layout.value, layout.rank}:
            columns[i] = columns[i].cast(pa.string()).cast(pa.float64())
    except pa.ArrowException:  # a line that it cannot read, or no thread available for reading
        return None
    return (columns, texts) if len(table) == newlines(text) else None  # no line was empty


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
