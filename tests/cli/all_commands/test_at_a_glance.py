"""What a person sees in a terminal: the table, the notes below it, whole words, one screen."""

import sys

import pytest

from tests.support.processes import ROOT
from tests.support.terminals import seen_in_terminal, without_codes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal is needed")
QRELS = "examples/qrels/python-reference.qrels"
RUNS = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "examples/runs").glob("*.run"))


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch):
    """Name files as README does, however long the path of the checkout is."""
    monkeypatch.chdir(ROOT)


def test_the_first_command_of_readme_fits_one_screen_with_its_notes():
    lines = without_codes(seen_in_terminal([QRELS, *RUNS], 80, 24)).splitlines()

    assert len(lines) < 24
    assert max(map(len, lines)) <= 80
    table = next(i for i, line in enumerate(lines) if line.startswith("R@1000"))
    notes = next(i for i, line in enumerate(lines) if line.startswith("ties: "))
    assert table < notes
    assert lines[-1].endswith("-v says more")


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_no_note_is_folded_inside_a_word(columns):
    narrow, wide = (
        without_codes(seen_in_terminal([QRELS, *RUNS, *command], width))
        for width, command in ((columns, ["-v"]), (2000, ["-v"]))
    )
    notes = narrow[narrow.index("qrels: ") :]

    assert max(map(len, notes.splitlines())) <= columns
    assert notes.split() == wide[wide.index("qrels: ") :].split()


def test_notes_are_dim_and_errors_are_not():
    seen = seen_in_terminal([QRELS, *RUNS])

    assert "\x1b[2mties: " in seen
