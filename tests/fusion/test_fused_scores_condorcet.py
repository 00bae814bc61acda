"""Majorities: a worked example, a circle, and what no run ranks."""

from itertools import permutations

import numpy as np
import pytest

from rankeval.fusion import fused_scores as module
from rankeval.fusion.fused_scores import condorcet, wcondorcet
from tests.support.fused import candidates, names_of


def fused(function, runs, **given):
    return dict(
        zip([d for _, d in names_of(runs)], function(candidates(runs), **given), strict=True)
    )


def run(order):
    return {"q": {docno: -float(rank) for rank, docno in enumerate(order)}}


def test_the_winner_of_every_pair_is_first():
    """a beats b 2 to 1, a beats c 2 to 1, b beats c 2 to 1; Borda's count has a and b tied."""
    assert fused(condorcet, [run("abc"), run("abc"), run("bca")]) == {"a": 3, "b": 2, "c": 1}


def test_the_members_of_a_circle_are_equal():
    assert fused(condorcet, [run("abc"), run("bca"), run("cab")]) == {"a": 2, "b": 2, "c": 2}


def test_weights_are_votes():
    weights = np.array([3.0, 1.0, 1.0])

    assert fused(wcondorcet, [run("abc"), run("cba"), run("cba")], weights=weights) == {
        "a": 3,
        "b": 2,
        "c": 1,
    }


def test_a_run_does_not_choose_between_documents_that_it_lacks():
    """Only the second run ranks b and c; the first ranks a above both."""
    assert fused(condorcet, [run("a"), run("bc")]) == {"a": 2, "b": 2.5, "c": 1.5}


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
