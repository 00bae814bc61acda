"""Equivalence of two systems: two one-sided tests with a margin."""

import numpy.typing as npt

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import Floats, as_vector, require_margin, require_risk
from rankeval.stats.intervals import confidence_interval
from rankeval.stats.mean_tests import student_t
from rankeval.stats.paired import Alternative


@frozen
class Equivalence:
    """The outcome of two one-sided tests of equivalence.

    ===========  ==================================================================================
    margin       the mean difference from which on systems are not equivalent
    alpha        the risk that the interval is taken at
    n_topics     pairs that count
    n_excluded   pairs left out because a value is NaN
    p_value      below alpha, the true mean difference is shown to be between -margin and margin;
                 the larger one of the next two
    p_low        of the test whether the mean difference is above -margin
    p_high       of the test whether it is below margin
    low, high    interval of the mean difference at level 1 - 2 alpha, within the margins exactly if
                 the p-value is below alpha; None with fewer than two topics
    note         "" or, in a few words, why the outcome was decided rather than computed
    ===========  ==================================================================================
    """

    margin: float
    alpha: float
    n_topics: int
    n_excluded: int
    p_value: float
    p_low: float
    p_high: float
    low: float | None
    high: float | None
    note: str = ""


@checked
def equivalence_test(
    differences: npt.ArrayLike, *, margin: float, alpha: float = 0.05
) -> Equivalence:
    r"""Test whether the mean difference is shown to be within a margin on either side of 0.

    .. math::
        p = \max\Bigl( \Pr\bigl(T \ge \tfrac{\bar d + \delta}{s_d / \sqrt n}\bigr),\
        \Pr\bigl(T \le \tfrac{\bar d - \delta}{s_d / \sqrt n}\bigr) \Bigr)

    with T of Student's t distribution with n - 1 degrees of freedom and the margin delta. A t test
    that does not reject is no proof of equivalence, because with few topics it rarely rejects. This
    test is a proof, if the differences are near enough to normal for their mean to be normal.

    Shapes: differences (n,).

    Edge cases
        - No topic, or one topic: p = 1.0, no interval.
        - Every difference the same c: p is its limit, 0.0 for |c| < margin, else 1.0. The note
          warns that few topics may show no variance by chance.
        - A mean of exactly the margin: p = 0.5 or more.
        - NaN: the pair is left out.
        - A margin that is not above 0: UsageError.

    Source: Schuirmann, "A comparison of the two one-sided tests procedure and the power approach",
    Journal of Pharmacokinetics and Biopharmaceutics 15(6), 1987.

    >>> found = equivalence_test([0.01, -0.02, 0.0, 0.01, -0.01, 0.02], margin=0.05)
    >>> round(found.p_value, 5), round(found.high, 4)
    (0.00024, 0.0138)
    """
    values = as_vector(differences, "differences")
    require_margin(margin)
    if not 0.0 < require_risk(alpha, "alpha") < 0.5:
        raise UsageError(f"alpha is {alpha}", expected="a risk below 0.5, usually 0.05")
    above = _one_sided(values + margin, Alternative.GREATER)
    below = _one_sided(values - margin, Alternative.LESS)
    interval = confidence_interval(values, level=1.0 - 2.0 * alpha)
    (plain,) = student_t(values)
    return Equivalence(
        margin=float(margin),
        alpha=alpha,
        n_topics=plain.n_topics,
        n_excluded=plain.n_excluded,
        p_value=max(above, below),
        p_low=above,
        p_high=below,
        low=interval.low,
        high=interval.high,
        note=plain.note,
    )


def _one_sided(shifted: Floats, alternative: Alternative) -> float:
    (outcome,) = student_t(shifted, alternative=alternative)
    return outcome.p_value
