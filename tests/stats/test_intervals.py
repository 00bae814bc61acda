import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from rankeval.errors import UsageError
from rankeval.stats import IntervalMethod, confidence_interval

METHODS = list(IntervalMethod)

value = st.floats(-1, 1, allow_nan=False).map(lambda x: round(x, 3))


def sample(n_topics, seed=0):
    return np.random.default_rng(seed).exponential(0.3, size=n_topics) - 0.1


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_student_interval_agrees_with_scipy(level):
    d = sample(40)
    expected = scipy.stats.ttest_1samp(d, 0.0).confidence_interval(level)

    interval = confidence_interval(d, level=level)

    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize("d", [sample(8), sample(50), np.tile([0.0, 0.0, 0.0, 1.0], 3)], ids=len)
def test_bootstrap_intervals_agree_with_scipy(d):
    """Of the last, a quarter of the samples have the mean of the sample."""
    expected = scipy.stats.bootstrap(
        (d,), np.mean, method="BCa", n_resamples=40_000, random_state=np.random.default_rng(1)
    ).confidence_interval

    interval = confidence_interval(d, method="bca", resamples=40_000)

    # The ends of 40,000 samples repeat within some hundredths of the standard error.
    error = d.std(ddof=1) / len(d) ** 0.5
    assert interval.low == pytest.approx(expected.low, abs=0.06 * error)
    assert interval.high == pytest.approx(expected.high, abs=0.06 * error)


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


@pytest.mark.parametrize("wrong", [{"level": 0.0}, {"level": 95}, {"resamples": 0}])
def test_impossible_parameters_are_refused(wrong):
    with pytest.raises(UsageError):
        confidence_interval([0.1, 0.2], **wrong)
