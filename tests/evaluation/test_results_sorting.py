"""The order of runs in results."""

import pytest

from rankeval.errors import MeasureError, UsageError
from tests.support.results import NAN, results, score


def order(found, by):
    return [run.name for run in found.sorted(by).runs]


def test_the_best_run_comes_first_and_an_undefined_value_last():
    values = {"a": 0.25, "b": NAN, "c": 0.5, "d": 0.25}
    found = results({name: [score("AP", [0, 1], value)] for name, value in values.items()})

    assert order(found, "AP") == ["c", "a", "d", "b"]
    assert order(found, "map") == ["c", "a", "d", "b"]


def test_less_is_better_for_a_loss():
    found = results(
        {name: [score("Unjudged@10", [0, 1], v, loss=True)] for name, v in [("a", 0.5), ("b", 0.1)]}
    )

    assert order(found, "Unjudged@10") == ["b", "a"]


def test_names_are_in_natural_order():
    names = ["seed10", "seed2", "10", "9", "bm25", "seed2b"]
    found = results({name: [score("AP", [0, 1], 0)] for name in names})

    assert order(found, "name") == ["9", "10", "bm25", "seed2", "seed2b", "seed10"]


def test_a_measure_that_was_not_evaluated_is_refused():
    with pytest.raises(UsageError, match="cannot sort by P@5, a measure that is not evaluated"):
        results({"a": [score("AP", [0, 1], 0)]}).sorted("P@5")
    with pytest.raises(MeasureError, match=r"unknown measure 'nDGC'"):
        results({"a": [score("AP", [0, 1], 0)]}).sorted("nDGC@10")
