"""Effect sizes: a difference in units of a standard deviation."""

import math

import numpy as np
import numpy.typing as npt

from rankeval.stats.arrays import as_vector
from rankeval.stats.differences import ordered_mean, paired_differences, standard_deviation
from rankeval.support.frozen import frozen


@frozen
class EffectSizes:
    """A mean difference, standardized in some ways; None where the deviation is 0 or unknown.

    ============  =================================================================================
    cohens_dz     by the standard deviation of the differences: what the paired t test sees
    hedges_gz     the same without its bias in small samples
    glass_delta   by the standard deviation of the baseline: how large it is beside what
                  separates topics; applies if the baseline is a reference and not one of equals
    residual      by the residual deviation of all systems that are compared, which their two-way
                  analysis of variance gives; None where only two were looked at
    ============  =================================================================================
    """

    cohens_dz: float | None
    hedges_gz: float | None
    glass_delta: float | None
    residual: float | None = None


def effect_sizes(baseline: npt.ArrayLike, candidate: npt.ArrayLike) -> EffectSizes:
    r"""Standardize the mean difference between candidate and baseline.

    .. math::
        d_z = \bar d / s_d, \qquad g_z = J(n-1)\, d_z, \qquad
        \Delta = \bar d / s_{\mathit{baseline}}, \qquad
        J(f) = \frac{\Gamma(f/2)}{\sqrt{f/2}\;\Gamma((f-1)/2)}

    All standard deviations have n - 1. d_z and the t statistic are the same number but for the
    square root of n, so d_z answers "how much of it is noise", Glass' delta "how much is it".

    Shapes: two arrays (n,) of the same topics in the same order.

    Edge cases
        - Fewer than two topics with both values: all None.
        - Every difference 0: all 0.0, whatever the deviations.
        - Every difference the same c != 0: no d_z and g_z. All values of the baseline the same: no
          Glass' delta.
        - Two topics: J(1) = 0, so g_z = 0.0. One degree of freedom cannot be corrected.
        - NaN: the pair is left out, also from the deviation of the baseline.

    Source: Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988; Hedges, Journal of
    Educational Statistics 6(2), 1981; Glass, Educational Researcher 5(10), 1976; for retrieval,
    Sakai, SIGIR Forum 48(1), 2014.
    """
    before = as_vector(baseline, "baseline")
    differences = paired_differences(before, as_vector(candidate, "candidate"))
    valid = ~np.isnan(differences)
    kept = differences[valid]
    mean = ordered_mean(kept)
    if mean is None or kept.size < 2:
        return EffectSizes(None, None, None)
    if not kept.any():
        return EffectSizes(0.0, 0.0, 0.0)
    deviation = standard_deviation(kept)
    spread = standard_deviation(before[valid])
    standardized = mean / deviation if deviation else None
    return EffectSizes(
        cohens_dz=standardized,
        hedges_gz=None
        if standardized is None
        else small_sample_factor(kept.size - 1) * standardized,
        glass_delta=mean / spread if spread else None,
    )


def small_sample_factor(degrees_of_freedom: int) -> float:
    """Return Hedges' J(f), by which a standardized mean difference is too large on average.

    0.0 for one degree of freedom, where the expectation does not exist.
    """
    if degrees_of_freedom == 1:
        return 0.0
    half = degrees_of_freedom / 2.0
    return math.exp(math.lgamma(half) - math.lgamma(half - 0.5)) / math.sqrt(half)
