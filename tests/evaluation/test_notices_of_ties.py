"""The values that other orders of equal scores give, against all orders tried one by one."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankeval
from rankeval.evaluation.results import TieNotice

QRELS = {"s": {"a": 2, "b": 1, "c": 0}, "t": {"a": 1, "d": 1, "e": 0}}
MEASURES = "AP nDCG@2 RR P@1 Judged@1 Unjudged@2 NumRelRet@2"
SCORES = st.dictionaries(st.sampled_from("abcdexy"), st.integers(0, 2), min_size=1, max_size=3)


def means(run, **conventions):
    """The values over both topics, equal scores in the order of the mapping."""
    found = rankeval.evaluate(
        QRELS, run, MEASURES, rankeval.options.Settings(ties="input", **conventions)
    )
    return {score.measure: score.aggregate for score in found.runs[0].scores}


def orders(scores):
    """Every order of documents that the scores allow, as mappings in that order."""
    for docnos in permutations(scores):
        ordered = {docno: scores[docno] for docno in docnos}
        if list(ordered.values()) == sorted(scores.values(), reverse=True):
            yield ordered


def ties_of(run, **conventions):
    (result,) = rankeval.evaluate(
        QRELS, run, MEASURES, rankeval.options.Settings(**conventions)
    ).runs
    return [notice for notice in result.warnings if isinstance(notice, TieNotice)]


@pytest.mark.parametrize(
    "conventions",
    [{}, {"depth": 2}, {"judged_only": True}, {"aggregate": "geometric"}, {"topics": "both"}],
    ids=str,
)
@settings(max_examples=15)
@given(s=SCORES, t=SCORES)
def test_the_values_are_the_extremes_of_all_orders(conventions, s, t):
    every = [means({"s": a, "t": b}, **conventions) for a, b in product(orders(s), orders(t))]
    ends = {m: (min(one[m] for one in every), max(one[m] for one in every)) for m in every[0]}

    told = ties_of({"s": s, "t": t}, **conventions)

    found = {one.measure: (one.least, one.greatest) for notice in told for one in notice.ranges}
    assert found.keys() == {m for m, (low, high) in ends.items() if high - low > 1e-9}
    for measure, values in found.items():
        assert values == pytest.approx(ends[measure], abs=1e-12)


def test_topics_whose_values_do_not_change_are_not_counted():
    (notice,) = ties_of({"s": {"a": 1, "c": 1}, "t": {"a": 1, "d": 1}})

    assert notice.topics == 1


@pytest.mark.parametrize("ties", ["docno", "input", "best", "worst", "expected"])
def test_the_range_is_the_same_whatever_order_is_chosen(ties):
    run = {"s": {"a": 1.0, "c": 1.0, "x": 1.0}, "t": {"a": 1.0, "x": 1.0}}

    (result,) = rankeval.evaluate(QRELS, run, "AP", rankeval.options.Settings(ties=ties)).runs

    (notice,) = result.warnings[-1:]
    # Of two topics: the only relevant document retrieved, of two, stands first or last.
    assert notice.ranges == (("AP", (1 / 6 + 1 / 4) / 2, (1 / 2 + 1 / 2) / 2, False),)


def test_weights_count():
    run = {"s": {"a": 1.0, "c": 1.0}, "t": {"a": 1.0}}

    (result,) = rankeval.evaluate(QRELS, run, "RR", weights={"s": 3, "t": 1}).runs

    (notice,) = [one for one in result.warnings if isinstance(one, TieNotice)]
    assert notice.ranges == (("RR", (3 * 1 / 2 + 1) / 4, 1.0, False),)


def test_undefined_values_stay_out_of_the_mean():
    qrels = {**QRELS, "none": {"z": 0}}
    run = {"s": {"a": 1.0, "x": 1.0}, "t": {"a": 1.0}, "none": {"z": 1.0, "y": 1.0}}

    (result,) = rankeval.evaluate(qrels, run, "infAP AUC RR").runs

    for notice in result.warnings:
        if isinstance(notice, TieNotice):
            assert np.isfinite([(one.least, one.greatest) for one in notice.ranges]).all()
            assert "RR" in [one.measure for one in notice.ranges]
