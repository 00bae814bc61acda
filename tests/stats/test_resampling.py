import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from rankeval.stats import confidence_interval
from rankeval.stats.resampling import jackknife_interval

values = st.lists(st.floats(-0.9, 0.9), min_size=5, max_size=12).filter(lambda v: np.ptp(v) > 1e-3)


def without_each(of):
    return [np.mean(np.delete(of, i)) for i in range(len(of))]


def test_an_interval_worked_by_hand():
    """Deviations 0.1 and 0.05 on either side of 0.5: the sum of squares is 0.025."""
    error = math.sqrt(4 / 5 * 0.025) / (1 - 0.5**2)
    margin = student.ppf(0.975, 4) * error

    low, high = jackknife_interval(0.5, [0.4, 0.45, 0.5, 0.55, 0.6], [8] * 5)

    assert low == pytest.approx(math.tanh(math.atanh(0.5) - margin))
    assert high == pytest.approx(math.tanh(math.atanh(0.5) + margin))


@pytest.mark.parametrize(
    ("sizes", "freedom"), [([2, 1, 1, 1, 1], 36 / 8 - 1), ([100, 1, 1, 1, 1], 1)]
)
def test_groups_of_unlike_size_leave_fewer_degrees_of_freedom(sizes, freedom):
    """Kish: (2 + 4)^2 / (4 + 4) groups; one degree of freedom at least."""
    margin = student.ppf(0.975, freedom) * math.sqrt(4 / 5 * 0.025)

    found = jackknife_interval(0.0, [-0.1, -0.05, 0, 0.05, 0.1], sizes)

    assert found == pytest.approx((-math.tanh(margin), math.tanh(margin)))


@given(values)
def test_far_from_the_ends_a_mean_has_students_interval(of):
    """Without each group, a mean varies by 1 / (n - 1) of what the groups do."""
    far = 1e6
    found = jackknife_interval(np.mean(of), without_each(of), [1] * len(of), low=-far, high=far)
    expected = confidence_interval(of)

    assert found == pytest.approx((expected.low, expected.high), abs=1e-3)


@pytest.mark.parametrize(
    ("value", "without"),
    [
        (0.5, [0.4, 0.5, 0.6, 0.5]),
        (0.5, [0.4, 0.5, 0.6, 0.5, math.nan]),
        (None, [0.4, 0.5, 0.6, 0.5, 0.5]),
        (0.5, [0.5] * 9),
        (1.0, [1.0] * 9),
        (1.0, [1.0] * 8 + [0.9]),
    ],
)
def test_nothing_bounds_few_or_equal_groups(value, without):
    assert jackknife_interval(value, without, [1] * len(without)) is None
