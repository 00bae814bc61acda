"""Docnos by their hashes: find judged documents, and those that are listed twice for a topic."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from rankeval.base.arrays import Integers, Words, stretch_of
from rankeval.io.parsers.columns import (
    MOST_REPEATED,
    DocnoIndex,
    JudgmentIndex,
    RepeatedTooOftenError,
)
from rankeval.io.parsers.hashing import Texts, hashes, of_numbers, repeated

AT_ONCE = 1 << 15
"""Rows, or those of one topic, among which repeated docnos are looked for at a time; a table of
their hashes stays in the processor's cache."""


class HashedDocnos:
    """A column of docnos whose bytes stand in memory, wherever that is."""

    @property
    def texts(self) -> Texts:
        """The place of the docnos in memory."""
        raise NotImplementedError

    def names_at(self, rows: Integers) -> Sequence[bytes]:
        """Return the docnos of some rows."""
        raise NotImplementedError

    @cached_property
    def hashes(self) -> Words:
        """A hash of each docno, for finding judged docnos and duplicates."""
        return hashes(self.texts)

    def find(self, index: DocnoIndex) -> tuple[Integers, Integers]:
        return index.hashed.find(self.texts, self.hashes)

    def find_judged(
        self, index: JudgmentIndex, topic: Integers, starts: Integers
    ) -> tuple[Integers, Integers]:
        return index.hashed.find(self.texts, self.hashes, topic, starts)

    def duplicates(self, starts: Integers) -> list[tuple[int, int]]:
        marks = self.hashes ^ np.repeat(of_numbers(len(starts) - 1), np.diff(starts))
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
        for row, where, name in zip(
            suspects.tolist(), stretch, self.names_at(suspects), strict=True
        ):
            earlier = first.setdefault((where, name), row)
            if earlier != row:
                pairs.append((earlier, row))
        return pairs
