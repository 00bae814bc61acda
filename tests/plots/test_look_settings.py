"""Settings of matplotlib, its own or the user's."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import run_command
from tests.support.files import BM25, DENSE, QRELS

PICTURES = [("plot", "pr", "q", "a.run", "-o", f"found.{kind}") for kind in ("png", "svg", "pdf")]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    for name, text in ("q", QRELS), ("a.run", BM25), ("b.run", DENSE):
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


def python(*words, **environment):
    """Run Python in a process of its own."""
    env = {**os.environ, **environment}
    return subprocess.run(words, env=env, capture_output=True, text=True, check=False, timeout=120)


def test_pictures_are_the_same_whatever_the_settings_of_matplotlib(tmp_path):
    assert [run_command(words).code for words in PICTURES] == [0, 0, 0]
    usual = {path.name: path.read_bytes() for path in tmp_path.glob("found.*")}
    for name in usual:
        Path(name).unlink()
    Path("matplotlibrc").write_text("font.size: 33\nlines.linewidth: 9\nsavefig.dpi: 7\n")
    code = f"from rankeval.__main__ import run\nraise SystemExit(sum(map(run, {PICTURES})))"

    done = python(sys.executable, "-c", code, MPLBACKEND="agg")

    assert (done.returncode, done.stderr) == (0, "")
    assert {path.name: path.read_bytes() for path in tmp_path.glob("found.*")} == usual


def test_settings_that_matplotlib_cannot_read_are_refused():
    done = python(sys.executable, "-m", "rankeval", *PICTURES[0], MPLBACKEND="nonsense")

    assert (done.returncode, done.stdout) == (2, "")
    assert "matplotlib cannot read its settings" in done.stderr
    assert "MPLBACKEND" in done.stderr
    assert not Path("found.png").exists()
