"""The fast parser: Arrow reads a block's columns, numpy finds its stretches and duplicates.

It accepts a subset of what the plain parser accepts and gives the same columns; a block that
it cannot read is left to the plain parser, which reads it or names the line that is wrong.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow import csv

from rankeval.io.columns import Columns, DocnoIndex, Docnos, Layout
from rankeval.judgments import Booleans, Integers

Words = NDArray[np.uint64]

WHITE_TO_SPACE = bytes.maketrans(b"\t\r\v\f", b"    ")
HASHED_WORDS = 32
"""Names are hashed by their first 256 bytes and their length; equal hashes are looked at."""

_RUNS_OF_SPACES = re.compile(rb"  +")
_MULTIPLIERS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F)
_ROW_BITS = 24


class TextColumn:
    """The offsets and bytes of an Arrow column of names, as numpy arrays."""

    def __init__(self, column: Any) -> None:
        offsets = np.frombuffer(column.buffers()[1], dtype=np.int32)
        self.starts = offsets[column.offset : column.offset + len(column)].astype(np.int64)
        self.lengths = (
            offsets[column.offset + 1 : column.offset + len(column) + 1].astype(np.int64)
            - self.starts
        )
        text = column.buffers()[2]
        size = text.size if text is not None else 0
        padded = np.zeros(size + 8, dtype=np.uint8)
        if size:
            padded[:size] = np.frombuffer(text, dtype=np.uint8)
        self.eight = np.ndarray(size + 1, dtype="<u8", buffer=padded, strides=(1,))

    def word(self, number: int, rows: Integers | slice = slice(None)) -> Words:
        """The eight bytes of each name from byte 8·number on, zeros beyond its end."""
        starts, lengths = self.starts[rows], self.lengths[rows]
        left = np.clip(lengths - 8 * number, 0, 8)
        at = np.minimum(starts + 8 * number, len(self.eight) - 1)
        return np.where(left > 0, self.eight[at] & _MASKS[left], 0)

    def hashes(self) -> Words:
        """A 64-bit hash of each name."""
        hashed = self.lengths.astype(np.uint64)
        longest = int(self.lengths.max(initial=0))
        for number in range(min(-(-longest // 8), HASHED_WORDS)):
            hashed = _mix(hashed ^ self.word(number))
        return hashed

    def differs_from_previous(self) -> Booleans:
        """Mark names that are not the name of the row before; the first one always is."""
        differs = np.ones(len(self.starts), dtype=bool)
        np.not_equal(self.lengths[1:], self.lengths[:-1], out=differs[1:])
        longest = int(self.lengths.max(initial=0))
        undecided: Integers | slice = slice(None)
        for number in range(-(-longest // 8)):
            word = self.word(number, undecided)
            if isinstance(undecided, slice):
                differs[1:] |= word[1:] != word[:-1]
            else:
                differs[undecided] |= word != self.word(number, undecided - 1)
            undecided = np.flatnonzero(~differs & (self.lengths > 8 * (number + 1)))
            if not len(undecided):
                break
        return differs


_MASKS = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)


def _mix(words: Words) -> Words:
    words = words * np.uint64(_MULTIPLIERS[0])
    words ^= words >> np.uint64(29)
    words *= np.uint64(_MULTIPLIERS[1])
    words ^= words >> np.uint64(32)
    return words


@dataclass(frozen=True)
class ArrowDocnos:
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

    def find(self, index: DocnoIndex) -> Integers:
        found = pc.index_in(self.column, value_set=index.arrow)
        return found.fill_null(-1).to_numpy(zero_copy_only=False)

    def number(self, known: dict[bytes, int]) -> Integers:
        encoded = self.column.dictionary_encode()
        numbers = [known.setdefault(d, len(known)) for d in encoded.dictionary.to_pylist()]
        return np.array(numbers, dtype=np.int64)[encoded.indices.to_numpy()]

    def order(self, rows: Integers) -> Integers:
        names = self.column.take(pa.array(rows)).dictionary_encode()
        order = pc.sort_indices(names.dictionary).to_numpy()
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        return place[names.indices.to_numpy()]

    def duplicates(self, starts: Integers) -> list[tuple[int, int]]:
        stretch = np.repeat(np.arange(len(starts) - 1, dtype=np.uint64), np.diff(starts))
        hashed = TextColumn(self.column).hashes()
        if len(starts) > 1 << _ROW_BITS:
            hashed = _mix(hashed ^ _mix(stretch))
        else:
            hashed = (hashed >> np.uint64(_ROW_BITS)) | (stretch << np.uint64(64 - _ROW_BITS))
        ordered = np.sort(hashed)
        twice = ordered[1:][ordered[1:] == ordered[:-1]]
        if not len(twice):
            return []
        suspects = np.flatnonzero(np.isin(hashed, twice))
        stretch_of = np.repeat(np.arange(len(starts) - 1), np.diff(starts))[suspects].tolist()
        first: dict[tuple[int, bytes], int] = {}
        pairs = []
        names = self.column.take(pa.array(suspects)).to_pylist()
        for row, where, name in zip(suspects.tolist(), stretch_of, names, strict=True):
            earlier = first.setdefault((where, name), row)
            if earlier != row:
                pairs.append((earlier, row))
        return pairs

    def take(self, rows: Integers) -> Self:
        return type(self)(self.column.take(pa.array(rows)))

    def slice(self, start: int, stop: int) -> Self:
        return type(self)(self.column.slice(start, stop - start))

    def followed_by(self, others: Sequence[Docnos]) -> Docnos:
        parts = [
            o.column if isinstance(o, ArrowDocnos) else pa.array(o.tolist(), pa.binary())
            for o in others
        ]
        return ArrowDocnos(pa.concat_arrays([self.column, *parts]))


def parse(block: bytes, layout: Layout, first_line: int) -> Columns | None:
    """Parse whole lines as the plain parser does; None when that needs the plain parser."""
    text = _regular(block)
    if layout.comments and (text.startswith(b"#") or b"\n#" in text):
        return None
    n_lines = block.count(b"\n")
    width = text.count(b" ", 0, text.find(b"\n")) + 1
    if width < len(layout.fields) or (width > len(layout.fields) and not layout.more):
        return None
    names = [str(i) for i in range(width)]
    kept = [0, 2, layout.value] + ([] if layout.tag is None else [layout.tag])
    try:
        table = csv.read_csv(
            pa.BufferReader(text),
            read_options=csv.ReadOptions(
                use_threads=False, block_size=len(text) + 1, column_names=names
            ),
            parse_options=csv.ParseOptions(
                delimiter=" ", quote_char=False, double_quote=False, escape_char=False
            ),
            convert_options=csv.ConvertOptions(
                include_columns=[names[i] for i in kept],
                column_types={
                    names[i]: pa.float64() if i == layout.value else pa.binary() for i in kept
                },
                null_values=[],
                strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid:
        return None
    if table.num_rows != n_lines:
        return None
    topics, docnos, values, *rest = (column.combine_chunks() for column in table.columns)
    numbers = values.to_numpy(zero_copy_only=False)
    if layout.finite and not np.isfinite(numbers).all():
        return None
    starts = np.flatnonzero(TextColumn(topics).differs_from_previous())
    tags = [] if layout.tag is None else pc.unique(rest[0]).to_pylist()
    return Columns(
        topics=tuple(topics.take(pa.array(starts)).to_pylist()),
        starts=np.append(starts, len(numbers)),
        docnos=ArrowDocnos(docnos),
        values=numbers,
        lines=range(first_line, first_line + n_lines),
        tags=frozenset(tags),
        last_tag=rest[0][-1].as_py() if tags else b"",
    )


def _regular(block: bytes) -> bytes:
    """Make white space one space between two fields."""
    if any(white in block for white in (b"\t", b"\r", b"\v", b"\f")):
        block = block.translate(WHITE_TO_SPACE)
    if b"  " in block:
        block = _RUNS_OF_SPACES.sub(b" ", block)
    if b" \n" in block:
        block = block.replace(b" \n", b"\n")
    if b"\n " in block or block.startswith(b" "):
        block = block.replace(b"\n ", b"\n").removeprefix(b" ")
    return block
