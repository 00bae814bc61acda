"""The first documents of each topic of a run."""

from dataclasses import replace
from itertools import pairwise
from typing import get_args

import numpy as np
import pytest

from rankeval.io import lines_parser
from rankeval.io.formats import RUN, Form
from rankeval.io.python_values import columns_of
from rankeval.io.topic_order import gathered
from rankeval.ranking.align import BY_SCORE, Rules, Ties, rank_all, top_documents
from rankeval.ranking.qrels import from_mapping
from rankeval.ranking.run_source import RunSource


@pytest.mark.parametrize("levels", [20, 10**9], ids=["tied", "distinct"])
def test_top_documents_are_those_of_the_whole_ranking(levels):
    rng = np.random.default_rng(5)
    run = {f"t{t}": {f"d{d}": float(rng.integers(0, levels)) for d in range(60)} for t in range(5)}
    # Documents judged for another topic are not first for that alone.
    qrels = from_mapping({topic: {f"d{t}": 1, f"d{t + 30}": 0} for t, topic in enumerate(run)})

    found = top_documents(qrels, RunSource.of(run), 10, BY_SCORE, Form("run"))

    for topic, scores in run.items():
        # By score, descending, then by docno, descending.
        ranked = sorted(scores, key=lambda d: (scores[d], d), reverse=True)
        assert all(scores[a] >= scores[b] for a, b in pairwise(ranked))
        assert [docno.decode() for docno in found[topic.encode()]] == ranked[:10]
    assert len(columns_of(run, RUN)) == 300


@pytest.mark.parametrize("levels", [3, 20, 10**9], ids=["tied", "hardly tied", "distinct"])
@pytest.mark.parametrize("size", [1, 7, 50, 10**6])
def test_topics_that_are_cut_or_come_back_are_ranked_whole(levels, size):
    """Parts of any size, topics of many lengths and without judgments, in any order."""
    rng = np.random.default_rng([levels, size])
    topics = [f"t{t}" for t in range(12) for _ in range(int(rng.integers(1, 30)))]
    scores: dict[str, dict[str, float]] = {}
    lines = []
    for i, topic in enumerate(rng.permutation(topics).tolist()):
        value = float(rng.integers(0, levels))
        scores.setdefault(topic, {})[f"d{i}"] = value
        lines.append(f"{topic} Q0 d{i} 0 {value} tag\n")
    parts = tuple(
        lines_parser.parse("".join(lines[i : i + size]).encode(), RUN, "run", i + 1)
        for i in range(0, len(lines), size)
    )
    judged = from_mapping({topic: {"d1": 1} for topic in [*list(scores)[::2], "lacking"]})

    found = top_documents(judged, RunSource("run", parts), 5, BY_SCORE, Form("run"))

    assert {topic.decode(): [docno.decode() for docno in found[topic]] for topic in found} == {
        topic: sorted(of, key=lambda d: (of[d], d), reverse=True)[:5]
        for topic, of in scores.items()
        if topic.encode() in judged.code
    }


@pytest.mark.parametrize("ties", get_args(Ties)[:4])  # the others need grades
@pytest.mark.parametrize("size", [40, 10**6])
def test_every_rule_for_ties_gives_the_order_of_the_whole_ranking(ties, size):
    rng = np.random.default_rng(size)
    layout = replace(RUN, rank=3)
    lines = [
        f"t{topic} Q0 d{docno} {rng.integers(9)} {rng.integers(4)} tag\n"
        for topic in range(6)
        for docno in rng.permutation(30).tolist()
    ]
    parts = tuple(
        lines_parser.parse("".join(lines[i : i + size]).encode(), layout, "run", i + 1)
        for i in range(0, len(lines), size)
    )
    rules = Rules(ties=ties)
    judged = from_mapping({f"t{topic}": {"d1": 1} for topic in range(6)})

    found = top_documents(judged, RunSource("run", parts), 7, rules, Form("run"))

    whole = gathered(parts)
    for i, topic in enumerate(whole.topics):
        assert found[topic] == rank_all([whole.part(i, i + 1)], rules).docnos[:7]
