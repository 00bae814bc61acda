"""A process that is ended while it writes: the old file is there, or the new one whole."""

import itertools
import json
import os
import random
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from rankeval.io.blocks import BLOCK_SIZE
from tests.support.processes import (
    PATIENCE,
    WRITERS,
    begun,
    environment,
    names_in,
    ran,
    write_inputs,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="signals of POSIX"),
]

OLD = "what stood there before\n"
STOPS_BEFORE_RENAMING = """
import os, time
def fsync(descriptor):
    open("written", "w").close()
    time.sleep(60)
os.fsync = fsync
"""
"""For sitecustomize, which Python imports at its start: all is written but not in its place."""

TEMPORARY = ".rankeval-"


def can_write_without_a_name():
    """Return True if this system and disk have files without a name."""
    try:
        os.close(os.open(tempfile.gettempdir(), os.O_TMPFILE | os.O_WRONLY))
    except (AttributeError, OSError):
        return False
    return True


NAMELESS = can_write_without_a_name()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "stops").mkdir()
    (tmp_path / "stops" / "sitecustomize.py").write_text(STOPS_BEFORE_RENAMING)
    return write_inputs(tmp_path)


def ended_while_writing(folder: Path, words: list[str], number: signal.Signals) -> tuple[int, str]:
    """Send a signal when everything has been written; the exit code and stderr."""
    stops = f"{folder / 'stops'}{os.pathsep}{environment()['PYTHONPATH']}"
    options = {"stdin": None, "stdout": subprocess.DEVNULL, "text": True}
    with begun(words, folder, env=environment(PYTHONPATH=stops), **options) as process:
        end = time.monotonic() + PATIENCE
        while not (folder / "written").exists():
            assert process.poll() is None, process.stderr.read()
            assert time.monotonic() < end
            time.sleep(0.01)
        process.send_signal(number)
        told = process.communicate(timeout=PATIENCE)[1]
    (folder / "written").unlink()
    return process.returncode, told


BLIND = [name for name in WRITERS if "--update-baseline" not in name]
"""Those that do not read what stood there before."""

ENDINGS = [
    *((writer, number) for writer in BLIND for number in (signal.SIGINT, signal.SIGKILL)),
    # These two are handled alike, whatever is written.
    *zip(BLIND, itertools.cycle((signal.SIGTERM, signal.SIGHUP)), strict=False),
]


@pytest.mark.parametrize(("writer", "number"), ENDINGS)
def test_a_signal_leaves_the_old_file(folder, writer, number):
    code = 130 if number == signal.SIGINT else -number  # a shell shows -SIGTERM as 143
    words, suffix = WRITERS[writer]
    target = folder / "out" / f"old{suffix}"
    target.write_text(OLD)
    words = [word.replace("{}", "out/old") for word in words]

    ended = ended_while_writing(folder, words, number)

    assert ended == (code, ended[1])
    assert "Traceback" not in ended[1]
    assert target.read_text() == OLD
    left = [name for name in names_in(folder / "out") if name != target.name]
    if number == signal.SIGINT or NAMELESS:
        assert left == []
    else:
        assert [name[: len(TEMPORARY)] for name in left] == [TEMPORARY]
    if number == signal.SIGKILL:
        assert ran(words, folder).code == 0  # which what was left does not hinder
        assert target.read_text() != OLD
        assert names_in(folder / "out") == sorted([*left, target.name])


def test_a_process_killed_at_any_moment_leaves_the_old_file_or_the_whole_new_one(folder):
    words = ["eval", "qrels.txt", "a.run", "-q", "-o", "out/old.json"]
    target = folder / "out" / "old.json"
    begin = time.monotonic()
    assert ran(words, folder).code == 0
    took = time.monotonic() - begin
    new = target.read_text()
    rng = random.Random(3)

    for _ in range(12):
        target.write_text(OLD)
        with begun(words, folder, stdin=None, stdout=None, stderr=subprocess.DEVNULL) as process:
            time.sleep(took * rng.uniform(0.5, 1.1))
            process.kill()
        assert target.read_text() in (OLD, new)
        for left in (folder / "out").glob(f"{TEMPORARY}*"):
            left.unlink()
    assert json.loads(new)["runs"][0]["measures"]


def test_files_can_be_interrupted_while_threads_read_them(folder):
    lines = [f"{t} Q0 document{i} {i} {-i} t\n" for t in range(900) for i in range(1000)]
    (folder / "large.run").write_text("".join(lines))
    assert (folder / "large.run").stat().st_size > 4 * BLOCK_SIZE
    with begun(["eval", "qrels.txt", *["large.run"] * 100, "--jobs", "3"], folder) as process:
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert (process.stdout.read(), process.stderr.read()) == (b"", b"")
