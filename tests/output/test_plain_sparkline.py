import numpy as np
import pytest

from rankeval.output.plain import BLOCKS, DIGITS, shared_scale, sparkline


def drawn(values, width=20, scale=None, **options):
    scale = scale or (min(values), max(values))
    return sparkline(values, width, scale, **{"unicode": False, "decimals": 4, **options})


def test_a_scale_holds_all_values_of_all_histories():
    assert shared_scale([[0.3, 0.4], [0.1]]) == (0.1, 0.4)
    assert shared_scale([[0.2, 0.2, 0.2], [0.7, 0.7, 0.7]]) == (0.2, 0.7)


def test_a_scale_spans_eight_deviations_of_the_change_between_two_nights():
    draw = np.random.default_rng(1)
    histories = [0.5 + 0.01 * draw.standard_normal(200) for _ in range(3)]
    # All of them have as many nights: the mean of their variances.
    spread = np.sqrt(np.mean([np.diff(values).var(ddof=1) for values in histories]))

    low, high = shared_scale(histories)

    assert high - low == pytest.approx(8 * spread, rel=1e-12)
    assert (high + low) / 2 == pytest.approx((np.min(histories) + np.max(histories)) / 2)


def test_noise_looks_level_and_a_fall_falls():
    draw = np.random.default_rng(2)
    noise = 0.01 * draw.standard_normal(60)
    fell = 0.5 + noise - np.where(np.arange(60) < 30, 0.0, 0.15)
    scale = shared_scale([0.5 + noise, fell])

    level, fall = (drawn([*values], 12, scale) for values in (0.5 + noise, fell))

    assert int(max(level)) - int(min(level)) <= 1
    assert min(fall[:6]) >= "6"
    assert max(fall[6:]) <= "2"


def test_levels_go_from_the_lowest_to_the_highest():
    assert drawn(range(8)) == "12345678"
    assert drawn(range(8), unicode=True) == BLOCKS
    assert drawn([0.3, 0.4]) == "18"


def test_equal_numbers_are_a_flat_line():
    assert drawn([0.4]) == "4"
    assert drawn([0.4] * 5, unicode=True) == BLOCKS[3] * 5
    assert drawn([0.40001, 0.40002]) == "44"
    assert drawn([0.40001, 0.40002], decimals=5) == "18"


@pytest.mark.parametrize("number", [20, 21, 60, 1000])
def test_more_numbers_than_characters_are_averaged(number):
    values = [0.4] * (number // 2) + [0.3] * (number - number // 2)
    found = drawn(values)

    assert len(found) == 20
    assert (found[0], found[-1]) == ("8", "1")
    assert len(BLOCKS) == len(DIGITS) == 8
