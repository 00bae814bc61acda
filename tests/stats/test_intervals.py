import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from rankeval.errors import UsageError
from rankeval.stats import IntervalMethod, confidence_interval, confidence_intervals

METHODS = list(IntervalMethod)
# Student (1908), as in test_paired_tests.py: additional sleep with the second drug.
SLEEP = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]

value = st.floats(-1, 1, allow_nan=False).map(lambda x: round(x, 3))


def sample(n_topics, seed=0):
    return np.random.default_rng(seed).exponential(0.3, size=n_topics) - 0.1


def test_student_interval_of_the_sleep_data():
    """R's documentation of `sleep`: 95 percent confidence interval 0.7001142 to 2.4598858."""
    interval = confidence_interval(SLEEP)

    assert (interval.low, interval.high) == pytest.approx((0.7001142, 2.4598858), abs=5e-8)
    assert (interval.n_topics, interval.resamples, interval.seed) == (10, None, None)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_student_interval_agrees_with_scipy(level):
    d = sample(40)
    expected = scipy.stats.ttest_1samp(d, 0.0).confidence_interval(level)

    interval = confidence_interval(d, level=level)

    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize("n_topics", [8, 50])
def test_bootstrap_intervals_agree_with_scipy(n_topics):
    d = sample(n_topics)
    expected = scipy.stats.bootstrap(
        (d,), np.mean, method="BCa", n_resamples=40_000, random_state=np.random.default_rng(1)
    ).confidence_interval

    interval = confidence_interval(d, method="bca", resamples=40_000)

    # The ends of 40,000 samples repeat within some hundredths of the standard error.
    error = d.std(ddof=1) / n_topics**0.5
    assert interval.low == pytest.approx(expected.low, abs=0.06 * error)
    assert interval.high == pytest.approx(expected.high, abs=0.06 * error)


def test_bca_leans_towards_the_long_tail():
    d = sample(50)
    drawn = np.random.default_rng(0).choice(d, (10_000, len(d))).mean(axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    bca = confidence_interval(d, method="bca")

    assert bca.low > low
    assert bca.high > high


@pytest.mark.parametrize("outlier", [-1.0, 1.0])
def test_bca_has_ends_for_the_most_skewed_values_and_any_level(outlier):
    d = np.append(np.zeros(200), outlier)

    interval = confidence_interval(d, method="bca", level=1 - 1e-15, resamples=200)

    assert -1.0 <= interval.low <= d.mean() <= interval.high <= 1.0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("d", [[], [0.3], [np.nan, 0.3]])
def test_fewer_than_two_topics_bound_nothing(method, d):
    interval = confidence_interval(d, method=method)

    assert interval.low is interval.high is interval.resamples is interval.seed is None
    assert interval.n_topics + interval.n_excluded == len(d)


@pytest.mark.parametrize("method", METHODS)
def test_equal_differences_give_an_interval_without_width(method):
    interval = confidence_interval([0.3 - 0.1, 0.2, 0.2], method=method)

    assert (interval.low, interval.high) == pytest.approx((0.2, 0.2))


@pytest.mark.parametrize("method", METHODS)
def test_columns_do_not_depend_on_each_other(method):
    table = np.column_stack([sample(40, seed) for seed in range(3)])
    table[3, 1] = np.nan

    together = confidence_intervals(table, method=method, resamples=700, seed=4)
    alone = [
        confidence_interval(column, method=method, resamples=700, seed=4) for column in table.T
    ]

    assert [one.low for one in together] == pytest.approx([one.low for one in alone])
    assert [one.n_excluded for one in together] == [0, 1, 0]


@pytest.mark.parametrize("method", METHODS)
@given(d=st.lists(value, min_size=2, max_size=12), shift=value)
@settings(max_examples=25, deadline=None)
def test_an_interval_holds_the_mean_grows_with_the_level_and_moves_with_the_values(
    method, d, shift
):
    d = np.array(d)
    low = confidence_interval(d, method=method, level=0.5, resamples=2000)
    high = confidence_interval(d, method=method, level=0.95, resamples=2000)
    moved = confidence_interval(d + shift, method=method, level=0.95, resamples=2000)

    assert high.low - 1e-9 <= low.low <= low.high <= high.high + 1e-9
    assert high.low - 1e-9 <= d.mean() <= high.high + 1e-9
    assert (moved.low, moved.high) == pytest.approx((high.low + shift, high.high + shift), abs=1e-6)


@given(d=st.lists(value, min_size=2, max_size=12))
@settings(deadline=None)
def test_the_student_interval_leaves_out_zero_exactly_if_the_test_rejects(d):
    from rankeval.stats import paired_test

    interval = confidence_interval(d, level=0.95)
    p_value = paired_test(d).p_value

    if abs(p_value - 0.05) > 1e-9:
        assert (interval.low > 0 or interval.high < 0) is (p_value < 0.05)


@pytest.mark.parametrize("wrong", [{"level": 0.0}, {"level": 95}, {"resamples": 0}])
def test_impossible_parameters_are_refused(wrong):
    with pytest.raises(UsageError):
        confidence_interval([0.1, 0.2], **wrong)
