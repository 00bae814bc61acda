import numpy as np
import pytest

from rankeval.stats import adjust_p_values, paired_tests
from rankeval.stats.corrections import smallest_p_value

LOSING = np.tile(np.linspace(-0.9, -0.5, 40)[:, None], 3)
"""Every topic loses much, in three measures: no draw is as extreme."""


@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
@pytest.mark.parametrize("correction", ["holm", "bh", "none"])
def test_no_data_give_a_smaller_p_value(test, correction):
    outcomes = paired_tests(LOSING, test=test, alternative="less", resamples=999)
    corrected = adjust_p_values([one.p_value for one in outcomes], correction=correction)

    least = smallest_p_value(test, family=3, correction=correction, resamples=999)

    assert corrected.min() == pytest.approx(least)


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign"])
def test_tests_that_draw_nothing_have_no_smallest_p_value(test):
    assert smallest_p_value(test, family=1_000) == 0.0
