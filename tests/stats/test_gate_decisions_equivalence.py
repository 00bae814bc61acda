import numpy as np
import pytest

from rankeval.errors import UsageError
from rankeval.stats import Bound, Verdict, equivalence_verdict
from rankeval.stats.confidence_bounds import excess_p_values

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


@pytest.mark.parametrize("bound", [Bound.STUDENT_T, Bound.BETTING])
@pytest.mark.parametrize("slope", [-0.6, 0.6])
def test_relative_margins_are_planned_for_both_sides(bound, slope):
    """Gains that go with the baseline's values spread one excess more than the other."""
    rng, margin, power, repetitions = np.random.default_rng(6), 0.15, 0.8, 4000
    before = rng.uniform(0.25, 0.75, 400)
    gains = slope * (before - before.mean()) + rng.normal(0.0, 0.01, 400)
    gains -= gains.mean()
    plan = equivalence_verdict(
        before, before + gains, margin=margin, share=True, bound=bound, power=power
    )

    drawn = rng.integers(0, 400, (plan.topics_needed, repetitions))
    low, high = gains[drawn] + margin * before[drawn], margin * before[drawn] - gains[drawn]
    # Candidate 0 and baseline 1, and the other way round, leave least of the margin.
    within = excess_p_values(low, margin - 1.0, bound) <= 0.05
    beyond = excess_p_values(high, -1.0, bound) <= 0.05

    # Each side has half of the risk, and here the risk of one of them is next to nothing.
    assert power - 0.03 <= np.mean(within & beyond) <= power + 0.16


@pytest.mark.parametrize("margin", [0.0, -0.1, np.nan])
def test_a_margin_that_is_not_above_0_is_refused(margin):
    with pytest.raises(UsageError):
        equivalence_verdict([0.5, 0.4], [0.4, 0.4], margin=margin)
