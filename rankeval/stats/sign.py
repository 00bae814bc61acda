"""The sign test."""

import numpy as np
import numpy.typing as npt

from rankeval.choices import TestName
from rankeval.stats.arrays import Floats
from rankeval.stats.paired import (
    NO_DIFFERENCE,
    Alternative,
    Outcome,
    PairedTest,
    outcomes_by_column,
)


def sign(
    differences: npt.ArrayLike, *, alternative: Alternative | str = Alternative.TWO_SIDED
) -> tuple[PairedTest, ...]:
    r"""Test the hypothesis that a topic that differs is won or lost with equal probability.

    With w wins among the k topics that differ, W binomial(k, 1/2):

    .. math:: p = \min(1, 2 \min(\Pr(W \le w), \Pr(W \ge w)))

    and one of the two probabilities if one-sided. The statistic is w. The size of a difference has
    no effect, so the test has little power, and a system with many small wins can look better than
    one with a higher mean.

    Shapes: differences (n, m), or (n,) for one column, give m outcomes.

    Edge cases
        - No topic, or none that differs: p = 1.0.
        - One topic that differs: p = 1.0, and 0.5 for the one-sided alternative that it supports.
        - Topics that do not differ are dropped.
        - NaN: the pair is left out.

    Source: Conover, Practical Nonparametric Statistics, 3rd edition, 1999, section 3.4; against
    it for retrieval: Smucker et al., CIKM 2007.
    """
    return outcomes_by_column(TestName.SIGN, differences, alternative, _outcomes)


def _outcomes(differences: Floats, alternative: Alternative) -> list[Outcome]:
    from scipy.special import bdtr

    wins = np.count_nonzero(differences > 0, axis=0)
    losses = np.count_nonzero(differences < 0, axis=0)
    moved = np.maximum(wins + losses, 1)
    less = bdtr(wins.astype(np.float64), moved, 0.5)
    greater = bdtr(losses.astype(np.float64), moved, 0.5)
    p_values = {
        Alternative.LESS: less,
        Alternative.GREATER: greater,
        Alternative.TWO_SIDED: np.minimum(1.0, 2.0 * np.minimum(less, greater)),
    }[alternative]
    return [
        Outcome(float(wins[i]), float(p_values[i]), exact=True)
        if wins[i] or losses[i]
        else Outcome(0.0, 1.0, exact=True, note=NO_DIFFERENCE)
        for i in range(differences.shape[1])
    ]
