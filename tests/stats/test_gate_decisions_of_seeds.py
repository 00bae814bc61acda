import numpy as np
import pytest
from scipy.stats import ttest_1samp, ttest_ind

from rankeval.errors import UsageError
from rankeval.stats import Verdict
from rankeval.stats.gate_decisions import seeded_verdict
from rankeval.stats.mean_tests import macro_mean


def test_without_a_spread_of_seeds_it_is_students_t_over_topics():
    rng = np.random.default_rng(1)
    before = rng.random(25)
    after = np.clip(before - rng.normal(0.05, 0.1, 25), 0, 1)
    found = seeded_verdict(before, np.stack([after] * 3, axis=1), limit=0.01)

    expected = ttest_1samp(after - before, 0, alternative="less").pvalue
    assert found.p_value == pytest.approx(expected)
    assert found.drop == pytest.approx((before - after).mean())


def test_the_error_is_that_of_welch_for_topics_and_seeds():
    """The mean over topics and that over seeds are two samples, whose errors Welch's test adds."""
    values = np.random.default_rng(2).normal(0.1, 1, (8, 3)) + np.array([0.0, 0.5, 1.0])
    found = macro_mean([values.mean(axis=1)], [1.0], [values.mean(axis=0)])
    # scipy's Welch test of the two samples of means has the same error and degrees of freedom.
    of_topics, of_runs = values.mean(axis=1), values.mean(axis=0)
    welch = ttest_ind(of_topics, of_runs - 1.0, equal_var=False)

    assert found.freedom == pytest.approx(welch.df)
    assert found.error == pytest.approx(1.0 / welch.statistic)


def test_bounds_agree_with_the_verdict():
    rng = np.random.default_rng(3)
    for _ in range(50):
        before = rng.random(20)
        runs = np.clip(before[:, None] - rng.normal(0.03, 0.1, (20, 3)), 0, 1)
        for share in (False, True):
            found = seeded_verdict(before, runs, limit=0.05, share=share)
            assert (found.verdict is Verdict.NOT_WORSE) == (found.high <= found.limit)
            assert found.beyond == (found.low > found.limit)


@pytest.mark.parametrize("share", [False, True])
def test_runs_of_the_baseline_count_as_those_of_the_candidate_do(share):
    """Constant over topics, both are two samples of runs, which Welch's test compares by scipy."""
    rng = np.random.default_rng(6)
    old, new = rng.normal(0.5, 0.05, 4), rng.normal(0.4, 0.02, 3)
    n = 1_000
    found = seeded_verdict(np.tile(old, (n, 1)), np.tile(new, (n, 1)), limit=0.1, share=share)
    beyond = old * 0.9 if share else old - 0.1
    welch = ttest_ind(beyond, new, equal_var=False, alternative="greater")

    assert found.p_value == pytest.approx(
        ttest_ind(old, new, equal_var=False, alternative="greater").pvalue
    )
    assert found.p_beyond_limit == pytest.approx(welch.pvalue)
    assert found.drop == pytest.approx(old.mean() - new.mean())


def test_one_run_has_no_spread():
    with pytest.raises(UsageError, match="two runs or more"):
        seeded_verdict([0.5, 0.4], [[0.5], [0.4]], limit=0.1)
