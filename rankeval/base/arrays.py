"""Types of arrays, and arithmetic over rows in groups (CSR layout)."""

import sys
from collections.abc import Iterable, Sequence
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


def sums(topic: Integers, values: NDArray[np.generic], n_topics: int) -> Floats:
    """Sum values by topic, one addition after the other, shape (T,)."""
    return np.bincount(topic, weights=values, minlength=n_topics).astype(float, copy=False)


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
    return np.arange(len(offsets) - 1).repeat(offsets[1:] - offsets[:-1])


def position(offsets: Integers) -> Integers:
    """Return the place of each row in its group, from 0."""
    place = np.arange(offsets[-1])
    place -= offsets[:-1].repeat(offsets[1:] - offsets[:-1])
    return place


def begins(*columns: NDArray[Any]) -> Booleans:
    """Mark the rows that differ from the row before in some column, and the first."""
    new = np.ones(len(columns[0]), dtype=bool)
    new[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return new


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


@record
class DistinctIntegers:
    """Integers in any order, each of them once."""

    values: Integers

    @cached_property
    def _slots(self) -> tuple[NDArray[np.int32], np.uint64, Integers]:
        """The place of one value for each slot, else -1; the bits of a hash to drop; other places.

        These are of values in the slot of another one, which ascend; -1 follows. There are at most
        2^22 slots, 16 MB, of which most are empty.
        """
        bits = min(max((8 * len(self.values)).bit_length(), 10), 22)
        places, dropped = np.full(1 << bits, -1, dtype=np.int32), np.uint64(64 - bits)
        slots, every = (spread(self.values) >> dropped).view(np.int64), np.arange(len(self.values))
        places[slots] = every
        others = np.flatnonzero(places[slots] != every)
        return places, dropped, np.append(others[self.values[others].argsort()], -1)

    def find(self, wanted: Integers) -> tuple[Integers, Integers]:
        """Return the rows of `wanted` that are among the values, ascending, and their places there.

        A search takes longer than to look into a slot.
        """
        places, dropped, others = self._slots
        slot = places[(spread(wanted) >> dropped).view(np.int64)]
        rows = np.flatnonzero(slot >= 0)
        at, wanted = slot[rows].astype(np.int64), wanted[rows]
        apart = np.flatnonzero(self.values[at] != wanted)
        at[apart] = others[self.values[others[:-1]].searchsorted(wanted[apart])]
        there = np.flatnonzero(self.values[at] == wanted)
        return rows[there], at[there]


def short_digest(pieces: Iterable[bytes]) -> str:
    """Return twelve hexadecimal digits of the SHA-256 of the pieces, one after the other."""
    rest = iter(pieces)
    begun = b"".join(islice(rest, 4096))
    # Python's own functions, since Python 3.12 and before; `hashlib` loads OpenSSL,
    # which takes longer than it saves of less than a megabyte.
    own = "_sha2" if sys.version_info >= (3, 12) else "_sha256"
    hashed = import_module(own if len(begun) < 1 << 20 else "hashlib").sha256(begun)
    while some := b"".join(islice(rest, 4096)):
        hashed.update(some)
    return str(hashed.hexdigest()[:12])
