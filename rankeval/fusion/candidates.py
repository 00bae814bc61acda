"""The documents that several runs retrieved for some topics, with their scores and ranks."""

from functools import cached_property
from itertools import compress

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers, NDArray, offsets_of, owner, sizes_of
from rankeval.base.frozen import frozen
from rankeval.io.parsers.columns import Columns, Docnos


@frozen(eq=False)
class Candidates:
    """D candidates of T topics, with their scores and ranks in R runs.

    ========= ============= ===============================================================
    topics    T bytes
    offsets   (T+1,) int64  topic t has the candidates offsets[t] to offsets[t+1], at least one
    docnos    D names
    scores    (R, D) float  the score in each run; NaN where the run lacks the document
    ranks     (R, D) int32  the rank in each run, from 1; 0 where the run lacks the document
    retrieved (R, T) int64  documents that each run retrieved; 0 for a topic that it lacks
    ========= ============= ===============================================================
    """

    topics: tuple[bytes, ...]
    offsets: Integers
    docnos: Docnos
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

    def of(self, topics: Booleans) -> "Candidates":
        """Return some of the topics, shape (T,)."""
        if topics.all():
            return self
        rows = np.flatnonzero(topics[self.topic])
        return Candidates(
            tuple(compress(self.topics, topics.tolist())),
            offsets_of(sizes_of(self.offsets)[topics]),
            self.docnos.take(rows),
            self.scores[:, rows],
            self.ranks[:, rows],
            self.retrieved[:, topics],
        )

    def lines(self, values: Floats) -> Columns:
        """Return lines of the topics, in the order of the candidates, with these scores."""
        numbers = range(1, len(values) + 1)
        return Columns(self.topics, self.offsets, self.docnos, values, numbers)
