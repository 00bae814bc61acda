"""Logarithms as the C library takes them.

numpy's logarithms depend on the processor's vector instructions. Their last bit may differ between
machines and from other tools, and can change the fourth decimal of a value.
"""

import math
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from rankeval.support.arrays import Floats, NDArray

LOW = 1 << 16
"""Logarithms of smaller integers, such as ranks, are taken once and kept in a table."""

OfNumber = Callable[[float], float]


def log(values: NDArray[Any]) -> Floats:
    """Return natural logarithms; minus infinity for 0 and NaN below."""
    return _each(math.log, values)


def log2(values: NDArray[Any]) -> Floats:
    """Return logarithms to base 2; minus infinity for 0 and NaN below."""
    return _each(math.log2, values)


def _each(function: OfNumber, values: NDArray[Any]) -> Floats:
    if values.dtype == np.int64:
        # As unsigned integers, negative ones are large.
        greatest = int(values.view(np.uint64).max(initial=0))
        if greatest < LOW:
            return _table(function, greatest.bit_length())[values]
    distinct, which = np.unique(values, return_inverse=True)
    return _logarithms(function, distinct.tolist())[which].reshape(np.shape(values))


@lru_cache(maxsize=64)
def _table(function: OfNumber, bits: int) -> Floats:
    """Return the logarithms of all integers that have so many bits."""
    return _logarithms(function, range(1 << bits))


def _logarithms(function: OfNumber, values: Iterable[float]) -> Floats:
    return np.array(
        [function(v) if v > 0 else -math.inf if v == 0 else math.nan for v in values], dtype=float
    )
