import json
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankeval.errors import UsageError
from rankeval.stats import Overlap, rbo

RECORDED = json.loads(
    (Path(__file__).parents[1] / "data" / "tools" / "rbo.json").read_text(encoding="utf-8")
)
rankings = st.lists(st.integers(0, 12), unique=True, max_size=12)
persistence = st.sampled_from([0.5, 0.8, 0.9, 0.98])


@st.composite
def tied_rankings(draw, items=6):
    """A ranking of up to six items, some of them tied."""
    left = draw(st.lists(st.integers(0, 8), unique=True, min_size=1, max_size=items))
    found = []
    while left:
        size = draw(st.integers(1, min(3, len(left))))
        found.append(set(left[:size]) if size > 1 else left[0])
        left = left[size:]
    return found


def groups(ranking):
    return [set(group) if len(group) > 1 else group[0] for group in ranking]


def orders(ranking):
    """All orders that a ranking with ties can stand for."""
    parts = [permutations(one) if isinstance(one, set) else [(one,)] for one in ranking]
    return [sum(order, ()) for order in product(*parts)]


def plain_ext(first, second, p):
    """Webber et al.'s assumption written out: the agreement goes on, summed to infinity."""
    shorter, longer = sorted((first, second), key=len)
    s, n = len(shorter), len(longer)
    share = len(set(shorter) & set(longer[:s])) / s
    total, agreement = 0.0, 0.0
    for i in range(1, 4000):
        if i <= n:
            seen = len(set(shorter[:i]) & set(longer[:i]))
            agreement = (seen + share * max(i - s, 0)) / i
        total += (1 - p) * p ** (i - 1) * agreement
    return total


@pytest.mark.parametrize("case", RECORDED)
def test_values_are_those_of_the_program_of_the_paper(case):
    first, second = groups(case["first"]), groups(case["second"])

    found = {kind: rbo(first, second, p=case["p"], kind=kind) for kind in Overlap}

    assert found == pytest.approx(case["values"]["a"])


def test_values_that_were_published():
    """The worked example beside Corsi and Urbano's program; ties by their mean."""
    first = ["red", {"blue", "green"}, "yellow", "pink"]
    second = [{"blue", "red"}, "white", {"yellow", "black", "purple"}, "green"]

    found = [rbo(first, second, p=0.95, kind=kind) for kind in Overlap]

    assert found == pytest.approx([0.6923, 0.3311, 0.8931, 0.5620], abs=5e-5)


@given(first=tied_rankings(), second=tied_rankings(), p=persistence)
@settings(deadline=None, max_examples=60)
def test_ties_by_a_are_the_mean_over_all_orders(first, second, p):
    """For the rankings seen, so without extrapolation: the minimum."""
    every = [rbo(one, other, p=p, kind="min") for one in orders(first) for other in orders(second)]

    assert rbo(first, second, p=p, kind="min") == pytest.approx(np.mean(every))


@given(first=rankings, second=rankings, p=persistence)
@settings(deadline=None)
def test_extrapolated_overlap_equals_its_infinite_sum(first, second, p):
    if first and second:
        assert rbo(first, second, p=p) == pytest.approx(plain_ext(first, second, p))


def test_extrapolated_overlap_worked_by_hand():
    """a b against b a c d: X = 0 2 2 2, s = 2, l = 4; agreement 0, 1, 1, 1, then 1 for ever."""
    assert rbo("ab", "bacd", p=0.8) == pytest.approx(1 - (1 - 0.8))


@given(first=rankings, second=rankings, rest=st.permutations(range(100, 130)), p=persistence)
@settings(deadline=None)
def test_whatever_follows_keeps_within_the_bounds(first, second, rest, p):
    whole = [*first, *rest], [*second, *rest[7:], *rest[:7]]
    found = rbo(*whole, p=p)

    low, high = (rbo(first, second, p=p, kind=kind) for kind in ("min", "max"))
    assert low - 1e-9 <= found <= high + 1e-9
    assert rbo(first, second, p=p, kind="res") == pytest.approx(high - low)


@given(first=tied_rankings(), second=tied_rankings(), p=persistence)
@settings(deadline=None)
def test_overlap_is_symmetric_and_bounded(first, second, p):
    low, found, high = (rbo(first, second, p=p, kind=kind) for kind in ("min", "ext", "max"))

    assert -1e-12 <= low <= found + 1e-9
    assert found <= high + 1e-9 <= 1 + 1e-8
    assert found == pytest.approx(rbo(second, first, p=p))


@given(ranking=tied_rankings(), p=persistence)
def test_a_ranking_agrees_with_itself_unless_its_ties_hide_an_order(ranking, p):
    assert rbo(ranking, ranking, p=p) <= 1.0 + 1e-12


def test_a_ranking_without_items_says_nothing():
    for pair in (([], "abc"), ("abc", []), ([], [])):
        ext, low, high, residual = (rbo(*pair, kind=kind) for kind in Overlap)
        assert (ext, low) == (0.0, 0.0)
        assert (high, residual) == pytest.approx((1.0, 1.0))


@pytest.mark.parametrize(
    ("ranking", "problem"),
    [("aba", "'a' twice"), (["a", {"a", "b"}], "'a' twice"), (["a", set()], "is empty")],
)
def test_rankings_that_are_none_are_refused(ranking, problem):
    with pytest.raises(UsageError, match=problem):
        rbo(ranking, "abc")


@pytest.mark.parametrize("wrong", [{"p": 1.0}, {"p": 0.0}])
def test_impossible_persistence_is_refused(wrong):
    with pytest.raises(UsageError, match="p is"):
        rbo("ab", "ab", **wrong)
