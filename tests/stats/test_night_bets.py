"""Bets over nights, by brute force: all ways in which fair losses can go."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.errors import UsageError
from rankeval.stats.confidence_bounds import absolute, relative
from rankeval.stats.night_bets import (
    BACK,
    FIRST,
    MOST,
    PACE,
    SHARES,
    STAKES,
    NightBets,
    losses_beyond,
    staked_on,
)


def capital_by_definition(nights):
    """Return M of `NightBets`: move the capital between the stakes, one by one."""
    kept, staked = 1.0, [0.0] * len(STAKES)
    for night, losses in enumerate(nights, 1):
        out, back = kept * staked_on(night), BACK * math.fsum(staked)
        kept = kept - out + back
        for j, (stake, share) in enumerate(zip(STAKES, SHARES, strict=True)):
            moved = staked[j] - BACK * staked[j] + share * out
            staked[j] = moved * math.prod(1 + stake * x for x in losses)
    return kept + math.fsum(staked)


def bets_after(nights):
    bets = NightBets()
    for night in nights:
        bets = bets.after(night)
    return bets


def test_nothing_is_won_or_lost_while_no_topic_changes():
    bets = bets_after([[0.0] * 3] * 200)

    assert bets.log_evidence == pytest.approx(0.0, abs=1e-9)
    assert SHARES.sum() == 1.0


def test_what_is_staked_at_worst_leaves_a_power_of_the_nights():
    """All stakes lose nearly everything, night after night."""
    bets = bets_after([[-1.0] * 200] * 400)

    assert bets.log_evidence > math.log(FIRST) + MOST * math.log(PACE / (400 + PACE)) - 0.2


@given(st.lists(st.lists(st.floats(-1, 1), min_size=1, max_size=4), min_size=1, max_size=6))
def test_the_capital_is_that_of_the_definition(nights):
    found = bets_after(nights)

    assert found.nights == len(nights)
    assert math.exp(found.log_evidence) == pytest.approx(capital_by_definition(nights))
    assert found.p_value == pytest.approx(min(1.0, 1.0 / capital_by_definition(nights)))


@pytest.mark.parametrize("gain", [1.0, 0.5, 0.1])
def test_the_capital_is_fair_over_all_ways_in_which_fair_losses_go(gain):
    """Three nights of two topics that gain `gain` or lose something, without a loss in the mean."""
    loss = 0.25
    odds = {-gain: loss / (loss + gain), loss: gain / (loss + gain)}
    mean = math.fsum(
        math.prod(odds[x] for x in way)
        * math.exp(bets_after([way[0:2], way[2:4], way[4:6]]).log_evidence)
        for way in itertools.product(odds, repeat=6)
    )

    assert mean == pytest.approx(1.0)


def test_topics_that_lose_and_others_that_gain_as_much_are_no_loss():
    """The null is about the mean over topics, whose expected losses may differ."""
    bets = bets_after([[0.3, -0.3] * 10] * 50)

    assert bets.log_evidence < 0.0


@pytest.mark.parametrize("clean", [0, 20, 90])
def test_a_drop_is_shown_within_three_nights_however_long_there_was_none(clean):
    rng = np.random.default_rng(clean)
    nights = [rng.normal(0.0, 0.05, 60) for _ in range(clean)]
    before = bets_after(nights)
    found = bets_after([*nights, *(rng.normal(0.05, 0.05, 60) for _ in range(3))])

    assert before.p_value > 0.05
    assert found.p_value < 0.05


def test_losses_are_in_units_of_the_greatest_gain():
    gains = np.array([0.25, -0.5, 0.0])

    np.testing.assert_allclose(losses_beyond(absolute(gains, (0.0, 1.0)), 0.0), -gains)
    np.testing.assert_allclose(
        losses_beyond(absolute(gains, (0.0, 1.0)), 0.25), (-gains - 0.25) / 1.25
    )
    share = relative(gains, np.array([0.5, 0.5, 1.0]), (0.0, 1.0))
    np.testing.assert_allclose(losses_beyond(share, 0.1), [-0.3, 0.45, -0.1])


def test_a_measure_without_a_range_is_refused():
    with pytest.raises(UsageError, match="a least and a greatest"):
        losses_beyond(absolute(np.zeros(3), None), 0.0)


@pytest.mark.parametrize("units", [[-1.5], [float("nan")], [[0.1]]])
def test_what_is_no_loss_in_units_of_the_greatest_gain_is_refused(units):
    with pytest.raises(UsageError):
        NightBets().after(units)
