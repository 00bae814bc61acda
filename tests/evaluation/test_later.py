"""Fields whose values are computed when they are first read."""

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, replace

import pytest

from rankeval.base.frozen import frozen
from rankeval.evaluation.prepared import later
from rankeval.evaluation.results import may_be_later


@frozen
class Square:
    """At the module's level, where pickle looks for it."""

    side: int
    area: int = may_be_later()
    called: str = ""


def square(side):
    return Square(side, later(pow, side, 2))


def test_a_field_that_may_be_later_is_computed_at_the_first_read_only():
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
def test_copies_have_its_value(taken):
    assert vars(taken(square(3))) == {"side": 3, "area": 9, "called": ""}


def test_it_is_required_compared_and_shown_as_others_are():
    assert square(3) == Square(3, 9)
    assert repr(square(3)) == "Square(side=3, area=9)"
    with pytest.raises(TypeError, match="area"):
        Square(3)
    with pytest.raises(FrozenInstanceError):
        square(3).area = 4
