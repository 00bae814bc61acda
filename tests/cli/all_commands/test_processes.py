"""What only a process of its own shows: pipes, signals, terminals and what gets imported."""

import os
import subprocess
import sys
from contextlib import suppress

import pytest

from tests.support.files import BM25, DENSE, EXAMPLES, QRELS

RANKEVAL = [sys.executable, "-m", "rankeval"]
ROOT = EXAMPLES.parent
PATIENCE = 60

needs_posix = pytest.mark.skipif(
    os.name != "posix", reason="pipes, pseudo-terminals and SIGINT as POSIX has them"
)


@pytest.fixture
def environment():
    """The environment of a plain terminal, in which this checkout is what `rankeval` is."""
    unwanted = ("NO_COLOR", "FORCE_COLOR", "LINES", "PYTHONWARNINGS")
    inherited = {name: value for name, value in os.environ.items() if name not in unwanted}
    return {**inherited, "PYTHONPATH": str(ROOT), "COLUMNS": "80", "TERM": "xterm"}


@pytest.fixture
def files(tmp_path):
    for name, text in (("qrels", QRELS), ("bm25", BM25), ("dense", DENSE)):
        (tmp_path / f"{name}.txt").write_text(text)
    return tmp_path


def on_terminal(arguments, environment, directory):
    """The output of a command whose stdout is a terminal."""
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*RANKEVAL, *arguments],
        stdout=theirs,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=directory,
    ) as process:
        os.close(theirs)
        pieces = []
        # Linux ends a terminal whose other side is closed with an error.
        with suppress(OSError):
            while piece := os.read(ours, 4096):
                pieces.append(piece)
        os.close(ours)
        process.wait(PATIENCE)
    return b"".join(pieces).decode().replace("\r\n", "\n")


BOTH = ("qrels.txt", "bm25.txt", "dense.txt", "-m", "AP")


@needs_posix
@pytest.mark.parametrize(
    ("variables", "options"),
    [({"NO_COLOR": "1"}, []), ({"TERM": "dumb"}, []), ({}, ["--no-color"])],
    ids=["NO_COLOR", "TERM=dumb", "--no-color"],
)
def test_a_terminal_gets_no_escape_codes_where_they_are_not_wanted(
    files, environment, variables, options
):
    shown = on_terminal([*BOTH, *options], {**environment, **variables}, files)

    assert "\x1b" not in shown
    assert "dense  1.0000*\n" in shown
