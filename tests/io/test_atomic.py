import os
import stat
import subprocess
import sys
import threading

import pytest

from rankeval.errors import InputError
from rankeval.io.atomic import atomic_text


def write(path, text):
    with atomic_text(path) as stream:
        stream.write(text)


def names_in(directory):
    return sorted(path.name for path in directory.iterdir())


def interrupted(path, text, error):
    with atomic_text(path) as stream:
        stream.write(text)
        raise error


def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path):
    before = os.umask(0o027)
    try:
        write(tmp_path / "new.txt", "a\nb\n")
    finally:
        os.umask(before)

    assert (tmp_path / "new.txt").read_bytes() == b"a\nb\n"
    assert stat.S_IMODE((tmp_path / "new.txt").stat().st_mode) == 0o640


def test_a_replaced_file_keeps_its_mode(tmp_path):
    path = tmp_path / "old.txt"
    path.write_text("old")
    path.chmod(0o600)

    write(path, "new")

    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_old_content_stays_until_all_is_written(tmp_path):
    path = tmp_path / "old.txt"
    path.write_text("old")

    with atomic_text(path) as stream:
        stream.write("new" * 100_000)
        stream.flush()
        assert path.read_text() == "old"

    assert path.read_text() == "new" * 100_000
    assert names_in(tmp_path) == ["old.txt"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, InputError])
def test_an_error_in_the_block_leaves_the_old_file_and_passes_unchanged(tmp_path, error):
    path = tmp_path / "old.txt"
    path.write_text("old")
    raised = error("the block's own")

    with pytest.raises(error) as caught:
        interrupted(path, "new" * 100_000, raised)

    assert caught.value is raised
    assert path.read_text() == "old"
    assert names_in(tmp_path) == ["old.txt"]


def test_a_symbolic_link_stays_and_its_target_is_replaced(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    target, link = tmp_path / "elsewhere" / "target.txt", tmp_path / "link.txt"
    target.write_text("old")
    link.symlink_to(target)

    write(link, "new")

    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_pipe_is_written_to_directly(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()

    write(pipe, "a\n")
    reader.join()

    assert read == ["a\n"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_standard_output_by_its_path_keeps_what_a_redirection_appends_to(tmp_path):
    path = tmp_path / "log.txt"
    path.write_text("before\n")
    code = """
from rankeval.io.atomic import atomic_text
with atomic_text("/dev/stdout") as stream:
    stream.write("new\\n")
"""
    with path.open("a") as log:
        subprocess.run([sys.executable, "-c", code], stdout=log, check=True)

    assert path.read_text() == "before\nnew\n"


def test_a_closed_pipe_stays_a_broken_pipe():
    read, written = os.pipe()
    os.close(read)

    with pytest.raises(BrokenPipeError):
        write(f"/dev/fd/{written}", "a")
    os.close(written)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("missing/a.txt", "no such file or directory"),
        ("results/", "no such file or directory"),
        ("file/a.txt", "not a directory"),
        (".", "is a directory"),
        ("a" * 300, "file name too long"),
        ("circle", "too many levels of symbolic links"),
    ],
)
def test_an_impossible_place_is_an_error_with_a_remedy(tmp_path, monkeypatch, path, reason):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    (tmp_path / "circle").symlink_to("circle")

    with pytest.raises(InputError) as caught:
        write(path, "a")

    assert caught.value.place == path
    assert reason in caught.value.problem
    assert names_in(tmp_path) == ["circle", "file"]
