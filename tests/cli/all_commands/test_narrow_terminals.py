"""Tables fit the terminal, whatever its width, and lose nothing for it."""

import re
import sys

import pytest

from tests.support.files import EXAMPLE_QRELS, EXAMPLE_RUNS

WIDTHS = [40, 60, 80, 120]
ARGUMENTS = ["qrels.txt", *(path.name for path in EXAMPLE_RUNS), "--quiet"]


@pytest.fixture
def examples(shell):
    shell.write(qrels=EXAMPLE_QRELS.read_bytes())
    for path in EXAMPLE_RUNS:
        shell.path(path.name).write_bytes(path.read_bytes())
    return shell


def on_a_terminal(monkeypatch):
    """Make standard output a terminal of the width that COLUMNS says."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)


def tables(text):
    """The lines of the tables, without what stands below them."""
    return [line for line in text.splitlines() if not line.startswith(("qrels:", "*"))]


@pytest.mark.parametrize("options", [[], ["-q"]], ids=["summary", "topics"])
def test_tables_fit_the_terminal_and_hold_every_value(examples, monkeypatch, options):
    on_a_terminal(monkeypatch)
    monkeypatch.setenv("COLUMNS", "1000")
    wide = examples(*ARGUMENTS, *options)
    numbers = re.compile(r"\d\.\d{4}\*?")
    for width in WIDTHS:
        monkeypatch.setenv("COLUMNS", str(width))
        narrow = examples(*ARGUMENTS, *options)

        assert max(map(len, tables(narrow.out))) <= width
        assert sorted(numbers.findall(narrow.out)) == sorted(numbers.findall(wide.out))
