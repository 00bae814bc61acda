"""Gates in Python, without the command."""

import pytest

import rankeval
from tests.support.gate_files import TOPICS


def test_a_gate_takes_dictionaries_and_judges_each_rule():
    qrels = {topic: {"r": 1, "x": 0} for topic in TOPICS}
    base = {topic: {"r": 2.0, "x": 1.0} for topic in TOPICS}
    candidate = base | {"t01": {"r": 1.0, "x": 2.0}}

    report = rankeval.gate(qrels, base, candidate, ["max-drop RR=0.01", "min RR=0.9"])

    assert [outcome.passed for outcome in report.outcomes] == [False, True]
    assert report.outcomes[0].drop == pytest.approx(0.5 / 20)
    assert report.exit_code == 1
