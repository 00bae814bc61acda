"""Append to one file from several processes."""

import errno
import os
from pathlib import Path

import pytest

from rankeval.errors import InputError
from rankeval.io.sources.atomic import append_text

BEGINNING = '{"writer": '


def test_another_kind_of_file_is_refused_and_kept(tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_text("q1 0 d1 1\n")

    with pytest.raises(InputError, match="another kind of file"):
        append_text(str(path), BEGINNING + "1}\n", beginning=BEGINNING)
    assert path.read_text() == "q1 0 d1 1\n"


@pytest.mark.parametrize("fails", [False, True])
def test_a_full_disk_leaves_the_file_as_it_was(tmp_path, monkeypatch, fails):
    path = tmp_path / "history.jsonl"
    append_text(str(path), BEGINNING + "1}\n", beginning=BEGINNING)
    write = os.write

    def some(descriptor, data):
        written = write(descriptor, data[:5])
        if fails:
            raise OSError(errno.ENOSPC, "No space left on device")
        return written

    monkeypatch.setattr(os, "write", some)
    with pytest.raises(InputError, match="cannot write"):
        append_text(str(path), BEGINNING + "2}\n", beginning=BEGINNING)
    assert path.read_text() == BEGINNING + "1}\n"


def test_folders_that_are_not_there_are_created(tmp_path):
    path = tmp_path / "no" / "such" / "file"
    append_text(str(path), BEGINNING + "1}\n", beginning=BEGINNING)

    assert path.read_text() == BEGINNING + "1}\n"


def test_a_folder_that_is_a_file_is_named(tmp_path):
    (tmp_path / "no").write_text("")
    with pytest.raises(InputError, match="a part of it is a file, not a directory"):
        append_text(str(tmp_path / "no" / "file"), BEGINNING, beginning=BEGINNING)


def test_a_last_line_without_an_end_is_ended(tmp_path):
    path = tmp_path / "history.jsonl"
    path.write_text(BEGINNING + "1}")
    append_text(str(path), BEGINNING + "2}\n", beginning=BEGINNING)

    assert path.read_text() == BEGINNING + "1}\n" + BEGINNING + "2}\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_device_without_room_says_so():
    with pytest.raises(InputError, match="no space left on device"):
        append_text("/dev/full", BEGINNING + "1}\n", beginning=BEGINNING)
