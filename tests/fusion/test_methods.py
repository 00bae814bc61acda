"""Methods of fusion: majorities worked by hand, sums in any order, names and ranges."""

from itertools import permutations

import numpy as np
import pytest

from rankeval.choices import METHOD_NAMES
from rankeval.fusion import methods as module
from rankeval.fusion.methods import METHODS, condorcet, total, wcondorcet
from tests.support.fused import candidates, names_of


def fused(function, runs, **given):
    return dict(
        zip([d for _, d in names_of(runs)], function(candidates(runs), **given), strict=True)
    )


def run(order):
    return {"q": {docno: -float(rank) for rank, docno in enumerate(order)}}


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        # a beats b 2 to 1, a beats c 2 to 1, b beats c 2 to 1; Borda's count has a and b tied.
        (["abc", "abc", "bca"], {"a": 3, "b": 2, "c": 1}),
        # The members of a circle are equal.
        (["abc", "bca", "cab"], {"a": 2, "b": 2, "c": 2}),
        # Only the second run ranks b and c; the first ranks a above both.
        (["a", "bc"], {"a": 2, "b": 2.5, "c": 1.5}),
    ],
)
def test_majorities_worked_by_hand(orders, expected):
    assert fused(condorcet, [*map(run, orders)]) == expected


def test_weights_are_votes():
    runs, weights = [run("abc"), run("cba"), run("cba")], np.array([3.0, 1.0, 1.0])

    assert fused(wcondorcet, runs, weights=weights) == {"a": 3, "b": 2, "c": 1}


@pytest.mark.parametrize("at_once", [1, 5, 1 << 22])
def test_counts_are_those_of_a_plain_loop_however_many_pairs_are_compared_at_once(
    monkeypatch, at_once
):
    monkeypatch.setattr(module, "PAIRS_AT_ONCE", at_once)
    orders = ["abcdef", "fdb", "ecabd", "fa"]
    margin = dict.fromkeys(permutations("abcdef", 2), 0)
    for order in orders:
        for one, other in margin:
            places = [order.find(docno) if docno in order else 99 for docno in (one, other)]
            margin[one, other] += (places[0] < places[1]) - (places[0] > places[1])
    expected = {
        one: 1 + sum((margin[one, o] > 0) + (margin[one, o] == 0) / 2 for o in "abcdef" if o != one)
        for one in "abcdef"
    }

    assert fused(condorcet, [run(order) for order in orders]) == expected


@pytest.mark.parametrize("runs", [1, 2, 3, 6, 12, 13, 20])
def test_rows_in_any_order_have_the_same_sum_to_the_last_bit(runs):
    rng = np.random.default_rng(runs)
    values = rng.lognormal(0, 5, (runs, 400))
    values[rng.random(values.shape) < 0.2] = np.nan

    expected = total(values)

    assert (total(values[rng.permutation(runs)]) == expected).all()
    assert expected == pytest.approx(np.nansum(values, axis=0))


def test_the_names_are_those_of_the_option():
    assert tuple(METHODS) == METHOD_NAMES
