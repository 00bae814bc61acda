"""Integers in tables: slots by hash, a few among many, and names that are integers."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from rankeval.base.arrays import Booleans, Integers, NDArray
from rankeval.base.frozen import frozen

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


@frozen(eq=False)
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
"""A table has a place for every integer where it is at most so many times as long as the names."""

LEAST, LARGEST = -(1 << 63), (1 << 63) - 1
"""The least and the largest integer of an int64."""

MOST_DIGITS = len(str(LARGEST))
"""Digits of the largest."""


@frozen(eq=False)
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
        known = [(number, place) for place, name in enumerate(names) if (number := _value(name))]
        zero = [(0, place) for place, name in enumerate(names) if name == b"0"]
        pairs = np.array(sorted(known + zero), dtype=np.int64).reshape(-1, 2)
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


def _value(name: bytes) -> int:
    """Return the integer that a name is; 0 for any other name, and for 0 itself."""
    digits = name.removeprefix(b"-")
    if not digits.isdigit() or digits.startswith(b"0") or len(digits) > MOST_DIGITS:
        return 0
    number = int(name)
    return number if LEAST <= number <= LARGEST else 0
