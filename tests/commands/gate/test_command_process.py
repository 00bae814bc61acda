"""Every rule, verdict, policy and report of a gate, and every exit code, from a process."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

from tests.support.files import EXAMPLES
from tests.support.gate_files import PERFECT, QRELS, judged, run_with, worse_on
from tests.support.junit_schema import problems

pytestmark = pytest.mark.slow

REPORTS = ("--junit", "g.xml", "--json", "g.json", "--github", "-o", "g.md")


@pytest.fixture
def gate(tmp_path):
    """Run the gate on a candidate with all reports asked for."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(EXAMPLES.parent),
        "COLUMNS": "80",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
    }
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "base.txt").write_text(PERFECT)

    def call(candidate, *rules, reports=REPORTS, stdout=subprocess.PIPE):
        (tmp_path / "candidate.txt").write_text(candidate)
        files = ("qrels.txt", "base.txt", "candidate.txt")
        return subprocess.run(
            [sys.executable, "-m", "rankeval", "gate", *files, *rules, *reports],
            cwd=tmp_path,
            env=environment,
            stdout=stdout,
            stderr=subprocess.PIPE,
            check=False,
            text=True,
        )

    call.path = tmp_path
    return call


def told_alike(folder, outcome):
    """Every report tells what the exit code does: how many rules are broken."""
    report = judged((folder / "g.json").read_text())
    broken = [rule for rule in report["rules"] if not rule["passed"]]
    suite = ET.parse(folder / "g.xml").getroot().find("testsuite")

    assert problems(folder / "g.xml") == []
    assert (report["exit_code"], report["passed"]) == (outcome.returncode, not broken)
    assert outcome.returncode == (1 if broken else 0)
    assert suite.get("failures") == str(len(broken))
    assert len(list(suite.iter("failure"))) == len(broken)
    assert outcome.stdout.count("::error ") == len(broken)
    headline = report["summary"]
    assert headline.startswith("failed" if broken else "passed")
    for name in ("g.md", "summary.md"):
        text = (folder / name).read_text().removeprefix("### rankeval gate: ")
        assert text.startswith(f"{headline}\n")
        assert text.count("**failed**") == len(broken)
    return report


@pytest.mark.parametrize(
    ("rules", "broken"),
    [
        (["--max-drop", "RR=5%"], []),
        (["--max-drop", "RR=4.9%"], ["max-drop RR=4.9%"]),
        (["--min", "RR=0.95"], []),
        (["--min", "RR=0.96"], ["min RR=0.96"]),
        (["--max", "Unjudged@3=0"], []),
        (["--max", "RR=0.9"], ["max RR=0.9"]),
        (["--max-topic-drop", "RR=0.5"], []),
        (["--max-topic-drop", "RR=49%"], ["max-topic-drop RR=49%"]),
        (
            ["--max-drop", "RR=0.01", "--min", "RR=0.5", "--max-topic-drop", "RR=0.1"],
            ["max-drop RR=0.01", "max-topic-drop RR=0.1"],
        ),
    ],
)
def test_rules_make_the_exit_code(gate, rules, broken):
    outcome = gate(worse_on(2), *rules)

    report = told_alike(gate.path, outcome)
    assert [rule["rule"] for rule in report["rules"] if not rule["passed"]] == broken
    for name in broken:
        assert name.replace(":", "%3A").replace("%", "%25") in outcome.stdout


@pytest.mark.parametrize(
    ("candidate", "rules", "told"),
    [
        (PERFECT, ["--max-drop", "RR=lots"], "'lots' is not a limit"),
        (PERFECT, ["--max-drop", "nDGC@10=0.1"], "nDCG"),
        (PERFECT, [], "no rule to judge by"),
        ("t01 Q0 r 1 nan c\n", ["--min", "RR=0.1"], "candidate.txt:1"),
        ("t99 Q0 r 1 1 c\n", ["--min", "RR=0.1"], "no topic in common"),
        (PERFECT, ["--min", "RR=0.1", "--policy", "strict"], "'strict'"),
    ],
)
def test_what_cannot_be_judged_ends_with_2_and_every_report_says_so(gate, candidate, rules, told):
    assert gate(PERFECT, "--min", "RR=0.1").returncode == 0  # leaves reports of an open gate
    (gate.path / "summary.md").unlink()

    outcome = gate(candidate, *rules)

    assert outcome.returncode == 2
    assert told in outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert outcome.stdout.startswith("::error title=rankeval gate::")
    assert outcome.stdout.count("\n") == 1
    document = (gate.path / "g.json").read_text()
    assert json.loads(document)["schema"] == "rankeval-gate/1"
    report = judged(document)
    assert (report["exit_code"], report["passed"]) == (2, False)
    assert told in report["error"]["message"]
    assert problems(gate.path / "g.xml") == []
    (error,) = ET.parse(gate.path / "g.xml").getroot().iter("error")
    assert told in error.text
    for name in ("g.md", "summary.md"):
        assert "cannot be judged: " in (gate.path / name).read_text()


@pytest.mark.skipif(os.name != "posix", reason="pipes as POSIX has them")
@pytest.mark.parametrize(("limit", "code"), [("0.9", 0), ("0.99", 1)])
def test_a_reader_that_leaves_does_not_change_the_exit_code(gate, limit, code):
    reading, writing = os.pipe()
    os.close(reading)

    outcome = gate(worse_on(2), "--min", f"RR={limit}", "--quiet", reports=(), stdout=writing)
    os.close(writing)

    assert (outcome.returncode, outcome.stderr) == (code, "")


UNDEFINED = '''
import numpy as np
from rankeval import measure


@measure("OddRR")
def odd(ranking) -> float:
    """Reciprocal rank, undefined below rank 2.

        1 / r

    Edge cases
        - None.

    Source
        This test.
    """
    grades = list(ranking.grades)
    first = grades.index(1) + 1
    return 1 / first if first < 3 else float("nan")
'''


def test_a_drop_and_its_means_are_over_topics_that_both_have_a_value_for(gate):
    (gate.path / "odd.py").write_text(UNDEFINED)
    candidate = run_with("c", t01="x y r", t02="x r y", t03="x r y")

    outcome = gate(candidate, "--plugin", "odd.py", "--max-drop", "OddRR=1%")

    (rule,) = told_alike(gate.path, outcome)["rules"]
    # t01 has no value; of the other 19 topics two fall from 1 to 1/2.
    assert (rule["baseline"], rule["candidate"]) == (1.0, pytest.approx(18 / 19))
    assert rule["drop"] == pytest.approx(1 / 19)
    assert "over the 19 topics with both values" in (gate.path / "g.md").read_text()


COUNTED = """
from rankeval.base.progress import listening
from rankeval.gating import gate_suites, read_suites

with listening(lambda *counts: print(*counts)):
    gate_suites(read_suites(), jobs=2)
"""


def test_suites_that_threads_judge_are_counted_as_they_come(tmp_path):
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "base.txt").write_text(PERFECT)
    (tmp_path / "rankeval.toml").write_text(
        'qrels = "qrels.txt"\nbaseline = "base.txt"\nruns = ["base.txt"]\n'
        + "".join(f"[suite.s{number}.rules]\nmin = {{ RR = 0.5 }}\n" for number in range(3))
    )

    done = subprocess.run(
        [sys.executable, "-c", COUNTED],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(EXAMPLES.parent)},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )

    suites = [line for line in done.stdout.splitlines() if line.startswith("suites")]
    assert suites == [f"suites {judged} 3" for judged in (1, 2, 3)]
