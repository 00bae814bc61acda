"""Progress on a terminal: after a while, for as long as there is work, and never in a pipe."""

import io
import os
import pty
import select
import signal
import subprocess
import sys

import numpy as np
import pytest

from rankeval.base import threads
from rankeval.base.threads import report_progress
from rankeval.cli.options.evaluating_options import WarningOptions
from rankeval.cli.options.option_groups import grouped


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """Each look at the clock is half a second after the one before."""
    looks = iter(range(1000))
    monkeypatch.setattr(threads.time, "monotonic", lambda: next(looks) / 2)


@grouped
def nine_of_ten(running: WarningOptions):  # noqa: ARG001  --quiet is what its caller reads
    """Take nine of ten steps."""
    for done in range(1, 10):
        report_progress("permutations", done, 10)


def shown(monkeypatch, stderr, *, quiet=False):
    monkeypatch.setattr(sys, "stderr", stderr)
    nine_of_ten(quiet=quiet, verbose=False, plugins=None)
    return stderr.getvalue()


@pytest.mark.usefixtures("clock")
def test_work_of_more_than_a_second_is_shown_with_what_is_left(monkeypatch):
    text = shown(monkeypatch, Terminal())

    assert "permutations" in text
    assert "90%" in text
    assert "10%" not in text


@pytest.mark.usefixtures("clock")
def test_a_pipe_and_quiet_show_nothing(monkeypatch):
    assert shown(monkeypatch, io.StringIO()) == ""
    assert shown(monkeypatch, Terminal(), quiet=True) == ""


def read_from(terminal):
    """What a terminal has been given, if something comes within a tenth of a second."""
    return os.read(terminal, 1 << 16) if select.select([terminal], [], [], 0.1)[0] else b""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs a pseudo-terminal")
def test_a_long_test_shows_progress_and_ends_at_ctrl_c(tmp_path):
    """All pairs of eight runs of 7,000 topics by randomized Tukey: it would take far longer."""
    draw = np.random.default_rng(1)
    lines = (f"{topic} 0 d{place} {place % 2}\n" for topic in range(7000) for place in range(4))
    (tmp_path / "qrels.txt").write_text("".join(lines))
    for run in range(8):
        scores = draw.random((7000, 4)).round(4)
        (tmp_path / f"r{run}.run").write_text(
            "".join(
                f"{topic} Q0 d{place} 1 {scores[topic, place]} r{run}\n"
                for topic in range(7000)
                for place in range(4)
            )
        )
    command = ["compare", "qrels.txt", *(f"r{run}.run" for run in range(8)), "-m", "AP RR"]
    command += ["--test", "randomized-tukey"]
    inner, outer = pty.openpty()
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "rankeval", *command, "--all-pairs"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=outer,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
        )
        seen = b""
        while b"permutations" not in seen and process.poll() is None:
            seen += read_from(inner)
        process.send_signal(signal.SIGINT)
        while process.poll() is None:
            seen += read_from(inner)
    finally:
        os.close(outer)
        os.close(inner)

    assert b"permutations" in seen
    assert b"/10000" in seen
    assert process.returncode == 130
    assert process.stdout.read() == b""
    assert b"Traceback" not in seen
    process.stdout.close()
