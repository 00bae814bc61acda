"""Progress on a terminal: after a while, for as long as there is work, and never in a pipe."""

import io
import sys

import pytest

import rankeval
from rankeval.base.threads import report_progress
from rankeval.cli.options import evaluating_options
from rankeval.cli.options.evaluating_options import WarningOptions
from rankeval.cli.options.option_groups import grouped
from rankeval.output import progress


class Terminal(io.StringIO):
    """A stderr that is a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """Each look at the clock is half a second after the one before."""
    looks = iter(range(1000))
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(looks) / 2)


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


def test_a_large_file_shows_how_far_reading_has_come(tmp_path, monkeypatch):
    path = tmp_path / "large.run"
    path.write_bytes(b"x" * 1000)
    monkeypatch.setattr(evaluating_options, "LARGE", 1000)
    monkeypatch.setenv("TERM", "xterm")
    for screen in Terminal(), io.StringIO():
        monkeypatch.setattr(sys, "stderr", screen)
        with evaluating_options.reading_progress([str(path)], wanted=True) as told:
            assert (told is None) == (not screen.isatty())
            if told:
                told(str(path), 500)
        assert ("50%" in screen.getvalue()) == screen.isatty()


@pytest.mark.parametrize(("screen", "codes"), [(Terminal(), True), (io.StringIO(), False)])
def test_control_codes_go_to_terminals_only(monkeypatch, screen, codes):
    """A log has a line every ten seconds; each look at the clock takes two, as does a line."""
    monkeypatch.setattr(progress.time, "monotonic", iter(range(0, 1000, 2)).__next__)
    monkeypatch.setattr(sys, "stderr", screen)

    rankeval.evaluate({"1": {"a": 1}}, [{"1": {"a": 1}}] * 9, "P@1", progress=True)
    with progress.showing_progress():
        for done in range(20):
            report_progress("runs", done, 20)

    text = screen.getvalue()
    assert ("\x1b" in text) == codes
    assert codes or text.endswith("\nruns: 20%\nruns: 45%\nruns: 70%\nruns: 95%\n")
