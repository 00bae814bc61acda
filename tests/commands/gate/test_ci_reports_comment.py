"""`gate --comment`: Markdown for one comment on a pull request."""

import pytest

from rankeval.commands.gate import ci_reports
from tests.support.gate_files import PERFECT, QRELS, worse_on

FILES = 'qrels = "qrels.txt"\nbaseline = "base.txt"\nruns = ["candidate.txt"]\n'
TOML = (
    f"{FILES}[suite.a.rules]\nmax-drop = {{ RR = 0.2 }}\n[suite.b.rules]\nmin = {{ RR = 0.99 }}\n"
)


@pytest.fixture
def gate(shell):
    shell.write(qrels=QRELS, base=PERFECT, candidate=worse_on(4))
    shell.path("rankeval.toml").write_text(TOML)

    def call(*options):
        outcome = shell("gate", *options, "--comment", "comment.md")
        path = shell.path("comment.md")
        return outcome, path.read_text() if path.exists() else ""

    call.shell = shell
    return call


def test_a_comment_has_a_marker_the_verdict_and_a_table(gate):
    outcome, text = gate("--suite", "b")

    lines = text.splitlines()
    assert outcome.code == 1
    assert lines[0] == "<!-- rankeval gate: b -->"
    assert lines[1] == "### rankeval gate: b: failed: candidate vs. baseline perfect, 20 topics"
    assert "| **failed** | RR | 1.0000 -> 0.9000 | -0.1000 | min 0.99 |  |" in lines


def test_a_comment_says_that_the_gate_could_not_judge(gate):
    gate("--suite", "a")
    outcome, text = gate("--suite", "a", "--min", "NoSuch=1")

    assert outcome.code == 2
    start = "<!-- rankeval gate: a -->\n### rankeval gate: a: cannot be judged: "
    assert text.startswith(f"{start}--min: unknown measure")


def test_a_comment_is_no_longer_than_github_takes(gate):
    toml = FILES + "".join(
        f"[suite.s{number}.rules]\nmin = {{ RR = 0.99 }}\n" for number in range(500)
    )
    gate.shell.path("rankeval.toml").write_text(toml)
    outcome, text = gate()

    assert outcome.code == 1
    assert ci_reports.LONGEST < len(text) < 65_536
    assert text.endswith("\nThe rest is in the other reports.\n")


def test_a_comment_overwrites_no_input_and_no_other_file(gate):
    gate.shell.path("comment.md").write_text("notes")
    outcome, text = gate("--suite", "a", "--min", "NoSuch=1")
    assert (outcome.code, text) == (2, "notes")

    outcome = gate.shell("gate", "--suite", "a", "--comment", "candidate.txt")
    assert outcome.code == 2
    assert gate.shell.path("candidate.txt").read_text() == worse_on(4)
