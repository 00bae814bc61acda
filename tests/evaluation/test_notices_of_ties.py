"""The values that other orders of equal scores give, against all orders tried one by one."""

from itertools import permutations, product
from random import Random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rankeval
from rankeval.ranking import ranked

QRELS = {"s": {"a": 2, "b": 1, "c": 0}, "t": {"a": 1, "d": 1, "e": 0}}
MEASURES = "AP nDCG@2 RR P@1 Judged@1 Unjudged@2 NumRelRet@2 NumNonRelRet SetP"
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
    return [notice for notice in result.warnings if notice.ranges]


@pytest.mark.parametrize(
    "conventions",
    [
        {},
        {"depth": 1},
        {"depth": 2, "judged_only": True},  # unjudged documents take the places of others
        {"aggregate": "geometric"},
        {"topics": "both"},
    ],
    ids=str,
)
@settings(max_examples=15)
@given(s=SCORES, t=SCORES)
@example(s=dict.fromkeys("0abc", 1), t=dict.fromkeys("dex", 1))  # every kind in one group
def test_the_values_are_the_extremes_of_all_orders(conventions, s, t):
    every = [means({"s": a, "t": b}, **conventions) for a, b in product(orders(s), orders(t))]
    ends = {m: (min(one[m] for one in every), max(one[m] for one in every)) for m in every[0]}

    told = ties_of({"s": s, "t": t}, **conventions)

    found = {name: ends for notice in told for name, ends in notice.ranges.items()}
    assert found.keys() == {m for m, (low, high) in ends.items() if high - low > 1e-9}
    for measure, values in found.items():
        assert values == pytest.approx(ends[measure], abs=1e-12)


def test_topics_whose_values_do_not_change_are_not_counted():
    (notice,) = ties_of({"s": {"a": 1, "c": 1}, "t": {"a": 1, "d": 1}})

    assert "ties in 1 topic:" in notice


@pytest.mark.parametrize("ties", ["docno", "input", "best", "worst", "expected"])
def test_the_range_is_the_same_whatever_order_is_chosen(ties):
    run = {"s": {"a": 1.0, "c": 1.0, "x": 1.0}, "t": {"a": 1.0, "x": 1.0}}

    (result,) = rankeval.evaluate(QRELS, run, "AP", rankeval.options.Settings(ties=ties)).runs

    (notice,) = result.warnings[-1:]
    # Of two topics: the only relevant document retrieved, of two, stands first or last.
    assert notice.ranges == {"AP": ((1 / 6 + 1 / 4) / 2, (1 / 2 + 1 / 2) / 2)}


def test_weights_count():
    run = {"s": {"a": 1.0, "c": 1.0}, "t": {"a": 1.0}}

    (result,) = rankeval.evaluate(QRELS, run, "RR", weights={"s": 3, "t": 1}).runs

    (notice,) = [one for one in result.warnings if one.ranges]
    assert notice.ranges == {"RR": ((3 * 1 / 2 + 1) / 4, 1.0)}


def test_undefined_values_stay_out_of_the_mean():
    qrels = {**QRELS, "none": {"z": 0}}
    run = {"s": {"a": 1.0, "x": 1.0}, "t": {"a": 1.0}, "none": {"z": 1.0, "y": 1.0}}

    (result,) = rankeval.evaluate(qrels, run, "infAP AUC RR").runs

    for notice in result.warnings:
        if notice.ranges:
            assert np.isfinite([*notice.ranges.values()]).all()
            assert "RR" in notice.ranges


@pytest.mark.parametrize("at_once", [1, 7])
def test_pieces_of_topics_have_the_ranges_of_all(at_once, monkeypatch):
    random = Random(at_once)
    qrels = {f"q{t}": {f"d{d}": random.randint(-1, 3) for d in range(6)} for t in range(9)}
    run = {
        topic: {f"d{d}": random.randint(0, 2) for d in random.sample(range(9), 6)}
        for topic in qrels
        if random.random() < 0.9
    }
    measures = "nDCG AP RR P@2 Judged@3 NumRelRet@3 RBP Bpref ERR"
    whole = rankeval.evaluate(qrels, run, measures).runs[0].warnings

    monkeypatch.setattr(ranked, "AT_ONCE", at_once)

    assert any("could be" in warning for warning in whole)
    assert rankeval.evaluate(qrels, run, measures).runs[0].warnings == whole
