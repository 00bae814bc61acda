"""Types of arrays, and arithmetic over rows in groups (CSR layout)."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from importlib import import_module
from itertools import islice, pairwise
from typing import Any, Literal, TypeVar

import numpy as np

from rankeval.base.frozen import record

Number = TypeVar("Number", bound=np.generic)
NDArray = np.ndarray[tuple[Any, ...], np.dtype[Number]]
"""That of `numpy.typing`, which takes more than a millisecond to import."""

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Grades = Integers | Floats
"""int64 where all judgments are integers, float64 where some are fractions."""


def accumulate(operation: np.ufunc, values: Floats, offsets: Integers) -> Floats:
    """Accumulate within each topic, strictly from its first value to its last.

    A cumulative sum over all topics minus what came before a topic would round differently.
    """
    running = values.astype(np.float64)
    for start, end in pairwise(offsets.tolist()):
        if end - start > 1:
            operation.accumulate(running[start:end], out=running[start:end])
    return running


def shifted(values: Floats, offsets: Integers, *, first: float) -> Floats:
    """Return the value of the row before in the topic, and `first` for a topic's first row."""
    before = np.concatenate(([first], values[:-1]))[: len(values)]
    before[offsets[:-1][np.diff(offsets) > 0]] = first
    return before


def sums(topic: Integers, values: NDArray[np.generic], n_topics: int) -> Floats:
    """Sum values by topic, one addition after the other, shape (T,)."""
    return np.bincount(topic, weights=values, minlength=n_topics).astype(float, copy=False)


def small(values: Integers) -> Integers:
    """Return integers below 2^31 in half the memory, to be kept for a while."""
    return values.astype(np.int32)


def joined(arrays: Sequence[NDArray[Number]]) -> NDArray[Number]:
    """Return arrays one behind the other; a single one as it is."""
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def offsets_of(sizes: Integers) -> Integers:
    """Turn sizes into offsets: group t has the rows offsets[t] to offsets[t+1]."""
    offsets = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.add.accumulate(sizes, out=offsets[1:])
    return offsets


def sizes_of(offsets: Integers) -> Integers:
    """Turn offsets into sizes; np.diff does the same, and takes four times as long for few."""
    return offsets[1:] - offsets[:-1]


def owner(offsets: Integers) -> Integers:
    """Return the index of the group of each row."""
    if len(offsets) == 2:
        return np.zeros(offsets[1], dtype=np.int64)
    return np.arange(len(offsets) - 1).repeat(sizes_of(offsets))


def position(offsets: Integers) -> Integers:
    """Return the place of each row in its group, from 0."""
    place = np.arange(offsets[-1])
    place -= offsets[:-1].repeat(sizes_of(offsets))
    return place


def stretch_of(rows: Integers, starts: Integers) -> Integers:
    """Return the stretches of some rows, which are in ascending order."""
    return owner(rows.searchsorted(starts))


def descending_order(values: Grades, offsets: Integers, *, stable: bool = True) -> Integers:
    """Return the order of rows that sorts each group by descending value."""
    kind: Literal["stable"] | None = "stable" if stable else None
    starts, keys = offsets.tolist(), -values
    if len(starts) == 2:
        return keys.argsort(kind=kind)
    size = len(values) // max(len(starts) - 1, 1)
    if size and starts == [*range(0, len(values) + 1, size)]:  # few calls where all are alike
        rows = keys.reshape(-1, size).argsort(axis=1, kind=kind)
        rows += offsets[:-1, None]
        return rows.ravel()
    order = np.arange(len(values))
    for start, end in pairwise(starts):
        if end - start > 1:
            order[start:end] = keys[start:end].argsort(kind=kind) + start
    return order


Words = NDArray[np.uint64]

MULTIPLIER = 0x9E3779B97F4A7C15
"""An odd number, 2^64 by the golden ratio: the upper bits of its multiples differ."""


def spread(numbers: Integers) -> Words:
    """Return a hash of each integer; those of similar integers are far apart."""
    return numbers.view(np.uint64) * np.uint64(MULTIPLIER)


def slot_of(hashed: Words, bits: int) -> Integers:
    """Return the upper bits of each hash, its slot in a table of 2^bits."""
    return (hashed >> np.uint64(64 - bits)).view(np.int64)


MOST_BITS = 22
"""Bits of the number of slots: 4 MB."""


@record
class SortedIntegers:
    """Distinct integers in ascending order."""

    values: Integers

    @cached_property
    def _bits(self) -> int:
        """The bits of the number of slots, of which most are empty."""
        return min(max((8 * len(self.values)).bit_length(), 10), MOST_BITS)

    @cached_property
    def _taken(self) -> Booleans:
        """True for each slot of a value, shape (2^bits,)."""
        taken = np.zeros(1 << self._bits, dtype=bool)
        taken[slot_of(spread(self.values), self._bits)] = True
        return taken

    def find(self, wanted: Integers) -> tuple[Integers, Integers]:
        """Return the rows of `wanted` that are among the values, ascending, and their places there.

        Only those in the slot of a value are searched for, which takes longer than to look there.
        """
        rows = self._taken[slot_of(spread(wanted), self._bits)].nonzero()[0]
        wanted = wanted[rows]
        at = np.minimum(self.values.searchsorted(wanted), len(self.values) - 1)
        there = (self.values[at] == wanted).nonzero()[0]
        return rows[there], at[there]


ROOM = 16
"""A table has a place for every integer if it is at most this many times as long as the names."""

LEAST, LARGEST = -(1 << 63), (1 << 63) - 1
"""The least and the largest integer of an int64."""


@record
class IntegerNames:
    """The numbers of names that are integers as Python prints them, such as 7 and -3, but not 007.

    ====== =====================================================================================
    values the integers, ascending
    places the numbers of their names
    table  the number of the name of each integer from below the least to above the greatest, -1
           for none; or empty
    ====== =====================================================================================
    """

    values: Integers
    places: Integers
    table: Integers

    @classmethod
    def of(cls, names: Sequence[bytes]) -> "IntegerNames":
        """Index names, numbered as they come."""
        known = sorted((n, at) for at, name in enumerate(names) if (n := _value(name)) is not None)
        pairs = np.array(known, dtype=np.int64).reshape(-1, 2)
        values, places = pairs[:, 0], pairs[:, 1]
        table = np.zeros(0, dtype=np.int64)
        # As Python's integers, whose difference may be more than an int64.
        least, most = (int(values[0]), int(values[-1])) if len(values) else (0, 0)
        if pairs.size and most - least < ROOM * len(values) + (1 << 16) and least > LEAST:
            table = np.full(int(values[-1] - values[0]) + 3, -1)
            table[values - values[0] + 1] = places
        return cls(values, places, table)

    def find(self, numbers: Integers) -> Integers:
        """Return the number of the name of each integer, -1 for none, in the same shape."""
        if not len(self.values):
            return np.full(numbers.shape, -1)
        if len(self.table):  # clipped to its ends, which hold -1
            return self.table.take(numbers - (self.values[0] - 1), mode="clip")
        at = np.minimum(self.values.searchsorted(numbers), len(self.values) - 1)
        return np.where(self.values[at] == numbers, self.places[at], -1)


def _value(name: bytes) -> int | None:
    """Return the integer that a name is, as Python prints it."""
    if len(name) > len(str(LEAST)) or not name.removeprefix(b"-").isdigit():
        return None
    number = int(name)
    return number if b"%d" % number == name and LEAST <= number <= LARGEST else None


FEW_BYTES = 1 << 20
"""Bytes up to which loading OpenSSL takes longer than it saves."""


def short_digest(pieces: Iterable[bytes]) -> str:
    """Return twelve hexadecimal digits of the SHA-256 of the pieces, one after the other."""
    rest = iter(pieces)
    begun = b"".join(islice(rest, 4096))
    # Python's own functions, since Python 3.12 and before; `hashlib` loads OpenSSL.
    for module in ("_sha2", "_sha256", "hashlib") if len(begun) < FEW_BYTES else ("hashlib",):
        with suppress(ImportError):
            hashed = import_module(module).sha256(begun)
            break
    while some := b"".join(islice(rest, 4096)):
        hashed.update(some)
    return str(hashed.hexdigest()[:12])
