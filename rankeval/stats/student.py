"""Student's paired t test."""

import numpy as np
import numpy.typing as npt

from rankeval.choices import TestName
from rankeval.stats.arrays import Floats, is_constant
from rankeval.stats.paired import (
    CONSTANT,
    NO_DIFFERENCE,
    ONE_TOPIC,
    Alternative,
    Outcome,
    PairedTest,
    outcomes_by_column,
)


def student_t(
    differences: npt.ArrayLike, *, alternative: Alternative | str = Alternative.TWO_SIDED
) -> tuple[PairedTest, ...]:
    r"""Test the hypothesis that the mean difference of a population of topics is 0.

    .. math:: t = \frac{\bar d}{s_d / \sqrt n}, \qquad \text{with } n - 1 \text{ degrees of freedom}

    The differences are taken as a sample from a normal distribution; with some tens of topics
    their mean is near enough to normal for most measures, see docs/statistics.md.

    Shapes: differences (n, m), or (n,) for one column, give m outcomes.

    Edge cases
        - No topic, or one topic: no variance, p = 1.0, no statistic.
        - Every difference 0: t = 0.0, p = 1.0.
        - Every difference the same c != 0: t is infinite; the p-value is its limit, 0.0 (1.0 if the
          one-sided alternative points the other way), and there is no statistic.
        - NaN: the pair is left out.

    Source: Student, "The probable error of a mean", Biometrika 6(1), 1908; for retrieval, Smucker,
    Allan and Carterette, CIKM 2007.
    """
    return outcomes_by_column(TestName.STUDENT_T, differences, alternative, _outcomes)


def _outcomes(differences: Floats, alternative: Alternative) -> list[Outcome]:
    from scipy.special import stdtr

    n_topics, n_columns = differences.shape
    if n_topics == 1:
        return [Outcome(None, 1.0, note=ONE_TOPIC)] * n_columns
    constant = is_constant(differences)
    mean = differences.mean(axis=0)
    error = differences.std(axis=0, ddof=1) / np.sqrt(n_topics)
    t = np.where(constant, 0.0, mean / np.where(constant, 1.0, error))
    if alternative is Alternative.TWO_SIDED:
        p_values = 2.0 * stdtr(n_topics - 1, -np.abs(t))
    else:
        p_values = stdtr(n_topics - 1, -t if alternative is Alternative.GREATER else t)
    return [
        _without_variance(float(mean[i]), alternative)
        if constant[i]
        else Outcome(float(t[i]), float(p_values[i]), exact=True)
        for i in range(n_columns)
    ]


def _without_variance(mean: float, alternative: Alternative) -> Outcome:
    if mean == 0.0:
        return Outcome(0.0, 1.0, note=NO_DIFFERENCE)
    opposite = Alternative.LESS if mean > 0 else Alternative.GREATER
    return Outcome(None, 1.0 if alternative is opposite else 0.0, note=CONSTANT)
