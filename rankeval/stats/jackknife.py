"""Intervals of a value that is no mean, by leaving out each group of units in turn."""

import math

import numpy as np
import numpy.typing as npt

from rankeval.stats.arrays import NOISE, require_fraction

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
    Of n groups of sizes s_g, only e tell of the variance, Kish's effective number, which is n where
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
