"""Logarithms as the C library takes them.

Those of numpy depend on the processor's vector instructions: their last bit may differ from one
machine to the next, and from other tools, and a fourth decimal can show it.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankeval.support.arrays import Floats

LOW = 1 << 16


def log(values: NDArray[Any]) -> Floats:
    """Natural logarithms; minus infinity for 0 and NaN below."""
    return _each(math.log, values)


def log2(values: NDArray[Any]) -> Floats:
    """Logarithms to base 2; minus infinity for 0 and NaN below."""
    return _each(math.log2, values)


def _each(function: Any, values: NDArray[Any]) -> Floats:
    distinct, which = _distinct(values)
    logarithms = [
        function(value) if value > 0 else -math.inf if value == 0 else math.nan
        for value in distinct.tolist()
    ]
    return np.array(logarithms, dtype=float)[which].reshape(np.shape(values))


def _distinct(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """The distinct values, and which of them stands where; those of ranks without sorting."""
    if values.size and values.dtype.kind == "i" and values.min() >= 0 and values.max() < LOW:
        counts = np.bincount(values.ravel())
        place = np.cumsum(counts > 0) - 1
        return np.flatnonzero(counts), place[values.ravel()]
    return np.unique(values, return_inverse=True)
