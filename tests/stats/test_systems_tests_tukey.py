import math
from itertools import permutations, product

import numpy as np
import pytest
import scipy.special
import scipy.stats

from rankeval.stats import (
    confidence_interval,
    dunnett,
    paired_differences,
    paired_test,
    randomized_tukey_hsd,
    tukey_hsd,
)
from rankeval.stats.systems_tests import (
    quantile,
    quantile_of_largest,
    survival,
    survival_of_largest,
)

BOTH = [tukey_hsd, randomized_tukey_hsd]


def sample(n_topics, n_systems, seed=0, step=0.04):
    rng = np.random.default_rng(seed)
    topics = rng.uniform(0, 0.8, size=(n_topics, 1))
    return topics + rng.normal(0, 0.1, size=(n_topics, n_systems)) + step * np.arange(n_systems)


def test_tukeys_test_worked_by_hand():
    """Of test_systems_tests_anova: means 3, 4, 5, residual variance 1/2 with 2 degrees, n = 2."""
    comparison = tukey_hsd([[1.5, 2.0, 2.5], [4.5, 6.0, 7.5]])

    assert [(pair.first, pair.second) for pair in comparison.pairs] == [(0, 1), (0, 2), (1, 2)]
    assert [pair.difference for pair in comparison.pairs] == pytest.approx([1.0, 2.0, 1.0])
    # q = 2 / sqrt(0.5 / 2); the table has q(0.95; 3, 2) = 8.331.
    q = 2.0 / np.sqrt(0.5 / 2)
    assert comparison.pairs[1].p_value == pytest.approx(
        scipy.stats.studentized_range.sf(q, 3, 2), abs=1e-8
    )
    assert comparison.pairs[1].high - 2.0 == pytest.approx(8.331 * 0.5, abs=1e-3)


def test_tukeys_test_of_two_systems_is_students():
    values = sample(15, 2)
    d = paired_differences(values[:, 0], values[:, 1])

    (pair,) = tukey_hsd(values, level=0.9).pairs

    interval = confidence_interval(d, level=0.9)
    assert pair.p_value == pytest.approx(paired_test(d).p_value, abs=1e-9)
    assert (pair.low, pair.high) == pytest.approx((interval.low, interval.high))


def test_randomized_tukey_equals_a_plain_enumeration():
    values = np.array([[0.1, 0.2, 0.4], [0.3, 0.2, 0.9], [0.0, 0.5, 0.6], [0.2, 0.4, 0.3]])
    ranges = np.array(
        [
            np.ptp(np.mean(rows, axis=0))
            for rows in product(*(list(permutations(row)) for row in values))
        ]
    )

    comparison = randomized_tukey_hsd(values, permutations=40_000)

    assert (comparison.permutations, comparison.seed, comparison.level) == (40_000, 0, None)
    for pair in comparison.pairs:
        expected = np.mean(ranges >= abs(pair.difference) - 1e-12)
        assert pair.p_value == pytest.approx(expected, abs=0.01)
        assert pair.low is pair.high is None


@pytest.mark.parametrize("compare", BOTH)
def test_no_topics_decide_nothing(compare):
    pairs = compare([[np.nan, 0.1, 0.2]]).pairs

    assert [(pair.p_value, pair.difference) for pair in pairs] == [(1.0, None)] * 3


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


def largest_of_multivariate_t(n_compared, degrees, draws=100_000):
    """The largest |T| of so many differences from the same mean, drawn."""
    rng = np.random.default_rng(n_compared)
    z = rng.normal(size=(draws, n_compared + 1))
    deviation = np.sqrt(rng.chisquare(degrees, draws) / degrees)
    return np.abs(z[:, 1:] - z[:, :1]).max(axis=1) / np.sqrt(2.0) / deviation


@pytest.mark.parametrize("n_compared", [1, 2, 5, 20])
@pytest.mark.parametrize("degrees", [3, 20, 500])
def test_p_values_are_those_of_the_multivariate_t_distribution(n_compared, degrees):
    drawn = largest_of_multivariate_t(n_compared, degrees)

    for t in (0.5, 2.0, 3.5):
        share = (drawn > t).mean()
        error = 4 * np.sqrt(max(share, 1e-5) / drawn.size)
        assert survival_of_largest(t, n_compared, degrees) == pytest.approx(share, abs=error)
    assert (drawn <= quantile_of_largest(0.95, n_compared, degrees)).mean() == pytest.approx(
        0.95, abs=0.003
    )


@pytest.mark.parametrize(
    ("n_compared", "degrees", "published"),
    [(2, 10, 2.57), (3, 20, 2.54), (9, 30, 2.86), (4, 60, 2.51)],
)
def test_quantiles_are_those_of_dunnetts_tables(n_compared, degrees, published):
    """Dunnett, "New tables for multiple comparisons with a control", Biometrics 20(3), 1964."""
    assert quantile_of_largest(0.95, n_compared, degrees) == pytest.approx(published, abs=0.006)


def test_without_residual_variance_differences_are_certain():
    found = dunnett([[0.25, 0.25, 0.5], [0.5, 0.5, 0.75]])

    assert [pair.p_value for pair in found.pairs] == [1.0, 0.0]
    assert (found.pairs[1].low, found.pairs[1].high) == (0.25, 0.25)
