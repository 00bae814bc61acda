"""Sums that do not depend on the order of the runs."""

import numpy as np

from rankeval.support.arrays import Floats

FEW = 12
"""Up to so many runs, comparing neighbours sorts faster than numpy does."""


def total(values: Floats) -> Floats:
    """Sum over runs, shape (R, D) to (D,), from the least value to the largest; NaN counts 0.

    Rounding then depends on the values alone: documents with the same ranks in other runs tie.
    """
    values = np.where(np.isnan(values), 0.0, values)
    if len(values) < 3:  # a + b is b + a
        return values.sum(axis=0)
    if len(values) > FEW:
        return np.sort(values, axis=0).sum(axis=0)
    rows = list(values)
    for last in range(len(rows) - 1, 0, -1):
        for i in range(last):
            low, high = rows[i], rows[i + 1]
            rows[i], rows[i + 1] = np.minimum(low, high), np.maximum(low, high)
    return np.sum(rows, axis=0)
