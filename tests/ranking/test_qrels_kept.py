"""Judgments are made from files, dictionaries and tables, and kept."""

import pandas as pd
import pytest

import rankeval
from rankeval import Qrels

MAPPING = {"1": {"a": 2, "b": 0}, "2": {"c": 1}}
RUN = {"1": {"b": 2.0, "a": 1.0}, "2": {"c": 1.0}}
ROWS = [(t, d, g) for t, documents in MAPPING.items() for d, g in documents.items()]


@pytest.fixture
def path(tmp_path):
    (tmp_path / "some.qrels").write_text("".join(f"{t} 0 {d} {g}\n" for t, d, g in ROWS))
    return tmp_path / "some.qrels"


def test_all_ways_give_the_same_judgments(path):
    frame = pd.DataFrame(ROWS, columns=["user", "item", "rating"])
    made = [
        Qrels(path),
        Qrels(str(path)),
        Qrels(MAPPING),
        Qrels(frame, columns={"topic": "user", "docno": "item", "grade": "rating"}),
        Qrels(ROWS),
    ]

    results = [rankeval.evaluate(qrels, RUN, "nDCG AP") for qrels in made]

    assert len({qrels.digest for qrels in made}) == 1
    assert all(one.to_dict() == results[0].to_dict() for one in results)
    assert repr(made[0]) == f"<Qrels of {path}: 2 topics, 3 judgments>"
    assert repr(made[2]) == "<Qrels: 2 topics, 3 judgments>"


def test_subtopics_are_read_where_they_are_asked_for():
    nested = {"1": {"a": {"x": 1}, "b": {"y": 1}}}
    rows = [
        {"topic": "1", "docno": "a", "iteration": "x", "grade": 1},
        {"topic": "1", "docno": "b", "iteration": "y", "grade": 1},
    ]
    made = [Qrels(nested), Qrels(rows, label="iteration")]

    found = [rankeval.evaluate(q, RUN, "alpha_nDCG").runs[0].scores[0].mean for q in made]

    assert found[0] == found[1] > 0
