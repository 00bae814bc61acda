"""What reports of a gate say where it cannot judge, and whose they are."""

import xml.etree.ElementTree as ET

import pytest

from tests.support.gate_files import PERFECT, QRELS, judged, worse_on
from tests.support.junit_schema import problems

SUITES = """\
qrels = "qrels.txt"
baseline = "base.txt"
runs = ["candidate.txt"]
[suite.a.rules]
max-drop = { RR = 0.01 }
[suite.b.rules]
max-drop = { RR = 0.01 }
"""


@pytest.fixture
def gate(shell):
    shell.write(qrels=QRELS, base=PERFECT, candidate=worse_on(2))
    shell.path("rankeval.toml").write_text(SUITES)
    return shell


def read(shell, name="g.json"):
    return judged(shell.path(name).read_text())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--suite", "c"], "has no suite 'c'"),
        (["--suite", "a", "--policy", "strict"], "'strict'"),
        (["--suite", "a", "--min", "RR=many"], "'many' is not a limit"),
        (["qrels.txt", "base.txt", "nowhere.txt", "--min", "RR=0.1"], "nowhere.txt"),
    ],
)
def test_no_report_of_an_earlier_verdict_is_left(gate, words, told):
    named = ("--junit", "g.xml", "--json", "g.json", "--comment", "g.md")
    assert gate("gate", "--suite", "a", *named).code == 1

    outcome = gate("gate", *words, *named)

    assert (outcome.code, outcome.out) == (2, "")
    assert problems(gate.path("g.xml")) == []
    (suite,) = ET.parse(gate.path("g.xml")).getroot()
    assert (suite.get("errors"), suite.get("failures")) == ("1", "0")
    report = read(gate)
    assert (report["exit_code"], report["passed"]) == (2, False)
    assert told in report["error"]["message"]
    assert "cannot be judged: " in gate.path("g.md").read_text()


def test_an_error_is_written_over_nothing_but_reports(gate):
    gate.path("notes.json").write_text('{"mine": 1}\n')
    names = ("qrels.txt", "base.txt", "notes.json")
    inputs = {name: gate.path(name).read_bytes() for name in names}

    for report in ("--junit", "--json", "-o"):
        for name in inputs:
            words = ("qrels.txt", "base.txt", "nowhere.txt", "--min", "RR=0.1", "-f", "json")
            assert gate("gate", *words, "--github", report, name).code == 2

    assert {name: gate.path(name).read_bytes() for name in inputs} == inputs


BROKEN = {
    "unknown key": SUITES + "nonsense = 1\n",
    "no TOML": SUITES + "[[[\n",
    "no such suite": SUITES,
}


@pytest.mark.parametrize("broken", BROKEN)
def test_an_error_in_a_suite_is_written_over_nothing_that_the_suite_names(gate, broken):
    gate.path("rankeval.toml").write_text(BROKEN[broken])
    gate.path("base.txt").write_text("")
    names = ("qrels.txt", "base.txt", "candidate.txt", "rankeval.toml")
    before = {name: gate.path(name).read_bytes() for name in names}
    words = ["--suite", "nowhere"]

    for name in names:
        for report in ("--junit", "--json", "-o"):
            assert gate("gate", *words, "--github", report, name).code == 2

    assert {name: gate.path(name).read_bytes() for name in names} == before
    gate("gate", *words, "--json", "new.json")
    assert read(gate, "new.json")["exit_code"] == 2


@pytest.mark.parametrize(("worst", "verdict"), [("0.01", "failed"), ("0.9", "passed")])
@pytest.mark.parametrize("option", ["--junit", "--json", "--comment", "-o", "--append"])
def test_a_gate_that_judged_but_could_not_report_ends_with_3_and_says_both(
    gate, option, worst, verdict
):
    """Whatever its verdict; the other reports tell the verdict, as the printed one does."""
    gate.path("folder").mkdir()
    others = ("--json", "g.json") if option != "--json" else ("--junit", "g.xml")
    words = ("qrels.txt", "base.txt", "candidate.txt", "--max-drop", f"RR={worst}")
    outcome = gate("gate", *words, option, "folder", *others, "-f", "table")

    assert outcome.code == 3
    assert "folder: cannot write: is a directory" in outcome.err
    assert (
        f"the gate has judged, but not all could be written: {verdict}: candidate vs."
        in outcome.err
    )
    if option != "-o":
        assert outcome.out.startswith(f"{verdict}: ")
    if option != "--json":
        assert (read(gate)["exit_code"], read(gate)["passed"]) == (
            int(verdict == "failed"),
            verdict == "passed",
        )


def test_a_bug_leaves_no_report_of_an_earlier_verdict(gate, monkeypatch):
    gate("gate", "--suite", "a", "--json", "g.json")

    def fail(*_arguments, **_options):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("rankeval.commands.gate.task.evaluate", fail)

    assert gate("gate", "--suite", "a", "--json", "g.json").code == 70
    assert read(gate)["exit_code"] == 70
