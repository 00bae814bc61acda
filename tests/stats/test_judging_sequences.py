import math

import pytest
from scipy.integrate import quad

from rankeval.errors import UsageError
from rankeval.stats.judging import WHOLE, alpha_of_look


def test_all_looks_together_spend_no_more_than_alpha():
    """A million terms, and the integral of 1 / (x ln^2 x), which is above what is left."""
    n_looks = 1_000_000
    spent = math.fsum(alpha_of_look(0.05, look) for look in range(1, n_looks + 1))
    rest, _ = quad(lambda u: 1 / u**2, math.log(n_looks + 1), math.inf)  # with u = ln x

    assert 0.0499 < spent + 0.05 * rest / WHOLE <= 0.05


def test_later_looks_spend_less():
    spent = [alpha_of_look(0.05, look) for look in range(1, 300)]

    assert spent == sorted(spent, reverse=True)
    assert spent[199] > 0.05 / 201 / 200  # more than 1 / (k (k + 1)) would leave


@pytest.mark.parametrize(
    ("alpha", "look"),
    [(0.05, 0), (0.0, 1), (1.0, 1), (0.05, 1.5), (0.05, True), (0.05, 10**400)],
    ids=lambda value: str(value)[:9],
)
def test_impossible_looks_are_refused(alpha, look):
    with pytest.raises(UsageError):
        alpha_of_look(alpha, look)
