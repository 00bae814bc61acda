"""Confidence intervals by Student's t, and the bootstrap, and the bootstrap test."""

import math
from collections.abc import Iterator
from functools import partial

import numpy as np
import numpy.typing as npt

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen, record
from rankeval.base.threads import report_progress
from rankeval.stats.checked_arrays import (
    NOISE,
    Ends,
    Floats,
    as_columns,
    as_vector,
    complete_groups,
    is_constant,
    random_numbers,
    require_count,
    require_fraction,
)
from rankeval.stats.choices import IntervalMethod, TestName
from rankeval.stats.mean_tests import t_quantile
from rankeval.stats.paired import (
    CONSTANT,
    NO_DIFFERENCE,
    ONE_TOPIC,
    Alternative,
    Outcome,
    PairedTest,
    as_extreme,
    outcomes_by_column,
)

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
        ends: list[Ends] = [(None, None)] * len(members)
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


TEST_SAMPLES = 100_000
BLOCK = 2**20


def bootstrap(
    differences: npt.ArrayLike,
    *,
    alternative: Alternative | str = Alternative.TWO_SIDED,
    samples: int = TEST_SAMPLES,
    seed: int = 0,
) -> tuple[PairedTest, ...]:
    r"""Test whether the mean difference is 0, with the shift method.

    The differences are shifted to mean 0, w_t = d_t - mean(d): that is the null hypothesis. Samples
    of n topics are drawn from w with replacement, and

    .. math:: p = \frac{1 + \#\{b : |T(w^*_b)| \ge |T(d)|\}}{1 + \mathit{samples}}

    (one-sided without the bars), where T is the mean. It ignores that the variance is estimated: at
    level 0.05 it rejects about 6.5 % of true null hypotheses with 30 topics, 5.5 % with 100.

    Shapes: differences (n, m), or (n,) for one column, give m outcomes; the columns share the
    samples of topics.

    Edge cases
        - No topic, or one topic: p = 1.0, no statistic.
        - Every difference 0: p = 1.0.
        - Every difference the same c != 0: no sample of w differs from 0, so p = 1 / (1 + samples)
          (1.0 if the one-sided alternative points the other way).
        - NaN: the pair is left out.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 16;
    Smucker, Allan and Carterette, CIKM 2007.
    """
    draws = require_count(samples, "samples")
    arithmetic = partial(_outcomes, samples=draws, seed=seed)
    return outcomes_by_column(TestName.BOOTSTRAP, differences, alternative, arithmetic)


def sample_weights(n_topics: int, samples: int, seed: int) -> Iterator[Floats]:
    """Yield blocks of shape (rows, n_topics): how often each bootstrap sample holds each topic.

    The blocks have `samples` rows in all; each row adds up to n_topics.
    """
    rng = random_numbers(seed)
    rows = max(1, BLOCK // n_topics)
    for start in range(0, samples, rows):
        size = min(rows, samples - start)
        drawn = rng.integers(0, n_topics, size=(size, n_topics), dtype=np.int64)
        drawn += np.arange(size, dtype=np.int64)[:, np.newaxis] * n_topics
        counts = np.bincount(drawn.ravel(), minlength=size * n_topics)
        yield counts.reshape(size, n_topics).astype(np.float64)
        report_progress("bootstrap samples", start + size, samples)


def _outcomes(
    differences: Floats, alternative: Alternative, *, samples: int, seed: int
) -> list[Outcome]:
    n_topics, n_columns = differences.shape
    if n_topics == 1:
        return [Outcome(None, 1.0, note=ONE_TOPIC)] * n_columns
    # Largest rounding error of a mean, and of a difference from it.
    rounding = NOISE * np.abs(differences).mean(axis=0)
    mean = _without(differences.mean(axis=0), rounding)
    # Exactly 0 where nothing varies: a rounding error must not pass for a variance.
    shifted = np.where(is_constant(differences), 0.0, _without(differences - mean, rounding))
    constant = (shifted == 0.0).all(axis=0)
    count = np.zeros(n_columns, dtype=np.int64)
    for weights in sample_weights(n_topics, samples, seed):
        statistics = weights @ shifted / n_topics
        count += as_extreme(statistics, mean, rounding, alternative).sum(axis=0)

    outcomes = []
    for i in range(n_columns):
        if constant[i] and mean[i] == 0.0:
            outcomes.append(Outcome(0.0, 1.0, note=NO_DIFFERENCE))
            continue
        outcomes.append(
            Outcome(
                float(mean[i]),
                float(1 + count[i]) / (1 + samples),
                resamples=samples,
                seed=seed,
                note=CONSTANT if constant[i] else "",
            )
        )
    return outcomes


def _without(values: Floats, rounding: Floats) -> Floats:
    """Return values, with those within rounding error set to 0."""
    return np.where(np.abs(values) <= rounding, 0.0, values)


@record
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


def prediction_powered_mean(sample: Sample, *, level: float = 0.95) -> Estimated:
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

    Edge cases
        - N = 0: lambda is 0, the estimate is the mean of people's values.
        - The machine gives every topic the same value: lambda is 0.
        - One topic judged by people: no error and no interval.
        - Nearly all topics have one value, as for Success: the interval by t misses far more often
          than it says. If 1.4% of the topics are not 1, 20 topics are all 1 in 75% of the samples,
          and the interval has no width.

    Source: Angelopoulos, Bates, Fannjiang, Jordan and Zrnic, "Prediction-powered inference",
    Science 382, 2023; Angelopoulos, Duchi and Zrnic, "PPI++: efficient prediction-powered
    inference", arXiv 2311.01453, 2023.

    >>> sample = Sample(np.array([0.2, 0.6]), np.array([0.3, 0.7]), np.array([0.3, 0.5, 0.7, 0.9]))
    >>> found = prediction_powered_mean(sample)
    >>> round(found.weight, 3), round(found.value, 3)
    (0.455, 0.445)
    """
    n_human, n_others = len(sample.human), len(sample.others)
    weight = tuned_weight(sample)
    left = sample.human - weight * sample.machine
    value = float(left.mean()) + (weight * float(sample.others.mean()) if weight else 0.0)
    other_variance = weight**2 * float(sample.others.var()) / n_others if weight else 0.0
    squares = float(left.var())
    error = low = high = more = None
    if n_human > 1:
        error = math.sqrt(other_variance + squares / n_human)
        wide = math.sqrt(other_variance + squares / max(n_human - (2 if weight else 1), 1))
        margin = -t_quantile(n_human - 1, (1.0 - level) / 2.0) * wide
        low, high = value - margin, value + margin
        alone = math.sqrt(float(sample.human.var()) / n_human)
        more = n_human * ((alone / error) ** 2 - 1.0) if error else None
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
