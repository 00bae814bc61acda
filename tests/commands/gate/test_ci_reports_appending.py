"""Append to a file to which other processes append at the same time."""

import errno
import os
import subprocess
import sys

import pytest

from rankeval.commands.gate.ci_reports import BEGINNING, append_text
from rankeval.errors import InputError

WRITER = """
import sys
from rankeval.commands.gate.ci_reports import BEGINNING, append_text
for number in range(50):
    text = f"{BEGINNING} {sys.argv[1]} {number} " + "x" * 5000 + "\\n"
    append_text("history", text)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is locked there")
def test_no_line_of_processes_that_append_at_the_same_time_is_lost(tmp_path):
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(number)], cwd=tmp_path)
        for number in range(4)
    ]
    assert [writer.wait(120) for writer in writers] == [0] * 4

    lines = (tmp_path / "history").read_text().splitlines()
    assert sorted(line.split()[2:4] for line in lines) == sorted(
        [str(writer), str(number)] for writer in range(4) for number in range(50)
    )
    assert {len(line.split()[4]) for line in lines} == {5000}


@pytest.mark.parametrize("before", ["", BEGINNING + "1}\n", BEGINNING + "1}"])
def test_lines_are_added_in_folders_that_are_made(tmp_path, before):
    path = tmp_path / "no" / "such" / "file"
    if before:
        path.parent.mkdir(parents=True)
        path.write_text(before)

    append_text(str(path), BEGINNING + "2}\n")

    assert path.read_text() == (BEGINNING + "1}\n") * bool(before) + BEGINNING + "2}\n"


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("qrels.txt", "another kind of file"),
        ("qrels.txt/file", "cannot write"),
        ("/dev/full", "no space left on device"),
    ],
)
def test_what_cannot_be_appended_to_is_refused_and_kept(tmp_path, path, problem):
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n")

    with pytest.raises(InputError, match=problem):
        append_text(str(tmp_path / path), BEGINNING + "1}\n")
    assert (tmp_path / "qrels.txt").read_text() == "q1 0 d1 1\n"


@pytest.mark.parametrize("fails", [False, True])
def test_a_full_disk_leaves_the_file_as_it_was(tmp_path, monkeypatch, fails):
    path = tmp_path / "history.jsonl"
    append_text(str(path), BEGINNING + "1}\n")
    write = os.write

    def some(descriptor, data):
        written = write(descriptor, data[:5])
        if fails:
            raise OSError(errno.ENOSPC, "No space left on device")
        return written

    monkeypatch.setattr(os, "write", some)
    with pytest.raises(InputError, match="cannot write"):
        append_text(str(path), BEGINNING + "2}\n")
    assert path.read_text() == BEGINNING + "1}\n"
