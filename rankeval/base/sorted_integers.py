"""Find a few integers among many others."""

from functools import cached_property

import numpy as np

from rankeval.base.arrays import Booleans, Integers
from rankeval.base.frozen import frozen
from rankeval.base.slots import slot_of, spread

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
