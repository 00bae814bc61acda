"""The fast parser: Arrow reads a block's columns, numpy finds its stretches and duplicates.

It accepts a subset of what the plain parser accepts and gives the same columns; a block that
it cannot read is left to the plain parser, which reads it or names the line that is wrong.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
import pyarrow as pa
from pyarrow import csv

from rankeval.base.arrays import Integers, NDArray, Number
from rankeval.base.frozen import frozen
from rankeval.io.parsers.columns import Columns, Docnos, Layout, Repeating
from rankeval.io.parsers.hashing import Texts, bounds_of, distinct
from rankeval.io.parsers.numbered_docnos import HashedDocnos
from rankeval.io.parsers.plain_parser import PlainDocnos
from rankeval.io.sources.blocks import BYTE_ORDER_MARK, PIECE, newlines

LARGEST_TEXT = (1 << 31) - 1
"""Bytes that Arrow's binary column can hold; its large_binary has 64-bit offsets."""

MOST_COLUMNS = 100
"""Arrow takes seconds for a line of a million; a line that wide is wrong, or the only one."""

FEW_DOCNOS = 1 << 17
FEW_ROWS = 1 << 15
SHORT = 16
"""Bytes up to which topics are compared as integers, faster than Arrow does it."""

HASH = ord("#")

POOL = (
    pa.jemalloc_memory_pool()
    if "jemalloc" in pa.supported_memory_backends()
    else pa.default_memory_pool()
)
"""Of Arrow's allocators the one that holds least, and as fast as any with blocks of this size."""


# Arrow's own conversions from and to numpy import pandas, a sixth of a second for nothing, and its
# functions and the methods that call them import pyarrow.compute: 40 ms that most runs do without.


def as_numpy(array: Any, kind: type[Number]) -> NDArray[Number]:
    """The values of an Arrow array of numbers, none of them null."""
    return np.frombuffer(array.buffers()[1], dtype=kind)[array.offset :][: len(array)]


def as_indices(rows: Integers) -> Any:
    """An Arrow array of row numbers."""
    return pa.Array.from_buffers(
        pa.int64(), len(rows), [None, pa.py_buffer(np.ascontiguousarray(rows, dtype=np.int64))]
    )


def as_names(names: Sequence[bytes]) -> Any:
    """An Arrow array of names."""
    return column_of(b"".join(names), np.cumsum([0, *map(len, names)], dtype=np.int64))


def column_of(text: bytes, bounds: Integers) -> Any:
    """An Arrow array of names, of which each begins where the one before ends."""
    kind = pa.large_binary() if bounds[-1] > LARGEST_TEXT else pa.binary()
    offsets = bounds.astype(np.int64 if kind == pa.large_binary() else np.int32)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(text)]
    return pa.Array.from_buffers(kind, len(bounds) - 1, buffers)


@frozen
class ArrowDocnos(HashedDocnos):
    """Docnos as an Arrow column."""

    column: Any

    def __len__(self) -> int:
        return len(self.column)

    def __getitem__(self, row: int) -> bytes:
        name: bytes = self.column[row].as_py()
        return name

    def tolist(self) -> list[bytes]:
        names: list[bytes] = self.column.to_pylist()
        return names

    @cached_property
    def texts(self) -> Texts:
        """The place of the docnos in memory."""
        return Texts.from_arrow(self.column)

    def as_arrow(self) -> Any:
        """Return the docnos as they are."""
        return self.column

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the docnos, of which another process has other hashes."""
        return ArrowDocnos, (self.column,)

    def distinct(self) -> tuple[Self, NDArray[np.integer[Any]]]:
        """Return the docnos in order, each once, and the number of each row's."""
        found = distinct(self.texts, self.hashes)
        if found is None:
            known: dict[bytes, int] = {}
            which = PlainDocnos(self.tolist()).number(known)
            return type(self)(as_names(list(known))), which
        first, numbers = found
        return self.take(first), numbers

    def number(self, known: dict[bytes, int]) -> Integers:
        if len(self) <= FEW_DOCNOS:
            return PlainDocnos(self.tolist()).number(known)
        names, which = self.distinct()
        return PlainDocnos(names.tolist()).number(known)[which]

    def order(self, rows: Integers) -> Integers:
        if len(rows) <= FEW_ROWS:
            return PlainDocnos(names_at(self.column, rows)).order(np.arange(len(rows)))
        import pyarrow.compute as pc

        names, which = self.take(rows).distinct()
        order = as_numpy(pc.sort_indices(names.column), np.uint64)
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        return place[which]

    def names_at(self, rows: Integers) -> list[bytes]:
        return names_at(self.column, rows)

    def take(self, rows: Integers) -> Self:
        import pyarrow.compute as pc  # as the method of the column does

        return type(self)(pc.take(self.column, as_indices(rows), memory_pool=POOL))

    def slice(self, start: int, stop: int) -> Self:
        return type(self)(self.column.slice(start, stop - start))

    def followed_by(self, others: Sequence[Docnos]) -> Docnos:
        parts = [
            o.as_arrow() if isinstance(o, HashedDocnos) else as_names(o.tolist()) for o in others
        ]
        parts = [self.column, *parts]
        if sum(_most_bytes(part) for part in parts) > LARGEST_TEXT:
            parts = [part.cast(pa.large_binary()) for part in parts]
        return ArrowDocnos(pa.concat_arrays(parts, memory_pool=POOL))


def parse(block: bytes, layout: Layout, first_line: int) -> Columns | None:
    """Parse whole lines as the plain parser does; None if only the plain parser can read them."""
    if layout.integers:
        return None
    separated = layout.split is not None
    found = _by_separator(block, layout) if separated else _by_white_space(block, layout)
    return None if found is None else columns_of(found, layout, first_line)


def columns_of(found: "Fields", layout: Layout, first_line: int) -> Columns | None:
    """Return the fields of lines as columns; None if the lines are irregular."""
    columns, kept = found
    n_lines = len(columns[layout.topic])
    topics, docnos = columns[layout.topic], columns[layout.docno]
    scores = (
        np.ones(n_lines) if layout.value is None else as_numpy(columns[layout.value], np.float64)
    )
    ranks = None if layout.rank is None else as_numpy(columns[layout.rank], np.float64)
    if ranks is not None and not np.isfinite(ranks).all():
        return None
    starts = stretch_starts(topics)
    names = _stretch_topics(topics, starts)
    tags = [] if layout.tag is None else _tags(columns[layout.tag])
    if b"" in (names.distinct if isinstance(names, Repeating) else names) or (
        layout.finite and not np.isfinite(scores).all()
    ):
        return None
    if layout.split is not None and not Texts.from_arrow(docnos).lengths.all():
        return None
    if layout.comments and _begin_with(columns[0], starts if layout.topic == 0 else None, HASH):
        return None
    return Columns(
        topics=names,
        starts=np.append(starts, n_lines),
        docnos=ArrowDocnos(docnos),
        values=0.0 - scores if layout.ranked else scores,
        lines=range(first_line, first_line + n_lines),
        tags=frozenset(tags),
        last_tag=b"" if layout.tag is None else columns[layout.tag][-1].as_py(),
        kept={role: ArrowDocnos(kept[i]) for role, i in layout.kept},
        ranks=ranks,
        stated=layout.stated,
    )


def _most_bytes(names: Any) -> int:
    """Return the size of the memory that holds the names, among others or alone.

    Arrow's own `nbytes` of part of an array takes some hundred times as long.
    """
    text = names.buffers()[2]
    return 0 if text is None else int(text.size)


def _tags(column: Any) -> list[bytes]:
    """The names in a column that mostly repeats its first one, each at least once."""
    first: bytes = column[0].as_py()
    bounds, text = bounds_of(column), column.buffers()[2]
    size = len(first)
    if size and (np.diff(bounds) == size).all():
        characters = np.frombuffer(text, dtype=np.uint8)[bounds[0] : bounds[-1]]
        if np.array_equal(characters[size:], characters[:-size]):
            return [first]
    return names_at(column, stretch_starts(column))


def stretch_starts(column: Any) -> Integers:
    """Return the rows at which stretches of one name begin."""
    texts = Texts.from_arrow(column)
    if texts.lengths.max(initial=0) <= SHORT:
        return np.append(0, texts.changes())
    import pyarrow.compute as pc

    ends = pc.run_end_encode(column, run_end_type=pa.int64()).run_ends
    return np.append(0, as_numpy(ends, np.int64)[:-1])


def _stretch_topics(column: Any, starts: Integers) -> Sequence[bytes]:
    """The topics of the stretches; where they are many, they are a few that come again."""
    if len(starts) <= FEW_ROWS:
        return tuple(names_at(column, starts))
    names, which = ArrowDocnos(column).distinct()
    return Repeating(tuple(names.tolist()), which[starts])


def names_at(column: Any, rows: Integers) -> list[bytes]:
    """The names in some rows; where they are many, they may be a few that come again."""
    if len(rows) <= FEW_ROWS:
        bounds, text = bounds_of(column), memoryview(column.buffers()[2] or b"")
        ends = zip(bounds[rows].tolist(), bounds[rows + 1].tolist(), strict=True)
        return [bytes(text[start:end]) for start, end in ends]
    names, which = ArrowDocnos(column).take(rows).distinct()
    few = names.tolist()
    return [few[i] for i in which.tolist()]


def _begin_with(column: Any, rows: Integers | None, character: int) -> bool:
    """Return True if a text of a column, or of some of its rows, begins with a character."""
    if not pa.types.is_binary(column.type):
        return False
    words = Texts.from_arrow(column).words(0, slice(None) if rows is None else rows)
    return bool((words & np.uint64(0xFF) == character).any())


def _width(text: bytes, separator: bytes) -> int:
    """Return the number of fields of the first line."""
    return text.count(separator, 0, text.find(b"\n")) + 1


Fields = tuple[dict[int, Any], dict[int, Any]]
"""The columns that are used, and the text of those that are kept, by their place in the line."""


def _by_white_space(block: bytes, layout: Layout) -> Fields | None:
    """Return the fields of lines separated by white space; None unless lines are alike."""
    found = _by_single_spaces(block, layout)
    if found is not None:
        return found
    text = regular(block)
    return None if text == block else _by_single_spaces(text, layout)


def _by_single_spaces(text: bytes, layout: Layout) -> Fields | None:
    """Return the fields of lines whose only white space is one space between two fields."""
    blanks = Blanks.from_text(text)
    if blanks.meet or text.startswith(b" ") or b"\r" in text:  # at which Arrow would end a line
        return None
    found = _read(text, b" ", layout)
    if found is None or blanks.count != len(found[0][layout.topic]) * _width(text, b" "):
        return None
    return found


def _by_separator(block: bytes, layout: Layout) -> Fields | None:
    """Return the fields of lines with a separator; None unless lines are alike."""
    text = _separated(block, layout.separator) if layout.separator else None
    found = None if text is None else _read(text, layout.separator, layout)
    return found if found and len(found[0][layout.topic]) == newlines(block) else None


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
    if layout.comments:
        used.add(0)
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
    return columns, texts


def _separated(block: bytes, separator: bytes) -> bytes | None:
    """Return None for quotes, or blanks at the ends of fields: the plain parser reads these."""
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
    blanks = (b" ", b"\t", b"\r", b"\v", b"\f")
    edges = (separator, b"\n")
    strange = [b'"', b"\r", b"\n\n", *(e + w for e in edges for w in blanks if w != separator)]
    strange += [w + e for e in edges for w in blanks if w != separator]
    if block.startswith(tuple(w for w in (*blanks, b"\n") if w != separator)):
        return None
    return None if any(s in block for s in strange) else block


WHITE_TO_SPACE = bytes.maketrans(b"\t\r\v\f", b"    ")
NEWLINE, SPACE = b"\n "


@frozen
class Blanks:
    """The number of spaces, newlines and control characters, and True if two of them meet."""

    count: int
    meet: bool

    @classmethod
    def from_text(cls, text: bytes) -> Self:
        """Scan the text once, in pieces that stay in the processor's cache."""
        characters = np.frombuffer(text, dtype=np.uint8)
        count, meet = 0, False
        for start in range(0, len(characters), PIECE):
            blank = characters[start : start + PIECE + 1] <= SPACE
            count += int(np.count_nonzero(blank[:PIECE]))
            meet = meet or bool((blank[1:] & blank[:-1]).any())
        return cls(count, meet)


def regular(block: bytes) -> bytes:
    """Put one space between two fields, and none at the ends of lines."""
    text = block.translate(WHITE_TO_SPACE)
    if not Blanks.from_text(text).meet:
        return text.removeprefix(b" ")
    characters = np.frombuffer(text, dtype=np.uint8)
    space = characters == SPACE
    space[:-1] &= space[1:] | (characters[1:] == NEWLINE)
    if space.any():
        characters = characters[~space]
    leading = (characters[1:] == SPACE) & (characters[:-1] == NEWLINE)
    if leading.any():
        characters = characters[np.append(True, ~leading)]
    return characters.tobytes().removeprefix(b" ")
