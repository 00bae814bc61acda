import math

import numpy as np
import pytest

from rankeval.errors import UsageError
from rankeval.stats.change_points import LOOKS, change_points, fewest_values
from rankeval.stats.change_tests import split_test, stretch_test

NOISE = np.random.default_rng(5).normal(0.0, 0.01, (40, 60))


def found(*levels):
    """The places and levels of the changes in a sequence of (level, number of values)."""
    sequence = [level for level, times in levels for _ in range(times)]
    return [(one.place, one.before, one.after) for one in change_points([sequence])[0]]


def test_a_step_between_constant_levels_is_found_where_it_is():
    assert found((0.4, 20), (0.38, 10)) == [(20, 0.4, 0.38)]
    assert found((0.4, 55), (0.38, 5)) == [(55, 0.4, 0.38)]
    assert found((0.4, 20), (0.38, 20), (0.36, 20)) == [(20, 0.4, 0.38), (40, 0.38, 0.36)]


def test_a_fall_that_was_made_good_has_both_its_ends():
    for before, low, after in ((25, 15, 20), (20, 10, 20), (100, 30, 55), (300, 40, 300)):
        expected = [(before, 0.4, 0.38), (before + low, 0.38, 0.4)]
        assert found((0.4, before), (0.38, low), (0.4, after)) == expected


@pytest.mark.parametrize("place", range(60))
def test_an_outlier_is_no_change(place):
    values = np.full(60, 0.4)
    values[place] = 0.1

    assert change_points([values]) == ((),)


def test_four_values_at_the_end_are_no_level_yet():
    assert found((0.4, 56), (0.38, 4)) == []


def test_constant_and_short_sequences_have_no_change():
    assert change_points([[0.4] * 60, [], [0.4], [0.1, 0.2, 0.3, 0.4, 0.5]]) == ((),) * 4
    assert change_points([]) == ()


def test_a_step_in_noise_is_found_near_its_place():
    for noise in NOISE:
        values = noise + np.where(np.arange(60) < 35, 0.4, 0.36)
        (one,) = change_points([values])[0]

        assert abs(one.place - 35) <= 2
        assert one.before == np.median(values[: one.place])
        assert one.after == np.median(values[one.place :])


def test_the_p_values_are_those_of_the_tests_by_holm_for_two_tests_and_many_looks():
    stepped = NOISE[0] + np.where(np.arange(60) < 30, 0.4, 0.38)
    alone = change_points([stepped])[0]
    (beside,) = change_points([stepped, *NOISE[1:3]])[:1]

    p_value = split_test(stepped).p_value
    assert [one.p_value for one in alone] == [pytest.approx(LOOKS * 2 * p_value)]
    assert [one.p_value for one in beside] == [pytest.approx(LOOKS * 2 * 3 * p_value)]
    dip = np.r_[[0.4] * 20, [0.38] * 10, [0.4] * 20]
    expected = LOOKS * 2 * stretch_test(dip).p_value
    assert [one.p_value for one in change_points([dip])[0]] == [pytest.approx(expected)] * 2


def test_sequences_that_cannot_change_do_not_count():
    stepped = [0.4] * 20 + [0.38] * 10

    assert change_points([stepped, [0.5] * 30, [1, 2]])[0] == change_points([stepped])[0]


def test_a_large_family_does_not_hide_a_step():
    """With 9,999 permutations, no p-value would be below 0.05 after Holm's correction over 550."""
    steps = [[0.4 + 0.001 * i] * 20 + [0.38] * 20 for i in range(2)]
    family = [*steps, *(np.random.default_rng(1).normal(size=(550, 12)))]

    assert [[one.place for one in points] for points in change_points(family)[:2]] == [[20], [20]]


@pytest.mark.parametrize("family", [1, 2, 30])
def test_no_step_is_found_in_fewer_values_than_that(family):
    """Whether a step in the middle is found by Holm's first step; draws may miss it just above."""
    fewest = fewest_values(0.05, family)
    lengths = [
        n
        for n in range(10, 24)
        if change_points([[1] * (n // 2) + [2] * -(-n // 2)], alpha=0.05 / family)[0]
    ]

    assert {*range(fewest + 2, 24)} <= {*lengths} <= {*range(fewest, 24)}
    possible = 0.05 * math.comb(fewest, fewest // 2) / 2
    assert 2 * LOOKS * family <= possible


def false_changes(deviations, draw):
    """The share of histories of one level in which a look after some night finds a change."""
    rng = np.random.default_rng(7)
    histories = [draw(rng) * deviations for _ in range(60)]
    return np.mean(
        [any(change_points([one[:n]])[0] for n in range(10, 61, 2)) for one in histories]
    )


@pytest.mark.slow
@pytest.mark.parametrize("first", [15, 30, 45])
def test_looks_at_values_whose_noise_changes_find_few_changes(first):
    """Without the factor for looks, four in ten such histories have one."""
    deviations = np.where(np.arange(60) < first, 1.0, 4.0)

    # 12%, and three standard errors of 60 histories.
    assert false_changes(deviations, lambda rng: rng.normal(size=60)) <= 0.12 + 3 * 0.042


def test_the_order_of_the_sequences_does_not_count():
    family = [NOISE[i] + np.where(np.arange(60) < 30, 0.4, 0.4 - i / 100) for i in range(5)]

    assert change_points(family)[::-1] == change_points(family[::-1])


def test_a_risk_that_is_none_is_refused():
    with pytest.raises(UsageError, match="alpha is 1"):
        change_points([[1, 2]], alpha=1)


@pytest.mark.parametrize("first", range(295, 306))
def test_a_stretch_of_a_long_sequence_has_its_own_ends_wherever_it_lies(first):
    """The places at which stretches are looked for are ten values apart."""
    expected = [(first, 0.4, 0.38), (first + 43, 0.38, 0.4)]
    assert found((0.4, first), (0.38, 43), (0.4, 640 - first - 43)) == expected
