"""The documents that several runs retrieved, their scores and ranks, and the overlap of runs."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rankeval.base.arrays import Booleans, Floats, Integers, offsets_of, owner, sizes_of
from rankeval.base.frozen import frozen


@frozen(eq=False)
class Candidates:
    """D candidates of T topics, with their scores and ranks in R runs.

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


def rank_biased_overlap(found: Candidates, first: int, second: int, p: float) -> Floats:
    r"""Return the extrapolated RBO of two runs for each topic, shape (T,).

    With X_d the number of documents among the first d of both, and rankings of s and l >= s,

    .. math:: \mathrm{RBO} = \frac{1-p}{p} \Big( \sum_{d=1}^{l} \frac{X_d}{d} p^d +
        \sum_{d=s+1}^{l} \frac{X_s (d-s)}{s d} p^d \Big) +
        \Big( \frac{X_l - X_s}{l} + \frac{X_s}{s} \Big) p^l

    Edge cases
        - A topic that one of the runs lacks, or both: 0.

    Source: Webber, Moffat and Zobel, "A similarity measure for indefinite rankings", ACM TOIS
    28(4), 2010, equation 32.
    """
    sizes = found.retrieved[[first, second]]
    short, long = sizes.min(axis=0), sizes.max(axis=0)
    both = np.flatnonzero(found.present[first] & found.present[second])
    topic = found.topic[both]
    later = found.ranks[[first, second]][:, both].max(axis=0)  # where both have come up
    depth = np.arange(1.0, max(int(long.max(initial=0)), 1) + 1)
    weight = np.append(0.0, np.cumsum(p**depth))  # sums of p^d, and of p^d / d, up to each depth
    share = np.append(0.0, np.cumsum(p**depth / depth))

    def added(values: Floats | Integers) -> Floats:
        return np.bincount(topic, weights=values, minlength=len(short)).astype(np.float64)

    in_long = added(np.ones(len(both)))
    in_short = added(later <= short[topic])
    seen = added(share[long[topic]] - share[later - 1])
    s, n = np.maximum(short, 1), np.maximum(long, 1)
    further = in_short / s * ((weight[long] - weight[short]) - short * (share[long] - share[short]))
    end = ((in_long - in_short) / n + in_short / s) * p**long
    rbo: Floats = np.where(short > 0, (1 - p) / p * (seen + further) + end, 0.0)
    return rbo
