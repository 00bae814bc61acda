import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

from docs.studies.differences import normal, skewed, sparse
from rankeval.stats import Bound, Verdict, equivalence_verdict, excess_p_values, gate_verdict
from rankeval.stats.confidence_bounds import absolute
from rankeval.stats.gate_planning import Plan
from rankeval.stats.planning_search import TopicPool, gauss_nodes

REPETITIONS = 6_000
POINTS = 0.03
SHAPES = {"normal": normal, "sparse": sparse, "skewed": skewed}
each_shape = pytest.mark.parametrize("shape", SHAPES)


class Pilot:
    """Topics that were seen, and candidates that are spread as they are, drawn with replacement."""

    def __init__(self, shape, n_topics, seed):
        gains = SHAPES[shape](0.0, 1, n_topics, seed)[0]
        self.runs = 0.5 - gains / 2, 0.5 + gains / 2
        unbiased = np.sqrt(n_topics / (n_topics - 1))
        self._centred = (gains - gains.mean()) * unbiased
        self._rng = np.random.default_rng(seed + 1)

    def gains(self, n_topics, drop=0.0):
        drawn = self._rng.integers(0, self._centred.size, (n_topics, REPETITIONS))
        return np.clip(self._centred[drawn] - drop, -1.0, 1.0)


def within(gains, limit, bound):
    return excess_p_values(gains + limit, limit - 1.0, bound) <= 0.05


def called_worse(gains, limit):
    n_topics, mean, deviation = len(gains), gains.mean(axis=0), gains.std(axis=0, ddof=1)
    critical = student.ppf(0.95, n_topics - 1) * np.where(deviation > 1e-12, deviation, 0.0)
    return (mean * np.sqrt(n_topics) < -critical - 1e-12) & (mean < -limit - 1e-12)


@each_shape
@pytest.mark.parametrize("bound", Bound)
@pytest.mark.parametrize(("n_topics", "limit"), [(50, 0.05), (200, 0.03)])
def test_equal_candidates_are_cleared_as_often_as_was_planned(shape, bound, n_topics, limit):
    """Formulas for normal differences are wrong by 15 points here: t, sparse."""
    pilot = Pilot(shape, n_topics, seed=3)
    plan = gate_verdict(*pilot.runs, limit=limit, bound=bound)
    cleared = within(pilot.gains(plan.topics_needed), limit, bound)

    assert plan.power_of_needed > 0.79
    assert cleared.mean() == pytest.approx(plan.power_of_needed, abs=POINTS)


@each_shape
@pytest.mark.parametrize("bound", [Bound.STUDENT_T, Bound.BETTING])
def test_equal_candidates_are_equivalent_as_often_as_was_planned(shape, bound):
    pilot, margin = Pilot(shape, 100, seed=5), 0.04
    plan = equivalence_verdict(*pilot.runs, margin=margin, bound=bound)
    gains = pilot.gains(plan.topics_needed)
    equivalent = within(gains, margin, bound) & within(-gains, margin, bound)

    assert plan.power_of_needed > 0.79
    assert equivalent.mean() == pytest.approx(plan.power_of_needed, abs=POINTS)


@each_shape
@pytest.mark.parametrize("limit", [0.0, 0.03])
@pytest.mark.parametrize("n_topics", [25, 100])
def test_drops_are_called_worse_as_often_as_was_planned(shape, n_topics, limit):
    pilot = Pilot(shape, n_topics, seed=6)
    plan = gate_verdict(*pilot.runs, limit=limit, planned_drop=0.05, test="t")

    shown = called_worse(pilot.gains(plan.topics_to_show, 0.05), limit)
    smallest = called_worse(pilot.gains(n_topics, plan.smallest_drop), limit)

    assert min(plan.power_of_show, plan.power_of_smallest) > 0.79
    assert shown.mean() == pytest.approx(plan.power_of_show, abs=POINTS)
    assert smallest.mean() == pytest.approx(plan.power_of_smallest, abs=POINTS)


@each_shape
@pytest.mark.parametrize("limit", [0.0, 0.03])
@pytest.mark.parametrize("bound", ["betting", "both"])
@pytest.mark.parametrize("n_topics", [25, 100])
def test_drops_are_called_worse_by_bets_as_often_as_was_planned(shape, n_topics, bound, limit):
    pilot = Pilot(shape, n_topics, seed=6)
    plan = gate_verdict(*pilot.runs, limit=limit, planned_drop=0.1, bound=bound)

    def called(topics, drop):
        gains = pilot.gains(topics, drop)
        by_t = called_worse(gains, limit) if bound == "both" else gains.mean(axis=0) < -limit
        return by_t & (excess_p_values(-gains, -1.0) < 0.05)

    shown = called(plan.topics_to_show, 0.1)
    smallest = called(n_topics, plan.smallest_drop)

    assert min(plan.power_of_show, plan.power_of_smallest) > 0.79
    assert shown.mean() == pytest.approx(plan.power_of_show, abs=POINTS)
    assert smallest.mean() == pytest.approx(plan.power_of_smallest, abs=POINTS)


@each_shape
@pytest.mark.parametrize("slope", [-0.5, 0.5])
def test_limits_relative_to_the_baseline_are_planned_topic_by_topic(shape, slope):
    """The allowance of a topic goes with its gain here, as where hard topics lose more."""
    pilot, share, n_topics = Pilot(shape, 200, seed=7), 0.1, 200
    gains = (pilot.runs[1] - pilot.runs[0]) / 2
    baseline = np.random.default_rng(8).uniform(0.4, 0.6, n_topics) + slope * gains
    plan = gate_verdict(baseline, baseline + gains, limit=share, share=True)
    centred = (gains - gains.mean()) * np.sqrt(n_topics / (n_topics - 1))

    drawn = np.random.default_rng(9).integers(0, n_topics, (plan.topics_needed, REPETITIONS))
    excess = np.maximum(centred[drawn] + share * baseline[drawn], share - 1.0)
    cleared = excess_p_values(excess, share - 1.0) <= 0.05

    assert cleared.mean() == pytest.approx(plan.power_of_needed, abs=POINTS)


@pytest.mark.parametrize(("n_topics", "n_losing"), [(40, 2), (200, 15)])
def test_limits_of_each_topic_count_where_gains_have_two_values(n_topics, n_losing):
    """One topic more that loses changes the drop by as much as all limits of topics differ by."""
    rng = np.random.default_rng(14)
    baseline, share = rng.uniform(0.2, 0.9, n_topics), 0.04
    gains = np.where(np.arange(n_topics) < n_losing, -0.19, 0.01)
    plan = gate_verdict(baseline, baseline + gains, limit=share, share=True, test="t")
    centred = (gains - gains.mean()) * np.sqrt(n_topics / (n_topics - 1))

    drawn = rng.integers(0, n_topics, (n_topics, 20_000))
    excess = centred[drawn] - plan.smallest_drop + share * baseline[drawn]
    significant = called_worse(centred[drawn] - plan.smallest_drop, 0.0)

    shown = significant & (excess.mean(axis=0) < -1e-12)
    assert shown.mean() == pytest.approx(plan.power_of_smallest, abs=POINTS)


@pytest.mark.parametrize("n_topics", [10, 25, 50])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_candidate_equal_on_all_topics_is_planned_with_the_limits_of_each(n_topics, seed):
    """What a topic allows varies with the baseline, though no topic differs."""
    baseline, share = np.random.default_rng(seed).beta(2, 3, n_topics), 0.05
    plan = gate_verdict(baseline, baseline, limit=share, share=True)

    drawn = np.random.default_rng(9).integers(0, n_topics, (plan.topics_needed, REPETITIONS))
    cleared = excess_p_values(share * baseline[drawn], share - 1.0) <= 0.05

    assert cleared.mean() == pytest.approx(plan.power_of_needed, abs=POINTS)


def test_topics_that_do_not_differ_are_drawn_as_such():
    """By t nothing is shown unless 5 topics differ, of which 4% do: about 150 are needed."""
    gains = np.zeros(200)
    gains[:8] = 0.01 * np.arange(1, 9) - 0.045
    plan = gate_verdict(0.5 - gains / 2, 0.5 + gains / 2, limit=0.05, bound="t")

    differing = np.random.default_rng(10).binomial(plan.topics_needed, 0.04, REPETITIONS)
    assert plan.power_of_needed == pytest.approx(np.mean(differing >= 5), abs=POINTS)
    assert plan.power_of_needed > 0.79


@each_shape
@pytest.mark.parametrize("most", [1, 2, 6])
def test_nodes_have_the_first_moments_of_the_values(shape, most):
    values = SHAPES[shape](0.0, 1, 150, 11)[0]
    nodes, weights = gauss_nodes(values, most)

    assert len(nodes) <= most
    assert weights.sum() == pytest.approx(1.0)
    for power in range(2 * most):
        expected = np.mean(((values - values.mean()) / values.std()) ** power)
        found = weights @ ((nodes - values.mean()) / values.std()) ** power
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_values_of_few_kinds_are_their_own_nodes():
    values = np.repeat([-0.3, 0.1, 0.2], [1, 4, 5])
    nodes, weights = gauss_nodes(values, 6)

    assert nodes == pytest.approx([-0.3, 0.1, 0.2])
    assert weights == pytest.approx([0.1, 0.4, 0.5])


@pytest.mark.parametrize("shape", ["normal", "skewed"])
@pytest.mark.parametrize("bound", Bound)
@pytest.mark.parametrize("n_topics", [50, 200, 1_000])
def test_few_numbers_of_topics_are_simulated(shape, bound, n_topics, monkeypatch):
    """One for the smallest drop, and for each number of topics one or two more, or three."""
    simulated, draw = [], TopicPool.draw
    monkeypatch.setattr(TopicPool, "draw", lambda *asked: simulated.append(asked) or draw(*asked))
    gate_verdict(*Pilot(shape, n_topics, seed=13).runs, limit=0.03, bound=bound)

    assert len(simulated) <= 5


@each_shape
def test_the_same_candidate_has_the_same_plan(shape):
    pilot = Pilot(shape, 40, seed=12)
    one, same = (gate_verdict(*pilot.runs, limit=0.05) for _ in range(2))

    assert one == same
    assert one.verdict is Verdict.CANNOT_TELL


@pytest.mark.parametrize("n_topics", [50, 100, 800])
def test_differences_of_two_values_are_planned_as_often_as_others(n_topics):
    """The squares of such differences around their mean vary by rounding only."""
    gains = np.repeat([-0.2, 0.1], n_topics // 2)
    plan = gate_verdict(0.5 - gains / 2, 0.5 + gains / 2, limit=0.05, planned_drop=0.1, bound="t")
    spread = (gains - gains.mean()) * np.sqrt(n_topics / (n_topics - 1))
    rng = np.random.default_rng(13)
    to_show = spread[rng.integers(0, n_topics, (plan.topics_to_show, REPETITIONS))] - 0.1
    to_clear = spread[rng.integers(0, n_topics, (plan.topics_needed, REPETITIONS))]

    assert max(plan.power_of_show, plan.power_of_needed) < 0.87
    assert called_worse(to_show, 0.05).mean() == pytest.approx(plan.power_of_show, abs=POINTS)
    cleared = within(to_clear, 0.05, Bound.STUDENT_T)
    assert cleared.mean() == pytest.approx(plan.power_of_needed, abs=POINTS)


NORMAL = np.random.default_rng(1).normal(0.0, 0.1, 200)
NORMAL -= NORMAL.mean()
DEVIATION = NORMAL.std(ddof=1)


@pytest.mark.parametrize("power", [0.994, 0.995, 0.9999])
def test_topics_are_planned_for_a_power_near_1(power):
    plan = Plan(absolute(NORMAL, None), power=power)

    needed = plan.topics_to_clear(0.05, alpha=0.05, bound=Bound.STUDENT_T)
    least, most = (
        ((norm.ppf(0.95) + norm.ppf(reached)) * DEVIATION / 0.05) ** 2
        for reached in (0.985, 0.9999)
    )

    assert needed.power >= power - 0.005
    assert least - 3 <= needed.value <= most + 3


def test_topics_are_planned_for_a_risk_that_a_large_family_shares():
    """Of 5,000 tests at 1e-15 together, each has 2e-19: 1 minus that is 1 as a float."""
    risk = 2e-19
    plan = Plan(absolute(NORMAL, None), power=0.8)

    shown = plan.topics_to_show(0.1, 0.0, alpha=risk)
    smallest = plan.smallest_drop(200, 0.0, alpha=risk)

    reach = norm.ppf(0.8) - student.ppf(risk, shown.value - 1)
    assert shown.value == pytest.approx((reach * DEVIATION / 0.1) ** 2, rel=0.1)
    reach = norm.ppf(0.8) - student.ppf(risk, 199)
    assert smallest.value == pytest.approx(reach * DEVIATION / 200**0.5, rel=0.1)
