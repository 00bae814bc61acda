"""The progress bar: for large files and people who watch, and for nobody else."""

import io
from contextlib import contextmanager

import pytest

from rankeval.cli.options import evaluating_options as progress


class Screen(io.StringIO):
    """A stderr that may be a terminal."""

    def __init__(self, *, terminal):
        super().__init__()
        self._terminal = terminal

    def isatty(self):
        return self._terminal


@pytest.fixture
def large(tmp_path, monkeypatch):
    """A file that is taken for large."""
    monkeypatch.setattr(progress, "LARGE", 1000)
    path = tmp_path / "large.run"
    path.write_bytes(b"x" * 1000)
    return path


@contextmanager
def reading(paths, *, wanted=True, terminal=True):
    """What `reading_progress` gives, and the stderr that it writes to.

    Not a fixture: pytest puts its own stderr back between a test's preparation and its run.
    """
    shown = Screen(terminal=terminal)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERM", "xterm")
        patch.setenv("COLUMNS", "80")
        patch.setattr("sys.stderr", shown)
        with progress.reading_progress([str(path) for path in paths], wanted=wanted) as told:
            yield told, shown


def test_bar_shows_how_far_reading_has_come(large):
    with reading([large]) as (told, screen):
        told(str(large), 500)

    assert "reading" in screen.getvalue()
    assert "50%" in screen.getvalue()


def test_no_bar_where_nobody_watches(large):
    with reading([large], terminal=False) as (told, screen):
        assert told is None
    assert screen.getvalue() == ""
