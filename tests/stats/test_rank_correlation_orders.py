import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr

from rankeval.errors import UsageError
from rankeval.stats.rank_correlation import OrderAgreement, order_agreement

values = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=12)


def test_a_worked_example():
    """ABCDE against BACED: two of ten pairs are exchanged; C, E, D have 1, 1 and 3 / 4 above."""
    found = order_agreement([5, 4, 3, 2, 1], [4, 5, 3, 1, 2])

    assert found.tau == found.tau_b == pytest.approx(0.6)
    assert found.spearman == pytest.approx(0.8)
    assert found.tau_ap == pytest.approx(0.375)


@given(values)
def test_correlations_are_scipys(pairs):
    first, second = (np.array(one, dtype=float) for one in zip(*pairs, strict=True))
    found = order_agreement(first, second)

    if np.ptp(first) == 0 or np.ptp(second) == 0:
        assert (found.tau_b, found.spearman, found.tau) == (None, None, 0.0)
    else:
        assert found.tau_b == pytest.approx(kendalltau(first, second).statistic)
        assert found.spearman == pytest.approx(spearmanr(first, second).statistic)
    concordant = sum(
        np.sign(first[i] - first[j]) * np.sign(second[i] - second[j])
        for i in range(len(first))
        for j in range(i)
    )
    assert found.tau == pytest.approx(concordant / (len(first) * (len(first) - 1) / 2))


@given(values)
def test_orders_exchanged_exchange_the_two_ap_correlations(pairs):
    first, second = zip(*pairs, strict=True)
    one, other = order_agreement(first, second), order_agreement(second, first)

    assert (one.tau_ap, one.tau_ap_reverse) == (other.tau_ap_reverse, other.tau_ap)


def test_systems_without_a_value_are_left_out():
    whole = order_agreement([3, 2, 1], [1, 2, 3])

    assert order_agreement([3, 2, np.nan, 1], [1, 2, 9, 3]) == whole
    assert whole.tau == whole.tau_ap == -1.0


def test_one_system_has_no_order():
    assert order_agreement([1], [1]) == OrderAgreement(None, None, None, None, None, None)
    with pytest.raises(UsageError, match="found 2 values and 1"):
        order_agreement([1, 2], [1])
