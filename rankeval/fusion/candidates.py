"""The documents that several runs retrieved, with the scores and ranks that each run gives them."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rankeval.base.arrays import Booleans, Floats, Integers, offsets_of, owner, sizes_of
from rankeval.base.frozen import frozen


@frozen(eq=False)
class Candidates:
    """D candidates of T topics, and what R runs say of them.

    ========= ============= ===============================================================
    offsets   (T+1,) int64  topic t has the candidates offsets[t] to offsets[t+1], at least one
    scores    (R, D) float  the score in each run; NaN where the run lacks the document
    ranks     (R, D) int32  the rank in each run, from 1; 0 where the run lacks the document
    retrieved (R, T) int64  documents that each run retrieved; 0 for a topic that it lacks
    ========= ============= ===============================================================
    """

    offsets: Integers
    scores: Floats
    ranks: NDArray[np.int32]
    retrieved: Integers

    @cached_property
    def present(self) -> Booleans:
        """True where a run retrieved the document, shape (R, D)."""
        return self.ranks > 0

    @cached_property
    def topic(self) -> Integers:
        """The index of each candidate's topic, shape (D,)."""
        return owner(self.offsets)

    @cached_property
    def lengths(self) -> Integers:
        """The documents that each run retrieved for each candidate's topic, shape (R, D)."""
        return self.retrieved[:, self.topic]

    @cached_property
    def pool(self) -> Integers:
        """The number of candidates of each candidate's topic, shape (D,)."""
        return sizes_of(self.offsets)[self.topic]

    def of(self, topics: Booleans, rows: Integers) -> "Candidates":
        """Return some of the topics, shape (T,); `rows` are their candidates."""
        return Candidates(
            offsets_of(sizes_of(self.offsets)[topics]),
            self.scores[:, rows],
            self.ranks[:, rows],
            self.retrieved[:, topics],
        )
