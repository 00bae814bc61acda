import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankeval.errors import UsageError
from rankeval.stats import (
    GatePolicy,
    Verdict,
    confidence_interval,
    gate_exit_code,
    gate_passes,
    gate_verdict,
    gate_verdicts,
    paired_test,
    power_of_t,
)

value = st.floats(0, 1, allow_nan=False).map(lambda x: round(x, 3))
pairs = st.lists(st.tuples(value, value), max_size=20)
limits = st.sampled_from([0.0, 0.01, 0.1, 0.5])
POLICIES = list(GatePolicy)


def systems(drop, n_topics=50, deviation=0.1, seed=0):
    """Return a baseline and a candidate that loses exactly `drop`, deviating by `deviation`."""
    rng = np.random.default_rng(seed)
    baseline = rng.uniform(0.3, 0.7, size=n_topics)
    noise = rng.normal(size=n_topics)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    return baseline, baseline - drop + deviation * noise


@pytest.mark.parametrize(
    ("drop", "limit", "n_topics", "expected"),
    [
        # Standard error 0.1 / sqrt(n); one-sided t(0.95) is 1.677 for n = 50, 1.833 for n = 10.
        (0.05, 0.01, 50, "worse"),  # beyond the limit, t = 3.5
        (0.02, 0.01, 50, "cannot tell"),  # beyond the limit, but t = 1.41
        (0.03, 0.04, 50, "cannot tell"),  # t = 2.1, within the limit, bound 0.0537
        (0.03, 0.06, 50, "not worse"),  # significantly worse than 0, and within what is tolerated
        (0.0, 0.02, 50, "cannot tell"),  # bound 0.0237
        (0.0, 0.03, 50, "not worse"),
        (0.0, 0.03, 10, "cannot tell"),  # bound 0.058
        (-0.05, 0.0, 50, "not worse"),  # better: bound -0.026
        (0.05, 0.0, 50, "worse"),
    ],
)
def test_verdicts_worked_by_hand(drop, limit, n_topics, expected):
    found = gate_verdict(*systems(drop, n_topics), limit=limit)

    assert found.verdict == expected
    assert found.drop == pytest.approx(drop, abs=1e-12)
    quantile = {50: 1.676551, 10: 1.833113}[n_topics]
    assert found.high == pytest.approx(drop + quantile * 0.1 / n_topics**0.5, abs=1e-6)
    assert found.low == pytest.approx(drop - quantile * 0.1 / n_topics**0.5, abs=1e-6)


def test_planning_figures_are_those_of_power():
    """One-sided z figures: (1.645 + 0.842) 0.1 / sqrt(50) = 0.035; (2.487 * 0.1 / 0.02)^2 = 155."""
    found = gate_verdict(*systems(0.01), limit=0.02)

    assert found.verdict is Verdict.CANNOT_TELL
    assert found.planned_drop == 0.02
    assert found.topics_needed == pytest.approx(155, abs=2)
    assert found.smallest_drop == pytest.approx(0.035, abs=1e-3)
    assert power_of_t(50, found.smallest_drop, 0.1, alternative="greater") == pytest.approx(0.8)


def test_without_a_limit_the_plan_is_for_the_observed_drop():
    assert gate_verdict(*systems(0.01), limit=0.0).planned_drop == pytest.approx(0.01)
    better = gate_verdict(*systems(-0.01), limit=0.0)
    assert better.planned_drop is better.topics_needed is None


def test_the_plan_is_enough_to_clear_an_equal_candidate():
    """With `topics_needed` topics, a candidate that is equal is "not worse" with that power."""
    needed = gate_verdict(*systems(0.0), limit=0.03).topics_needed
    rng = np.random.default_rng(1)
    baseline = rng.uniform(size=(needed, 500))

    found = gate_verdicts(
        baseline, baseline + rng.normal(0, 0.1, size=baseline.shape), limits=[0.03] * 500
    )

    cleared = np.mean([one.verdict is Verdict.NOT_WORSE for one in found])
    assert cleared == pytest.approx(0.8, abs=4 * np.sqrt(0.8 * 0.2 / 500))


def test_the_drop_is_compared_with_the_limit_without_rounding_noise():
    found = gate_verdict([0.3, 0.3], [0.2, 0.2], limit=0.1)

    assert 0.3 - 0.2 < 0.1 < 0.4 - 0.3
    assert not found.exceeds
    assert not gate_verdict([0.4, 0.4], [0.3, 0.3], limit=0.1).exceeds
    assert found.verdict is Verdict.NOT_WORSE
    assert found.p_beyond_limit == 1.0


def test_the_same_run_twice_is_not_worse():
    found = gate_verdict([0.1, 0.5, 0.3], [0.1, 0.5, 0.3], limit=0.0)

    assert found.verdict is Verdict.NOT_WORSE
    assert (found.drop, found.low, found.high, found.p_value) == (0.0, 0.0, 0.0, 1.0)
    assert found.smallest_drop == 0.0
    assert str(found.drop) == "0.0"


@pytest.mark.parametrize("values", [([], []), ([0.5], [0.1]), ([0.5], [0.5]), ([np.nan], [0.1])])
def test_fewer_than_two_topics_cannot_tell(values):
    found = gate_verdict(*values, limit=0.01)

    assert found.verdict is Verdict.CANNOT_TELL
    assert found.low is found.high is found.smallest_drop is found.topics_needed is None


def test_measures_judged_together_are_corrected_as_one_family():
    baseline, candidate = systems(0.026)  # t = 1.838, p = 0.036 by itself
    alone = gate_verdict(baseline, candidate, limit=0.01)
    table = np.column_stack([baseline] * 3), np.column_stack([candidate, baseline, baseline])
    family = gate_verdicts(*table, limits=[0.01] * 3)
    uncorrected = gate_verdicts(*table, limits=[0.01] * 3, correction="none")

    assert alone.verdict is Verdict.WORSE
    assert family[0].verdict is Verdict.CANNOT_TELL
    assert family[0].p_value == pytest.approx(3 * alone.p_value)
    assert family[0].test.p_value == pytest.approx(alone.p_value)
    assert uncorrected[0].verdict is Verdict.WORSE


def test_each_measure_has_its_own_limit_and_its_own_gaps():
    baseline, candidate = systems(0.05)
    gap = candidate.copy()
    gap[3] = np.nan

    loose, tight = gate_verdicts(
        np.column_stack((baseline, baseline)), np.column_stack((candidate, gap)), limits=[0.1, 0.0]
    )

    assert (loose.limit, loose.verdict, loose.n_excluded) == (0.1, Verdict.NOT_WORSE, 0)
    assert (tight.limit, tight.verdict, tight.n_excluded) == (0.0, Verdict.WORSE, 1)
    assert tight.baseline_mean == pytest.approx(np.delete(baseline, 3).mean())


def test_another_test_can_be_chosen_and_is_seeded():
    baseline, candidate = systems(0.03)

    one, same = (
        gate_verdict(baseline, candidate, limit=0.01, test="randomization", resamples=999, seed=5)
        for _ in range(2)
    )

    assert one == same
    assert (one.test.test, one.test.resamples, one.test.seed) == ("randomization", 999, 5)


def test_the_test_beyond_the_limit_is_students_of_the_excess():
    baseline, candidate = systems(0.05)
    expected = paired_test(candidate - baseline + 0.02, alternative="less").p_value

    assert gate_verdict(baseline, candidate, limit=0.02).p_beyond_limit == pytest.approx(expected)


@given(values=pairs, limit=limits)
@settings(deadline=None)
def test_verdicts_follow_from_the_facts_they_carry(values, limit):
    baseline, candidate = np.array(values).reshape(-1, 2).T
    found = gate_verdict(baseline, candidate, limit=limit)

    worse = found.drop is not None and found.drop > limit + 1e-12 and found.p_value < 0.05
    not_worse = found.high is not None and found.high <= limit + 1e-12
    assert not (worse and not_worse)
    assert (found.verdict is Verdict.WORSE) is worse
    assert (found.verdict is Verdict.NOT_WORSE) is not_worse
    if len(values) > 1:
        interval = confidence_interval(candidate - baseline, level=0.9)
        assert (found.low, found.high) == pytest.approx((-interval.high, -interval.low), abs=1e-9)


@given(values=pairs)
@settings(deadline=None)
def test_a_wider_limit_never_makes_the_verdict_worse(values):
    order = [Verdict.WORSE, Verdict.CANNOT_TELL, Verdict.NOT_WORSE]
    baseline, candidate = np.array(values).reshape(-1, 2).T

    places = [
        order.index(gate_verdict(baseline, candidate, limit=limit).verdict)
        for limit in (0.0, 0.01, 0.1, 0.5)
    ]

    assert places == sorted(places)


@pytest.mark.parametrize(
    ("drop", "limit", "observed", "significant", "noninferior"),
    [
        (0.05, 0.01, 1, 1, 1),  # worse
        (0.0, 0.03, 0, 0, 0),  # not worse
        (0.02, 0.01, 1, 0, 1),  # cannot tell, drop beyond the limit
        (0.0, 0.02, 0, 0, 1),  # cannot tell, drop within the limit
    ],
)
def test_policies_open_and_close_the_gate(drop, limit, observed, significant, noninferior):
    found = gate_verdict(*systems(drop), limit=limit)

    codes = [gate_exit_code([found], policy) for policy in POLICIES]

    assert POLICIES == ["observed", "significant", "noninferior"]
    assert codes == [observed, significant, noninferior]
    assert [gate_passes(found, policy) for policy in POLICIES] == [code == 0 for code in codes]


@pytest.mark.parametrize("policy", POLICIES)
def test_a_gate_that_saw_nothing_stays_closed(policy):
    assert gate_exit_code([], policy) == 1
    assert gate_exit_code([gate_verdict([], [], limit=0.1)], policy) == 1


@pytest.mark.parametrize("policy", POLICIES)
def test_one_failing_measure_closes_the_gate(policy):
    good, bad = gate_verdict(*systems(-0.1), limit=0.0), gate_verdict(*systems(0.1), limit=0.0)

    assert gate_exit_code([good, good], policy) == 0
    assert gate_exit_code([good, bad], policy) == 1


@given(values=pairs, limit=limits)
@settings(deadline=None)
def test_what_passes_as_noninferior_passes_every_policy(values, limit):
    baseline, candidate = np.array(values).reshape(-1, 2).T
    found = gate_verdict(baseline, candidate, limit=limit)

    if gate_passes(found, "noninferior"):
        assert gate_passes(found, "observed")
        assert gate_passes(found, "significant")
    if found.n_topics and gate_passes(found, "observed"):
        assert gate_passes(found, "significant")


@pytest.mark.parametrize(
    "wrong",
    [
        {"limits": [-0.1]},
        {"limits": [np.nan]},
        {"limits": [0.1, 0.1]},
        {"limits": [0.1], "alpha": 0.5},
        {"limits": [0.1], "power": 0.04},
    ],
)
def test_impossible_gates_are_refused(wrong):
    with pytest.raises(UsageError):
        gate_verdicts([0.5, 0.4, 0.2], [0.4, 0.4, 0.3], **wrong)
