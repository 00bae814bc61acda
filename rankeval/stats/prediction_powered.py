"""Means over all topics from the judgments of people on some and of a machine on all."""

import math
from dataclasses import replace

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.stats.checked_arrays import NOISE, Floats
from rankeval.stats.confidence_bounds import stakes

TRIED = (0.0, 0.5, 1.0)
"""Weights of the machine that the bets are spread over. One chosen from the topics that people
judged would not be fair."""
HALVINGS = 17
"""Of a range, until the end of an interval by betting is known to 2^-17 of it."""


@frozen(eq=False)
class Sample:
    """The values of one measure on the topics that people judged, and on all others.

    ========= ===========================================================================
    human     by the judgments of people, shape (n,)
    machine   by those of the machine on the same topics, shape (n,)
    others    by those of the machine on the topics that people did not judge, shape (N,)
    weights   1 / probability that people judged the topic, shape (n,); None if each of
              the n + N topics was as likely
    span      least and greatest value of a topic; None if there is no such range
    ========= ===========================================================================
    """

    human: Floats
    machine: Floats
    others: Floats
    weights: Floats | None = None
    span: tuple[float, float] | None = None


@frozen
class Estimated:
    """An estimate of a mean, of people's judgments helped by a machine's.

    ============== ==============================================================================
    value          the estimate
    human          the mean of the topics that people judged, alone
    machine        the mean of all topics by the machine, alone
    weight         lambda: what the machine's values count, from 0 to 1
    standard_error of the estimate; None for one topic of people
    low, high      the interval by Student's t; None for fewer than two topics
    betting_low,   the interval by betting, which assumes nothing about the distribution; None
    betting_high   without a range of values, and where topics have weights
    n_human        topics that people judged
    n_machine      topics that only the machine judged
    more           topics that people would have to judge besides, for the same standard error
                   without a machine; None where there is no error
    ============== ==============================================================================
    """

    value: float
    human: float
    machine: float | None
    weight: float
    standard_error: float | None
    low: float | None
    high: float | None
    betting_low: float | None
    betting_high: float | None
    n_human: int
    n_machine: int
    more: float | None


def prediction_powered_mean(
    sample: Sample, *, level: float = 0.95, finite: bool = False
) -> Estimated:
    r"""Estimate the mean over all topics where people judged some, and a machine all.

    .. math:: \hat\theta = \lambda \bar f_N + \frac 1 n \sum_{i=1}^{n} (y_i - \lambda f_i),
        \qquad \hat\lambda = \frac{\mathrm{cov}(y, f)}{(1 + n/N)\,\mathrm{var}(f)},
        \qquad \hat\sigma^2 = \lambda^2 \frac{\mathrm{var}(f_N)}{N}
        + \frac{\mathrm{var}(y - \lambda f)}{n}

    with y the values by people and f by the machine on the n topics that both judged, f_N by the
    machine on the N others, and lambda at least 0 and at most 1. The covariance is that of the n
    topics divided by n, the variance of f that of all n + N divided by n + N - 1. However wrong the
    machine is, the estimate is unbiased but for the choice of lambda, which is small against the
    standard error.

    The interval by t has the quantile of n - 1 degrees of freedom, and divides the squares of
    y - lambda f by n - 2 where lambda was chosen. That by betting is of `log_capital`'s bets on n
    blocks of topics, one that both judged and N/n others each, spread evenly over lambda = 0, 1/2
    and 1.

    With `finite` the topics are all that matter, not a sample of those that users might ask: the
    estimate is the same, its variance is (1 - n/M) var(y - b f)/n with M = n + N and
    b = lambda M/N, and the bets are on draws without replacement.

    With weights w the estimate is b times the machine's mean of all M topics, plus the weighted
    mean of y - b f (Hajek), with b = cov/var weighted; its variance is
    sum w (w - 1) (d - mean of d)^2 / (sum w)^2 with d = y - b f, plus var(y)/M unless `finite`.

    Edge cases
        - N = 0: lambda is 0, the estimate is the mean of people's values.
        - The machine gives every topic the same value: lambda is 0.
        - One topic judged by people: no error and no interval.

    Source: Angelopoulos, Bates, Fannjiang, Jordan and Zrnic, "Prediction-powered inference",
    Science 382, 2023; Angelopoulos, Duchi and Zrnic, "PPI++: efficient prediction-powered
    inference", arXiv 2311.01453, 2023; without replacement: Cochran, Sampling Techniques, 1977,
    chapter 7; Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting",
    Journal of the Royal Statistical Society B 86(1), 2024.

    >>> sample = Sample(np.array([0.2, 0.6]), np.array([0.3, 0.7]), np.array([0.3, 0.5, 0.7, 0.9]))
    >>> found = prediction_powered_mean(sample)
    >>> round(found.weight, 3), round(found.value, 3)
    (0.455, 0.445)
    """
    value, weight, error, wide = _estimate(sample, finite=finite)
    n_human, n_others = len(sample.human), len(sample.others)
    margin = _quantile(n_human - 1, level) * wide if n_human > 1 else None
    bets = _bets(sample, level, finite=finite) if sample.weights is None else None
    betting_low, betting_high = bets or (None, None)
    return Estimated(
        value=value,
        human=float(np.average(sample.human, weights=sample.weights)),
        machine=float(np.concatenate((sample.machine, sample.others)).mean()),
        weight=weight,
        standard_error=error if n_human > 1 else None,
        low=None if margin is None else value - margin,
        high=None if margin is None else value + margin,
        betting_low=betting_low,
        betting_high=betting_high,
        n_human=n_human,
        n_machine=n_others,
        more=_more(sample, error, finite=finite),
    )


def _quantile(freedom: int, level: float) -> float:
    from scipy.special import stdtrit

    return -float(stdtrit(freedom, (1.0 - level) / 2.0))


def tuned_weight(sample: Sample) -> float:
    """Return PPI++'s lambda, from 0 to 1; see `prediction_powered_mean`."""
    n_human, n_others = len(sample.human), len(sample.others)
    if n_others == 0 or n_human < 2:
        return 0.0
    every = np.concatenate((sample.machine, sample.others))
    variance = float(every.var(ddof=1))
    if variance <= 1e-24 * max(1.0, float(np.abs(every).max()) ** 2):
        return 0.0
    together = _covariance(sample.human, sample.machine, sample.weights)
    return min(max(together / (variance * (1.0 + n_human / n_others)), 0.0), 1.0)


def _covariance(first: Floats, second: Floats, weights: Floats | None) -> float:
    apart = first - np.average(first, weights=weights)
    return float(
        np.average(apart * (second - np.average(second, weights=weights)), weights=weights)
    )


def _estimate(sample: Sample, *, finite: bool) -> tuple[float, float, float, float]:
    """Return the estimate, lambda, the standard error, and the one for the interval by t."""
    if sample.weights is not None:
        return _weighted(sample, sample.weights, finite=finite)
    n_human, n_others = len(sample.human), len(sample.others)
    weight = tuned_weight(sample)
    left = sample.human - weight * sample.machine
    value = float(left.mean()) + (weight * float(sample.others.mean()) if weight else 0.0)
    other_variance = 0.0
    share = 1.0
    if finite:
        share = n_others / (n_human + n_others)
        left = sample.human - (weight / share if weight else 0.0) * sample.machine
    elif weight:
        other_variance = weight**2 * float(sample.others.var()) / n_others
    squares = share * float(left.var())
    divisor = max(n_human - (2 if weight else 1), 1)
    wide = math.sqrt(other_variance + squares / divisor)
    return value, weight, math.sqrt(other_variance + squares / n_human), wide


def _weighted(
    sample: Sample, weights: Floats, *, finite: bool
) -> tuple[float, float, float, float]:
    """Return the same for topics that people judged with unequal probabilities."""
    n_human, n_others = len(sample.human), len(sample.others)
    n_topics = n_human + n_others
    weight = tuned_weight(sample)
    slope = weight * n_topics / n_others if weight else 0.0
    left = sample.human - slope * sample.machine
    centre = float(np.average(left, weights=weights))
    machine = float(np.concatenate((sample.machine, sample.others)).mean())
    squares = weights * (weights - 1.0) * (left - centre) ** 2
    variance = float(squares.sum()) / float(weights.sum()) ** 2
    population = 0.0
    if not finite:
        population = _covariance(sample.human, sample.human, weights) / n_topics
    scale = n_human / max(n_human - (2 if weight else 1), 1)
    wide = math.sqrt(scale * (variance + population))
    return slope * machine + centre, weight, math.sqrt(variance + population), wide


def _more(sample: Sample, error: float, *, finite: bool) -> float | None:
    """Return how many more topics of people alone would give the standard error."""
    n_human = len(sample.human)
    if error == 0.0 or n_human < 2:
        return None
    nothing = replace(sample, machine=np.zeros(n_human), others=np.zeros_like(sample.others))
    share = (_estimate(nothing, finite=finite)[2] / error) ** 2
    if finite:  # (1/n - 1/M) shrinks
        n_topics = n_human + len(sample.others)
        return n_topics / (1.0 + (n_topics / n_human - 1.0) / share) - n_human if share else 0.0
    return n_human * (share - 1.0)


def _bets(sample: Sample, level: float, *, finite: bool) -> tuple[float, float] | None:
    """Return the ends of the interval by betting, or None without a range."""
    if sample.span is None or len(sample.human) < 2:
        return None
    low, high = sample.span
    enough = math.log(2.0 / (1.0 - level)) + math.log(len(TRIED))
    lower = _lower_end(_bets_of(sample, low, high, finite=finite), low, high, enough)
    mirrored = replace(sample, human=-sample.human, machine=-sample.machine, others=-sample.others)
    upper = _lower_end(_bets_of(mirrored, -high, -low, finite=finite), -high, -low, enough)
    return lower, -upper


@frozen(eq=False)
class _Bets:
    """Values to bet on, a row for each weight of the machine, and the rest of the mean.

    ====== ========================================================================
    values in the order of the bets, shape (G, n)
    least  the least value of each row, shape (G, 1)
    known  what their mean lacks to the mean that is looked for, shape (G, 1)
    drawn  number of values they are drawn from without replacement; 0 if independent
    ====== ========================================================================
    """

    values: Floats
    least: Floats
    known: Floats
    drawn: int

    def log_capital(self, mean: float) -> float:
        """Return the logarithm of all capital of bets on a larger mean than this."""
        n_values = self.values.shape[1]
        expected = np.broadcast_to(mean - self.known, self.values.shape)
        if self.drawn:
            before = np.cumsum(self.values, axis=1) - self.values
            left = self.drawn * expected - before
            if (left[:, -1:] - self.values[:, -1:] < (self.drawn - n_values) * self.least).any():
                return math.inf  # less than the values that were not drawn can have
            expected = left / (self.drawn - np.arange(n_values))
        room = expected - self.least
        if (room <= NOISE).any():  # a mean that small leaves the values no room
            return math.inf
        shares, weights = stakes(n_values)
        gained = (self.values - expected) / room
        grown = np.log1p(shares[:, None, None] * gained).sum(axis=2)
        top = float(grown.max())
        return top + math.log(float((weights @ np.exp(grown - top)).sum()))


def _bets_of(sample: Sample, least: float, most: float, *, finite: bool) -> _Bets:
    """Return the bets on values from `least` to `most`."""
    n_human, n_others = len(sample.human), len(sample.others)
    size = n_others // n_human
    # Without a topic of its own for each block, the machine can only count where all are known.
    tried = np.array(TRIED)[:, None] if size or finite else np.zeros((len(TRIED), 1))
    left = sample.human - tried * sample.machine
    floor = least - tried * most
    if finite:
        machine = float(np.concatenate((sample.machine, sample.others)).mean())
        return _Bets(left, floor, tried * machine, n_human + n_others)
    if size:
        blocks = sample.others[: n_human * size].reshape(n_human, size).mean(axis=1)
        left, floor = left + tried * blocks, floor + tried * least
    return _Bets(left, floor, np.zeros_like(tried), 0)


def _lower_end(bets: _Bets, least: float, most: float, enough: float) -> float:
    """Return the greatest value that the bets show the mean to exceed, or the least value."""
    low, high = least, most
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        low, high = (middle, high) if bets.log_capital(middle) >= enough else (low, middle)
    return low
