import numpy as np
import pytest

from rankeval.stats import dunnett
from rankeval.stats.dunnett_test import quantile, survival


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
        assert survival(t, n_compared, degrees) == pytest.approx(share, abs=error)
    assert (drawn <= quantile(0.95, n_compared, degrees)).mean() == pytest.approx(0.95, abs=0.003)


@pytest.mark.parametrize(
    ("n_compared", "degrees", "published"),
    [(2, 10, 2.57), (3, 20, 2.54), (9, 30, 2.86), (4, 60, 2.51)],
)
def test_quantiles_are_those_of_dunnetts_tables(n_compared, degrees, published):
    """Dunnett, "New tables for multiple comparisons with a control", Biometrics 20(3), 1964."""
    assert quantile(0.95, n_compared, degrees) == pytest.approx(published, abs=0.006)


@pytest.mark.slow
def test_some_baseline_comparison_is_rejected_at_the_level():
    """Topics differ much more than systems do; taken for error they would hide everything."""
    rng = np.random.default_rng(11)
    smallest = [
        min(
            pair.p_value
            for pair in dunnett(rng.normal(0, 1, (20, 1)) + rng.normal(0, 0.1, (20, 5))).pairs
        )
        for _ in range(400)
    ]

    error = 4 * np.sqrt(0.05 * 0.95 / 400)
    assert np.mean(np.array(smallest) <= 0.05) == pytest.approx(0.05, abs=error)


@pytest.mark.parametrize("values", [np.empty((0, 3)), [[0.1, 0.2, 0.3]]])
def test_fewer_than_two_topics_show_nothing(values):
    found = dunnett(values)

    assert [pair.p_value for pair in found.pairs] == [1.0, 1.0]
    assert all(pair.low is None for pair in found.pairs)


def test_without_residual_variance_differences_are_certain():
    found = dunnett([[0.25, 0.25, 0.5], [0.5, 0.5, 0.75]])

    assert [pair.p_value for pair in found.pairs] == [1.0, 0.0]
    assert (found.pairs[1].low, found.pairs[1].high) == (0.25, 0.25)
