"""Find documents that are listed twice for a topic, by the hashes of their names."""

from collections.abc import Callable, Sequence

import numpy as np

from rankeval.io.columns import MOST_REPEATED, RepeatedTooOftenError
from rankeval.io.hashing import of_numbers, repeated
from rankeval.support.arrays import Integers, stretch_of
from rankeval.support.slots import Words

AT_ONCE = 1 << 15
"""Rows, or those of one topic, among which repeated docnos are looked for at a time; a table of
their hashes stays in the processor's cache."""


def repeated_docnos(
    hashed: Words, starts: Integers, names_at: Callable[[Integers], Sequence[bytes]]
) -> list[tuple[int, int]]:
    """Return rows that repeat the docno of an earlier row of their stretch, as (earlier, later).

    `hashed` are the hashes of the docnos, and `names_at` gives the docnos of some rows.
    RepeatedTooOftenError if more rows than MOST_REPEATED do.
    """
    marks = hashed ^ np.repeat(of_numbers(len(starts) - 1), np.diff(starts))
    near = starts[1:].searchsorted(range(AT_ONCE, len(marks), AT_ONCE))
    ends = starts[1:][near[np.diff(near, prepend=-1) > 0]]
    twice = np.concatenate([repeated(part) for part in np.split(marks, ends)])
    if not len(twice):
        return []
    if len(twice) > MOST_REPEATED:
        raise RepeatedTooOftenError
    suspects = np.flatnonzero(np.isin(marks, twice))
    stretch = stretch_of(suspects, starts).tolist()
    first: dict[tuple[int, bytes], int] = {}
    pairs = []
    for row, where, name in zip(suspects.tolist(), stretch, names_at(suspects), strict=True):
        earlier = first.setdefault((where, name), row)
        if earlier != row:
            pairs.append((earlier, row))
    return pairs
