"""Slots of integers in tables whose length is a power of two."""

import numpy as np

from rankeval.base.arrays import Integers, NDArray

Words = NDArray[np.uint64]

MULTIPLIER = 0x9E3779B97F4A7C15
"""An odd number, 2^64 by the golden ratio: the upper bits of its multiples differ."""


def spread(numbers: Integers) -> Words:
    """Return a hash of each integer; those of similar integers are far apart."""
    return numbers.view(np.uint64) * np.uint64(MULTIPLIER)


def slot_of(hashed: Words, bits: int) -> Integers:
    """Return the upper bits of each hash, its slot in a table of 2^bits."""
    return (hashed >> np.uint64(64 - bits)).view(np.int64)
