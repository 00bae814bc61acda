"""A field that may be later has its value for whoever reads it, and is computed once."""

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, replace

import pytest

from rankeval.base.frozen import frozen, later, may_be_later


@frozen
class Square:
    side: int
    area: int = may_be_later()
    called: str = ""


def square(side):
    return Square(side, later(pow, side, 2))


def test_the_function_is_called_at_the_first_read_only():
    calls = []
    made = Square(3, later(lambda side: calls.append(side) or side**2, 3))

    assert calls == []
    assert (made.area, made.area) == (9, 9)
    assert calls == [3]


@pytest.mark.parametrize(
    "taken",
    [
        copy.copy,
        copy.deepcopy,
        lambda made: replace(made, called=""),
        lambda made: pickle.loads(pickle.dumps(made)),
        lambda made: Square(**asdict(made)),
    ],
)
def test_copies_have_the_value(taken):
    assert vars(taken(square(3))) == {"side": 3, "area": 9, "called": ""}


def test_a_value_is_equal_to_the_same_that_was_computed_before():
    assert square(3) == Square(3, 9)
    assert repr(square(3)) == "Square(side=3, area=9, called='')"


def test_the_field_is_required_and_cannot_be_set():
    with pytest.raises(TypeError, match="area"):
        Square(3)
    with pytest.raises(FrozenInstanceError):
        square(3).area = 4
