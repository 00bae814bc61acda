"""Results and settings cannot be changed; integers find the topics that are their digits."""

import copy
import dataclasses
import json
import pickle

import numpy as np
import pytest

import rankeval
from rankeval.base.frozen import ByTopic, ReadOnly, read_only, seal

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d2": 2}}
FIRST = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d2": 1.0}}
SECOND = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d2": 1.0}}


def values():
    """Public values of many kinds, with arrays and dictionaries."""
    results = rankeval.evaluate(QRELS, {"a": FIRST, "b": SECOND}, "AP nDCG", bounds=True)
    yield results
    yield results.qrels
    for run in results.runs:
        yield run
        yield from run.scores
        yield from (score.bounds for score in run.scores if score.bounds)
    yield rankeval.Qrels(QRELS)
    yield rankeval.compare(QRELS, FIRST, [SECOND, FIRST], "AP")
    yield rankeval.options.Method(margins={"AP": 0.1})
    yield rankeval.options.Settings(columns={"topic": "user"})
    (explanation,) = rankeval.explain(QRELS, FIRST, "q1", "nDCG")
    yield explanation
    yield from explanation.documents
    yield rankeval.pool([FIRST, SECOND], depth=2)
    yield rankeval.judges([QRELS, QRELS]).agreement
    yield rankeval.gate(QRELS, FIRST, SECOND, "max-drop AP=0.5")
    yield rankeval.systems(QRELS, {"a": FIRST, "b": SECOND, "c": FIRST}, "AP")


def changeable(one):
    """Return the fields of a value that can be changed in place."""
    found = []
    is_data = dataclasses.is_dataclass(one)
    names = [field.name for field in dataclasses.fields(one)] if is_data else [*vars(one)]
    for name in names:
        value = getattr(one, name)
        if isinstance(value, np.ndarray) and value.flags.writeable:
            found.append(name)
        if isinstance(value, dict) and not isinstance(value, ReadOnly):
            found.append(name)
    return found


def test_no_array_and_no_dictionary_of_a_public_value_can_be_changed():
    kinds = set()
    for one in values():
        kinds.add(type(one).__name__)
        assert (type(one).__name__, changeable(one)) == (type(one).__name__, [])
    assert {"Results", "RunResult", "Score", "ScoreBounds", "Qrels", "Pool", "Explanation"} <= kinds


def test_a_change_of_values_and_settings_is_an_error():
    results = rankeval.evaluate(QRELS, FIRST, "AP")
    score = results.runs[0]["AP"]

    with pytest.raises(ValueError, match="read-only"):
        score.values[0] = 1.0
    with pytest.raises(TypeError, match="cannot be changed"):
        results.settings["ties"] = "best"
    score.per_topic["q1"] = 7.0  # a copy
    assert score.per_topic["q1"] == 0.5


@pytest.mark.parametrize(
    "change",
    ["__setitem__", "__delitem__", "__ior__", "clear", "pop", "popitem", "setdefault", "update"],
)
def test_a_dictionary_refuses_every_change(change):
    one = read_only({"a": 1})

    with pytest.raises(TypeError, match="cannot be changed"):
        getattr(one, change)("a", 2)

    assert one == {"a": 1}


def test_a_dictionary_can_be_copied_pickled_and_encoded():
    one = read_only({"a": 1})

    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == json.loads(json.dumps(one))
    assert isinstance(pickle.loads(pickle.dumps(one)), ReadOnly)
    assert dict(one) | {"b": 2} == one | {"b": 2} == {"a": 1, "b": 2}


def test_what_was_given_stays_as_it_is():
    given = {"inner": {"a": 1}, "array": np.zeros(2)}
    holder = type("Holder", (), {})()
    vars(holder).update(given=given, array=given["array"])

    seal(holder)
    given["inner"]["a"] = 2
    given["array"][0] = 1.0

    assert holder.given["inner"] == {"a": 1}
    assert not holder.array.flags.writeable


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
