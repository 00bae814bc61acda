"""Integers find the topics that are their digits."""

import json
import pickle

import numpy as np
import pytest

import rankeval
from rankeval.base.frozen import ByTopic

NUMBERED = {7: {1: 1}, 12: {2: 1}}
RUN = {7: {3: 2.0, 1: 1.0}, 12: {2: 1.0}}


def values_by_topic(tmp_path):
    """Values by topic from each function that gives them, from integers and from files."""
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("7 0 1 1\n12 0 2 1\n")
    run.write_text("7 Q0 3 1 2.0 r\n7 Q0 1 2 1.0 r\n12 Q0 2 1 1.0 r\n")
    for judgments, ranked in ((NUMBERED, RUN), (qrels, run)):
        results = rankeval.evaluate(judgments, ranked, "RR")
        results.save(tmp_path / "saved.json")
        for one in (results, rankeval.load(tmp_path / "saved.json")):
            yield one.runs[0]["RR"].per_topic
            by_topic = one.to_dict(per_topic=True)[one.runs[0].name]
            assert by_topic[7] == {"RR": 0.5}
        by_topic = rankeval.Evaluator(judgments, "RR").per_topic(ranked)
        yield ByTopic({topic: found["RR"] for topic, found in by_topic.items()})
        assert by_topic[12] == {"RR": 1.0}
        assert rankeval.explain(judgments, ranked, 7, "RR")[0].value == 0.5


def test_values_are_found_by_integers_and_by_digits(tmp_path):
    for found in values_by_topic(tmp_path):
        assert found[7] == found["7"] == found[np.int32(7)] == found.get(7) == 0.5
        assert 12 in found
        assert "12" in found
        assert 9 not in found
        assert found.get(9, -1.0) == -1.0
        assert found == {"7": 0.5, "12": 1.0}


def test_what_is_no_topic_is_told_with_the_topics():
    found = rankeval.evaluate(NUMBERED, RUN, "RR").runs[0]["RR"].per_topic

    for topic in (9, "9", True, 7.0, None):
        assert topic not in found
        with pytest.raises(KeyError, match="there is 12, 7"):
            found[topic]


def test_values_by_topic_are_dictionaries_of_text():
    found = ByTopic({"007": 1.0, "8": 2.0})

    assert 7 not in found
    assert json.loads(json.dumps(found)) == found
    assert pickle.loads(pickle.dumps(found))[8] == 2.0
