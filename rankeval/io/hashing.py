"""Names compared in bulk: by hashes of eight bytes at a time, and found in a table of them."""

import os
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rankeval.judgments import Booleans, Integers

Words = NDArray[np.uint64]

HASHED_WORDS = 32
"""Names are hashed by their first 256 bytes and their length; equal hashes are looked at."""

_MULTIPLIERS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F)
_SEED = np.uint64(int.from_bytes(os.urandom(8)))
"""Another one in each process: no file can be made whose names all fall together."""

_MASKS = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)
"""What is left of eight bytes, read as one integer, when only n of them count."""


@dataclass(frozen=True, eq=False)
class Texts:
    """Where the N names of an Arrow column stand in memory.

    ======= ======== ======================================================================
    starts  (N,)     the first byte of each name
    lengths (N,)     how many bytes it has
    eight   (B,)     from each byte on, eight bytes as one integer
    ======= ======== ======================================================================
    """

    starts: Integers
    lengths: Integers
    eight: Words

    @classmethod
    def of(cls, column: Any) -> Self:
        """The names straight from Arrow's buffers."""
        _, offsets, text = column.buffers()
        width = np.int64 if pa.types.is_large_binary(column.type) else np.int32
        bounds: NDArray[Any] = np.frombuffer(offsets, dtype=width)
        bounds = bounds[column.offset :][: len(column) + 1]
        size = int(bounds[-1])
        padded: Any = text
        if text is None or text.size < size + 8:
            padded = np.zeros(size + 8, dtype=np.uint8)
            padded[:size] = np.frombuffer(text or b"", dtype=np.uint8, count=size)
        eight = np.ndarray(size + 1, dtype="<u8", buffer=padded, strides=(1,))
        return cls(bounds[:-1], np.diff(bounds), eight)

    def words(self, number: int, rows: Integers | slice) -> Words:
        """Some eight bytes of names that have as many; what lies beyond their ends is 0."""
        starts, lengths = self.starts[rows], self.lengths[rows]
        if number:
            starts, lengths = starts + 8 * number, lengths - 8 * number
        return self.eight[starts] & _MASKS[np.minimum(lengths, 8)]

    def changes(self) -> Integers:
        """The rows whose name is another than that of the row before."""
        lengths, first = self.lengths, self.words(0, slice(None))
        differs = (lengths[1:] != lengths[:-1]) | (first[1:] != first[:-1])
        number = 1
        left = np.flatnonzero(~differs & (lengths[1:] > 8))
        while len(left):
            alike = self.words(number, left + 1) == self.words(number, left)
            differs[left[~alike]] = True
            number += 1
            left = left[alike & (lengths[left + 1] > 8 * number)]
        return np.flatnonzero(differs) + 1


def hashes(texts: Texts) -> Words:
    """A 64-bit hash of each name."""
    hashed = _mix(texts.words(0, slice(None)) ^ texts.lengths.astype(np.uint64) ^ _SEED)
    for number in range(1, HASHED_WORDS):
        longer = np.flatnonzero(texts.lengths > 8 * number)
        if not len(longer):
            break
        hashed[longer] = _mix(hashed[longer] ^ texts.words(number, longer))
    return hashed


def _mix(words: Words) -> Words:
    words = words * np.uint64(_MULTIPLIERS[0])
    words ^= words >> np.uint64(29)
    words *= np.uint64(_MULTIPLIERS[1])
    words ^= words >> np.uint64(32)
    return words


def same(texts: Texts, rows: Integers, others: Texts, other_rows: Integers) -> Booleans:
    """Tell for pairs of names whether they are the same, byte for byte."""
    equal = texts.lengths[rows] == others.lengths[other_rows]
    left = np.flatnonzero(equal & (texts.lengths[rows] > 0))
    number = 0
    while len(left):
        alike = texts.words(number, rows[left]) == others.words(number, other_rows[left])
        equal[left[~alike]] = False
        number += 1
        left = left[alike & (texts.lengths[rows[left]] > 8 * number)]
    return equal


@dataclass(frozen=True, eq=False)
class HashTable:
    """Distinct names, found by their hashes.

    ======== ======== =====================================================================
    texts    N names
    hashes   (N,)     their hashes, ascending, and
    number   (N,)     whose hash it is
    ======== ======== =====================================================================
    """

    texts: Texts
    hashes: Words
    number: Integers

    @classmethod
    def of(cls, column: Any) -> Self:
        """A table of the names of an Arrow column."""
        texts = Texts.of(column)
        hashed = hashes(texts)
        order = np.argsort(hashed)
        return cls(texts, hashed[order], order)

    @cached_property
    def _admitted(self) -> tuple[np.uint64, Booleans]:
        """The upper bits that occur, in a table so sparse that most other names miss it."""
        bits = min(max(16, len(self.hashes).bit_length() + 6), 24)
        shift = np.uint64(64 - bits)
        holds = np.zeros(1 << bits, dtype=bool)
        holds[self.hashes >> shift] = True
        return shift, holds

    @cached_property
    def _first(self) -> tuple[np.uint64, Integers]:
        """Where the hashes begin that have some upper bits."""
        bits = min(max(8, len(self.hashes).bit_length() + 2), 22)
        shift = np.uint64(64 - bits)
        counts = np.bincount((self.hashes >> shift).astype(np.int64), minlength=1 << bits)
        return shift, np.concatenate(([0], np.cumsum(counts)))

    def find(self, texts: Texts, hashed: Words) -> tuple[Integers, Integers]:
        """The rows of names that the table holds, ascending, and their numbers there."""
        shift, holds = self._admitted
        rows = np.flatnonzero(holds[hashed >> shift])
        hashed = hashed[rows]
        shift, first = self._first
        slot = (hashed >> shift).astype(np.int64)
        at, end = first[slot], first[slot + 1]
        number = np.full(len(rows), -1)
        left = np.flatnonzero(at < end)
        while len(left):
            likely = left[self.hashes[at[left]] == hashed[left]]
            found = self.number[at[likely]]
            alike = same(texts, rows[likely], self.texts, found)
            number[likely[alike]] = found[alike]
            at[left] += 1
            left = left[(number[left] < 0) & (at[left] < end[left])]
        known = number >= 0
        return rows[known], number[known]
