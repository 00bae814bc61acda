"""Logarithms as the C library takes them.

numpy's logarithms depend on the processor's vector instructions. Their last bit may differ between
machines and from other tools, and can change the fourth decimal of a value.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankeval.support.arrays import Floats

LOW = 1 << 16


def log(values: NDArray[Any]) -> Floats:
    """Return natural logarithms; minus infinity for 0 and NaN below."""
    return _each(math.log, values)


def log2(values: NDArray[Any]) -> Floats:
    """Return logarithms to base 2; minus infinity for 0 and NaN below."""
    return _each(math.log2, values)


def _each(function: Any, values: NDArray[Any]) -> Floats:
    distinct, which = _distinct(values)
    logarithms = [
        function(value) if value > 0 else -math.inf if value == 0 else math.nan
        for value in distinct.tolist()
    ]
    return np.array(logarithms, dtype=float)[which].reshape(np.shape(values))


def _distinct(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the distinct values, and the index of each value in them; ranks need no sorting."""
    if values.size and values.dtype.kind == "i" and values.min() >= 0 and values.max() < LOW:
        counts = np.bincount(values.ravel())
        place = np.cumsum(counts > 0) - 1
        return np.flatnonzero(counts), place[values.ravel()]
    return np.unique(values, return_inverse=True)
