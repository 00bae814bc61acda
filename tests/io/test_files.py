import os

import pytest

from rankeval import InputError
from rankeval.io.files import files_of


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """Makes files of the given names, each with a line, and goes there."""
    monkeypatch.chdir(tmp_path)

    def make(*names):
        for name in names:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text("1 Q0 a 1 1 t\n")

    return make


def test_the_files_of_a_folder_come_in_the_order_of_their_names(tree):
    tree("logs/b.run", "logs/a.run", "logs/c/d.run")

    assert files_of("logs") == ["logs/a.run", "logs/b.run", "logs/c/d.run"]
    assert files_of("logs/**") == files_of("logs"), "a folder's files match by themselves, too"


def test_names_that_begin_with_an_underscore_or_a_point_are_skipped(tree):
    tree("logs/_SUCCESS", "logs/.a.crc", "logs/_temporary/0/a", "logs/.hidden/b", "logs/a.run")

    assert files_of("logs") == files_of("logs/*") == ["logs/a.run"]


@pytest.mark.parametrize("names", [[], ["logs/_SUCCESS"]])
def test_a_folder_without_a_file_is_an_error(tree, tmp_path, names):
    (tmp_path / "logs").mkdir()
    tree(*names)

    with pytest.raises(InputError, match="logs: is a folder without any file"):
        files_of("logs")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes as POSIX has them")
def test_a_pipe_in_a_folder_is_refused_instead_of_waited_for(tree, tmp_path):
    tree("logs/a.run")
    os.mkfifo(tmp_path / "logs/pipe")

    for path in ("logs", "l*"):
        with pytest.raises(InputError, match="logs/pipe: is neither a file nor a folder"):
            files_of(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may list every folder")
def test_a_folder_that_cannot_be_listed_is_an_error(tree, tmp_path):
    tree("logs/in/a.run")
    (tmp_path / "logs/in").chmod(0)

    with pytest.raises(InputError, match="logs/in: cannot be listed: Permission denied"):
        files_of("logs")


def test_a_glob_may_match_files_and_folders(tree):
    tree("a-1.run", "a-2/x.run", "b.run")

    assert files_of("a-*") == ["a-1.run", "a-2/x.run"]
