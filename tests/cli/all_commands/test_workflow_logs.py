"""In the log of a workflow no line of a report is a command, whatever names come to stand first."""

import json
import re

import pytest

from rankeval.base.endings import harmless, harmless_json, harmless_latex
from tests.support.files import qrels_of, run_of

NAMES = ["::error::x", "##[error]y", "::stop-commands::z", "a##[group]b"]
QRELS = qrels_of(**dict.fromkeys(NAMES, "r1 x0"))
RUNS = {
    "a": run_of("::set-output,name=a::b", **dict.fromkeys(NAMES, "r x")),
    "b": run_of("##[warning]b", **dict.fromkeys(NAMES, "x r")),
}
WIDE = "::notice::" + "w" * 90
"""Too wide for a line of its own beside others: wrapped, it begins one."""

EVAL = ["eval", "qrels.txt", "a.txt", "b.txt", f"{WIDE}.txt", "-q", "-m", "RR P@1"]
GATE = ["gate", "qrels.txt", "a.txt", "b.txt", "--max-drop", "RR=0.1"]


def commands_in(text):
    """The lines that GitHub's runner takes for commands: it trims them, and splits at any end."""
    return [line for line in text.splitlines() if line.strip().startswith("::") or "##[" in line]


@pytest.fixture
def files(shell, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    shell.write(qrels=QRELS, **RUNS)
    shell.path(f"{WIDE}.txt").write_text(RUNS["b"].replace("##[warning]b", WIDE))
    return shell


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "json", "html"])
def test_no_line_of_a_report_is_a_command(files, form):
    """As for all commands in test_contract, of names that are wrapped to the next line."""
    outcome = files(*EVAL, "-f", form)

    assert outcome.code == 0
    assert commands_in(outcome.out + outcome.err) == []


@pytest.mark.parametrize("form", ["tsv", "csv", "trec"])
def test_data_stays_as_it_is(files, monkeypatch, form):
    words = ["eval", "qrels.txt", "a.txt", "-q", "-m", "RR", "-f", form]
    within = files(*words)
    monkeypatch.delenv("GITHUB_ACTIONS")

    assert files(*words).out == within.out
    assert "::error::x" in within.out


def test_files_stay_as_they_are(files):
    assert files(*EVAL, "-o", "table.txt").code == 0
    assert "::set-output" in files.path("table.txt").read_text()


def test_errors_are_no_commands(files):
    files.write(wrong="::error::x Q0 r 1 nan ##[error]tag\n")

    outcome = files("eval", "qrels.txt", "wrong.txt", "##[error]no.txt", "-m", "RR")

    assert outcome.code == 2
    assert commands_in(outcome.err) == []


def test_the_option_does_what_the_environment_does(files, monkeypatch):
    monkeypatch.delenv("GITHUB_ACTIONS")

    outcome = files(*GATE, "--github")

    ours = re.compile(r"::(error|warning|notice) title=rankeval gate")
    assert [line for line in commands_in(outcome.out) if not ours.match(line)] == []
    assert any(map(ours.match, outcome.out.splitlines()))
    assert commands_in(outcome.err) == []


@pytest.mark.parametrize("blank", ["", " ", "\t  ", "\u3000", "\xa0"])
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\x0b", "\x85", "\u2028"])
def test_blanks_and_line_ends_of_any_kind_are_seen_through(blank, end):
    text = f"x{end}{blank}::error::y ##[error]z"

    assert commands_in(harmless(text)) == []
    assert commands_in(harmless_latex(text)) == []


def test_what_is_no_command_stays():
    text = "std::vector\n  a::b\n:x\n#[ #["

    assert harmless(text) == harmless_latex(text) == text
    assert json.loads(harmless_json(json.dumps("##[error]"))) == "##[error]"
