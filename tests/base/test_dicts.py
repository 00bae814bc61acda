"""What results and settings hold cannot be changed."""

import copy
import dataclasses
import json
import pickle

import numpy as np
import pytest

import rankeval
from rankeval.base.dicts import ReadOnly, read_only, seal

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
    [
        lambda one: one.__setitem__("a", 2),
        lambda one: one.__delitem__("a"),
        lambda one: one.__ior__({"a": 2}),
        lambda one: one.clear(),
        lambda one: one.pop("a"),
        lambda one: one.popitem(),
        lambda one: one.setdefault("b", 2),
        lambda one: one.update(a=2),
    ],
)
def test_a_dictionary_refuses_every_change(change):
    one = read_only({"a": 1})

    with pytest.raises(TypeError, match="cannot be changed"):
        change(one)

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
