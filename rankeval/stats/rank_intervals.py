"""Intervals of the ranks of systems, and the probability that each is the best."""

import math

import numpy as np
import numpy.typing as npt

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.stats.checked_arrays import (
    NOISE,
    Floats,
    as_columns,
    random_numbers,
    require_count,
    require_fraction,
)
from rankeval.stats.intervals import sample_weights

SAMPLES = 10_000
DEVIATIONS, SPREADS = 41, 400
"""Points of the grids of sigma and tau."""
WIDEST = 50.0
"""The largest tau of the grid, in units of the observed one or the prior's scale if larger."""


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
    values = _whole(gains, level, samples)
    if not values.size:
        return ()
    drawn = [weights @ values for weights in sample_weights(len(values), samples, seed)]
    return _intervals(values, np.concatenate(drawn) / len(values), level)


@checked
def posterior_ranks(
    gains: npt.ArrayLike, *, level: float = 0.95, draws: int = SAMPLES, seed: int = 0
) -> tuple[RankInterval, ...]:
    r"""Bound the ranks of systems by the posterior of a hierarchical model of topics and systems.

    .. math:: y_{ts} = \alpha_t + \beta_s + \epsilon_{ts}, \qquad
        \epsilon_{ts} \sim \mathcal N(0, \sigma^2), \qquad \beta_s \sim \mathcal N(\mu, \tau^2)

    with alpha_t, mu and log sigma uniform, and tau half-Cauchy with the scale of the errors seen,
    s = sqrt(SSE / ((n - 1)(S - 1))). Effects of topics and mu are integrated out; sigma and tau are
    drawn from their posterior on a grid, and the effects of systems from their normal distribution
    given these:

    .. math:: \beta_s - \bar\beta \sim \mathcal N\Bigl(c\,(\bar y_{.s} - \bar y_{..}),
        c\,\frac{\sigma^2}{n}\Bigr), \qquad c = \frac{\tau^2}{\tau^2 + \sigma^2 / n}

    Systems without evidence of a difference are shrunk together, so that the best of many is not
    taken for better than it is.

    Shapes: gains (n, S), topics in rows, more being better, give S intervals.

    Edge cases
        - NaN: the topic is left out.
        - Fewer than two topics, or two systems: no interval, an empty tuple.
        - Systems that differ by the same on every topic, so that there is no error: their ranks.

    Source: Carterette, "Bayesian inference for information retrieval evaluation", ICTIR 2015;
    Gelman, "Prior distributions for variance parameters in hierarchical models", Bayesian Analysis
    1(3), 2006.

    >>> found = posterior_ranks([[0.5, 0.4], [0.6, 0.1], [0.7, 0.2]])
    >>> 0.7 < found[0].best < 1.0
    True
    """
    values = _whole(gains, level, draws)
    if not values.size:
        return ()
    n_topics, n_systems = values.shape
    centred = values - values.mean(axis=1, keepdims=True)
    means = centred.mean(axis=0)
    errors = float(((centred - means) ** 2).sum())
    rng = random_numbers(seed)
    if errors <= NOISE**2 * max(1.0, float((centred**2).sum())):
        return _intervals(values, means[np.newaxis], level)
    variance, spread = _variances(means, errors, n_topics, draws, rng)
    kept = spread / (spread + variance / n_topics)
    noise = rng.standard_normal((draws, n_systems))
    drawn = kept[:, None] * means + np.sqrt(kept * variance / n_topics)[:, None] * noise
    return _intervals(values, drawn, level)


def _variances(
    means: Floats, errors: float, n_topics: int, draws: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Draw sigma squared and tau squared from their posterior, on a grid."""
    from scipy.stats import chi2

    free = (n_topics - 1) * (means.size - 1)
    scale = math.sqrt(errors / free)
    # Without the systems, errors / sigma^2 has a chi-squared distribution: cells alike in its mass.
    shares = (np.arange(DEVIATIONS) + 0.5) / DEVIATIONS
    variance = errors / chi2.ppf(shares, free)
    seen = math.sqrt(float((means**2).sum()) / (means.size - 1))
    ends = np.linspace(0.0, 1.0, SPREADS + 1) ** 3 * WIDEST * max(seen, scale)
    spread = ((ends[1:] + ends[:-1]) / 2.0) ** 2
    both = spread[np.newaxis] + variance[:, np.newaxis] / n_topics
    logarithm = -0.5 * ((means.size - 1) * np.log(both) + float((means**2).sum()) / both)
    logarithm += np.log(np.diff(ends)) - np.log1p(spread / scale**2)
    chance = np.exp(logarithm - logarithm.max()).ravel()
    cell = rng.choice(chance.size, draws, p=chance / chance.sum())
    first, second = np.divmod(cell, SPREADS)
    return variance[first], spread[second]


def _whole(gains: npt.ArrayLike, level: float, samples: int) -> Floats:
    """Return the topics for which all systems have a value; none if that gives no interval."""
    require_fraction(level, "level")
    require_count(samples, "samples")
    values = as_columns(gains, "gains")
    whole = values[~np.isnan(values).any(axis=1)]
    return whole if whole.shape[0] > 1 and whole.shape[1] > 1 else np.empty((0, 0))


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
