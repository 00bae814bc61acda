"""Compatibility with an ideal ranking."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.errors import MeasureError
from rankeval.measures import parse_measure
from rankeval.measures.rank_biased import compatibility
from tests.support.builders import UNJUDGED, ranked

EXAMPLE_GRADES = [2, 0, UNJUDGED, 1, -1, 0, 3]
EXAMPLE = ranked(EXAMPLE_GRADES, missed=[[1]])


def test_compat_compares_the_ranking_with_the_ideal_at_every_depth():
    # The ideal is the documents at ranks 7, 1, 4 and the one not retrieved.
    p = 0.5
    shared = [0, 1, 1, 2, 2, 2, 3]  # in the first 1 to 7 of both; 3 from then on
    ideal = [1, 2, 3, 4]  # with itself; 4 from then on
    found = sum(p**i * n / (i + 1) for i, n in enumerate(shared + [3] * 993))
    best = sum(p**i * n / (i + 1) for i, n in enumerate(ideal + [4] * 996))

    assert compatibility(EXAMPLE, p=p) == pytest.approx([found / best])
    assert compatibility(EXAMPLE, p=p, normalize=False) == pytest.approx([found * (1 - p)])


def test_compat_has_the_value_of_the_script_of_its_authors():
    """Compatibility.py with -p 0.8, six decimals."""
    assert compatibility(EXAMPLE, p=0.8) == pytest.approx([0.382808], abs=1e-6)


def test_compat_stops_at_its_depth():
    judged = ranked([0, 1, 2])

    # The ideal is ranks 3, 2: nothing in common at depth 1, one document at depth 2.
    shallow = (0.5 * 1 / 2) / (1 + 0.5 * 2 / 2)
    assert compatibility(judged, p=0.5, depth=2) == pytest.approx([shallow])
    assert compatibility(judged, p=0.5, depth=1).tolist() == [0.0]


def test_equal_grades_are_ideal_in_the_order_of_the_ranking():
    assert compatibility(ranked([1, 1, 1])).tolist() == [1.0]
    assert compatibility(ranked([2, 2, 1, 0])).tolist() == [1.0]
    assert compatibility(ranked([1, 2]))[0] < 1


def test_grades_may_be_any_numbers():
    small, large = ranked([1, 3, 2]), ranked([0.5, 1000, 20])

    assert compatibility(small).tolist() == compatibility(large).tolist()


@pytest.mark.parametrize("name", ["Compat(p=0)", "Compat(p=1)", "Compat(depth=0)"])
def test_compat_refuses_impossible_parameters(name):
    with pytest.raises(MeasureError):
        parse_measure(name)


@given(st.lists(st.sampled_from([UNJUDGED, -1, 0, 1, 2, 3]), max_size=12), st.floats(0.01, 0.99))
def test_an_ideal_order_of_what_was_found_is_the_best_there_is(grades, p):
    best = sorted(grades, key=lambda grade: -(grade or 0))
    judged = ranked(grades, best, missed=[[2], [2]])

    found, ideal = compatibility(judged, p=p)
    assert found <= ideal + 1e-12
    assert ideal <= 1 + 1e-12
