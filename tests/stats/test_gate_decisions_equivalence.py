import numpy as np
import pytest

from rankeval.errors import UsageError
from rankeval.stats import Bound, Verdict, equivalence_verdict

ttost_paired = pytest.importorskip("statsmodels.stats.weightstats").ttost_paired


def systems(gains):
    """Two systems from 0 to 1 that differ by these gains."""
    half = np.asarray(gains) / 2
    return 0.5 - half, 0.5 + half


@pytest.mark.parametrize(("mean", "margin"), [(0.0, 0.03), (0.01, 0.02), (-0.02, 0.05)])
def test_by_t_the_p_value_is_that_of_two_one_sided_tests(mean, margin):
    baseline, candidate = systems(np.random.default_rng(1).normal(mean, 0.1, 60))

    found = equivalence_verdict(baseline, candidate, margin=margin, bound="t")

    expected = ttost_paired(candidate, baseline, -margin, margin)[0]
    assert found.p_value == pytest.approx(expected)
    assert (found.verdict is Verdict.EQUIVALENT) == (expected <= 0.05)
    assert (found.verdict is Verdict.EQUIVALENT) == (-margin < found.low and found.high < margin)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("bound", Bound)
def test_worse_and_better_are_treated_alike(sign, bound):
    gains = sign * np.random.default_rng(2).normal(0.1, 0.05, 200)

    far = equivalence_verdict(*systems(gains), margin=0.03, bound=bound)
    near = equivalence_verdict(*systems(gains), margin=0.2, bound=bound)

    assert far.verdict is Verdict.NOT_EQUIVALENT
    assert far.exceeds
    assert near.verdict is Verdict.EQUIVALENT
    assert not near.exceeds


def test_a_margin_can_be_a_share_of_the_baselines_mean():
    gains = np.random.default_rng(4).normal(0.0, 0.02, 300)
    baseline, candidate = systems(gains)

    share = equivalence_verdict(baseline, candidate, margin=0.08, share=True)
    assert share.limit == pytest.approx(0.08 * baseline.mean())
    assert share.verdict is equivalence_verdict(baseline, candidate, margin=0.04).verdict
    assert share.verdict is Verdict.EQUIVALENT


@pytest.mark.parametrize("margin", [0.0, -0.1, np.nan])
def test_a_margin_that_is_not_above_0_is_refused(margin):
    with pytest.raises(UsageError):
        equivalence_verdict([0.5, 0.4], [0.4, 0.4], margin=margin)
