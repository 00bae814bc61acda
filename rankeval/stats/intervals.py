"""Confidence intervals of a mean difference."""

import math

import numpy as np
import numpy.typing as npt

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.choices import IntervalMethod
from rankeval.stats.checked_arrays import (
    NOISE,
    Floats,
    as_columns,
    as_vector,
    complete_groups,
    is_constant,
    require_count,
    require_fraction,
)
from rankeval.stats.students_distribution import t_quantile

# Enough for the ends of a 95 % interval to repeat in two digits; a p-value needs more.
SAMPLES = 10_000


@frozen
class Interval:
    """A two-sided confidence interval of a mean difference.

    ==========  ===================================================================================
    method      how it was computed
    level       the confidence level, such as 0.95
    low, high   its ends; None if the topics do not bound the mean
    n_topics    pairs that count
    n_excluded  pairs left out because a value is NaN
    resamples   bootstrap samples; None if none were drawn
    seed        of the samples; None if none were drawn
    ==========  ===================================================================================
    """

    method: IntervalMethod
    level: float
    low: float | None
    high: float | None
    n_topics: int
    n_excluded: int
    resamples: int | None = None
    seed: int | None = None


@checked
def confidence_intervals(
    differences: npt.ArrayLike,
    *,
    method: IntervalMethod | str = IntervalMethod.STUDENT_T,
    level: float = 0.95,
    resamples: int = SAMPLES,
    seed: int = 0,
) -> tuple[Interval, ...]:
    r"""Bound the mean difference of the population that the topics were drawn from.

    "t" is Student's, with the quantile of n - 1 degrees of freedom:

    .. math:: \bar d \pm t_{(1 + \mathit{level})/2,\, n-1} \; s_d / \sqrt n

    "bca" takes quantiles of the means of bootstrap samples: those of q = (1 - level)/2 and
    (1 + level)/2, shifted to correct for bias and skewness:

    .. math:: q' = \Phi\Bigl(z_0 + \frac{z_0 + z_q}{1 - a (z_0 + z_q)}\Bigr), \qquad
        a = \frac{\sum_t (d_t - \bar d)^3}{6 \bigl(\sum_t (d_t - \bar d)^2\bigr)^{3/2}}

    with z_0 the normal quantile of the share of bootstrap means below the observed mean, those
    equal to it counted half. The interval is somewhat too short with few topics.

    Shapes: differences (n, m), or (n,) for one column, give m intervals; the columns share samples.
    `resamples` and `seed` are for the bootstrap; the interval's fields say whether they were used.

    Edge cases
        - No topic, or one topic: low and high are None, because there is no variance.
        - Every difference the same c: the interval is [c, c].
        - NaN: the pair is left out.

    Source: Student, 1908; Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapters 13
    and 14; confidence intervals rather than p-values alone: Sakai, SIGIR Forum 48(1), 2014.
    """
    columns = as_columns(differences, "differences")
    way = IntervalMethod(method)
    require_fraction(level, "level")
    require_count(resamples, "resamples")
    drawn = way is not IntervalMethod.STUDENT_T
    found: dict[int, Interval] = {}
    for members, complete in complete_groups(columns):
        ends: list[tuple[float | None, float | None]] = [(None, None)] * len(members)
        if len(complete) > 1:
            bounds = (
                _bootstrap_bounds(complete, level, resamples, seed)
                if drawn
                else _student_bounds(complete, level)
            )
            ends = [(float(low), float(high)) for low, high in bounds]
        for column, (low, high) in zip(members, ends, strict=True):
            found[column] = Interval(
                method=way,
                level=level,
                low=low,
                high=high,
                n_topics=len(complete),
                n_excluded=len(columns) - len(complete),
                resamples=resamples if drawn and low is not None else None,
                seed=seed if drawn and low is not None else None,
            )
    return tuple(found[column] for column in range(columns.shape[1]))


@checked
def confidence_interval(
    differences: npt.ArrayLike,
    *,
    method: IntervalMethod | str = IntervalMethod.STUDENT_T,
    level: float = 0.95,
    resamples: int = SAMPLES,
    seed: int = 0,
) -> Interval:
    """Bound the mean of the differences of one comparison, shape (n,); see confidence_intervals."""
    (interval,) = confidence_intervals(
        as_vector(differences, "differences"),
        method=method,
        level=level,
        resamples=resamples,
        seed=seed,
    )
    return interval


def _student_bounds(differences: Floats, level: float) -> Floats:
    n_topics = len(differences)
    mean = differences.mean(axis=0)
    deviation = np.where(is_constant(differences), 0.0, differences.std(axis=0, ddof=1))
    # The lower tail has more digits where the level is near 1.
    margin = -t_quantile(n_topics - 1, (1.0 - level) / 2.0) * deviation / math.sqrt(n_topics)
    return np.column_stack((mean - margin, mean + margin))


def _bootstrap_bounds(differences: Floats, level: float, samples: int, seed: int) -> Floats:
    from rankeval.stats.resampling import sample_weights  # other intervals draw none

    n_topics, n_columns = differences.shape
    blocks = [weights @ differences for weights in sample_weights(n_topics, samples, seed)]
    means = np.concatenate(blocks) / n_topics
    tails = np.array([(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    constant = is_constant(differences)
    bounds = np.empty((n_columns, 2))
    for i in range(n_columns):
        if constant[i]:
            bounds[i] = differences[:, i].mean()
        else:
            shares = _corrected(tails, differences[:, i], means[:, i])
            bounds[i] = np.quantile(means[:, i], shares)
    return bounds


def _corrected(tails: Floats, differences: Floats, means: Floats) -> Floats:
    from scipy.special import ndtr, ndtri

    observed = differences.mean()
    noise = NOISE * np.abs(differences).mean()
    below = np.count_nonzero(means < observed - noise)
    equal = np.count_nonzero(np.abs(means - observed) <= noise)
    # With few samples all can lie on one side; half a sample keeps the quantile finite.
    share = np.clip((below + equal / 2.0) / means.size, 0.5 / means.size, 1.0 - 0.5 / means.size)
    deviations = differences - observed
    acceleration = (deviations**3).sum() / (6.0 * (deviations**2).sum() ** 1.5)
    bias = ndtri(share)
    shifted = bias + ndtri(tails)
    # Beyond a pole at 1 / acceleration (at least 6 deviations out) the quantile is the last sample.
    room = np.maximum(1.0 - acceleration * shifted, NOISE)
    result: Floats = ndtr(bias + shifted / room)
    return result
