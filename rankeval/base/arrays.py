"""Types of arrays, and arithmetic over rows that stand in groups (CSR layout)."""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

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
    Topics of similar length are padded to one matrix, so that padding at most doubles the work.
    """
    running = np.empty(len(values))
    for groups in _padded(values, offsets, 0.0):
        running[groups.values] = operation.accumulate(groups.matrix, axis=1)[groups.inside]
    return running


def shifted(values: Floats, offsets: Integers, *, first: float) -> Floats:
    """Return the value of the row before in the topic, and `first` for a topic's first row."""
    before = np.concatenate(([first], values[:-1]))[: len(values)]
    before[offsets[:-1][np.diff(offsets) > 0]] = first
    return before


def sums(topic: Integers, values: NDArray[np.generic], n_topics: int) -> Floats:
    """Sum values by topic, one addition after the other, shape (T,)."""
    return np.bincount(topic, weights=values, minlength=n_topics).astype(float, copy=False)


def small(values: Integers) -> Integers:
    """Return integers below 2^31 in half the memory, to be kept for a while."""
    return values.astype(np.int32)


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
    return np.arange(len(offsets) - 1).repeat(sizes_of(offsets))


def position(offsets: Integers) -> Integers:
    """Return the place of each row in its group, from 0."""
    return np.arange(offsets[-1]) - offsets[:-1].repeat(sizes_of(offsets))


def stretch_of(rows: Integers, starts: Integers) -> Integers:
    """Return the stretches of some rows, which are in ascending order."""
    return owner(rows.searchsorted(starts))


def descending_order(values: Floats, offsets: Integers, *, stable: bool = True) -> Integers:
    """Return the order of rows that sorts each group by descending value.

    Groups of similar size are padded to one matrix, whose rows are sorted at once.
    """
    sizes = sizes_of(offsets)
    kind: Literal["stable"] | None = "stable" if stable else None
    keys = -values
    if len(sizes) <= 1:
        return keys.argsort(kind=kind)
    longest = int(sizes[sizes.argmax()])
    if longest * len(sizes) == len(values):
        order = keys.reshape(len(sizes), longest).argsort(axis=1, kind=kind)
        order += offsets[:-1, None]
        return order.ravel()
    order = np.empty(len(values), dtype=np.int64)
    for groups in _padded(keys, offsets, np.inf):
        rows = groups.matrix.argsort(axis=1, kind=kind)
        own = rows < sizes[groups.chosen, None]
        rows += offsets[:-1][groups.chosen, None]
        order[groups.values] = rows[own]
    return order


class _Groups(NamedTuple):
    """Groups of similar size: their indices, their values, and these as a matrix."""

    chosen: Booleans | slice
    values: Booleans | slice
    matrix: Floats
    inside: Booleans


def _padded(values: Floats, offsets: Integers, padding: float) -> Iterator[_Groups]:
    """Put the values of groups of similar size into the rows of matrices, before some padding."""
    sizes = sizes_of(offsets)
    for chosen in _of_similar_size(sizes):
        own = chosen if isinstance(chosen, slice) else chosen.repeat(sizes)
        width = sizes[chosen, None]
        inside = np.arange(width.max(initial=0)) < width
        matrix = np.full(inside.shape, padding)
        matrix[inside] = values[own]
        yield _Groups(chosen, own, matrix, inside)


def _of_similar_size(sizes: Integers) -> Iterator[Booleans | slice]:
    """Yield all groups, or if that would more than double the work, those of as many bits each."""
    if len(sizes) * int(sizes.max(initial=0)) <= 2 * int(sizes.sum()):
        yield slice(None)
        return
    size_class = np.frexp(sizes)[1]
    for width_class in np.bincount(size_class[sizes > 0]).nonzero()[0].tolist():
        yield size_class == width_class
