import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.errors import UsageError
from rankeval.stats import delta_relative_improvement, effect_ratio, nrmse, rmse

value = st.floats(0, 1, allow_nan=False).map(lambda x: round(x, 4))
pairs = st.lists(st.tuples(value, value), min_size=1, max_size=20)


def test_rmse_worked_by_hand():
    assert rmse([0.1, 0.5, 0.9], [0.3, 0.5, 0.8]) == pytest.approx(((0.04 + 0 + 0.01) / 3) ** 0.5)


def test_nrmse_worked_by_hand():
    expected = ((0.04 + 0 + 0.01) / (0.9**2 + 0.5**2 + 0.9**2)) ** 0.5

    assert nrmse([0.1, 0.5, 0.9], [0.3, 0.5, 0.8]) == pytest.approx(expected)


def test_effect_ratio_and_relative_improvement_worked_by_hand():
    """The original gains 0.1 on 0.4, the reproduction, on other topics, 0.06 on 0.3."""
    original = [0.3, 0.5], [0.5, 0.5]
    reproduced = [0.2, 0.3, 0.4], [0.3, 0.34, 0.44]

    assert effect_ratio(*original, *reproduced) == pytest.approx(0.06 / 0.1)
    assert delta_relative_improvement(*original, *reproduced) == pytest.approx(
        0.1 / 0.4 - 0.06 / 0.3
    )


def test_rmse_agrees_with_statsmodels():
    tools = pytest.importorskip("statsmodels.tools.eval_measures")
    one, other = np.random.default_rng(0).uniform(size=(2, 100))

    assert rmse(one, other) == pytest.approx(tools.rmse(one, other))


@given(pairs)
def test_errors_are_symmetric_and_bounded_by_the_worst_reproduction(values):
    original, reproduced = np.array(values).T
    worst = np.where(original > 0.5, 0.0, 1.0)

    assert rmse(original, reproduced) == pytest.approx(rmse(reproduced, original))
    assert 0.0 <= nrmse(original, reproduced) <= 1.0
    assert nrmse(original, worst) == pytest.approx(1.0)
    assert nrmse(original, original) == rmse(original, original) == 0.0


@given(pairs)
def test_an_exact_reproduction_is_perfect(values):
    baseline, advanced = np.array(values).T
    ratio = effect_ratio(baseline, advanced, baseline, advanced)
    lost = delta_relative_improvement(baseline, advanced, baseline, advanced)

    assert ratio is None or ratio == pytest.approx(1.0)
    assert lost is None or lost == pytest.approx(0.0)
    assert (lost is None) is not baseline.any()


def test_undefined_ratios_are_none():
    assert rmse([], []) is nrmse([], []) is None
    assert rmse([np.nan], [0.5]) is None
    assert effect_ratio([0.1, 0.3], [0.3, 0.1], [0.1], [0.2]) is None
    assert effect_ratio([0.1], [0.2], [], []) is None
    assert delta_relative_improvement([0.0], [0.2], [0.1], [0.2]) is None
    assert delta_relative_improvement([0.1], [0.2], [], []) is None


def test_missing_values_are_left_out_in_pairs():
    assert rmse([0.1, np.nan, 0.4], [0.2, 0.5, np.nan]) == pytest.approx(0.1)
    assert effect_ratio([0.1, 0.0], [0.2, np.nan], [0.1], [0.2]) == pytest.approx(1.0)


def test_nrmse_refuses_values_that_have_no_largest_error():
    with pytest.raises(UsageError, match="outside 0 to 1"):
        nrmse([0.5, 7.0], [0.5, 0.6])
