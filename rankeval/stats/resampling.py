"""The bootstrap of topics and of collections, the test built on it, and the jackknife."""

import math
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from rankeval.base.frozen import frozen
from rankeval.base.progress import report_progress
from rankeval.choices import TestName
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import (
    NOISE,
    Floats,
    as_columns,
    is_constant,
    random_numbers,
    require_count,
    require_fraction,
)
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
from rankeval.stats.statistical_tests import StatisticalTest, register

SAMPLES = 100_000
BLOCK = 2**20


def bootstrap(
    differences: npt.ArrayLike,
    *,
    alternative: Alternative | str = Alternative.TWO_SIDED,
    samples: int = SAMPLES,
    seed: int = 0,
    studentized: bool = False,
) -> tuple[PairedTest, ...]:
    r"""Test whether the mean difference is 0, with the shift method.

    The differences are shifted to mean 0, w_t = d_t - mean(d): that is the null hypothesis. Samples
    of n topics are drawn from w with replacement, and

    .. math:: p = \frac{1 + \#\{b : |T(w^*_b)| \ge |T(d)|\}}{1 + \mathit{samples}}

    (one-sided without the bars), where T is the mean; with `studentized`, T is Student's t, its
    variance taken anew from each sample. The mean is the test of Smucker et al. and ignores that
    the variance is estimated: at level 0.05 it rejects about 6.5 % of true null hypotheses with 30
    topics, 5.5 % with 100. The studentized one keeps to the level much better.

    Shapes: differences (n, m), or (n,) for one column, give m outcomes; the columns share the
    samples of topics.

    Edge cases
        - No topic, or one topic: p = 1.0, no statistic.
        - Every difference 0: p = 1.0.
        - Every difference the same c != 0: no sample of w differs from 0, so p = 1 / (1 + samples)
          (1.0 if the one-sided alternative points the other way); t has no value.
        - A sample that has no variance, but a mean, has an infinite t and counts as extreme.
        - NaN: the pair is left out.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 16; the mean:
    Smucker, Allan and Carterette, CIKM 2007; studentized: Sakai, SIGIR 2006.
    """
    draws = require_count(samples, "samples")
    name = TestName.BOOTSTRAP_T if studentized else TestName.BOOTSTRAP
    arithmetic = partial(_outcomes, samples=draws, seed=seed, studentized=studentized)
    return outcomes_by_column(name, differences, alternative, arithmetic)


register(
    StatisticalTest(TestName.BOOTSTRAP, "bootstrap test (shift method)", bootstrap, draws="samples")
)
register(
    StatisticalTest(
        TestName.BOOTSTRAP_T,
        "studentized bootstrap test",
        bootstrap,
        draws="samples",
        always={"studentized": True},
    )
)


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
    differences: Floats, alternative: Alternative, *, samples: int, seed: int, studentized: bool
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
    observed, noise = mean, rounding
    if studentized:
        deviation = np.where(constant, 1.0, shifted.std(axis=0))
        observed = np.where(constant, np.copysign(np.inf, mean), mean / deviation)
        noise = np.where(constant, 0.0, rounding / deviation)
    count = np.zeros(n_columns, dtype=np.int64)
    for weights in sample_weights(n_topics, samples, seed):
        statistics = weights @ shifted / n_topics
        if studentized:
            # A mean of 0 over a deviation of 0 is 0, but its rounding error would be infinite.
            statistics = _without(statistics, rounding)
            statistics = _studentized(statistics, weights @ shifted**2 / n_topics)
        count += as_extreme(statistics, observed, noise, alternative).sum(axis=0)

    outcomes = []
    for i in range(n_columns):
        if constant[i] and mean[i] == 0.0:
            outcomes.append(Outcome(0.0, 1.0, note=NO_DIFFERENCE))
            continue
        statistic = observed[i] * np.sqrt(n_topics - 1) if studentized else observed[i]
        outcomes.append(
            Outcome(
                float(statistic) if np.isfinite(statistic) else None,
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


def _studentized(means: Floats, mean_squares: Floats) -> Floats:
    """Divide means by standard deviations (with n); a mean without variance becomes infinite."""
    variances = mean_squares - means**2
    flat = variances <= NOISE * mean_squares
    ratios: Floats = means / np.sqrt(np.where(flat, 1.0, variances))
    return np.where(flat & (means != 0.0), np.copysign(np.inf, means), ratios)


LEAST_GROUPS = 5
"""Groups from which on there is an interval: of fewer, one that differs decides its width."""


def jackknife_interval(
    value: float | None,
    without: npt.ArrayLike,
    sizes: npt.ArrayLike,
    *,
    level: float = 0.95,
    low: float = -1.0,
    high: float = 1.0,
) -> tuple[float, float] | None:
    r"""Bound a value between low and high of the population that its groups were drawn from.

    .. math:: z \pm t_{(1 + \mathit{level})/2,\, e-1} \; \frac{\mathrm{d}z}{\mathrm{d}v} \;
        \sqrt{\frac{n-1}{n} \sum_{g=1}^n (v_{-g} - \bar v)^2}, \qquad
        e = \frac{(\sum_g s_g)^2}{\sum_g s_g^2}

    with v the value, v_(-g) the value without group g, v-bar the mean of these, and Fisher's
    transformation z = artanh((2v - low - high) / (high - low)), in whose scale the ends are taken:
    they stay between low and high, and a value close to one of them has the longer side inwards.
    Of n groups of sizes s_g, only e bear on the variance, Kish's effective number, which is n if
    all are of one size; one degree of freedom remains at least.

    Shapes: without (n,), the values without each group; sizes (n,), above 0.

    Edge cases
        - Fewer than five groups: None.
        - No value, or none without one of the groups: None.
        - The same value without each group, such as complete agreement: None, because groups that
          do not differ say nothing about those that were not drawn.

    Source: Tukey, "Bias and confidence in not-quite large samples", Annals of Mathematical
    Statistics 29(2), 1958; Miller, "The jackknife: a review", Biometrika 61(1), 1974; Fisher's
    transformation: Metron 1(4), 1921; effective number: Kish, Survey Sampling, 1965.

    >>> low, high = jackknife_interval(0.5, [0.4, 0.45, 0.5, 0.55, 0.6], [10] * 5)
    >>> round(low, 3), round(high, 3)
    (0.026, 0.791)
    """
    from scipy.special import stdtrit

    require_fraction(level, "level")
    left = np.asarray(without, dtype=np.float64)
    n_groups = len(left)
    if value is None or n_groups < LEAST_GROUPS or np.isnan(left).any():
        return None
    if np.ptp(left) <= NOISE * (high - low):
        return None
    place = (2.0 * value - low - high) / (high - low)
    if not -1.0 < place < 1.0:
        return None
    shares = np.asarray(sizes, dtype=np.float64) / np.sum(sizes)
    freedom = max(1.0 / float((shares**2).sum()) - 1.0, 1.0)
    error = math.sqrt((n_groups - 1) * float(left.var())) * 2.0 / (high - low) / (1.0 - place**2)
    margin = float(stdtrit(freedom, (1.0 + level) / 2.0)) * error
    middle = math.atanh(place)
    ends = (math.tanh(middle - margin), math.tanh(middle + margin))
    below, above = ((low + high + (high - low) * end) / 2.0 for end in ends)
    return below, above


HIERARCHICAL_SAMPLES = 10_000


@frozen
class MacroInterval:
    """A bootstrap interval of a mean over collections of the means over their topics.

    ==========  ===================================================================================
    mean        the macro mean
    low, high   ends of the interval
    level       the confidence level, such as 0.95
    collections the number of collections
    samples     bootstrap samples
    seed        of the samples
    ==========  ===================================================================================
    """

    mean: float
    low: float
    high: float
    level: float
    collections: int
    samples: int
    seed: int


def hierarchical_bootstrap(
    collections: Sequence[Sequence[npt.ArrayLike]],
    *,
    level: float = 0.95,
    samples: int = HIERARCHICAL_SAMPLES,
    seed: int = 0,
) -> tuple[MacroInterval, ...]:
    r"""Bound the macro mean of the population that collections and topics were drawn from.

    .. math::
        \bar d = \frac{1}{C} \sum_{c=1}^{C} \frac{1}{P_c} \sum_{p=1}^{P_c}
            \frac{1}{n_{cp}} \sum_{t=1}^{n_{cp}} d_{cpt}

    with C collections, P_c parts of collection c (one, if it has no parts), and n_cp topics. Each
    sample draws C collections with replacement, and for each that is drawn, all of its parts with
    new samples of their topics. The interval is between the quantiles (1 - level)/2 and
    (1 + level)/2 of the samples' macro means.

    The values of a collection vary with its topics, and drawing topics again adds their variance a
    second time: with few topics the interval is wide. Percentiles of few collections make it
    narrow. docs/statistics/collections.md has the coverage.

    Shapes: for each collection a sequence of parts, each of shape (n, m), or (n,) for m = 1:
    values, or differences, of m columns on n topics. Gives m intervals, from the same samples.

    Edge cases
        - A topic with a NaN in any column is left out.
        - Fewer than two collections, or a part without a topic: UsageError.

    Source: Davison and Hinkley, Bootstrap Methods and their Application, 1997, section 3.8;
    Saravanan, Berman and Sober, "Application of the hierarchical bootstrap to multi-level data in
    neuroscience", Neurons, Behavior, Data Analysis, and Theory 3(5), 2020.

    >>> found = hierarchical_bootstrap([[[0.1, 0.2]], [[0.3, 0.2, 0.1]], [[0.0, 0.2]]], samples=500)
    >>> round(found[0].mean, 2), 0.0 <= found[0].low < found[0].high <= 0.3
    (0.15, True)
    """
    require_fraction(level, "level")
    draws = require_count(samples, "samples")
    parts = [[_complete(part) for part in collection] for collection in collections]
    if len(parts) < 2:
        raise UsageError(
            f"found {len(parts)} collections", expected="two or more, to see how they differ"
        )
    means = np.mean([np.mean([part.mean(axis=0) for part in one], axis=0) for one in parts], axis=0)
    rng = random_numbers(seed)
    chosen = rng.integers(0, len(parts), size=(draws, len(parts)))
    total = np.zeros((draws, means.size))
    for at, collection in enumerate(parts):
        times = (chosen == at).sum(axis=1)
        drawn = np.repeat(np.arange(draws), times)  # the sample that each drawn one is for
        if drawn.size:
            of_topics = np.mean(
                [_sample_means(part, drawn.size, int(rng.integers(2**63))) for part in collection],
                axis=0,
            )
            np.add.at(total, drawn, of_topics)
    low, high = np.quantile(total / len(parts), [(1 - level) / 2, (1 + level) / 2], axis=0)
    return tuple(
        MacroInterval(float(mean), float(a), float(b), level, len(parts), draws, seed)
        for mean, a, b in zip(means, low, high, strict=True)
    )


def _complete(part: npt.ArrayLike) -> Floats:
    """Return the topics with a value in each column; UsageError for none."""
    columns = as_columns(part, "values")
    complete: Floats = columns[~np.isnan(columns).any(axis=1)]
    if not len(complete):
        raise UsageError("a collection has no topic with values", expected="one topic or more")
    return complete


def _sample_means(values: Floats, samples: int, seed: int) -> Floats:
    """Return the means of bootstrap samples of the topics, shape (samples, columns)."""
    n_topics = len(values)
    return np.concatenate(
        [weights @ values / n_topics for weights in sample_weights(n_topics, samples, seed)]
    )
