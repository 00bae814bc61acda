"""Completion as people meet it: bash, zsh and fish at a terminal, with the tab key."""

import contextlib
import os
import shutil
import subprocess
import sys
import time

import pytest

pexpect = pytest.importorskip("pexpect")

pytestmark = pytest.mark.skipif(os.name == "nt", reason="terminals of Unix")

SHELLS = {"bash": ["-i"], "zsh": ["-i"], "fish": ["-i"]}
"""The options with which each reads its own set-up."""

HOSTILE = "7$(touch${IFS}ran)`touch${IFS}ran`;touch${IFS}ran"
PATIENCE = 60
"""Seconds, for machines that do much else."""


class Terminal:
    """A shell at a terminal in a home of its own, where `rankeval` writes down what it is given."""

    def __init__(self, shell, home):
        self._given = home / "given"
        command = home / "bin" / "rankeval"
        command.parent.mkdir()
        command.write_text(
            f'#!/bin/sh\nif [ -n "$_RANKEVAL_COMPLETE" ]; then\n'
            f'  exec "{sys.executable}" -m rankeval\nfi\n'
            f"cd '{home}'\nprintf '%s\\n' \"$@\" >new && mv new '{self._given.name}'\n"
        )
        command.chmod(0o755)
        environment = {
            "HOME": str(home),
            "PATH": f"{command.parent}:{os.environ['PATH']}",
            "TERM": "xterm",
            "LC_ALL": "C.UTF-8",
            "ZDOTDIR": str(home),
        }
        subprocess.run(
            [sys.executable, "-m", "rankeval", "--install-completion", shell],
            env=environment, capture_output=True, check=True,
        )  # fmt: skip
        self._child = pexpect.spawn(
            shutil.which(shell), SHELLS[shell], env=environment, cwd=str(home),
            timeout=PATIENCE, encoding="utf-8", echo=False,
        )  # fmt: skip
        self._child.setwinsize(40, 200)
        self.given("rankeval ready")

    def given(self, keys):
        """Type keys and Return; give the words that the command then got."""
        self._child.send(f"{keys}\r")
        begun, seen = time.monotonic(), ""
        while not self._given.exists():
            assert time.monotonic() < begun + PATIENCE, seen
            with contextlib.suppress(pexpect.TIMEOUT):
                seen += self._child.read_nonblocking(4096, timeout=0.05)
        words = self._given.read_text().split("\n")[:-1]
        self._given.unlink()
        return words

    def close(self):
        self._child.close(force=True)


@pytest.fixture(scope="module", params=SHELLS)
def terminal(request, tmp_path_factory):
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    home = tmp_path_factory.mktemp(request.param)
    (home / "judged.txt").write_text("301 0 a 1\n401 0 d 2\n")
    (home / "hostile.txt").write_text(f"{HOSTILE} 0 a 1\n8 0 d 2\n")
    terminal = Terminal(request.param, home)
    terminal.home = home
    yield terminal
    terminal.close()


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("rankeval comp\t", ["compare"]),
        ("rankeval eval --tie\t", ["eval", "--ties"]),
        ("rankeval eval q r --ties be\t", ["eval", "q", "r", "--ties", "best"]),
        ("rankeval eval q r --ties=be\t", ["eval", "q", "r", "--ties=best"]),
        ("rankeval q r -m nDCG@2\t", ["q", "r", "-m", "nDCG@20"]),
        ("rankeval q r -m 'RR(rel=2)@2\t", ["q", "r", "-m", "RR(rel=2)@20"]),
        ("rankeval eval jud\t", ["eval", "judged.txt"]),
        ("rankeval explain judged.txt r 4\t", ["explain", "judged.txt", "r", "401"]),
    ],
)
def test_a_tab_completes_the_word(terminal, keys, expected):
    assert terminal.given(keys) == expected


def test_topics_of_a_file_are_never_run(terminal):
    """Completed and entered, a name that looks like a command is a word."""
    assert terminal.given("rankeval explain hostile.txt r 7\t")[-1] == HOSTILE
    assert not (terminal.home / "ran").exists()
