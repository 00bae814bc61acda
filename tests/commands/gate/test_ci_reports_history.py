"""`gate --append`: a line of JSON for each gate."""

import json
from datetime import UTC, datetime

import pytest

from rankeval.commands.gate.ci_reports import COMMITS
from tests.support.gate_files import PERFECT, QRELS, judged, worse_on
from tests.support.schemas import schema

validate = pytest.importorskip("jsonschema").validate


TOML = (
    'qrels = "qrels.txt"\nbaseline = "base.txt"\nruns = ["candidate.txt"]\n'
    "[suite.a.rules]\nmax-drop = { RR = 0.2 }\n[suite.b.rules]\nmin = { RR = 0.99 }\n"
)


@pytest.fixture
def gate(shell, monkeypatch):
    for name in COMMITS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CI_COMMIT_SHA", "abc123")
    shell.write(qrels=QRELS, base=PERFECT, candidate=worse_on(4))
    shell.path("rankeval.toml").write_text(TOML)

    def call(*options, file="history.jsonl"):
        outcome = shell("gate", *options, "--append", file)
        path = shell.path(file)
        lines = path.read_text().splitlines() if path.exists() else []
        return outcome, lines

    call.shell = shell
    return call


def valid(lines):
    found = [json.loads(line) for line in lines]
    for one in found:
        validate(one, schema("rankeval-gate-history/1"))
    return found


def test_a_line_has_what_the_report_has(gate):
    before = datetime.now(UTC).replace(microsecond=0)
    outcome, lines = gate("--suite", "a", "--json", "report.json")
    (one,) = valid(lines)
    report = judged(gate.shell.path("report.json").read_text())

    assert outcome.code == one["exit_code"] == 0
    assert before <= datetime.fromisoformat(one["time"]) <= datetime.now(UTC)
    assert (one["commit"], one["suite"], one["topics"]) == ("abc123", "a", report["topics"])
    assert one["qrels"] == report["qrels"]["digest"]
    for rule, told in zip(one["rules"], report["rules"], strict=True):
        assert rule == {key: told[key] for key in rule}
    # 4 of 20 topics fall from 1 to 1/2.
    assert one["rules"][0]["candidate"] == pytest.approx(0.9)


def test_each_suite_and_each_gate_has_a_line(gate):
    gate()
    gate.shell.path("candidate.txt").write_text(worse_on(5))
    _, lines = gate()
    found = valid(lines)

    assert [(one["suite"], one["passed"]) for one in found] == [("a", True), ("b", False)] * 2
    assert [one["rules"][0]["candidate"] for one in found[::2]] == [
        pytest.approx(0.9),
        pytest.approx(0.875),
    ]


def test_a_file_that_is_no_history_is_kept(gate):
    gate.shell.path("notes.txt").write_text("notes\n")
    outcome, lines = gate("--suite", "a", file="notes.txt")

    assert (outcome.code, lines) == (2, ["notes"])
    assert "another kind of file" in outcome.err
    assert gate("--suite", "a", file="-")[0].code == 2
