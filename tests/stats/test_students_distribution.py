"""Student's distribution, beside scipy's, closed forms and its own symmetry."""

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtr, stdtrit

from rankeval.stats.students_distribution import t_lower_tail, t_quantile

FREEDOMS = (1, 2, 3, 9, 9.7, 49, 169.5, 340, 341, 999, 6979)
TS = (-40.0, -8.5, -2.3, -1.0, -0.02, 0.0, 0.7, 3.1)
PROBABILITIES = (1e-9, 0.0005, 0.005, 0.025, 0.05, 0.3, 0.4999, 0.5, 0.7, 0.995)


@pytest.mark.parametrize("freedom", FREEDOMS)
def test_tails_and_quantiles_are_those_of_scipy(freedom):
    for t in TS:
        assert t_lower_tail(freedom, t) == pytest.approx(stdtr(freedom, t), rel=2e-12, abs=1e-300)
    for p in PROBABILITIES:
        assert t_quantile(freedom, p) == pytest.approx(stdtrit(freedom, p), rel=1e-11, abs=1e-15)


@pytest.mark.parametrize("t", [-1e-9, *(t for t in TS if t <= 0)])
def test_closed_forms_of_one_and_two_degrees_of_freedom(t):
    assert t_lower_tail(1, t) == pytest.approx(0.5 + math.atan(t) / math.pi, rel=1e-12, abs=1e-14)
    half = t / math.sqrt(2.0 + t * t) / 2.0
    assert t_lower_tail(2, t) == pytest.approx(0.5 + half, rel=1e-12, abs=1e-15)


@given(st.floats(1, 5000), st.floats(1e-12, 0.5, exclude_max=True))
def test_the_quantile_is_the_inverse_of_the_tail(freedom, probability):
    t = t_quantile(freedom, probability)

    assert t_lower_tail(freedom, t) == pytest.approx(probability, rel=1e-11)
    assert t_quantile(freedom, 1.0 - probability) == pytest.approx(-t, rel=1e-3, abs=1e-9)


def test_ends_of_the_range():
    for freedom, sign in product((1, 30), (-1, 1)):
        assert t_lower_tail(freedom, sign * math.inf) == (sign > 0)
        assert t_lower_tail(freedom, 0.0) == 0.5
    assert (t_quantile(5, 0.0), t_quantile(5, 1.0)) == (-math.inf, math.inf)
    assert math.isnan(t_lower_tail(5, math.nan))
    assert math.isnan(t_quantile(5, 1.5))
