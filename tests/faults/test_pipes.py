"""Named pipes instead of files."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.support.commands import run_command
from tests.support.processes import ran, write_inputs
from tests.support.words import FORMATS, WORDS, words_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="named pipes as POSIX has them")

NAMES = {"A": "a.run", "B": "b.run", "TOPIC": "1"}
COMMANDS = {
    **{name: words_of(name, **NAMES) for name in FORMATS if "A" in WORDS[name].split()},
    "convert": words_of("convert", **NAMES),
}
for name in ("estimate", "judges", "pool"):  # these name judgments twice, or have none
    COMMANDS.pop(name, None)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write_inputs(tmp_path)


WRITERS: dict[str, threading.Thread] = {}


@pytest.fixture(autouse=True)
def ended_writers(folder):
    """Let writers end whose pipe a command has not opened: no process forks beside threads."""
    yield
    for path, writer in WRITERS.items():
        reader = os.open(folder / path, os.O_RDONLY | os.O_NONBLOCK)
        writer.join()
        os.close(reader)
    WRITERS.clear()


def through_a_pipe(path: str) -> None:
    """Put a named pipe instead of a file, and write its content to the pipe."""
    content = Path(path).read_bytes()
    Path(path).unlink()
    os.mkfifo(path)
    WRITERS[path] = threading.Thread(target=Path(path).write_bytes, args=(content,), daemon=True)
    WRITERS[path].start()


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("file", ["qrels.txt", "a.run"])
def test_a_pipe_is_read_as_its_file(name, file):
    expected = run_command(COMMANDS[name])
    through_a_pipe(file)

    assert run_command(COMMANDS[name]) == expected


@pytest.mark.parametrize("words", [["eval"], ["compare"], ["diff"], ["check"]], ids=str)
def test_a_pipe_that_is_named_twice_is_refused(words):
    os.mkfifo("pipe")
    Path("link").symlink_to("pipe")

    done = run_command([*words, "qrels.txt", "pipe", "link"])

    assert (done.code, done.stdout) == (2, "")
    assert done.stderr == (
        "rankeval: link: this pipe is named more than once, but can be read only once\n"
        "  to fix:   write it to a file first\n"
    )


def test_a_plugin_in_a_pipe_is_refused():
    """It would run whatever arrives, and could not be loaded again by a worker."""
    os.mkfifo("plugin.py")

    done = run_command([*COMMANDS["eval"], "--plugin", "plugin.py"])

    assert (done.code, done.stdout) == (2, "")
    assert done.stderr == (
        "rankeval: plugin.py: is not a regular file\n  expected: a file of Python\n"
    )


def test_standard_input_is_the_same_pipe_under_its_other_name(folder):
    done = ran(["-", "/dev/stdin"], folder, stdin=subprocess.PIPE)

    assert (done.code, done.stdout) == (2, b"")
    assert "/dev/stdin: this pipe is named more than once" in done.stderr
