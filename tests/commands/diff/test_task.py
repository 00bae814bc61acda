"""The difference between two runs in Python; holes are compared with all ways to judge them."""

from itertools import product

import numpy as np
import pytest

import rankeval

DEPTH = 4


def ranking(docnos):
    return {docno: float(-place) for place, docno in enumerate(docnos)}


def all_judgings(qrels, a, b, measure):
    """B - A for every way to judge the documents of one topic that are not judged."""
    holes = sorted({*a["t"], *b["t"]} - qrels["t"].keys())
    for grades in product((0, 1), repeat=len(holes)):
        judged = {"t": qrels["t"] | dict(zip(holes, grades, strict=True))}
        one, other = (rankeval.evaluate(judged, run, measure).runs[0].scores[0] for run in (a, b))
        yield other.aggregate - one.aggregate


@pytest.mark.parametrize("measure", ["P@4", "DCG@4", "RBP(p=0.8)@4"])
@pytest.mark.parametrize("seed", range(4))
def test_the_range_is_that_of_all_judgings_where_gains_at_ranks_add_up(measure, seed):
    rng = np.random.default_rng(seed)
    documents = [f"d{i}" for i in range(6)]
    a, b = ({"t": ranking(rng.permutation(documents)[:DEPTH].tolist())} for _ in range(2))
    qrels = {"t": {documents[0]: 1, documents[1]: 0}}

    found = rankeval.diff(qrels, a, b, measure, top=DEPTH, holes=True)

    differences = {case.case: case.difference for case in found.holes}
    possible = list(all_judgings(qrels, a, b, measure))
    assert differences["relevant if higher in A"] == pytest.approx(min(possible))
    assert differences["relevant if higher in B"] == pytest.approx(max(possible))
    assert min(possible) - 1e-12 <= differences["relevant"] <= max(possible) + 1e-12


def test_documents_that_both_rank_alike_are_for_neither():
    run = {"t": ranking(["u", "r", "v"])}

    found = rankeval.diff({"t": {"r": 1}}, run, run, "P@3", top=3, holes=True)

    values = {case.case: (case.a, case.b) for case in found.holes}
    assert values["relevant"] == (1.0, 1.0)
    assert values["relevant if higher in A"] == values["relevant if higher in B"] == (1 / 3, 1 / 3)


def test_a_difference_of_dictionaries_with_its_pool():
    qrels = {"t1": {"r": 1}, "t2": {"r": 1}}
    a = {"t1": {"r": 2.0, "u": 1.0}, "t2": {"r": 1.0}}
    b = {"t1": {"u": 2.0, "r": 1.0}, "t2": {"r": 1.0}}

    found = rankeval.diff(qrels, a, b, "RR", pool=1)

    assert found.summary.difference == pytest.approx(-0.25)
    assert found.pool == (("t1", "u"),)


def seeded_runs(seed, n_topics=6):
    """Three runs of a system over the same topics, and judgments."""
    rng = np.random.default_rng(seed)
    documents = [f"d{i}" for i in range(8)]
    topics = [f"t{i}" for i in range(n_topics)]
    qrels = {topic: {name: int(i % 3 == 0) for i, name in enumerate(documents)} for topic in topics}
    runs = [
        {topic: ranking(rng.permutation(documents).tolist()) for topic in topics} for _ in range(3)
    ]
    return qrels, runs


def test_systems_of_several_runs_differ_by_their_means():
    qrels, runs = seeded_runs(1)
    other = seeded_runs(2)[1]

    found = rankeval.diff(qrels, rankeval.Seeds(runs), rankeval.Seeds(other), "AP")

    values = [
        {t: np.mean([rankeval.evaluate(qrels, r, "AP").to_dict(per_topic=True)["run"][t]["AP"]
                     for r in of_system]) for t in qrels}
        for of_system in (runs, other)
    ]  # fmt: skip
    assert found.summary.difference == pytest.approx(
        np.mean([values[1][topic] - values[0][topic] for topic in qrels])
    )
    for topic in found.topics:
        assert (topic.a, topic.b) == pytest.approx([of[topic.topic] for of in values])
        first = {moved.docno: moved.rank_a for moved in topic.judged}
        for docno, rank in first.items():
            assert rank == [*runs[0][topic.topic]].index(docno) + 1


@pytest.mark.parametrize("asked", [{"holes": True}, {"pool": 5}])
def test_unjudged_documents_are_those_of_single_runs(asked):
    qrels, runs = seeded_runs(1)

    with pytest.raises(rankeval.UsageError, match="needs the documents of one run"):
        rankeval.diff(qrels, rankeval.Seeds(runs), runs[0], "AP", **asked)
