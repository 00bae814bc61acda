"""`rankeval --show-completion SHELL` and `--install-completion SHELL`."""

import os
import subprocess
import sys

import pytest

from rankeval.__main__ import run

SHELLS = ["bash", "zsh", "fish"]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_that_of_the_shell_that_is_named_or_runs(shell, capsys, monkeypatch):
    code = run(["--show-completion", shell])
    shown = capsys.readouterr()
    monkeypatch.setattr("shellingham.detect_shell", lambda: (shell, "/bin/" + shell))
    run(["--show-completion"])

    assert (code, shown.err) == (0, "")
    assert f"complete_{shell}" in shown.out
    assert shown.out == capsys.readouterr().out


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_installed_for_the_shell_that_is_named(shell, tmp_path):
    environment = {**os.environ, "HOME": str(tmp_path), "SHELL": "/bin/sh"}

    done = subprocess.run(
        [sys.executable, "-m", "rankeval", "--install-completion", shell],
        capture_output=True, text=True, env=environment, check=True,
    )  # fmt: skip

    (path,) = [path for path in tmp_path.rglob("*rankeval*") if path.is_file()]
    assert str(path) in done.stdout
    assert f"complete_{shell}" in path.read_text()


@pytest.mark.parametrize("words", [["csh"], ["fish", "zsh"]])
def test_other_words_are_refused(words, capsys):
    assert run(["--show-completion", *words]) == 2

    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"there is no completion for '{' '.join(words)}'" in captured.err
    assert "expected: one of bash, zsh, fish" in captured.err
