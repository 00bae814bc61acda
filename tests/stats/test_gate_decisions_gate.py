import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankeval.errors import UsageError
from rankeval.stats import (
    Bound,
    GatePolicy,
    Verdict,
    equivalence_verdict,
    excess_p_values,
    gate_passes,
    gate_verdict,
)
from rankeval.stats.confidence_bounds import absolute, relative
from rankeval.stats.gate_decisions import corrected

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
        (0.02, 0.01, 50, "inconclusive"),  # beyond the limit, but t = 1.41
        (0.03, 0.04, 50, "inconclusive"),  # t = 2.1, within the limit, bound 0.0537
        (0.03, 0.06, 50, "not worse"),  # significantly worse than 0, and within what is tolerated
        (0.0, 0.02, 50, "inconclusive"),  # bound 0.0237
        (0.0, 0.03, 50, "not worse"),
        (0.0, 0.03, 10, "inconclusive"),  # bound 0.058
        (-0.05, 0.0, 50, "not worse"),  # better: bound -0.026
        (0.05, 0.0, 50, "worse"),
    ],
)
def test_verdicts_worked_by_hand(drop, limit, n_topics, expected):
    found = gate_verdict(*systems(drop, n_topics), limit=limit, bound="t")

    assert found.verdict == expected
    assert found.drop == pytest.approx(drop, abs=1e-12)
    quantile = {50: 1.676551, 10: 1.833113}[n_topics]
    assert found.high == pytest.approx(drop + quantile * 0.1 / n_topics**0.5, abs=1e-6)
    assert found.low == pytest.approx(drop - quantile * 0.1 / n_topics**0.5, abs=1e-6)


def test_the_topics_needed_are_those_of_the_verdict():
    """By z, an equal candidate is cleared by ((1.645 + 0.842) * 0.1 / 0.02)^2 = 155 topics."""
    found = gate_verdict(*systems(0.01), limit=0.02, bound="t")
    both = equivalence_verdict(*systems(0.01), margin=0.02, bound="t")

    assert found.verdict is both.verdict is Verdict.INCONCLUSIVE
    assert 153 <= found.topics_needed <= 167
    # Of the risk of missing each side has half: ((1.645 + 1.282) * 0.1 / 0.02)^2 = 214.
    assert 212 <= both.topics_needed <= 226


def test_as_many_topics_as_are_needed_clear_an_equal_candidate_with_the_power():
    """By bets, whose stakes depend on the skew: most topics gain a little, some lose much."""
    rng = np.random.default_rng(3)
    gains = np.where(rng.random(60) < 0.15, -0.3, 0.05)
    old = np.full(60, 0.5)
    new = old + gains - gains.mean()
    needed = gate_verdict(old, new, limit=0.04).topics_needed

    draws = [rng.integers(0, 60, needed) for _ in range(200)]
    found = [gate_verdict(old[draw], new[draw], limit=0.04).verdict for draw in draws]

    assert 0.7 < found.count(Verdict.NOT_WORSE) / 200 < 0.95


def test_the_drop_is_compared_with_the_limit_without_rounding_noise():
    found = gate_verdict([0.3, 0.3], [0.2, 0.2], limit=0.1)

    assert 0.3 - 0.2 < 0.1 < 0.4 - 0.3
    assert not found.exceeds
    assert not gate_verdict([0.4, 0.4], [0.3, 0.3], limit=0.1).exceeds
    assert found.p_beyond_limit == 1.0


@pytest.mark.parametrize("bound", Bound)
@pytest.mark.parametrize("values", [([], []), ([0.5], [0.1]), ([0.5], [0.5]), ([np.nan], [0.1])])
def test_fewer_than_two_topics_cannot_tell(values, bound):
    found = gate_verdict(*values, limit=0.01, bound=bound)

    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.low is found.high is found.topics_needed is None


def test_measures_judged_together_are_corrected_as_one_family():
    baseline, candidate = systems(0.026)  # t = 1.838, p = 0.036 by itself
    alone = gate_verdict(baseline, candidate, limit=0.01, bound="t")
    equal = gate_verdict(baseline, baseline, limit=0.01, bound="t")
    family = corrected([alone, equal, equal])

    assert alone.verdict is Verdict.WORSE
    assert family[0].verdict is Verdict.INCONCLUSIVE
    assert family[0].p_value == pytest.approx(3 * alone.p_value)
    assert family[0].test.p_value == alone.p_value


@given(values=pairs, limit=limits, bound=st.sampled_from(Bound), share=st.booleans())
@settings(deadline=None)
def test_verdicts_follow_from_the_facts_they_carry(values, limit, bound, share):
    baseline, candidate = np.array(values).reshape(-1, 2).T
    found = gate_verdict(baseline, candidate, limit=limit, bound=bound, share=share)

    worse = found.drop is not None and found.drop > found.limit + 1e-12 and found.p_value < 0.05
    not_worse = found.high is not None and found.high < found.limit
    assert not (worse and not_worse)
    assert (found.verdict is Verdict.WORSE) is worse
    if not_worse:
        assert found.verdict is Verdict.NOT_WORSE
    if found.verdict is Verdict.NOT_WORSE and found.high is not None:
        assert found.high <= found.limit
    if None not in (found.low, found.high):
        assert found.low - 1e-5 <= found.drop <= found.high + 1e-5


@given(values=pairs)
@settings(deadline=None)
def test_a_wider_limit_never_makes_the_verdict_worse(values):
    order = [Verdict.WORSE, Verdict.INCONCLUSIVE, Verdict.NOT_WORSE]
    baseline, candidate = np.array(values).reshape(-1, 2).T

    places = [
        order.index(gate_verdict(baseline, candidate, limit=limit).verdict)
        for limit in (0.0, 0.01, 0.1, 0.5)
    ]

    assert places == sorted(places)


@pytest.mark.parametrize(
    ("drop", "limit", "observed", "significant", "beyond", "noninferior"),
    [
        (0.05, 0.01, 1, 1, 1, 1),  # worse, and by more than the limit: bound 0.026
        (0.05, 0.04, 1, 1, 0, 1),  # worse, but not shown to be so by more than the limit
        (0.0, 0.03, 0, 0, 0, 0),  # not worse
        (0.02, 0.01, 1, 0, 0, 1),  # inconclusive, drop beyond the limit
        (0.0, 0.02, 0, 0, 0, 1),  # inconclusive, drop within the limit
    ],
)
def test_policies_open_and_close_the_gate(drop, limit, observed, significant, beyond, noninferior):
    found = gate_verdict(*systems(drop), limit=limit, bound="t")

    closed = [not gate_passes(found, policy) for policy in POLICIES]

    assert POLICIES == ["observed", "not-shown-worse", "not-shown-beyond-limit", "shown-not-worse"]
    assert closed == [observed, significant, beyond, noninferior]


@pytest.mark.parametrize("policy", POLICIES)
def test_a_gate_that_saw_nothing_stays_closed(policy):
    assert not gate_passes(gate_verdict([], [], limit=0.1), policy)


@pytest.mark.parametrize(
    "wrong",
    [
        {"limit": -0.1},
        {"limit": np.nan},
        {"limit": 0.1, "alpha": 0.5},
        {"limit": 0.1, "power": 0.04},
    ],
)
def test_impossible_gates_are_refused(wrong):
    with pytest.raises(UsageError):
        gate_verdict([0.5, 0.4, 0.2], [0.4, 0.4, 0.3], **wrong)


@pytest.mark.parametrize("span", [None, (0.0, 0.5), (0.0, np.inf)])
def test_a_measure_without_a_range_that_holds_is_bounded_by_t(span):
    found = gate_verdict(*systems(0.0, 200), limit=0.05, span=span)

    assert (found.bound, found.bounded) == ("t", False)
    assert found.high == gate_verdict(*systems(0.0, 200), limit=0.05, bound="t").high


@pytest.mark.parametrize("loss", [False, True])
def test_bounds_of_a_share_hold_for_measures_that_point_either_way(loss):
    """The bound is the least share whose test says "within", found by trying shares."""
    rng = np.random.default_rng(5)
    baseline = rng.uniform(0.2, 0.6, 300)
    candidate = np.clip(baseline + rng.normal(0, 0.05, 300), 0, 1)
    sign, span = (-1.0, (-1.0, 0.0)) if loss else (1.0, (0.0, 1.0))

    found = gate_verdict(sign * baseline, sign * candidate, limit=0.5, share=True, span=span)

    gains = sign * (candidate - baseline)
    least = [(1 + r) * 0.0 - 1.0 if loss else -(1 - r) for r in np.linspace(0, 0.5, 2001)]
    shares = np.linspace(0, 0.5, 2001)
    within = [
        excess_p_values(gains + r * baseline, low)[0] <= 0.05
        for r, low in zip(shares, least, strict=True)
    ]
    assert found.high / baseline.mean() == pytest.approx(shares[np.argmax(within)], abs=5e-4)


@pytest.mark.parametrize("share", [False, True])
@pytest.mark.parametrize("alpha", [0.05, 1e-6])
@pytest.mark.parametrize("loss", [-0.9, -0.3, 0.0, 0.1, 0.6, 1.0])
@pytest.mark.parametrize("kind", ["normal", "sparse", "equal", "0 or 1"])
def test_bets_just_show_the_bounds_wherever_these_are(kind, loss, alpha, share):
    """Where a limit leaves next to nothing to lose, capitals are huge; then the bound is there."""
    for n_topics in (2, 3, 9, 40, 400):
        rng = np.random.default_rng(n_topics)
        baseline = rng.beta(2.0, 3.0, n_topics)
        noise = {
            "normal": rng.normal(0.0, 0.1, n_topics),
            "sparse": -0.2 * (rng.random(n_topics) < 0.05),
        }
        candidate = np.clip(baseline - loss + noise.get(kind, 0.0), 0.0, 1.0)
        if kind == "0 or 1":
            baseline, candidate = np.round(baseline), np.round(candidate)
        gains = candidate - baseline
        drop = relative(gains, baseline, (0.0, 1.0)) if share else absolute(gains, (0.0, 1.0))
        if share and not baseline.any():
            continue
        low, high = drop.limits(alpha, Bound.BETTING)

        near = 3e-6 / baseline.mean() if share else 3e-6
        for bound, way, p_value in ((low, -1.0, drop.p_beyond), (high, 1.0, drop.p_within)):
            assert bound is not None
            assert p_value(bound, Bound.BETTING) <= alpha
            if way * (bound - drop.observed) > near:  # otherwise the range ends at the drop
                assert p_value(bound - way * near, Bound.BETTING) > alpha


def test_the_interval_is_two_sided_and_that_of_student_by_t():
    """The one-sided bounds at alpha lie within it; a share is of the baseline's mean."""
    from scipy import stats as scipy_stats

    rng = np.random.default_rng(7)
    old, new = rng.uniform(0.2, 0.8, 40), rng.uniform(0.1, 0.7, 40)
    drops = old - new

    found = gate_verdict(old, new, limit=0.01, bound="t")
    betting = gate_verdict(old, new, limit=0.01, bound="betting")

    expected = scipy_stats.t.interval(0.95, 39, drops.mean(), scipy_stats.sem(drops))
    assert found.interval == pytest.approx(expected)
    for one in (found, betting):
        assert one.interval[0] < one.low < one.drop < one.high < one.interval[1]
