"""Intervals of the agreement of orders, against order_agreement sample by sample."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr

from rankeval.errors import UsageError
from rankeval.stats import kendall_tau_of_values, rbo, tau_ap
from rankeval.stats.rank_correlation import (
    OrderAgreement,
    order_agreement,
)

TOOLS = Path(__file__).parents[1] / "data" / "tools"
RECORDED = json.loads((TOOLS / "rbo.json").read_text(encoding="utf-8"))
values = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=12)
orders = st.integers(2, 10).flatmap(lambda n: st.permutations(range(n)))


def groups(ranking):
    return [set(group) if len(group) > 1 else group[0] for group in ranking]


@given(values)
@settings(deadline=None)
def test_correlations_are_scipys_and_tau_is_a_count_of_pairs(pairs):
    first, second = (np.array(one, dtype=float) for one in zip(*pairs, strict=True))
    found, turned = order_agreement(first, second), order_agreement(second, first)

    if np.ptp(first) == 0 or np.ptp(second) == 0:
        assert (found.tau_b, found.spearman, found.tau) == (None, None, 0.0)
    else:
        assert found.tau_b == pytest.approx(kendalltau(first, second).statistic)
        assert found.spearman == pytest.approx(spearmanr(first, second).statistic)
    n = len(first)
    concordant = sum(
        np.sign(first[i] - first[j]) * np.sign(second[i] - second[j])
        for i in range(n)
        for j in range(i)
    )
    assert found.tau == pytest.approx(concordant / (n * (n - 1) / 2))
    assert kendall_tau_of_values(first, second) == found.tau_b
    assert (found.tau_ap, found.tau_ap_reverse) == (turned.tau_ap_reverse, turned.tau_ap)


def test_worked_examples():
    """ABCDE against BACED: two of ten pairs are exchanged; C, E, D have 1, 1 and 3 / 4 above.

    x = 1 1 2, y = 1 2 2: one pair agrees, one is tied in x, one in y: 1 / sqrt(2 * 2).
    """
    found = order_agreement([5, 4, 3, 2, 1], [4, 5, 3, 1, 2])

    assert found.tau == found.tau_b == pytest.approx(0.6)
    assert (found.spearman, found.tau_ap) == (pytest.approx(0.8), pytest.approx(0.375))
    assert kendall_tau_of_values([1, 1, 2], [1, 2, 2]) == pytest.approx(1 / 2)


def test_what_has_no_value_is_left_out():
    whole = order_agreement([3, 2, 1], [1, 2, 3])

    assert order_agreement([3, 2, np.nan, 1], [1, 2, 9, 3]) == whole
    assert whole.tau == whole.tau_ap == -1.0
    assert kendall_tau_of_values([1, np.nan, 2, 3], [1, 5, 3, 2]) == pytest.approx(1 / 3)
    assert order_agreement([1], [1]) == OrderAgreement(None, None, None, None, None, None)
    assert tau_ap("ab", "bc") is None
    with pytest.raises(UsageError, match="found 2 values and 1"):
        order_agreement([1, 2], [1])


@given(order=orders)
@settings(deadline=None)
def test_tau_ap_equals_a_plain_loop_and_turns_with_the_ranking(order):
    n = len(order)
    total = sum(sum(order[j] < order[i] for j in range(i)) / i for i in range(1, n))

    assert tau_ap(order, range(n)) == pytest.approx(2 * total / (n - 1) - 1)
    assert tau_ap(order, range(n)) == pytest.approx(-tau_ap(order, range(n)[::-1]))
    assert tau_ap([*order, "x"], ["y", *order]) == pytest.approx(1.0)  # common items only


@pytest.mark.parametrize("case", RECORDED)
def test_overlaps_are_those_of_the_program_of_the_paper(case):
    found = rbo(groups(case["first"]), groups(case["second"]), p=case["p"])

    assert found == pytest.approx(case["values"]["a"]["ext"])


def test_overlap_that_was_published():
    """The worked example beside Corsi and Urbano's program; ties by their mean."""
    first = ["red", {"blue", "green"}, "yellow", "pink"]
    second = [{"blue", "red"}, "white", {"yellow", "black", "purple"}, "green"]

    assert rbo(first, second, p=0.95) == pytest.approx(0.6923, abs=5e-5)
    assert rbo([], "abc") == rbo([], []) == 0.0


@pytest.mark.parametrize(
    ("ranking", "p", "problem"),
    [
        ("aba", 0.9, "'a' twice"),
        (["a", {"a", "b"}], 0.9, "'a' twice"),
        (["a", set()], 0.9, "is empty"),
        ("ab", 1.0, "p is"),
    ],
)
def test_impossible_rankings_are_refused(ranking, p, problem):
    with pytest.raises(UsageError, match=problem):
        rbo(ranking, "abc", p=p)
    with pytest.raises(UsageError, match="3 items holds 2"):
        tau_ap("aba", "abc")
