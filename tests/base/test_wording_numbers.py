import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.base.wording import confidence, p_words

RISKS = st.floats(1e-15, 0.49)


@pytest.mark.parametrize(
    ("value", "alpha", "words"),
    [
        (0.0123, 0.05, "p = 0.0123"),
        (3e-8, 0.05, "p < 0.0001"),
        (3e-8, 6e-6, "p = 3e-08"),
        (0.04999, 0.05, "p = 0.04999"),
        (0.05001, 0.05, "p = 0.0500"),
        (0.0, 6e-6, "p = 0"),
    ],
)
def test_p_values_show_on_which_side_of_alpha_they_are(value, alpha, words):
    assert p_words(value, alpha) == words


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
