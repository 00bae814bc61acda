"""A paired test that rankeval lacks, added as its own ones are: Yuen's test of a trimmed mean."""

import math

import numpy as np
import numpy.typing as npt

from rankeval.commands.compare.method import Method
from rankeval.stats import Alternative, PairedTest, paired_test, paired_tests
from rankeval.stats.checked_arrays import Floats
from rankeval.stats.paired import Outcome, outcomes_by_column
from rankeval.stats.statistical_tests import PAIRED_TESTS, StatisticalTest

TRIMMED = 0.2


def yuen(
    differences: npt.ArrayLike, *, alternative: Alternative | str = Alternative.TWO_SIDED
) -> tuple[PairedTest, ...]:
    """Test whether the mean difference without the 20 % at either end is 0.

    Source: Tukey and McLaughlin, Sankhya A 25(3), 1963; Yuen, Biometrika 61(1), 1974.
    """
    return outcomes_by_column("yuen", differences, alternative, _outcomes)


def _outcomes(differences: Floats, alternative: Alternative) -> list[Outcome]:
    from scipy.special import stdtr

    n_topics = len(differences)
    cut = int(TRIMMED * n_topics)
    kept = n_topics - 2 * cut
    outcomes = []
    for column in np.sort(differences, axis=0).T:
        winsorized = np.clip(column, column[cut], column[n_topics - cut - 1])
        error = winsorized.std(ddof=1) * math.sqrt(n_topics - 1) / math.sqrt(kept * (kept - 1))
        t = float(column[cut : n_topics - cut].mean() / error)
        below = float(stdtr(kept - 1, t))
        p_values = {
            Alternative.LESS: below,
            Alternative.GREATER: 1.0 - below,
            Alternative.TWO_SIDED: 2.0 * min(below, 1.0 - below),
        }
        outcomes.append(Outcome(t, p_values[alternative]))
    return outcomes


# Their annotations list the tests of rankeval.
Method.__dataclass_fields__["test"].type = str
for taking in paired_test, paired_tests:
    taking.__wrapped__.__annotations__["test"] = str
PAIRED_TESTS["yuen"] = StatisticalTest("yuen", "Yuen's trimmed t test", yuen)
