"""Runs and judgments are mappings of topics to mappings, equal by content, and can be saved."""

from collections.abc import Mapping

import pandas as pd
import pytest

from rankeval import InputError, Qrels, Run, UsageError

SCORES = {"q1": {"d1": 0.5, "d2": 0.75}, "q10": {"d2": -1.0}, "q2": {"d3": 2.0}}
GRADES = {"q1": {"d1": 1, "d2": 0}, "q10": {"d2": 2}}
SUFFIXES = (".run", ".csv", ".tsv", ".json", ".jsonl", ".parquet", ".arrow", ".run.gz")


@pytest.mark.parametrize(("one", "plain"), [(Run(SCORES), SCORES), (Qrels(GRADES), GRADES)])
def test_it_is_a_mapping_of_mappings(one, plain):
    assert isinstance(one, Mapping)
    assert dict(one) == one.to_dict() == plain
    assert type(one.to_dict()["q1"]) is dict
    assert one == plain
    assert list(one.keys()) == list(plain)
    assert [*one.items()] == [*plain.items()]
    assert one.get("q7") is None
    assert 10 not in one


def test_equality_is_by_content():
    assert Run(SCORES) == Run(dict(reversed(SCORES.items())), name="other")
    assert Run(SCORES) != Run({**SCORES, "q1": {"d1": 0.5}})
    assert Qrels(GRADES) == Qrels([("q10", "d2", 2), ("q1", "d2", 0), ("q1", "d1", 1)])
    assert len({Qrels(GRADES), Qrels(GRADES)}) == 1
    assert Qrels(GRADES) != Qrels({**GRADES, "q10": {"d2": 1}})


def test_judgments_with_other_subtopics_are_others():
    first = Qrels({"q1": {"d1": {"a": 1}}}, label="iteration")
    second = Qrels({"q1": {"d1": {"b": 1}}}, label="iteration")

    assert dict(first) == dict(second)
    assert first != second


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_saved_run_is_the_same_run(tmp_path, suffix):
    path = tmp_path / f"one{suffix}"

    Run(SCORES, name="mine").save(path)

    assert Run(path) == Run(SCORES)


@pytest.mark.parametrize("suffix", [".qrels", ".csv", ".json", ".parquet"])
def test_saved_judgments_are_the_same_judgments(tmp_path, suffix):
    path = tmp_path / f"one{suffix}"

    Qrels(GRADES).save(path)

    assert Qrels(path) == Qrels(GRADES)
    assert Qrels(path).digest == Qrels(GRADES).digest


def test_a_frame_has_a_row_for_each_document():
    run, qrels = Run(SCORES).to_frame(), Qrels(GRADES).to_frame()

    assert list(run.columns) == ["topic", "docno", "score"]
    assert list(qrels.itertuples(index=False, name=None)) == [
        ("q1", "d1", 1),
        ("q1", "d2", 0),
        ("q10", "d2", 2),
    ]
    assert Run(run) == Run(SCORES)
    assert Qrels(qrels) == Qrels(GRADES)
    assert isinstance(run, pd.DataFrame)


def test_what_cannot_be_saved_is_refused_and_nothing_is_written(tmp_path):
    with pytest.raises(UsageError, match="no suffix names"):
        Run(SCORES).save(tmp_path / "one.foo")
    with pytest.raises(InputError, match="a b"):
        Run({"q1": {"a b": 1.0}}).save(tmp_path / "one.run")
    with pytest.raises(UsageError, match="subtopics"):
        Qrels({"q1": {"d1": {"a": 1}}}, label="iteration").save(tmp_path / "one.qrels")
    assert list(tmp_path.iterdir()) == []
