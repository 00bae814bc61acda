import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from rankeval.errors import UsageError
from rankeval.stats import kendall_tau, kendall_tau_of_values, tau_ap

rankings = st.lists(st.integers(0, 12), unique=True, max_size=12)
permutations = st.integers(2, 10).flatmap(lambda n: st.permutations(range(n)))


def test_kendalls_tau_worked_by_hand():
    """1 2 3 4 against 1 3 4 2: of six pairs, 2-3 and 2-4 are in opposite order."""
    assert kendall_tau([1, 2, 3, 4], [1, 3, 4, 2]) == pytest.approx((4 - 2) / 6)


def test_kendalls_tau_looks_at_common_items_only():
    assert kendall_tau("axbc", "cbya") == pytest.approx(-1.0)


@given(order=permutations)
@settings(deadline=None)
def test_kendalls_tau_agrees_with_scipy(order):
    expected = scipy.stats.kendalltau(np.argsort(order), np.arange(len(order))).statistic

    assert kendall_tau(order, range(len(order))) == pytest.approx(expected)


def test_tau_b_counts_ties_by_hand():
    """x = 1 1 2, y = 1 2 2: one pair agrees, one is tied in x, one in y: 1 / sqrt(2 * 2)."""
    assert kendall_tau_of_values([1, 1, 2], [1, 2, 2]) == pytest.approx(1 / 2)


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=15),
)
@settings(deadline=None)
def test_tau_b_equals_a_count_of_pairs(values):
    x, y = np.array(values).T
    signs = [(np.sign(x[i] - x[j]), np.sign(y[i] - y[j])) for i in range(len(x)) for j in range(i)]
    left, right = sum(a != 0 for a, _ in signs), sum(b != 0 for _, b in signs)

    found = kendall_tau_of_values(x, y)

    if left and right:
        assert found == pytest.approx(sum(a * b for a, b in signs) / np.sqrt(left * right))
    else:
        assert found is None


def test_tau_of_values_leaves_out_missing_ones():
    assert kendall_tau_of_values([1, np.nan, 2, 3], [1, 5, 3, 2]) == pytest.approx(1 / 3)


def test_tau_ap_worked_by_hand():
    """a b c d with true order b a d c.

    At rank 2, b should be above a: 0 of 1. At rank 3, c has a and b rightly above: 2 of 2. At rank
    4, d has a and b, but not c: 2 of 3.
    """
    assert tau_ap("abcd", "badc") == pytest.approx(2 / 3 * (0 / 1 + 2 / 2 + 2 / 3) - 1)


@given(order=permutations)
def test_tau_ap_equals_a_plain_loop(order):
    n = len(order)
    total = sum(sum(order[j] < order[i] for j in range(i)) / i for i in range(1, n))

    assert tau_ap(order, range(n)) == pytest.approx(2 * total / (n - 1) - 1)


@given(order=permutations)
@settings(deadline=None)
def test_correlations_are_bounded_and_turn_with_the_ranking(order):
    truth = range(len(order))

    for correlation in (kendall_tau, tau_ap):
        assert correlation(order, order) == pytest.approx(1.0)
        assert correlation(order, order[::-1]) == pytest.approx(-1.0)
        assert correlation(order, truth) == pytest.approx(-correlation(order, truth[::-1]))
        assert -1 - 1e-12 <= correlation(order, truth) <= 1 + 1e-12


def test_tau_ap_punishes_errors_at_the_top_more():
    top, bottom = [1, 0, 2, 3, 4], [0, 1, 2, 4, 3]

    assert kendall_tau(top, range(5)) == kendall_tau(bottom, range(5))
    assert tau_ap(top, range(5)) < tau_ap(bottom, range(5))


@pytest.mark.parametrize("correlation", [kendall_tau, tau_ap])
def test_fewer_than_two_common_items_have_no_correlation(correlation):
    assert correlation("ab", "bc") is None
    assert correlation("", "") is None


@pytest.mark.parametrize("compare", [kendall_tau, tau_ap])
def test_an_item_twice_is_refused(compare):
    with pytest.raises(UsageError, match="3 items holds 2"):
        compare("aba", "abc")
