"""Types of arrays, and arithmetic over rows that stand in groups (CSR layout)."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Number = TypeVar("Number", bound=np.generic)
Grades = Integers | Floats
"""int64 where all judgments are integers, float64 where some are fractions."""


def accumulate(operation: np.ufunc, values: Floats, offsets: Integers) -> Floats:
    """Accumulate within each topic, strictly from its first value to its last.

    A cumulative sum over all topics minus what came before a topic would round differently.
    Topics of similar length are padded to one matrix, so that padding at most doubles the work.
    """
    running = np.empty(len(values))
    lengths = np.diff(offsets)
    size_class = np.frexp(lengths)[1]
    for width_class in np.flatnonzero(np.bincount(size_class[lengths > 0])).tolist():
        chosen = size_class == width_class
        column = np.arange(lengths[chosen].max())
        inside = column < lengths[chosen, None]
        index = offsets[:-1][chosen, None] + column
        padded = values[np.where(inside, index, 0)]
        running[index[inside]] = operation.accumulate(padded, axis=1)[inside]
    return running


def shifted(values: Floats, offsets: Integers, *, first: float) -> Floats:
    """Return the value of the row before in the topic, and `first` for a topic's first row."""
    before = np.concatenate(([first], values[:-1]))[: len(values)]
    before[offsets[:-1][np.diff(offsets) > 0]] = first
    return before


def sums(topic: Integers, values: NDArray[np.generic], n_topics: int) -> Floats:
    """Sum values by topic, one addition after the other, shape (T,)."""
    sums: Floats = np.bincount(topic, weights=values, minlength=n_topics).astype(float)
    return sums


def offsets_of(sizes: Integers) -> Integers:
    """Turn sizes into offsets: group t has the rows offsets[t] to offsets[t+1]."""
    return np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)


def owner(offsets: Integers) -> Integers:
    """Return the index of the group of each row."""
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def position(offsets: Integers) -> Integers:
    """Return the place of each row in its group, from 0."""
    return np.arange(offsets[-1]) - np.repeat(offsets[:-1], np.diff(offsets))


def stretch_of(rows: Integers, starts: Integers) -> Integers:
    """Return the stretches of some rows, which are in ascending order."""
    sizes = np.diff(np.searchsorted(rows, starts))
    return np.repeat(np.arange(len(sizes)), sizes)
