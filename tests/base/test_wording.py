"""Names and numbers in messages."""

import math

from hypothesis import given
from hypothesis import strategies as st

from rankeval.base.wording import natural
from rankeval.stats.in_words import confidence, p_words

RISKS = st.floats(1e-15, 0.49)


def test_numbers_in_names_are_ordered_by_their_value():
    ordered = ["1", "2", "10", "a-9-x", "a-10", "seed2", "seed10", "topic"]

    assert sorted(sorted(ordered), key=natural) == ordered
    assert natural("9" * 5000) < natural("1" + "0" * 5000)


@given(st.lists(st.text(max_size=6)), st.lists(st.integers(0, 10**9)))
def test_any_names_can_be_ordered_and_integers_are_ordered_as_integers(names, numbers):
    assert sorted(map(str, numbers), key=natural) == [str(n) for n in sorted(numbers)]
    assert len(sorted(names, key=natural)) == len(names)


@given(st.floats(0, 1), RISKS)
def test_no_p_value_is_shown_on_the_other_side_of_alpha(value, alpha):
    sign, number = p_words(value, alpha).split()[1:]

    if sign == "=":
        assert (float(number) < alpha) == (value < alpha)
    else:
        assert value < float(number) < alpha


@given(RISKS)
def test_no_level_is_a_certainty(risk):
    shown = confidence(risk)

    assert shown != "100%"
    left = 100 - float(shown.removesuffix("%"))
    # Two digits of the risk, and two places of usual ones; doubles near 100 are 1.4e-14 apart.
    assert math.isclose(left, 100 * risk, rel_tol=0.06, abs_tol=0.0051 if risk > 1e-4 else 3e-14)
