"""Find names by the integers whose digits they are."""

from collections.abc import Sequence

import numpy as np

from rankeval.base.arrays import Integers
from rankeval.base.frozen import frozen

ROOM = 16
"""A table has a place for every integer where it is at most so many times as long as the names."""

LEAST, LARGEST = -(1 << 63), (1 << 63) - 1
"""The integers that an int64 holds, and"""

MOST_DIGITS = len(str(LARGEST))
"""the digits of the largest."""


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
