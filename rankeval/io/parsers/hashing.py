"""Compare many names at once by hashes of eight bytes at a time, and find them in hash tables."""

import os
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np

from rankeval.base.arrays import (
    MULTIPLIER,
    Booleans,
    Integers,
    NDArray,
    Words,
    offsets_of,
    owner,
    slot_of,
    spread,
    stretch_of,
)
from rankeval.base.frozen import frozen

Numbers = NDArray[np.int32]
Same = Callable[[Integers, Numbers], Booleans]

HASHED_WORDS = 32
"""Names of up to this many words of eight bytes are hashed together, longer ones one by one."""

_MULTIPLIERS = (MULTIPLIER, 0xC2B2AE3D27D4EB4F)
_SEED, _ODD = np.frombuffer(os.urandom(16), dtype=np.uint64) | np.array([0, 1], dtype=np.uint64)
"""Random numbers per process, so that no file can be made whose names all collide. The upper bits
of the multiples of an odd one are a universal hash (Dietzfelbinger et al., A reliable randomized
algorithm for the closest-pair problem, Journal of Algorithms 1997)."""

SEEDS = (int(_SEED), int(_ODD), *_MULTIPLIERS)
"""All numbers that `hashes` depends on, for kernel.c."""

ROOM = ((1 << 15, 16), (1 << 19, 4))
"""Numbers of hashes, and the slots per hash up to there, so that most slots are empty."""

DENSE = 5 / 3
"""Slots per hash in larger tables."""

MORE_BITS = 3
MOST_LIKELY_BITS = 19
"""Half a megabyte, which stays in the processor's cache, rules out most hashes that a table
lacks."""

MOST_BITS = 22
"""Bits of the number of slots in the largest table that finds repeated hashes: 16 MB."""

_MASKS = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)
"""Masks that keep the first n bytes of an integer of eight bytes."""


def compiled() -> Any:
    """Return the module of the compiled reader's functions; None without it."""
    from rankeval.io import kernel_library  # small files need none of it

    if kernel_library.library() is None:
        return None
    from rankeval.io import kernel

    return kernel


def bounds_of(column: Any) -> NDArray[Any]:
    """Return where the names of an Arrow column begin in its buffer, and where the last ends."""
    width = np.int64 if str(column.type) == "large_binary" else np.int32
    bounds: NDArray[Any] = np.frombuffer(column.buffers()[1], dtype=width)
    return bounds[column.offset :][: len(column) + 1]


@frozen(eq=False)
class Texts:
    """The positions of N names in a text.

    ======== ======== =====================================================================
    text              a buffer of bytes
    starts   (N,)     the position of each name
    lengths  (N,)     its number of bytes
    adjacent          True if each name begins where the one before ends
    ======== ======== =====================================================================
    """

    text: Any
    starts: Integers
    lengths: Integers
    adjacent: bool = True

    @classmethod
    def from_arrow(cls, column: Any) -> Self:
        """Take the names from Arrow's buffers, without copying them."""
        return cls.from_bounds(bounds_of(column), column.buffers()[2])

    @classmethod
    def from_names(cls, names: Sequence[bytes]) -> Self:
        """Take names one by one."""
        ends = np.cumsum([0, *map(len, names)], dtype=np.int64)
        return cls.from_bounds(ends, b"".join(names))

    @classmethod
    def from_bounds(cls, bounds: Integers, text: Any) -> Self:
        """Take names of which each begins where the one before ends."""
        return cls(b"" if text is None else text, bounds[:-1], np.diff(bounds))

    @cached_property
    def eight(self) -> Words:
        """The eight bytes from each position on as one integer, up to the end of the last name."""
        last = slice(-1 if self.adjacent else 0, None)
        size = int((self.starts[last] + self.lengths[last]).max(initial=0))
        text = self.text
        if memoryview(text).nbytes < size + 8:
            text = np.zeros(size + 8, dtype=np.uint8)
            text[:size] = np.frombuffer(self.text, dtype=np.uint8)[:size]
        return np.ndarray(size + 1, dtype="<u8", buffer=text, strides=(1,))

    def part(self, rows: Integers | slice) -> "Texts":
        """Return the names of some rows."""
        return Texts(
            self.text,
            self.starts[rows],
            self.lengths[rows],
            adjacent=self.adjacent and isinstance(rows, slice),
        )

    @cached_property
    def width(self) -> int | None:
        """Return the number of bytes of each name, if it is the same for all."""
        first = int(self.lengths[0]) if len(self.lengths) else 0
        return first if (self.lengths == first).all() else None

    def words(self, number: int, rows: Integers | Numbers | slice) -> Words:
        """Return eight bytes of each name from an offset; bytes beyond the end of a name are 0."""
        if self.adjacent and self.width and isinstance(rows, slice):
            first = int(self.starts[0]) + 8 * number
            end = first + self.width * len(self.starts)
            words = self.eight[first : min(end, len(self.eight)) : self.width][rows]
            return words & _MASKS[min(self.width - 8 * number, 8)]
        starts = self.starts[rows] + 8 * number if number else self.starts[rows]
        if self.width is not None:
            return self.eight[starts] & _MASKS[min(self.width - 8 * number, 8)]
        lengths = self.lengths[rows] - 8 * number if number else self.lengths[rows]
        return self.eight[starts] & _MASKS.take(lengths, mode="clip")

    def bytes_of(self, row: int) -> bytes:
        """Return the bytes of one name."""
        start, length = int(self.starts[row]), int(self.lengths[row])
        return bytes(memoryview(self.text)[start : start + length])

    @cached_property
    def single_words(self) -> bool:
        """Return True if eight bytes, and so a hash, determine each name and its length."""
        return self.lengths.max(initial=0) < 8 or self.width == 8

    @cached_property
    def words_of_ascii(self) -> bool:
        """Return True if no name is empty, and all characters are printable ASCII but no blanks."""
        if not len(self.lengths):
            return True
        if not self.adjacent:
            text, sizes = compiled().copied([self])  # which has placed them
            return Texts.from_bounds(offsets_of(sizes), text).words_of_ascii
        first, last = int(self.starts[0]), int(self.starts[-1] + self.lengths[-1])
        every = np.frombuffer(self.text, dtype=np.uint8)[first:last]
        return bool(self.lengths.all() and every.min() > 0x20 and every.max() < 0x7F)

    def changes(self) -> Integers:
        """Return the rows whose name differs from that of the row before."""
        lengths, first = self.lengths, self.words(0, slice(None))
        if self.width is not None and self.width <= 8:
            return np.flatnonzero(first[1:] != first[:-1]) + 1
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
    """Return a 64-bit hash of each name; different names of single words have different hashes."""
    hashed = texts.lengths.astype(np.uint64)
    hashed <<= np.uint64(56)
    hashed ^= texts.words(0, slice(None))
    for number in range(1, HASHED_WORDS):
        longer = np.flatnonzero(texts.lengths > 8 * number)
        if not len(longer):
            break
        hashed[longer] = _mixed(hashed[longer]) ^ texts.words(number, longer)
    else:
        _hash_whole(hashed, texts, np.flatnonzero(texts.lengths > 8 * HASHED_WORDS))
    hashed *= _ODD
    return hashed


def _mixed(words: Words) -> Words:
    """Return words of which every bit depends on every bit, and on the seed."""
    words = (words ^ _SEED) * np.uint64(_MULTIPLIERS[0])
    words ^= words >> np.uint64(29)
    words *= np.uint64(_MULTIPLIERS[1])
    words ^= words >> np.uint64(32)
    return words


def _hash_whole(hashed: Words, texts: Texts, rows: Integers) -> None:
    """Put hashes of whole names in place, of the few that are very long."""
    from hashlib import blake2b  # slow to import, and names are seldom so long

    for row in rows.tolist():
        digest = blake2b(texts.bytes_of(row), digest_size=8, key=_SEED.tobytes()).digest()
        hashed[row] = int.from_bytes(digest, "little")


def distinct(texts: Texts, hashed: Words) -> tuple[Integers, Numbers] | None:
    """Return the first row of each distinct name, and the number of each row's name.

    Arrow encodes the hashes, not the names, because a file can be made whose names all collide
    in Arrow's own hash. None in the unlikely case that different names have equal hashes.
    """
    first, which = _numbered(hashed)
    if texts.single_words or same(texts, np.arange(len(which)), texts, first[which]).all():
        return first, which
    return None


def distinct_in_topics(
    texts: Texts, hashed: Words, topic: Integers
) -> tuple[Integers, Numbers] | None:
    """Return the first row of each distinct pair of topic and name, and the number of each row's.

    None in the unlikely case that different pairs have equal hashes.
    """
    salts = np.frombuffer(os.urandom(8 * (int(topic.max(initial=0)) + 1)), dtype=np.uint64)
    first, which = _numbered(hashed ^ salts[topic])
    before = first[which]
    later = np.flatnonzero(before != np.arange(len(which)))
    earlier = before[later]
    if (topic[later] == topic[earlier]).all() and same(texts, later, texts, earlier).all():
        return first, which
    return None


def _numbered(hashed: Words) -> tuple[Integers, Numbers]:
    """Return the first row of each distinct hash, and the number of each row's hash."""
    import pyarrow as pa  # what needs no numbers needs no Arrow

    column = pa.Array.from_buffers(pa.uint64(), len(hashed), [None, pa.py_buffer(hashed)])
    encoded = column.dictionary_encode()
    which: Numbers = np.frombuffer(encoded.indices.buffers()[1], dtype=np.int32)[: len(hashed)]
    first = np.empty(len(encoded.dictionary), dtype=np.int64)
    first[which[::-1]] = np.arange(len(which) - 1, -1, -1)  # the last assignment stays
    return first, which


def of_numbers(count: int) -> Words:
    """Return a hash of each number from 0 on."""
    return spread(np.arange(count))


def repeated(hashed: Words) -> Words:
    """Return the hashes that occur again, each as often as it does.

    A table keeps one row at each slot, mostly the only one. The few others are compared with the
    row that was kept and, where that has another hash, with each other. Sorting all hashes takes
    about twice as long.
    """
    bits = min(max((8 * len(hashed)).bit_length(), 10), MOST_BITS)
    slot, rows = slot_of(hashed, bits), np.arange(len(hashed), dtype=np.int32)
    kept = np.empty(1 << bits, dtype=np.int32)
    kept[slot] = rows
    others = np.flatnonzero(kept[slot] != rows)
    left = hashed[others]
    again = left == hashed[kept[slot[others]]]
    rest = np.sort(left[~again])
    return np.concatenate((left[again], rest[1:][rest[1:] == rest[:-1]]))


def same(texts: Texts, rows: Integers, others: Texts, other_rows: Integers | Numbers) -> Booleans:
    """Return True for each pair of names that are equal, byte for byte."""
    equal = texts.lengths[rows] == others.lengths[other_rows]
    left = np.flatnonzero(equal & (texts.lengths[rows] > 0))
    number = 0
    while len(left):
        alike = texts.words(number, rows[left]) == others.words(number, other_rows[left])
        equal[left[~alike]] = False
        number += 1
        left = left[alike & (texts.lengths[rows[left]] > 8 * number)]
    return equal


@frozen(eq=False)
class HashTable:
    """A table from hashes to numbers, with open addressing and linear probing.

    ====== ======== =======================================================================
    slots  (2^b,)   hashes, each at the slot of its upper b bits, or the next free one
    number (2^b,)   the number of each hash, -1 for an empty slot
    likely (2^c,)   True at the upper c >= b bits of each hash, which few others share
    ====== ======== =======================================================================
    """

    slots: Words
    number: Numbers
    likely: Booleans

    @classmethod
    def from_hashes(cls, hashed: Words) -> Self:
        """Make a table of hashes, numbered in their order."""
        room = next((slots for most, slots in ROOM if len(hashed) <= most), DENSE)
        bits = max(int(len(hashed) * room).bit_length(), 10)
        likely_bits = max(bits, min(bits + MORE_BITS, MOST_LIKELY_BITS))
        number = np.full(1 << bits, -1, dtype=np.int32)
        slots = np.zeros(1 << bits, dtype=np.uint64)
        likely = np.zeros(1 << likely_bits, dtype=bool)
        left = np.arange(len(hashed))
        slot = slot_of(hashed, bits)
        while len(left):
            free = number[slot] < 0
            number[slot[free]] = left[free]  # of several hashes for a slot, the last one gets it
            others = number[slot] != left
            left, slot = left[others], (slot[others] + 1) & ((1 << bits) - 1)
        taken = number >= 0
        slots[taken] = hashed[number[taken]]
        likely[slot_of(hashed, likely_bits)] = True
        return cls(slots, number, likely)

    def find(self, hashed: Words, same: Same) -> tuple[Integers, Integers]:
        """Return the rows that the table holds, ascending, and their numbers.

        `same` compares the names of ascending rows and of numbers whose hashes are equal.
        """
        rows = np.flatnonzero(self.likely[slot_of(hashed, len(self.likely).bit_length() - 1)])
        hashed, found = hashed[rows], np.full(len(rows), -1)
        slot = slot_of(hashed, len(self.slots).bit_length() - 1)
        left, number = np.arange(len(rows)), self.number[slot]  # none is -1, as c >= b
        while len(left):
            equal = np.flatnonzero(self.slots[slot] == hashed[left])
            likely, number = left[equal], number[equal]
            found[likely] = np.where(same(rows[likely], number), number, -1)
            further = np.flatnonzero(found[left] < 0)
            left, slot = left[further], (slot[further] + 1) & (len(self.slots) - 1)
            number = self.number[slot]
            filled = np.flatnonzero(number >= 0)
            left, slot, number = left[filled], slot[filled], number[filled]
        known = found >= 0
        return rows[known], found[known]


@frozen(eq=False)
class NameTable:
    """Distinct names, found by their hashes."""

    texts: Texts
    hashes: Words
    """(N,) hash of each name."""

    @classmethod
    def from_names(cls, names: Sequence[bytes]) -> Self:
        """Make a table of names, numbered in their order."""
        texts = Texts.from_names(names)
        return cls(texts, hashes(texts))

    @cached_property
    def _table(self) -> HashTable:
        return HashTable.from_hashes(self.hashes)

    def find(self, texts: Texts, hashed: Words) -> tuple[Integers, Integers]:
        """Return the rows whose names the table holds, ascending, and their numbers."""
        return self._table.find(hashed, lambda rows, number: same(texts, rows, self.texts, number))


@frozen(eq=False)
class PairTable:
    """Distinct pairs of a topic and a docno, found by a hash of both.

    ======= ========== ====================================================================
    names              the docnos
    offsets (T+1,)     topic t has the pairs offsets[t] to offsets[t+1]
    docno   (M,) int64 the number of each pair's docno
    ======= ========== ====================================================================
    """

    names: NameTable
    offsets: Integers
    docno: Integers

    @cached_property
    def topic(self) -> Integers:
        """The index of each pair's topic."""
        return owner(self.offsets)

    @cached_property
    def _salts(self) -> Words:
        """A random number for each topic, and one for topics without pairs."""
        return np.frombuffer(os.urandom(8 * len(self.offsets)), dtype=np.uint64)

    @cached_property
    def _table(self) -> HashTable:
        return HashTable.from_hashes(self.names.hashes[self.docno] ^ self._salts[self.topic])

    @cached_property
    def placed(self) -> Any:
        """The pairs for the compiled reader, which finds those of a topic in a table of its own."""
        names = self.names
        return compiled().PlacedJudgments(self.offsets, self.docno, names.texts, names.hashes)

    def find(
        self, texts: Texts, hashed: Words, topic: Integers, starts: Integers
    ) -> tuple[Integers, Integers]:
        """Return the rows whose pairs the table holds, ascending, and their numbers.

        Each stretch of rows has one topic; -1 is a topic without pairs.
        """
        kernel = compiled()
        if kernel:
            found = kernel.ranked(texts, hashed, starts, topic, self.placed)
            return found.rows, found.judgment
        width = texts.width
        reversible = width is not None and width <= 8 and width == self.names.texts.width

        def same_pair(rows: Integers, number: Numbers) -> Booleans:
            same_topic = topic[stretch_of(rows, starts)] == self.topic[number]
            if reversible:  # equal hashes then mean equal names
                return same_topic
            return same_topic & same(texts, rows, self.names.texts, self.docno[number])

        salt = np.repeat(self._salts[topic], np.diff(starts))
        return self._table.find(hashed ^ salt, same_pair)
