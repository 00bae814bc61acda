"""The difference between two systems in Python."""

import numpy as np
import pytest

import rankeval


def ranking(docnos):
    return {docno: float(-place) for place, docno in enumerate(docnos)}


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
    assert found.measures[0].summary.difference == pytest.approx(
        np.mean([values[1][topic] - values[0][topic] for topic in qrels])
    )
    for topic in found.measures[0].topics:
        assert (topic.a, topic.b) == pytest.approx([of[topic.topic] for of in values])
        first = {moved.docno: moved.rank_a for moved in topic.documents if moved.grade is not None}
        for docno, rank in first.items():
            assert rank == [*runs[0][topic.topic]].index(docno) + 1


def test_holes_are_those_of_single_runs():
    qrels, runs = seeded_runs(1)

    with pytest.raises(rankeval.UsageError, match="needs the documents of one run"):
        rankeval.diff(qrels, rankeval.Seeds(runs), runs[0], "AP", holes=True)
