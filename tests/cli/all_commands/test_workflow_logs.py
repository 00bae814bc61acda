"""In the log of a workflow no line of a report is a command, whatever names come to stand first."""

import pytest

from rankeval.base.endings import harmless
from tests.support.files import qrels_of, run_of

NAMES = ["::error::x", "##[error]y", "::stop-commands::z", "a##[group]b"]
QRELS = qrels_of(**dict.fromkeys(NAMES, "r1 x0"))
RUNS = {
    "a": run_of("::set-output,name=a::b", **dict.fromkeys(NAMES, "r x")),
    "b": run_of("##[warning]b", **dict.fromkeys(NAMES, "x r")),
}


def commands_in(text):
    """The lines that GitHub's runner takes for commands: it trims them, and splits at any end."""
    return [line for line in text.splitlines() if line.strip().startswith("::") or "##[" in line]


@pytest.fixture
def files(shell, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    shell.write(qrels=QRELS, **RUNS)
    return shell


@pytest.mark.parametrize("blank", ["", " ", "\t  ", "\u3000", "\xa0"])
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\x0b", "\x85", "\u2028"])
def test_blanks_and_line_ends_of_any_kind_are_seen_through(blank, end):
    text = f"x{end}{blank}::error::y ##[error]z"

    assert commands_in(harmless(text)) == []


def test_what_is_no_command_stays():
    text = "std::vector\n  a::b\n:x\n#[ #["

    assert harmless(text) == text
