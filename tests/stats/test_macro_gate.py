import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp, ttest_ind

from rankeval.errors import UsageError
from rankeval.stats import Verdict, gate_verdict, macro_verdict

SIZES = (12, 40, 90)


def values(seed=1, loss=0.02, sizes=SIZES):
    rng = np.random.default_rng(seed)
    old = [rng.random(n) for n in sizes]
    return old, [np.clip(one - rng.normal(loss, 0.1, len(one)), 0, 1) for one in old]


@given(seed=st.integers(0, 50))
def test_two_collections_are_welchs_test_of_one_against_minus_the_other(seed):
    """The macro mean is above 0 if one mean is above minus the other: two samples, by scipy."""
    old, new = values(seed, sizes=(15, 40))
    found = macro_verdict(old, new, limit=0.01, test="t")
    first, second = (b - a for b, a in zip(old, new, strict=True))
    welch = ttest_ind(first, -second, equal_var=False, alternative="greater")
    bounds = ttest_ind(first, -second, equal_var=False).confidence_interval(0.9)
    by_t = macro_verdict(old, new, limit=0.01, bound="t")

    assert found.p_value == pytest.approx(welch.pvalue)
    assert found.drop == pytest.approx((first.mean() + second.mean()) / 2)
    assert (by_t.low, by_t.high) == pytest.approx((bounds.low / 2, bounds.high / 2))


def test_one_collection_is_the_gate_without_collections():
    old, new = values(sizes=(60,))
    for bound in ("t", "betting", "both"):
        for share in (False, True):
            found = macro_verdict(old, new, limit=0.05, bound=bound, share=share)
            plain = gate_verdict(old[0], new[0], limit=0.05, bound=bound, share=share)

            assert found.verdict is plain.verdict
            for name in ("low", "high", "p_value", "p_beyond_limit", "drop", "limit"):
                assert getattr(found, name) == pytest.approx(getattr(plain, name), abs=1e-5), name
            assert found.topics_needed == plain.topics_needed


@pytest.mark.parametrize("share", [False, True])
def test_collections_of_one_size_bet_as_all_their_topics_together_do(share):
    old, new = values(sizes=(50, 50, 50))
    found = macro_verdict(old, new, limit=0.1, share=share)
    plain = gate_verdict(np.concatenate(old), np.concatenate(new), limit=0.1, share=share)

    assert found.high == pytest.approx(plain.high, abs=1e-9)
    assert found.p_beyond_limit == pytest.approx(plain.p_beyond_limit)


def test_differences_between_collections_are_no_spread():
    """Collections are fixed: only the topics of each make the macro mean uncertain."""
    old = [np.full(20, 0.5), np.full(20, 0.5)]
    new = [old[0] + np.tile([0.19, 0.21], 10), old[1] - np.tile([0.19, 0.21], 10)]
    found = macro_verdict(old, new, limit=0.01, bound="t")

    assert found.verdict is Verdict.NOT_WORSE
    assert (
        gate_verdict(np.concatenate(old), np.concatenate(new), limit=0.01, bound="t").verdict
        is Verdict.CANNOT_TELL
    )


@pytest.mark.parametrize("bound", ["t", "betting", "both"])
@pytest.mark.parametrize("share", [False, True])
def test_bounds_agree_with_the_verdict(bound, share):
    for seed in range(20):
        old, new = values(seed)
        found = macro_verdict(old, new, limit=0.1, bound=bound, share=share)
        assert (found.verdict is Verdict.NOT_WORSE) == (found.high <= found.limit)
        assert found.beyond == (found.low is not None and found.low > found.limit)


def test_a_share_bounds_where_the_mean_beyond_it_is_no_longer_shown():
    """Fieller's bound: one-sided t, with the baseline's share as a random part of the sample."""
    old, new = values(3, sizes=(80,))
    found = macro_verdict(old, new, limit=0.1, share=True, bound="t")
    share = found.high / found.baseline_mean
    at_the_bound = ttest_1samp(old[0] - new[0] - share * old[0], 0, alternative="less")

    assert at_the_bound.pvalue == pytest.approx(0.05)


@pytest.mark.slow
def test_the_topics_planned_for_clear_an_equal_candidate_with_that_power():
    rng = np.random.default_rng(4)
    old = [np.full(n, 0.5) for n in (40, 80)]
    new = [one + rng.normal(0.0, 0.1, len(one)) for one in old]
    for bound in ("t", "betting"):
        found = macro_verdict(old, new, limit=0.03, bound=bound)
        n = found.topics_needed
        sizes = (round(n / 3), n - round(n / 3))
        cleared = 0
        for _ in range(400):
            equal = [0.5 + rng.normal(0.0, one.std(), k) for one, k in zip(new, sizes, strict=True)]
            flat = [np.full(k, 0.5) for k in sizes]
            again = macro_verdict(flat, equal, limit=0.03, bound=bound, planned_drop=0.06)
            cleared += again.verdict is Verdict.NOT_WORSE
        assert cleared / 400 == pytest.approx(found.power_of_needed, abs=0.08)


def test_one_seed_of_each_collection_more_counts_their_spread():
    old, new = values(5, loss=0.0)
    same = [np.stack([one] * 3, axis=1) for one in new]
    apart = [one + np.array([-0.05, 0.0, 0.05]) for one in same]

    assert macro_verdict(old, same, limit=0.01).p_value == pytest.approx(
        macro_verdict(old, new, limit=0.01, test="t").p_value
    )
    assert macro_verdict(old, apart, limit=0.0).high > macro_verdict(old, same, limit=0.0).high


def test_a_collection_with_one_topic_has_no_variance():
    old, new = values(loss=0.3, sizes=(1, 60))
    found = macro_verdict(old, new, limit=0.01, bound="t")

    assert (found.verdict, found.low, found.high) == (Verdict.CANNOT_TELL, None, None)


def test_a_collection_without_values_leaves_no_macro_mean():
    old, new = values(sizes=(20, 20))
    old[1][:] = np.nan
    found = macro_verdict(old, new, limit=0.01)

    assert (found.verdict, found.drop, found.n_topics) == (Verdict.CANNOT_TELL, None, 0)
    assert found.n_excluded == 20


def test_other_tests_and_other_runs_are_refused():
    old, new = values()
    with pytest.raises(UsageError, match="the test is wilcoxon"):
        macro_verdict(old, new, limit=0.01, test="wilcoxon")
    with pytest.raises(UsageError, match="as many runs for each"):
        macro_verdict(old, [new[0], np.stack([new[1]] * 2, axis=1), new[2]], limit=0.01)
