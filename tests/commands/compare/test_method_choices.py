"""Named runs, and choices by their names, which are checked where they are made."""

import pytest

import rankeval
from rankeval.commands.gate.rules import Decision

QRELS = {"q1": {"d1": 1}, "q2": {"d2": 1}}
FIRST = {"q1": {"d7": 2, "d1": 1}, "q2": {"d2": 1}}
SECOND = {"q1": {"d1": 2, "d7": 1}, "q2": {"d2": 1}}


def test_the_baseline_may_be_named():
    found = rankeval.compare(QRELS, {"old": FIRST}, {"new": SECOND}, "RR")

    assert [(pair.baseline, pair.run) for pair in found.pairs] == [("old", "new")]
    with pytest.raises(rankeval.UsageError, match="found 2 baselines"):
        rankeval.compare(QRELS, {"a": FIRST, "b": SECOND}, SECOND, "RR")


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        *((rankeval.options.Method, name, "xyz") for name in ("test", "correction")),
        (rankeval.options.Method, "test", 1),
        *((Decision, name, "x") for name in ("policy", "bound")),
    ],
)
def test_what_is_no_choice_is_refused_at_once(kind, name, value):
    with pytest.raises(rankeval.UsageError, match=f"{name} cannot be {value!r}"):
        kind(**{name: value})
