"""Paired differences of two systems: their summary, and effect sizes."""

import math

import numpy as np
import numpy.typing as npt

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import NOISE, Floats, as_columns, as_floats, as_vector


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
