"""`gate --comment`: Markdown for one comment on a pull request."""

import pytest

from rankeval.commands.gate.reports import github
from rankeval.commands.gate.reports.github import marker
from tests.support.gate_files import PERFECT, QRELS, worse_on

TOML = (
    'qrels = "qrels.txt"\nbaseline = "base.txt"\nruns = ["candidate.txt"]\n'
    "[suite.a.rules]\nmax-drop = { RR = 0.2 }\n[suite.b.rules]\nmin = { RR = 0.99 }\n"
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


def test_a_comment_has_a_marker_a_table_and_folded_details(gate):
    outcome, text = gate("--suite", "b")

    lines = text.splitlines()
    assert outcome.code == 1
    assert lines[0] == "<!-- rankeval gate: b -->"
    assert lines[1].startswith("### rankeval gate: b: FAIL: candidate against perfect")
    assert lines[3] == "| rule |  | baseline | candidate | drop | verdict |"
    assert text.count("<details>") == text.count("</details>") == 1
    assert text.index("| min RR=0.99 |") < text.index("<details>") < text.index("RR is 0.9000")


def test_a_comment_says_that_the_gate_could_not_judge(gate):
    gate("--suite", "a")
    outcome, text = gate("--suite", "a", "--min", "NoSuch=1")

    assert outcome.code == 2
    assert text.startswith("<!-- rankeval gate: a -->\n### rankeval gate: ERROR: unknown measure")


def test_a_comment_is_no_longer_than_github_takes(gate, monkeypatch):
    _, whole = gate("--all-suites")
    short = whole.partition("\n<details>")[0]
    monkeypatch.setattr(github, "LONGEST", len(whole) - 1)
    _, of_broken = gate("--all-suites")
    monkeypatch.setattr(github, "LONGEST", len(short) + 10)
    _, without_details = gate("--all-suites")
    monkeypatch.setattr(github, "LONGEST", len(short) - 20)
    _, cut = gate("--all-suites")

    told = "\nThe details are too long for a comment; the other reports have them.\n"
    of_a = whole[whole.index("\n<details><summary>a: ") : whole.index("\n<details><summary>b: ")]
    of_one = told.replace("details", "details of 1 suite")
    assert of_broken == whole.replace(of_a, "").removesuffix("\n</details>\n") + (
        f"{of_one}\n</details>\n"
    )
    assert without_details == short + told
    assert cut.endswith(told)
    assert len(cut) <= len(short) - 20 + len(told) + 1
    assert short.startswith(cut.removesuffix("\n" + told))


def in_sight(text):
    """The lines of a comment that show before anything is unfolded."""
    return text[: text.index("</summary>")].splitlines()


def rows_of(text):
    return [line for line in text.splitlines() if line.startswith("| ") and "---" not in line]


def test_at_most_twelve_lines_of_many_suites_show_with_those_that_fail(gate):
    toml = TOML + "".join(f"[suite.s{k}.rules]\nmin = {{ RR = 0.1 }}\n" for k in range(28))
    gate.shell.path("rankeval.toml").write_text(toml)
    _, text = gate("--all-suites")

    assert len(in_sight(text)) == 12
    assert "| b | **FAIL** |" in "\n".join(in_sight(text))
    assert "25 more suites, and details" in text
    suites = [row for row in rows_of(text) if row.startswith(("| a |", "| b |", "| s"))]
    names = [row.split(" | ")[0] for row in suites if not row.startswith("| suite")]
    assert len(names) == len({*names}) == 30


@pytest.mark.parametrize("suite", ["a-->b", "x\ny", "--", "::error::"])
def test_no_suite_ends_the_marker(suite):
    line = marker(suite)

    assert line.count("-->") == line.count("\n") == 1
    assert line.endswith(" -->\n")


def test_a_comment_overwrites_no_input_and_no_other_file(gate):
    gate.shell.path("comment.md").write_text("notes")
    outcome, text = gate("--suite", "a", "--min", "NoSuch=1")
    assert (outcome.code, text) == (2, "notes")

    outcome = gate.shell("gate", "--suite", "a", "--comment", "candidate.txt")
    assert outcome.code == 2
    assert gate.shell.path("candidate.txt").read_text() == worse_on(4)
