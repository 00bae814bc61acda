"""Changes of levels: bets on ranks against brute force, and what they find."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.errors import UsageError
from rankeval.stats.change_points import (
    BEFORE,
    BEHIND,
    POWERS,
    Detector,
    change_points,
    fewest_values,
    first_alarm,
    interval_of_change,
    nearest_levels,
    side_evidence,
)


def evidence(ranks):
    """Return the evidence after each rank, from the second value on."""
    detector = Detector()
    return [detector.after(rank) for rank in ranks]


@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_evidence_is_n_in_the_mean_over_all_orders(n):
    """All orders of n values are as probable, so that each sequence of ranks is."""
    ways = itertools.product(*(range(1, size + 1) for size in range(2, n + 1)))
    mean = np.mean([evidence(ranks)[-1] for ranks in ways])

    assert mean == pytest.approx(n - 1)


def test_the_evidence_is_the_sum_over_starts_of_what_bets_have_won():
    ranks = [1, 3, 2, 1]

    def won(power, rank, n, k):
        if power is None:
            return (0.8 * n / k if rank <= k else 0.0) + 0.2
        return n * ((rank / n) ** power - ((rank - 1) / n) ** power)

    whole = 0.0
    for power in (*POWERS, None):
        for rises in (False, True):
            for start in range(len(ranks)):
                capital = 1.0
                for k, rank in enumerate(ranks[start:], 1):
                    n = start + k + 1
                    capital *= won(power, n + 1 - rank if rises else rank, n, k)
                whole += capital

    assert evidence(ranks)[-1] == pytest.approx(whole / 6)


def test_the_evidence_by_sides_is_what_the_best_bets_have_won():
    values, level = [3.0, 1.0, 2.0, 0.0, 2.0, 1.0], 2.0
    won = []
    for way in (1, -1):
        for start in range(len(values)):
            before = [way * (value - level) > 0 for value in values[:start]]
            behind = [way * (value - level) < 0 for value in values[start:]]
            factors = [
                np.mean([np.prod([1 + stake * (2 * hit - 1) for hit in hits]) for stake in stakes])
                for hits, stakes in ((before, BEFORE), (behind, BEHIND))
            ]
            won.append(factors[0] * factors[1] / 2)

    found = side_evidence(np.array(values), np.array([level, 9.0]))
    assert found[0] == pytest.approx(max(won))


@pytest.mark.parametrize("values", [(-1.0, 1.0), (-1.0, 0.0, 0.0, 1.0)])
@pytest.mark.parametrize("enough", [2.0, 4.0, 8.0])
def test_the_evidence_by_sides_is_rare_for_the_median_whatever_the_noise(values, enough):
    """Of all sequences of equally likely values, whose size does not count."""
    n = 6
    reached = [
        any(side_evidence(np.array(drawn[:k]), np.zeros(1))[0] >= enough for k in range(1, n + 1))
        for drawn in itertools.product(values, repeat=n)
    ]

    assert np.mean(reached) <= n / enough


def test_noise_that_grows_is_no_change():
    """By ranks alone most of such histories have one."""
    rng = np.random.default_rng(6)
    histories = rng.normal(size=(20, 100)) * np.where(np.arange(100) < 50, 1.0, 4.0)

    assert sum(bool(changes) for values in histories for changes in change_points([values])) <= 2


def test_every_later_look_finds_the_same_alarm():
    rng = np.random.default_rng(1)
    values = np.concatenate([rng.normal(size=40), rng.normal(-3.0, 1.0, 20)])
    draws = rng.random(60)
    alarm = first_alarm(values, draws, 1000.0)

    assert 40 < alarm < 50
    for n in range(1, 61):
        assert first_alarm(values[:n], draws[:n], 1000.0) == (alarm if n > alarm else None)


@pytest.mark.parametrize("shift", [-1.0, 1.0])
def test_a_change_has_its_place_its_levels_and_its_interval(shift):
    rng = np.random.default_rng(2)
    values = 0.4 + 0.01 * rng.normal(size=60)
    values[40:] += 0.04 * shift
    ((found,),) = change_points([values])

    assert found.place == 40
    assert found.first <= 40 <= found.last
    assert 40 < found.noticed < 50
    assert found.before == np.median(values[:40])
    assert found.after == np.median(values[40:])


def test_a_change_that_was_made_good_is_two():
    rng = np.random.default_rng(3)
    values = 0.01 * rng.normal(size=90)
    values[30:60] -= 0.05
    (found,) = change_points([values])

    assert [one.place for one in found] == [30, 60]


@pytest.mark.parametrize("values", [[], [1.0], [0.4] * 100, [0.1 + 0.2, 0.3] * 30])
def test_values_that_are_equal_have_no_change(values):
    assert change_points([values]) == ((),)


def test_more_sequences_need_more_evidence():
    rng = np.random.default_rng(4)
    values = rng.normal(size=60)
    values[40:] -= 3.0
    (alone,) = change_points([values])
    among, *_ = change_points([values, *rng.normal(size=(29, 60))])

    assert alone[0].noticed < among[0].noticed


@given(st.lists(st.integers(0, 5), min_size=2, max_size=30))
def test_the_nearest_levels_are_those_of_brute_force(values):
    numbers = np.array(values, dtype=float)
    far = [
        sum(np.abs(side - np.median(side)).sum() for side in (numbers[:k], numbers[k:]))
        for k in range(1, len(values))
    ]

    assert nearest_levels(numbers) == int(np.argmin(np.round(far, 9))) + 1


def test_an_interval_is_wide_where_the_levels_are_near():
    rng = np.random.default_rng(5)
    noise = rng.normal(size=60)
    near, far = noise.copy(), noise.copy()
    near[30:] -= 1.0
    far[30:] -= 6.0
    widths = [np.ptp(interval_of_change(values, 30)) for values in (near, far)]

    assert widths[0] > widths[1]


@pytest.mark.parametrize(("every", "family"), [(1_000, 1), (1_000, 30), (100, 1)])
def test_the_fewest_values_are_those_of_a_sequence_that_always_falls(every, family):
    n = fewest_values(every, family)
    falling = -np.arange(float(n))

    assert first_alarm(falling, np.zeros(n), every * family) == n - 1


@pytest.mark.parametrize("every", [0.0, -1.0, float("nan"), float("inf")])
def test_impossible_numbers_of_nights_are_refused(every):
    with pytest.raises(UsageError, match="a false alarm every"):
        change_points([[1.0, 2.0]], false_alarm_every=every)
