"""Hold files that processes read and then replace."""

import subprocess
import sys

import pytest

from rankeval.errors import InputError
from rankeval.io.sources.locks import locked

COUNTER = """
from pathlib import Path
from rankeval.io.sources.atomic import atomic_text
from rankeval.io.sources.locks import locked
for _ in range(50):
    with locked(["a", "b"]):
        for name in ("b", "a"):
            found = int(Path(name).read_text()) if Path(name).exists() else 0
            with atomic_text(name) as stream:
                stream.write(str(found + 1))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is locked there")
def test_no_step_of_processes_that_count_at_the_same_time_is_lost(tmp_path):
    counters = [subprocess.Popen([sys.executable, "-c", COUNTER], cwd=tmp_path) for _ in range(4)]
    assert [counter.wait(120) for counter in counters] == [0] * 4

    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "200", "b": "200"}


def test_two_names_of_one_file_are_held_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with locked(["state", str(tmp_path / "state")]):
        pass
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is locked there")
def test_a_file_that_nobody_can_hold_is_named(tmp_path):
    (tmp_path / "no").write_text("")
    with (
        pytest.raises(InputError, match="no/state: cannot write"),
        locked([f"{tmp_path}/no/state"]),
    ):
        pass
