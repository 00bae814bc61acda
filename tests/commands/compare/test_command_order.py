"""The order of the runs of a comparison."""

import pytest

from tests.support.comparisons import RUNS, values_of_each_run
from tests.support.files import EXAMPLE_QRELS

MEANS = {run: v.mean() for (run, name), v in values_of_each_run().items() if name == "AP"}


def compared(shell, names, *more):
    paths = [RUNS[name] for name in names]
    told = shell("compare", EXAMPLE_QRELS, *paths, "-m", "nDCG@10 AP", "--quiet", *more)
    assert told.code == 0, told.err
    return told.out


@pytest.mark.parametrize("form", ["table", "tsv", "json", "latex"])
@pytest.mark.parametrize("by", ["AP", "map", "name"])
def test_the_runs_behind_the_baseline_are_sorted_as_if_given_in_that_order(shell, form, by):
    others = sorted(["lsa", "bm25"], key=str if by == "name" else lambda name: -MEANS[name])

    for given in (["lsa", "bm25"], ["bm25", "lsa"]):
        found = compared(shell, ["tfidf", *given], "--sort", by, "-f", form)
        assert found == compared(shell, ["tfidf", *others], "-f", form)


def test_all_runs_are_sorted_where_all_pairs_are_compared(shell):
    best_first = sorted(MEANS, key=lambda name: -MEANS[name])

    found = compared(shell, sorted(MEANS), "--all-pairs", "--sort", "AP")

    assert found == compared(shell, best_first, "--all-pairs")
    assert sorted(MEANS) != best_first


def test_a_measure_that_is_not_compared_cannot_sort(shell):
    told = shell("compare", EXAMPLE_QRELS, RUNS["bm25"], RUNS["lsa"], "-m", "AP", "--sort", "RR")

    assert (told.code, told.out) == (2, "")
    assert "cannot sort by RR, which is not evaluated" in told.err
    assert "add -m RR" in told.err
