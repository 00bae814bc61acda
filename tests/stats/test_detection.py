from itertools import count

import numpy as np
import pytest
from scipy.stats import binom, ttest_1samp
from scipy.stats import t as student

from docs.studies.differences import normal, skewed, sparse
from rankeval.errors import UsageError
from rankeval.stats import (
    detectable_difference,
    power_of_t,
    smallest_difference,
    topics_needed,
    topics_to_detect,
)

REPETITIONS = 6_000
POINTS = 0.03
SHAPES = {"normal": normal, "sparse": sparse, "skewed": skewed}
each_shape = pytest.mark.parametrize("shape", SHAPES)


def varied(shape, n_topics):
    """A pilot of which not all topics differ by the same: from such nothing is planned."""
    pilots = (SHAPES[shape](0.0, 1, n_topics, seed)[0] for seed in count(4))
    return next(pilot for pilot in pilots if np.ptp(pilot) > 0)


def detected(pilot, n_topics, difference, alpha=0.05):
    """How often scipy's test finds a difference in topics drawn from the pilot: the harder side."""
    spread = (pilot - pilot.mean()) * np.sqrt(pilot.size / (pilot.size - 1))
    rng = np.random.default_rng(99)
    drawn = spread[rng.integers(0, spread.size, (n_topics, REPETITIONS))]
    found = []
    for side, name in ((1, "greater"), (-1, "less")):
        moved = np.round(drawn + side * difference, 12)  # equal differences have a deviation of 0
        with np.errstate(divide="ignore", invalid="ignore"):
            p_values = ttest_1samp(moved, 0.0, alternative=name).pvalue
        found.append(np.mean(p_values <= alpha / 2))
    return min(found)


@pytest.mark.filterwarnings("ignore:Precision loss")
@each_shape
@pytest.mark.parametrize("n_topics", [10, 25, 50, 100])
def test_differences_are_detected_as_often_as_was_planned(shape, n_topics):
    """The formula for normal differences is wrong by up to 20 points here: sparse."""
    pilot = varied(shape, n_topics)
    needed, smallest = topics_to_detect(pilot, 0.03), detectable_difference(pilot)

    assert min(needed.power, smallest.power) > 0.79
    assert detected(pilot, int(needed.value), 0.03) == pytest.approx(needed.power, abs=POINTS)
    assert detected(pilot, n_topics, smallest.value) == pytest.approx(smallest.power, abs=POINTS)


def power_of_two_points(n_topics, difference, value, alpha):
    """The exact power where each topic differs by value or by 0 with equal chances."""
    members = np.arange(n_topics + 1)  # how many of the topics have the value
    share = members / n_topics
    error = value * np.sqrt(share * (1 - share) / (n_topics - 1))
    critical = student.ppf(1 - alpha / 2, n_topics - 1)
    seen = difference + value * (share - 0.5) > critical * error
    return binom.pmf(members, n_topics, 0.5)[seen].sum()


@pytest.mark.parametrize("alpha", [0.05, 0.001])
@pytest.mark.parametrize("wanted", [0.5, 0.8, 0.95])
def test_topics_with_two_values_are_planned_as_the_binomial_distribution_has_it(alpha, wanted):
    pilot = np.repeat([-0.3, 0.0], 400)
    value = 0.3 * np.sqrt(800 / 799)

    needed = topics_to_detect(pilot, 0.05, alpha=alpha, power=wanted)

    exact = power_of_two_points(int(needed.value), 0.05, value, alpha)
    assert exact == pytest.approx(needed.power, abs=POINTS)
    assert exact >= wanted - 0.02
    few = power_of_two_points(int(0.9 * needed.value), 0.05, value, alpha)
    assert few < wanted + 0.02


def test_plans_for_normal_differences_are_near_the_formula():
    pilot = normal(0.0, 1, 400, 5)[0]
    deviation = pilot.std(ddof=1)

    for difference in (0.01, 0.03):
        needed = topics_to_detect(pilot, difference)
        formula = power_of_t(int(needed.value), difference, deviation)
        assert needed.power == pytest.approx(formula, abs=POINTS)
        assert needed.value == pytest.approx(topics_needed(difference, deviation), rel=0.1)
    smallest = detectable_difference(pilot).value
    assert smallest == pytest.approx(smallest_difference(400, deviation), rel=0.05)


@each_shape
def test_plans_do_not_depend_on_sides_units_or_means(shape):
    pilot = varied(shape, 40)
    plain = topics_to_detect(pilot, 0.03)

    assert topics_to_detect(pilot, -0.03) == plain
    mirrored, moved = topics_to_detect(-pilot, 0.03), topics_to_detect(pilot + 0.5, 0.03)
    assert mirrored.value == pytest.approx(plain.value, rel=0.1)
    assert moved.value == pytest.approx(plain.value, rel=0.1)
    assert topics_to_detect(100 * pilot, 3.0).value == pytest.approx(plain.value, rel=0.1)


def test_a_topic_without_a_value_is_left_out():
    pilot = normal(0.0, 1, 30, 7)[0]

    assert topics_to_detect([*pilot, np.nan], 0.03) == topics_to_detect(pilot, 0.03)
    assert detectable_difference([np.nan, *pilot]) == detectable_difference(pilot)


@pytest.mark.parametrize("pilot", [[], [0.1], [0.1, 0.1, 0.1], [0.0] * 50, [np.nan, 0.2]])
def test_topics_that_do_not_vary_plan_nothing(pilot):
    assert topics_to_detect(pilot, 0.03) is None
    assert detectable_difference(pilot) is None


def test_more_than_a_million_topics_are_no_plan():
    assert topics_to_detect([0.5, -0.5, 0.1], 1e-5) is None


@pytest.mark.parametrize("difference", [0.0, np.nan, np.inf])
def test_a_difference_that_cannot_be_found_is_refused(difference):
    with pytest.raises(UsageError, match="the difference to be found is"):
        topics_to_detect([0.1, 0.2, -0.3], difference)


def test_a_power_below_alpha_is_refused():
    for plan in (
        lambda: topics_to_detect([0.1, 0.2], 0.1, power=0.04),
        lambda: detectable_difference([0.1, 0.2], power=0.05),
    ):
        with pytest.raises(UsageError, match="is not above alpha"):
            plan()
