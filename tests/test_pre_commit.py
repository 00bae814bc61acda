"""The hooks for pre-commit: those of this repository, and the one for files of others."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.files import EXAMPLES

yaml = pytest.importorskip("yaml")


ROOT = Path(__file__).parents[1]
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))

needs_shell = pytest.mark.skipif(
    shutil.which("sh") is None or os.name == "nt", reason="needs a POSIX shell"
)


@pytest.fixture
def checked(tmp_path, monkeypatch):
    """Run the hook on some files, as pre-commit does: the words of its entry, then the files."""
    tools = tmp_path / "bin"
    tools.mkdir()
    command = tools / "rankeval"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rankeval "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    qrels = EXAMPLES / "qrels" / "python-reference.qrels"
    shutil.copy(qrels, tmp_path / "good.qrels")
    shutil.copy(EXAMPLES / "runs" / "bm25.run", tmp_path / "good one.run")
    line = qrels.read_text(encoding="utf-8").splitlines()[0]
    (tmp_path / "bad.qrels").write_text(f"{line}\n{line}\n")
    (tmp_path / "bad.run").write_text("1 Q0 a 1 0.5 tag\n1 Q0 b 2\n")

    def call(*files):
        words = [*shlex.split(HOOK["entry"]), *files]
        return subprocess.run(words, check=False, capture_output=True, text=True, cwd=tmp_path)

    return call


@needs_shell
def test_good_runs_and_qrels_pass_in_any_order(checked):
    for files in (("good one.run", "good.qrels"), ("good.qrels", "good one.run")):
        passed = checked(*files)

        assert (passed.returncode, passed.stdout, passed.stderr) == (0, "", "")


@needs_shell
def test_a_bad_run_and_bad_qrels_fail_and_only_their_reports_are_shown(checked):
    failed = checked("good one.run", "bad.run", "bad.qrels", "good.qrels", "missing.run")

    assert failed.returncode == 1
    assert "bad.run:2: found 4 columns" in failed.stdout
    assert "bad.qrels:2: document" in failed.stdout
    assert "missing.run" in failed.stdout + failed.stderr
    assert "good" not in failed.stdout
