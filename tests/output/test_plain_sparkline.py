import pytest

from rankeval.output.plain import BLOCKS, DIGITS, sparkline


def drawn(values, width=20, **options):
    return sparkline(values, width, **{"unicode": False, "decimals": 4, **options})


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
