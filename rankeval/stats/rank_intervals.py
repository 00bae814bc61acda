"""Intervals of the ranks of systems, and the probability that each is the best."""

import numpy as np
import numpy.typing as npt

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.stats.checked_arrays import (
    NOISE,
    Floats,
    as_columns,
    require_count,
    require_fraction,
)
from rankeval.stats.intervals import sample_weights

SAMPLES = 10_000


@frozen
class RankInterval:
    """The ranks that a system may have among all, 1 being the best.

    ========= ==================================================================
    rank      by the means; equal means have the same rank
    low, high ends of the interval
    best      probability to be the best; systems equally good share it
    ========= ==================================================================
    """

    rank: int
    low: int
    high: int
    best: float


@checked
def bootstrap_ranks(
    gains: npt.ArrayLike, *, level: float = 0.95, samples: int = SAMPLES, seed: int = 0
) -> tuple[RankInterval, ...]:
    r"""Bound the ranks of systems among all topics, by resampling topics.

    The interval has the quantiles (1 - level)/2 and (1 + level)/2 of the ranks in bootstrap samples
    of the topics, as ranks that occurred; `best` is the share of samples with rank 1. All systems
    are ranked on the same samples, so that topics hard for all do not count.

    Shapes: gains (n, S), topics in rows, more being better, give S intervals.

    Edge cases
        - NaN: the topic is left out.
        - Fewer than two topics, or two systems: no interval, an empty tuple.

    Source: Hall and Miller, "Using the bootstrap to quantify the authority of an empirical
    ranking", Annals of Statistics 37(6B), 2009; Goldstein and Spiegelhalter, "League tables and
    their limitations", Journal of the Royal Statistical Society A 159(3), 1996.

    >>> found = bootstrap_ranks([[0.5, 0.4], [0.6, 0.1], [0.7, 0.2]])
    >>> [(each.low, each.high, each.best) for each in found]
    [(1, 1, 1.0), (2, 2, 0.0)]
    """
    require_fraction(level, "level")
    require_count(samples, "samples")
    every = as_columns(gains, "gains")
    values = every[~np.isnan(every).any(axis=1)]
    if min(values.shape) < 2:
        return ()
    drawn = [weights @ values for weights in sample_weights(len(values), samples, seed)]
    return _intervals(values, np.concatenate(drawn) / len(values), level)


def _intervals(values: Floats, drawn: Floats, level: float) -> tuple[RankInterval, ...]:
    """Return the quantiles of the ranks in samples of the means, shape (samples, S)."""
    ranks = _ranks(drawn)
    first = ranks == 1
    best = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
    tails = [(1.0 - level) / 2.0, (1.0 + level) / 2.0]
    low = np.quantile(ranks, tails[0], axis=0, method="inverted_cdf")
    high = np.quantile(ranks, tails[1], axis=0, method="inverted_cdf")
    (seen,) = _ranks(values.mean(axis=0)[np.newaxis])
    return tuple(
        RankInterval(int(rank), int(a), int(b), float(share))
        for rank, a, b, share in zip(seen, low, high, best, strict=True)
    )


def _ranks(means: Floats) -> npt.NDArray[np.int64]:
    """Return 1 and the number of systems that are better, in each row."""
    noise = NOISE * np.maximum(1.0, np.abs(means).max(axis=1, keepdims=True))
    # Row by row against each system, so that memory grows with the samples and not their square.
    better = [(means > means[:, [system]] + noise).sum(axis=1) for system in range(means.shape[1])]
    return np.asarray(1 + np.stack(better, axis=1), dtype=np.int64)
