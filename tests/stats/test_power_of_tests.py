import numpy as np
import pytest
import scipy

from rankeval.errors import UsageError
from rankeval.stats import power_of_t, smallest_difference, topics_needed


@pytest.mark.parametrize("n_topics", [2, 3, 10, 50, 250, 2000])
@pytest.mark.parametrize("effect", [-0.5, 0.0, 0.05, 0.3, 1.0])
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_power_agrees_with_statsmodels(n_topics, effect, alpha):
    power = pytest.importorskip("statsmodels.stats.power")
    expected = power.TTestPower().power(effect, n_topics, alpha)

    found = power_of_t(n_topics, 0.2 * effect, 0.2, alpha=alpha)

    if np.isnan(expected):  # it has no value far out in the tails
        # Before SciPy 1.17, the noncentral t distribution has four digits fewer there.
        old = tuple(map(int, scipy.__version__.split(".")[:2])) < (1, 17)
        assert min(found, 1.0 - found) < (2e-5 if old else 1e-7)
    else:
        assert found == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("effect", [0.05, 0.3, 1.0])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_planning_agrees_with_statsmodels(effect, power):
    oracle = pytest.importorskip("statsmodels.stats.power").TTestPower()

    expected = oracle.solve_power(effect, None, 0.05, power)
    found = topics_needed(effect, 1.0, power=power)
    assert found == int(np.ceil(expected))

    expected = oracle.solve_power(None, 40, 0.05, power)
    found = smallest_difference(40, 2.0, power=power)
    assert found == pytest.approx(2.0 * expected, rel=1e-5)


@pytest.mark.parametrize("alpha", [1e-6, 1e-4, 0.05, 0.5])
@pytest.mark.parametrize("n_topics", [2, 3, 50, 100_000])
def test_power_has_a_value_however_large_the_effect(alpha, n_topics):
    powers = [power_of_t(n_topics, e, 1.0, alpha=alpha) for e in np.geomspace(1e-9, 1e12, 200)]

    assert powers[0] == pytest.approx(alpha, rel=1e-3)
    assert powers[-1] == 1.0
    assert (np.diff(powers) >= -1e-6).all()


def test_power_without_variance_or_topics_has_decided_values():
    assert power_of_t(1, 0.5, 0.1) == 0.0
    assert power_of_t(0, 0.5, 0.1) == 0.0
    assert power_of_t(10, 0.5, 0.0) == 1.0
    assert power_of_t(10, 0.0, 0.0) == 0.0


def test_planning_without_variance_or_topics_has_decided_values():
    assert topics_needed(0.1, 0.0) == 2
    assert topics_needed(-0.1, 0.2) == topics_needed(0.1, 0.2)
    assert topics_needed(1e-9, 1.0) is None
    assert smallest_difference(1, 0.2) is None
    assert smallest_difference(10, 0.0) == 0.0


@pytest.mark.parametrize(
    "call",
    [
        lambda: topics_needed(0.0, 0.1),
        lambda: topics_needed(float("nan"), 0.1),
        lambda: topics_needed(0.1, -0.1),
        lambda: topics_needed(0.1, 0.1, alpha=0.0),
        lambda: topics_needed(0.1, 0.1, power=1.0),
        lambda: smallest_difference(10, 0.1, alpha=0.5, power=0.4),
        lambda: power_of_t(10, 0.1, float("nan")),
    ],
)
def test_impossible_plans_are_refused(call):
    with pytest.raises(UsageError):
        call()
