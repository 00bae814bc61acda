"""Tables fit the terminal, whatever its width, and lose nothing for it."""

import re

import pytest

from tests.cli.files import EXAMPLE_QRELS, EXAMPLE_RUNS

WIDTHS = [40, 60, 80, 120]
ARGUMENTS = ["qrels.txt", *(path.name for path in EXAMPLE_RUNS), "--quiet"]


@pytest.fixture
def examples(shell):
    shell.write(qrels=EXAMPLE_QRELS.read_bytes())
    for path in EXAMPLE_RUNS:
        shell.path(path.name).write_bytes(path.read_bytes())
    return shell


def tables(text):
    """The lines of the tables, without what stands below them."""
    return [line for line in text.splitlines() if not line.startswith(("qrels:", "*"))]


@pytest.mark.parametrize("options", [[], ["-q"]], ids=["summary", "topics"])
@pytest.mark.parametrize("width", WIDTHS)
def test_tables_fit_the_terminal_and_hold_every_value(examples, monkeypatch, width, options):
    monkeypatch.setenv("COLUMNS", "1000")
    wide = examples(*ARGUMENTS, *options)
    monkeypatch.setenv("COLUMNS", str(width))
    narrow = examples(*ARGUMENTS, *options)

    assert max(map(len, tables(narrow.out))) <= width
    numbers = re.compile(r"\d\.\d{4}\*?")
    assert sorted(numbers.findall(narrow.out)) == sorted(numbers.findall(wide.out))
