"""Pools against plain Python: depth, budgets, orders, what is judged already, what runs share."""

from itertools import combinations
from random import Random

import pytest

import rankeval
from rankeval.errors import UsageError
from tests.support.files import EXAMPLES
from tests.support.fused import random_qrels, random_runs, ranking

RUNS = random_runs(Random(4), runs=4, topics=15, documents=25)
QRELS = random_qrels(Random(5), topics=15, documents=25)
BM25, LSA = EXAMPLES / "runs" / "bm25.run", EXAMPLES / "runs" / "lsa.run"


def by_topic(pool):
    found = {}
    for topic, docno in pool.pairs():
        found.setdefault(topic, []).append(docno)
    return found


def ranks(topic, depth=99):
    """{docno: [rank in each run that has it so high]}."""
    found = {}
    for run in RUNS:
        for rank, docno in enumerate(ranking(run.get(topic, {}))[:depth], 1):
            found.setdefault(docno, []).append(rank)
    return found


def first_of(topic, worth, budget, depth=99):
    """The documents of a topic that are worth most, ties by docno descending."""
    known = ranks(topic, depth)
    return sorted(known, key=lambda docno: (worth(known[docno]), docno), reverse=True)[:budget]


def test_the_figures_of_the_examples():
    """Counted apart from rankeval, with sort and awk."""
    assert len(rankeval.pool([BM25, LSA], depth=10)) == 713
    assert len(rankeval.pool([BM25, LSA], depth=10, ties="input")) == 714


@pytest.mark.parametrize("judged", [{}, QRELS])
def test_a_pool_has_the_first_documents_of_each_run_by_docno_but_the_judged_ones(judged):
    found = by_topic(rankeval.pool(RUNS, depth=6, judged=judged or None))

    for topic in QRELS:
        assert found.get(topic, []) == sorted(ranks(topic, 6).keys() - judged.get(topic, {}).keys())


@pytest.mark.parametrize(
    ("order", "worth"),
    [
        ("max-rank", lambda places: -min(places)),
        ("rrf", lambda places: sum(sorted(1 / (60 + rank) for rank in places))),
        ("rbp", lambda places: sum(sorted(0.2 * 0.8 ** (rank - 1.0) for rank in places))),
    ],
)
@pytest.mark.parametrize("depth", [None, 5])
def test_a_budget_takes_the_first_documents_of_an_order(order, worth, depth):
    expected = {topic: first_of(topic, worth, 7, depth or 99) for topic in QRELS}

    assert by_topic(rankeval.pool(RUNS, order=order, budget=7, depth=depth)) == expected


def test_a_budget_by_depth_goes_as_deep_as_it_allows():
    found = by_topic(rankeval.pool(RUNS, budget=9))

    for topic in QRELS:
        depth = max(d for d in range(30) if len(ranks(topic, d)) <= 9)
        assert found.get(topic, []) == sorted(ranks(topic, depth))


def test_runs_take_turns_by_their_success():
    """The first run goes on after the relevant a, and falls behind after b, as the second after x.

    The first has one miss then, and the second, too: the first comes again, with c.
    """
    runs = [
        {"q": {"a": 5.0, "b": 4.0, "c": 3.0}},
        {"q": {"x": 5.0, "y": 4.0}},
    ]
    judged = {"q": {"a": 1, "b": 0}}

    assert by_topic(rankeval.pool(runs, order="mtf", budget=9)) == {"q": ["a", "x", "b", "y", "c"]}
    left = rankeval.pool(runs, order="mtf", budget=9, judged=judged)
    assert by_topic(left) == {"q": ["x", "c", "y"]}


def test_what_the_runs_share_is_counted():
    pool = rankeval.pool(RUNS, depth=4)

    tops = [
        {(topic, docno) for topic in QRELS for docno in ranking(run.get(topic, {}))[:4]}
        for run in RUNS
    ]
    assert pool.documents == len(pool) == len(set().union(*tops))
    for i, (run, top) in enumerate(zip(pool.runs, tops, strict=True)):
        others = set().union(*(other for j, other in enumerate(tops) if j != i))
        assert (run.documents, run.unique) == (len(top), len(top - others))
    for pair, (top, other) in zip(pool.shared, combinations(tops, 2), strict=True):
        assert pair.shared == len(top & other)
        assert pair.jaccard == len(top & other) / len(top | other)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({}, "the size of the pool is missing"),
        ({"runs": [], "depth": 5}, "no run to pool"),
        ({"depth": 0}, "a depth of 0 pools nothing"),
        ({"budget": -1}, "a budget of -1 pools nothing"),
        ({"depth": 5, "order": "hedge"}, "order cannot be 'hedge'"),
        ({"depth": 5, "ties": "best"}, "ties cannot be 'best'"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, problem):
    with pytest.raises(UsageError, match=problem):
        rankeval.pool(options.pop("runs", RUNS), **options)


def test_runs_without_any_document_share_nothing():
    found = rankeval.pool([{}, {}], depth=3)

    assert (len(found), [*found.pairs()]) == (0, [])
    assert [(run.documents, run.unique) for run in found.runs] == [(0, 0), (0, 0)]
    assert [(one.shared, one.jaccard) for one in found.shared] == [(0, 0)]
