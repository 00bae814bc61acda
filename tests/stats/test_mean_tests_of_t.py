"""Student's distribution, beside scipy's, closed forms and its own symmetry."""

import math
from itertools import product

import pytest
from scipy.special import stdtr, stdtrit

from rankeval.stats.mean_tests import t_lower_tail, t_quantile

FREEDOMS = (1, 2, 3, 9, 9.7, 49, 169.5, 340, 341, 999, 6979)
TS = (-40.0, -8.5, -2.3, -1.0, -0.02, 0.0, 0.7, 3.1)
PROBABILITIES = (1e-9, 0.0005, 0.005, 0.025, 0.05, 0.3, 0.4999, 0.5, 0.7, 0.995)


@pytest.mark.parametrize("freedom", FREEDOMS)
def test_tails_and_quantiles_are_those_of_scipy(freedom):
    for t in TS:
        assert t_lower_tail(freedom, t) == pytest.approx(stdtr(freedom, t), rel=2e-12, abs=1e-300)
    for p in PROBABILITIES:
        assert t_quantile(freedom, p) == pytest.approx(stdtrit(freedom, p), rel=1e-11, abs=1e-15)


def test_ends_of_the_range():
    for freedom, sign in product((1, 30), (-1, 1)):
        assert t_lower_tail(freedom, sign * math.inf) == (sign > 0)
        assert t_lower_tail(freedom, 0.0) == 0.5
    assert (t_quantile(5, 0.0), t_quantile(5, 1.0)) == (-math.inf, math.inf)
    assert math.isnan(t_lower_tail(5, math.nan))
    assert math.isnan(t_quantile(5, 1.5))
