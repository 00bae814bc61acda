from functools import cache
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval.commands.gate.sides import extreme_results
from rankeval.evaluation.prepared import prepare
from rankeval.ranking.run_source import RunSource

MEASURES = "RR AP nDCG P@2 Unjudged@2 Judged@3 Hole@1 Hole@3"
GRADES = {"a": 2, "b": 1, "c": 0, "d": 0}
# x is judged for another topic, y and z for none.
QRELS = {"t": GRADES, "other": {"x": 1}}


@cache
def values(ranking):
    """Values of an order of documents without ties."""
    run = {"t": {docno: -place for place, docno in enumerate(ranking)}}
    (result,) = rankeval.evaluate(QRELS, run, MEASURES).runs
    return [score.values[list(result.topics).index("t")] for score in result.scores]


@given(st.dictionaries(st.sampled_from("abcdxyz"), st.integers(0, 2), min_size=1, max_size=5))
def test_extremes_are_those_of_all_orders_of_ties(scores):
    every = [
        values(order)
        for order in permutations(scores)
        if all(scores[a] >= scores[b] for a, b in pairwise(order))
    ]

    prepared = prepare(QRELS, MEASURES, rankeval.options.Settings())
    best, worst, _ = extreme_results(prepared, RunSource.of({"t": scores}))

    here = list(best.topics).index("t")
    for i, (good, bad) in enumerate(zip(best.scores, worst.scores, strict=True)):
        ends = [good.values[here], bad.values[here]]
        found = sorted(ends) if good.loss else sorted(ends, reverse=True)
        assert ends == found
        assert max(ends) == pytest.approx(max(one[i] for one in every), abs=1e-12)
        assert min(ends) == pytest.approx(min(one[i] for one in every), abs=1e-12)


def test_a_cut_comes_after_the_ties_are_broken():
    run = RunSource.of({"t": {"x": 1.0, "a": 1.0}})

    best, worst, _ = extreme_results(
        prepare({"t": GRADES}, "RR", rankeval.options.Settings(depth=1)), run
    )

    assert np.array_equal(best.scores[0].values, [1.0])
    assert np.array_equal(worst.scores[0].values, [0.0])
