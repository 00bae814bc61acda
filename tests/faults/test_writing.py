"""A disk that is full, a place that may not be written to, a reader that is gone."""

import resource
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.processes import (
    WRITERS,
    limited,
    names_in,
    ran,
    without_privileges,
    write_inputs,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="limits and mounts of Linux"),
]

OLD = "what stood there before\n"
MAKES_ROOM = "  to fix:   check the path, permissions and room there, or write to another place\n"
EVERY_WRITER = pytest.mark.parametrize("writer", WRITERS)
BLIND = [name for name in WRITERS if "--update-baseline" not in name]
BLIND_WRITER = pytest.mark.parametrize("writer", BLIND)
"""Those that do not read what stood there before."""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "out").mkdir()
    return write_inputs(tmp_path)


def words_of(writer: str, target: str) -> tuple[list[str], str]:
    """The command line that writes to a target, and the target with its suffix."""
    words, suffix = WRITERS[writer]
    return [word.replace("{}", target) for word in words], target + suffix


@EVERY_WRITER
def test_every_writer_writes(folder, writer):
    words, target = words_of(writer, "out/new")

    done = ran(words, folder)

    assert (done.code, names_in(folder / "out")) == (0, [Path(target).name]), done.stderr
    assert (folder / target).stat().st_size > 200


def unwritten(words):
    """The exit code where a file cannot be written: a gate that judged has its own."""
    return 3 if words[0] == "gate" and "--update-baseline" not in words else 2


@BLIND_WRITER
def test_a_file_that_may_not_grow_leaves_the_old_one(folder, writer):
    """A limit on the size of files fails as a quota does, in the midst of writing."""
    words, target = words_of(writer, "out/old")
    (folder / target).write_text(OLD)

    done = ran(words, folder, preexec_fn=limited(resource.RLIMIT_FSIZE, 100))

    assert done.code == unwritten(words)
    assert done.stderr.endswith(f"rankeval: {target}: cannot write: file too large\n{MAKES_ROOM}")
    assert (folder / target).read_text() == OLD
    assert names_in(folder / "out") == [Path(target).name]


@pytest.fixture
def full_disk(folder):
    """A disk of 64 KB without room for one more byte."""
    disk = folder / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("only the superuser may mount a disk")
    try:
        yield disk
    finally:
        subprocess.run(["umount", disk], check=True)


def fill(disk: Path) -> None:
    with (disk / "filler").open("wb", buffering=0) as filler, suppress(OSError):
        while True:
            filler.write(b"x" * 4096)


@BLIND_WRITER
def test_a_full_disk_leaves_the_old_file(folder, full_disk, writer):
    words, target = words_of(writer, "disk/old")
    (folder / target).write_text(OLD)
    fill(full_disk)

    done = ran(words, folder)

    assert done.code == unwritten(words)
    assert done.stderr.endswith(
        f"rankeval: {target}: cannot write: no space left on device\n{MAKES_ROOM}"
    )
    assert (folder / target).read_text() == OLD
    assert names_in(full_disk) == ["filler", Path(target).name]


@EVERY_WRITER
def test_a_directory_that_may_not_be_written_to_is_told(folder, writer):
    words, target = words_of(writer, "out/new")
    (folder / "out").chmod(0o555)

    done = ran(words, folder, preexec_fn=without_privileges)

    assert done.code == unwritten(words)
    assert done.stderr.endswith(
        f"rankeval: {target}: cannot write: permission denied\n{MAKES_ROOM}"
    )
    assert names_in(folder / "out") == []


def test_a_file_that_may_not_be_read_is_told(folder):
    (folder / "a.run").chmod(0)

    done = ran(["eval", "qrels.txt", "a.run"], folder, preexec_fn=without_privileges)

    assert done.code == 2
    assert done.stderr == (
        "rankeval: a.run: cannot be opened: Permission denied\n"
        "  to fix:   check the path and its permissions\n"
    )
