import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.errors import UsageError
from rankeval.stats import paired_differences, summarize_differences

value = st.floats(0, 1, allow_nan=False).map(lambda x: round(x, 4))
pairs = st.lists(st.tuples(value, value), min_size=1, max_size=30)


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


@given(pairs)
def test_exchanging_the_systems_turns_the_sign_of_the_difference(values):
    one, other = np.array(values).T

    forth, back = summarize_differences(one, other), summarize_differences(other, one)

    assert forth.difference == pytest.approx(-back.difference)
    assert (forth.wins, forth.ties, forth.losses) == (back.losses, back.ties, back.wins)
    assert forth.wins + forth.ties + forth.losses == forth.n_topics


@given(pairs)
def test_differences_of_columns_are_the_differences_of_each_column(values):
    one, other = np.array(values).T
    table = paired_differences(np.column_stack((one, other)), np.column_stack((other, one)))

    assert table[:, 0].tolist() == paired_differences(one, other).tolist()
    assert table[:, 1].tolist() == paired_differences(other, one).tolist()
