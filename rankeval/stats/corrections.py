"""Corrections for testing several hypotheses at once."""

import numpy as np
import numpy.typing as npt

from rankeval.base.checked import checked
from rankeval.choices import Correction
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import Floats, as_vector


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
