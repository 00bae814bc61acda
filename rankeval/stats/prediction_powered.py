"""Means over all topics from the judgments of people on some and of a machine on all."""

import math

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.stats.checked_arrays import Floats
from rankeval.stats.students_distribution import t_quantile


@frozen(eq=False)
class Sample:
    """The values of one measure on the topics that people judged, and on all others.

    ========= ===========================================================================
    human     by the judgments of people, shape (n,)
    machine   by those of the machine on the same topics, shape (n,)
    others    by those of the machine on the topics that people did not judge, shape (N,)
    ========= ===========================================================================
    """

    human: Floats
    machine: Floats
    others: Floats


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
    n_human        topics that people judged
    n_machine      topics that only the machine judged
    more           topics that people would have to judge besides, for the same standard error
                   without a machine; None where there is no error
    uncommon       topics that people judged whose value is not the commonest one
    ============== ==============================================================================
    """

    value: float
    human: float
    machine: float | None
    weight: float
    standard_error: float | None
    low: float | None
    high: float | None
    n_human: int
    n_machine: int
    more: float | None
    uncommon: int


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
    y - lambda f by n - 2 where lambda was chosen.

    With `finite` the topics are all that matter, not a sample of those that users might ask: the
    estimate is the same, its variance is (1 - n/M) var(y - b f)/n with M = n + N and
    b = lambda M/N.

    Edge cases
        - N = 0: lambda is 0, the estimate is the mean of people's values.
        - The machine gives every topic the same value: lambda is 0.
        - One topic judged by people: no error and no interval.
        - Nearly all topics have one value, as for Success: the interval by t misses far more often
          than it says. If 1.4% of the topics are not 1, 20 topics are all 1 in 75% of the samples,
          and the interval has no width.

    Source: Angelopoulos, Bates, Fannjiang, Jordan and Zrnic, "Prediction-powered inference",
    Science 382, 2023; Angelopoulos, Duchi and Zrnic, "PPI++: efficient prediction-powered
    inference", arXiv 2311.01453, 2023; without replacement: Cochran, Sampling Techniques, 1977,
    chapter 7.

    >>> sample = Sample(np.array([0.2, 0.6]), np.array([0.3, 0.7]), np.array([0.3, 0.5, 0.7, 0.9]))
    >>> found = prediction_powered_mean(sample)
    >>> round(found.weight, 3), round(found.value, 3)
    (0.455, 0.445)
    """
    n_human, n_others = len(sample.human), len(sample.others)
    weight = tuned_weight(sample)
    left = sample.human - weight * sample.machine
    value = float(left.mean()) + (weight * float(sample.others.mean()) if weight else 0.0)
    other_variance, share = 0.0, 1.0
    if finite:
        share = n_others / (n_human + n_others)
        left = sample.human - (weight / share if weight else 0.0) * sample.machine
    elif weight:
        other_variance = weight**2 * float(sample.others.var()) / n_others
    squares = share * float(left.var())
    error = low = high = more = None
    if n_human > 1:
        error = math.sqrt(other_variance + squares / n_human)
        wide = math.sqrt(other_variance + squares / max(n_human - (2 if weight else 1), 1))
        margin = -t_quantile(n_human - 1, (1.0 - level) / 2.0) * wide
        low, high = value - margin, value + margin
        alone = math.sqrt(share * float(sample.human.var()) / n_human)
        more = _more(alone, error, n_human, n_human + n_others if finite else None)
    return Estimated(
        value=value,
        human=float(sample.human.mean()),
        machine=float(np.concatenate((sample.machine, sample.others)).mean()),
        weight=weight,
        standard_error=error,
        low=low,
        high=high,
        n_human=n_human,
        n_machine=n_others,
        more=more,
        uncommon=n_human - int(np.unique(sample.human, return_counts=True)[1].max(initial=0)),
    )


def tuned_weight(sample: Sample) -> float:
    """Return PPI++'s lambda, from 0 to 1; see `prediction_powered_mean`."""
    n_human, n_others = len(sample.human), len(sample.others)
    if n_others == 0 or n_human < 2:
        return 0.0
    every = np.concatenate((sample.machine, sample.others))
    variance = float(every.var(ddof=1))
    if variance <= 1e-24 * max(1.0, float(np.abs(every).max()) ** 2):
        return 0.0
    apart = sample.human - sample.human.mean()
    together = float((apart * (sample.machine - sample.machine.mean())).mean())
    return min(max(together / (variance * (1.0 + n_human / n_others)), 0.0), 1.0)


def _more(alone: float, error: float, n_human: int, n_topics: int | None) -> float | None:
    """Return how many more topics turn people's error alone into `error`; of n_topics, if any."""
    if error == 0.0:
        return None
    share = (alone / error) ** 2
    if n_topics is None:
        return n_human * (share - 1.0)
    if not share:
        return 0.0
    return n_topics / (1.0 + (n_topics / n_human - 1.0) / share) - n_human  # (1/n - 1/M) shrinks
