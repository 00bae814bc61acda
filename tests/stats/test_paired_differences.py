import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankeval.errors import UsageError
from rankeval.stats import cohens_dz, paired_differences, summarize_differences


def test_a_summary_worked_by_hand():
    summary = summarize_differences([0.2, 0.4, 0.6, 0.8], [0.4, 0.4, 0.5, 1.0])

    assert summary.n_topics == 4
    assert summary.baseline_mean == pytest.approx((0.2 + 0.4 + 0.6 + 0.8) / 4)
    assert summary.run_mean == pytest.approx((0.4 + 0.4 + 0.5 + 1.0) / 4)
    assert summary.difference == pytest.approx((0.2 + 0.0 - 0.1 + 0.2) / 4)
    assert summary.relative_difference == pytest.approx(0.075 / 0.5)
    assert summary.median == pytest.approx((0.0 + 0.2) / 2)
    squares = (0.2 - 0.075) ** 2 + (0 - 0.075) ** 2 + (-0.1 - 0.075) ** 2 + (0.2 - 0.075) ** 2
    assert summary.standard_deviation == pytest.approx((squares / 3) ** 0.5)
    assert (summary.wins, summary.ties, summary.losses) == (2, 1, 1)


def test_a_pair_with_a_missing_value_is_left_out_of_both_means_and_counted():
    summary = summarize_differences([0.5, np.nan, 0.1], [0.7, 0.9, np.nan])

    assert (summary.n_topics, summary.n_excluded) == (1, 2)
    assert (summary.baseline_mean, summary.run_mean) == (0.5, 0.7)
    assert summary.standard_deviation is None


def test_a_summary_of_no_topics_has_no_means():
    summary = summarize_differences([], [])

    assert summary.n_topics == 0
    assert summary.baseline_mean is summary.difference is summary.median is None


def test_a_baseline_of_zero_has_no_relative_difference():
    assert summarize_differences([0.0, 0.0], [0.1, 0.3]).relative_difference is None
    assert summarize_differences([0.0], [0.0]).relative_difference is None


def test_rounding_noise_is_a_tie():
    assert 0.3 - 0.1 != 0.2
    assert paired_differences([0.3 - 0.1, 1e9], [0.2, 1e9 + 1e-7]).tolist() == [0.0, 0.0]
    assert paired_differences([0.2], [0.2 + 1e-9]).tolist() != [0.0]


def test_equal_differences_have_a_standard_deviation_of_exactly_zero():
    summary = summarize_differences([0.1, 0.2, 0.3], [0.2, 0.3, 0.4])

    assert summary.standard_deviation == 0.0


@pytest.mark.parametrize(
    ("baseline", "candidate"),
    [([0.1, 0.2], [0.1]), (np.zeros((2, 2, 2)), np.zeros((2, 2, 2))), ([0.1], [np.inf])],
)
def test_values_that_cannot_be_paired_are_refused(baseline, candidate):
    with pytest.raises(UsageError):
        paired_differences(baseline, candidate)


value = st.floats(-1, 1, allow_nan=False).map(lambda x: round(x, 3))
differences = st.lists(value, min_size=3, max_size=20)


def test_an_effect_size_worked_by_hand():
    """Differences 0.1, 0.2, 0.3: mean 0.2, deviation 0.1."""
    assert cohens_dz([0.1, 0.2, 0.3]) == pytest.approx(0.2 / 0.1)
    assert cohens_dz([0.1, 0.3]) == pytest.approx(2**0.5)  # 0.2 / (0.1 * √2)


@pytest.fixture(scope="module")
def pingouin():
    return pytest.importorskip("pingouin")


@given(values=differences)
@settings(deadline=None)
def test_effect_sizes_agree_with_pingouin(pingouin, values):
    found = cohens_dz(values)
    if found is not None and any(values):
        # Against a constant, pingouin standardizes by the deviation of the sample itself.
        assert found == pytest.approx(pingouin.compute_effsize(values, 0.0, eftype="cohen"))


def test_effect_sizes_without_variance_have_decided_values():
    assert cohens_dz([0.0, 0.0, 0.0]) == 0.0
    assert cohens_dz([0.1, 0.1, 0.1]) is None
