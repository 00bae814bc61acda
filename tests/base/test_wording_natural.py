"""Names with numbers are in the order of the numbers."""

from hypothesis import given
from hypothesis import strategies as st

from rankeval.base.wording import natural


def test_numbers_in_names_are_ordered_by_their_value():
    names = ["seed10", "10", "a-10", "topic", "2", "a-9-x", "1", "seed2"]
    ordered = ["1", "2", "10", "a-9-x", "a-10", "seed2", "seed10", "topic"]

    assert sorted(names, key=natural) == ordered


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_integers_are_ordered_as_integers(a, b):
    assert (natural(str(a)) < natural(str(b))) == (a < b)


def test_a_number_may_have_any_length():
    assert natural("9" * 5000) < natural("1" + "0" * 5000)


@given(st.lists(st.text(max_size=6)))
def test_any_names_can_be_ordered(names):
    assert len(sorted(names, key=natural)) == len(names)
