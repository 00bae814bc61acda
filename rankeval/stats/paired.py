"""Paired differences and their tests: alternatives and outcomes that all share; corrections."""

import math
from collections.abc import Callable, Sequence
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import (
    NOISE,
    Floats,
    as_columns,
    as_floats,
    as_vector,
    complete_groups,
)
from rankeval.stats.choices import Correction, TestName
from rankeval.stats.statistical_tests import PAIRED_TESTS


@frozen
class DifferenceSummary:
    """The difference of two systems over the topics that have a value for both.

    ===================  ==========================================================================
    n_topics             pairs that count
    n_excluded           pairs left out because a value is NaN
    baseline_mean        None without topics
    run_mean             None without topics
    difference           mean of candidate - baseline; None without topics
    relative_difference  difference / baseline_mean; None if the baseline's mean is 0
    median               median of the differences; None without topics
    standard_deviation   of the differences, with n - 1; None with fewer than two topics
    wins, ties, losses   topics where the candidate is above, equal to, below the baseline
    ===================  ==========================================================================
    """

    n_topics: int
    n_excluded: int
    baseline_mean: float | None
    run_mean: float | None
    difference: float | None
    relative_difference: float | None
    median: float | None
    standard_deviation: float | None
    wins: int
    ties: int
    losses: int


@checked
def paired_differences(baseline: npt.ArrayLike, candidate: npt.ArrayLike) -> Floats:
    r"""Subtract the baseline from the candidate, topic by topic.

    .. math:: d_t = \mathit{candidate}_t - \mathit{baseline}_t

    Shapes: two arrays (n,) give (n,); two arrays (n, m), one column per measure, give (n, m).
    Both hold the same topics in the same order.

    Edge cases
        - A pair with a NaN on either side gives NaN: every function here leaves it out and counts
          it.
        - A difference of at most 1e-12 times the larger of 1 and the two values is rounding noise
          of the measure and becomes exactly 0, so that ties are ties.
        - Different shapes, or an infinite value: UsageError.
    """
    before = as_floats(baseline, "baseline")
    after = as_floats(candidate, "candidate")
    if before.shape != after.shape:
        problem = f"baseline has shape {before.shape}, candidate {after.shape}"
        raise UsageError(problem, expected="the same topics, in the same order, on both sides")
    # Reuse the check of dimensions and of infinity; the shape given is the shape returned.
    as_columns(before, "baseline")
    as_columns(after, "candidate")
    differences: Floats = after - before
    scale = np.maximum(1.0, np.maximum(np.abs(before), np.abs(after)))
    differences[np.abs(differences) <= NOISE * scale] = 0.0
    return differences


@checked
def summarize_differences(baseline: npt.ArrayLike, candidate: npt.ArrayLike) -> DifferenceSummary:
    r"""Summarize how the candidate differs from the baseline.

    .. math:: \bar d = \frac1n \sum_t d_t, \qquad s_d^2 = \frac{1}{n-1} \sum_t (d_t - \bar d)^2

    Shapes: two arrays (n,) of the same topics in the same order give one value. The means are
    sums in topic order, one addition after the other, as everywhere in this package.

    Edge cases
        - No topic with both values: every mean is None and the counts are 0.
        - One topic: no standard deviation.
        - Baseline mean 0: no relative difference, not even if the difference is 0 too.
    """
    before = as_vector(baseline, "baseline")
    after = as_vector(candidate, "candidate")
    differences = paired_differences(before, after)
    valid = ~np.isnan(differences)
    kept = differences[valid]
    baseline_mean = ordered_mean(before[valid])
    difference = ordered_mean(kept)
    return DifferenceSummary(
        n_topics=kept.size,
        n_excluded=differences.size - kept.size,
        baseline_mean=baseline_mean,
        run_mean=ordered_mean(after[valid]),
        difference=difference,
        relative_difference=difference / baseline_mean
        if difference is not None and baseline_mean
        else None,
        median=float(np.median(kept)) if kept.size else None,
        standard_deviation=standard_deviation(kept),
        wins=int(np.count_nonzero(kept > 0)),
        ties=int(np.count_nonzero(kept == 0)),
        losses=int(np.count_nonzero(kept < 0)),
    )


def ordered_mean(values: Floats) -> float | None:
    """Return the mean of values without NaN, added in the order given; None for no values."""
    if not values.size:
        return None
    # np.sum adds pairwise, which can differ in the last bit from a mean of the same values
    # elsewhere.
    return float(np.cumsum(values)[-1]) / values.size


def standard_deviation(values: Floats) -> float | None:
    """Return the standard deviation (n - 1) of values without NaN; None for fewer than two.

    Values that are equal but for rounding noise give exactly 0.0.
    """
    if values.size < 2:
        return None
    if np.ptp(values) <= NOISE * np.abs(values).max():
        return 0.0
    return math.sqrt(float(np.var(values, ddof=1)))


@checked
def cohens_dz(differences: npt.ArrayLike) -> float | None:
    r"""Divide the mean difference by the standard deviation of the differences, with n - 1.

    .. math:: d_z = \bar d / s_d

    d_z and the t statistic are the same number but for the square root of n.

    Shapes: (n,), a difference per topic.

    Edge cases
        - Fewer than two topics, or every difference the same c != 0: None.
        - Every difference 0: 0.0.
        - NaN: the topic is left out.

    Source: Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988.

    >>> round(cohens_dz([0.25, 0.0, 0.5, -0.25]), 4)
    0.3873
    """
    values = as_vector(differences, "differences")
    kept = values[~np.isnan(values)]
    mean = ordered_mean(kept)
    if mean is None or kept.size < 2:
        return None
    if not kept.any():
        return 0.0
    deviation = standard_deviation(kept)
    return mean / deviation if deviation else None


# Standard error of a p-value near 0.05 with this many samples: 0.0007.
PERMUTATIONS = 100_000


class Alternative(StrEnum):
    """The alternative hypotheses to "no difference"."""

    TWO_SIDED = "two-sided"  # the systems differ
    GREATER = "greater"  # the candidate is better: its mean difference is above 0
    LESS = "less"  # the candidate is worse


@frozen
class PairedTest:
    """The outcome of one paired test.

    ===========  ==================================================================================
    test         which test; of a gate also betting, or both of betting and t
    alternative  which alternative hypothesis
    n_topics     pairs that count
    n_excluded   pairs left out because a value is NaN
    statistic    t, mean difference, sum of the ranks of the wins, or number of wins, as the test
                 defines it; None where it has no finite value
    p_value      always a number from 0 to 1
    resamples    sign vectors or bootstrap samples looked at; None for a test that draws none
    exact        whether the p-value has no approximation and no sampling error in it, given what
                 the test assumes
    seed         of the samples; None if nothing was drawn
    note         "" or, in a few words, why the outcome was decided rather than computed
    ===========  ==================================================================================
    """

    test: str
    alternative: Alternative
    n_topics: int
    n_excluded: int
    statistic: float | None
    p_value: float
    resamples: int | None = None
    exact: bool = False
    seed: int | None = None
    note: str = ""


@frozen
class Outcome:
    """The result of one test's arithmetic for one column of complete differences."""

    statistic: float | None
    p_value: float
    resamples: int | None = None
    exact: bool = False
    seed: int | None = None
    note: str = ""


ONE_TOPIC = "one topic has no variance"
NO_TOPIC = "no topics"
NO_DIFFERENCE = "no topic differs"
CONSTANT = "every topic differs by the same amount"
FEW = "too few topics, or too few that differ"


def outcomes_by_column(
    test: str,
    differences: npt.ArrayLike,
    alternative: Alternative | str,
    arithmetic: Callable[[Floats, Alternative], Sequence[Outcome]],
) -> tuple[PairedTest, ...]:
    """Apply a test's arithmetic to each column of differences, pairs with NaN left out.

    `arithmetic` sees complete differences of shape (n, k), n >= 1, and returns k outcomes. Without
    any topic the p-value is 1.0, because there is no evidence against the null hypothesis.
    """
    columns = as_columns(differences, "differences")
    side = Alternative(alternative)
    found: dict[int, PairedTest] = {}
    for members, complete in complete_groups(columns):
        n_topics = len(complete)
        outcomes = (
            arithmetic(complete, side)
            if n_topics
            else [Outcome(None, 1.0, note=NO_TOPIC)] * len(members)
        )
        for column, outcome in zip(members, outcomes, strict=True):
            found[column] = PairedTest(
                test=test,
                alternative=side,
                n_topics=n_topics,
                n_excluded=len(columns) - n_topics,
                **vars(outcome),
            )
    return tuple(found[column] for column in range(columns.shape[1]))


def as_extreme(
    sums: Floats, observed: Floats, noise: Floats, alternative: Alternative
) -> npt.NDArray[np.bool_]:
    """Mark the resampled statistics that are at least as extreme as the observed one.

    Shapes: sums (rows, m), observed and noise (m,), result (rows, m). `noise` is the largest
    rounding error of a sum: without it, rounding would decide whether samples equal to the observed
    one count.
    """
    extreme: npt.NDArray[np.bool_]
    if alternative is Alternative.GREATER:
        extreme = sums >= observed - noise
    elif alternative is Alternative.LESS:
        extreme = sums <= observed + noise
    else:
        extreme = np.abs(sums) >= np.abs(observed) - noise
    return extreme


@checked
def paired_tests(
    differences: npt.ArrayLike,
    *,
    test: TestName | str = TestName.STUDENT_T,
    alternative: Alternative | str = Alternative.TWO_SIDED,
    resamples: int = PERMUTATIONS,
    seed: int = 0,
) -> tuple[PairedTest, ...]:
    """Apply the test of that name to each column of paired differences.

    `resamples` (permutations or bootstrap samples) and `seed` apply to tests that draw samples; the
    outcome's fields of these names are None if the test did not use them.

    Shapes: differences (n, m), one column per measure or pair of systems, give m outcomes.
    Definitions, edge cases and sources are with each test: `student_t`, `randomization`,
    `bootstrap`, `wilcoxon`, `sign`.
    """
    if test not in PAIRED_TESTS:
        raise ValueError(f"'{test}' is not one of {', '.join(PAIRED_TESTS)}")
    outcomes: tuple[PairedTest, ...] = PAIRED_TESTS[test].apply(
        differences, alternative=alternative, resamples=resamples, seed=seed
    )
    return outcomes


@checked
def paired_test(
    differences: npt.ArrayLike,
    *,
    test: TestName | str = TestName.STUDENT_T,
    alternative: Alternative | str = Alternative.TWO_SIDED,
    resamples: int = PERMUTATIONS,
    seed: int = 0,
) -> PairedTest:
    """Apply the test of that name to the paired differences of one comparison, shape (n,)."""
    (outcome,) = paired_tests(
        as_vector(differences, "differences"),
        test=test,
        alternative=alternative,
        resamples=resamples,
        seed=seed,
    )
    return outcome


@checked
def adjust_p_values(
    p_values: npt.ArrayLike, *, correction: Correction | str = Correction.HOLM
) -> Floats:
    r"""Adjust the p-values of a family of m tests, so that each can be compared with alpha itself.

    With :math:`p_{(1)} \le \dots \le p_{(m)}`:

    .. math::
        \text{holm:}\ & \max_{j \le i}\ (m - j + 1)\,p_{(j)} \\
        \text{bh:}\ & \min_{j \ge i}\ \tfrac{m}{j}\,p_{(j)}

    each at most 1. Holm bounds the probability of any false rejection, whatever the dependence
    between the tests. Benjamini and Hochberg bound
    the expected share of false rejections among the rejections, for independent or positively
    dependent tests.

    Shapes: (m,) gives (m,), in the order given.

    Edge cases
        - No p-value: an empty array. One p-value: unchanged.
        - A NaN or a number outside 0 to 1 is no p-value: UsageError.

    Source: Holm, Scandinavian Journal of Statistics 6(2), 1979; Benjamini and Hochberg, Journal of
    the Royal Statistical Society B 57(1), 1995.
    """
    values = as_vector(p_values, "p-values")
    if not np.all((values >= 0.0) & (values <= 1.0)):
        problem = f"found {values.tolist()} as p-values"
        raise UsageError(problem, expected="numbers from 0 to 1")
    way = Correction(correction)
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    m = values.size
    place = np.arange(1, m + 1)
    if way is Correction.HOLM:
        ascending = np.maximum.accumulate((m - place + 1) * ascending)
    elif way is Correction.BENJAMINI_HOCHBERG:
        ascending = np.minimum.accumulate((m / place * ascending)[::-1])[::-1]
    adjusted = np.empty(m)
    adjusted[order] = np.minimum(ascending, 1.0)
    return adjusted


@checked
def interval_risks(
    p_values: npt.ArrayLike,
    *,
    correction: Correction | str = Correction.HOLM,
    alpha: float = 0.05,
) -> Floats:
    r"""Return 1 - the level of the interval that belongs to each p-value of a family of m tests.

    An interval of the same test at that level excludes "no difference" exactly where the adjusted
    p-value is below alpha. With R of these, for the i-th smallest p-value:

    .. math::
        \text{holm:}\ \alpha / (m - \min(i - 1, R)) \qquad
        \text{bh:}\ \alpha \max(R, 1) / m \qquad
        \text{none:}\ \alpha

    Each interval covers its difference with a probability of 1 - alpha or more. All together they
    do so with that probability only where R = 0; Bonferroni's would, but disagree with Holm's test.

    Shapes: (m,) gives (m,), in the order given.

    Source: Ludbrook, "Multiple inferences using confidence intervals", Clinical and Experimental
    Pharmacology and Physiology 27(3), 2000, for Holm; Benjamini and Yekutieli, "False discovery
    rate-adjusted multiple confidence intervals for selected parameters", JASA 100(469), 2005.

    >>> interval_risks([0.04, 0.001, 0.3], alpha=0.06).round(4).tolist()
    [0.03, 0.02, 0.03]
    """
    values = as_vector(p_values, "p-values")
    way, m = Correction(correction), values.size
    rejected = int(np.count_nonzero(adjust_p_values(values, correction=way) < alpha))
    if way is Correction.HOLM:
        place = np.argsort(np.argsort(values, kind="stable"), kind="stable")
        return alpha / (m - np.minimum(place, rejected))
    if way is Correction.BENJAMINI_HOCHBERG:
        return np.full(m, alpha * max(rejected, 1) / m)
    return np.full(m, alpha)
