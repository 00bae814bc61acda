import math

import numpy as np
import pytest
import scipy.special
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from rankeval.stats.tukey_tests import quantile, survival


@pytest.mark.parametrize(
    ("n_means", "degrees", "level", "published"),
    [
        (2, 1, 0.95, 17.97),
        (2, 10, 0.95, 3.151),
        (3, 10, 0.95, 3.877),
        (10, 20, 0.95, 5.008),
        (20, 120, 0.95, 5.126),
        (5, 5, 0.99, 8.421),
        (3, 60, 0.99, 4.282),
    ],
)
def test_quantiles_of_the_studentized_range_are_those_of_the_tables(
    n_means, degrees, level, published
):
    """Harter (1960), as printed in textbooks."""
    assert quantile(level, n_means, degrees) == pytest.approx(published, abs=6e-3)


@pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")
@pytest.mark.parametrize("n_means", [2, 3, 20])
@pytest.mark.parametrize("degrees", [1, 2, 10, 500, 9481, math.inf])
@pytest.mark.parametrize("q", [0.1, 2.0, 3.5, 7.0, 100.0])
def test_the_studentized_range_agrees_with_scipy(n_means, degrees, q):
    expected = scipy.stats.studentized_range.sf(q, n_means, degrees)

    assert survival(q, n_means, degrees) == pytest.approx(expected, abs=2e-9)


@given(q=st.floats(0, 1e6), n_means=st.integers(2, 50), degrees=st.integers(1, 10**9))
@settings(deadline=None, max_examples=50)
def test_the_studentized_range_is_a_distribution(q, n_means, degrees):
    assert 0.0 <= survival(q, n_means, degrees) <= 1.0
    assert survival(1.01 * q + 0.01, n_means, degrees) <= survival(q, n_means, degrees) + 1e-6
    assert survival(0.0, n_means, degrees) == 1.0


@pytest.mark.parametrize("degrees", [1, 5, 60, 1000])
@pytest.mark.parametrize("q", [0.5, 2.0, 4.0, 8.0])
def test_the_range_of_two_means_is_that_of_students_t(q, degrees):
    expected = 2.0 * scipy.special.stdtr(degrees, -q / np.sqrt(2.0))

    assert survival(q, 2, degrees) == pytest.approx(expected, abs=1e-13)
