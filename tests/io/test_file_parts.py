import os

import pytest

from rankeval import FileParts, UsageError


def test_parts_are_one_path():
    assert os.fspath(FileParts(["a.run", "b c.run"])) == "a.run + b c.run"


@pytest.mark.parametrize("path", ["-", "", "irds:antique/test", "a + b"])
def test_some_paths_cannot_be_parts(path):
    with pytest.raises(UsageError, match="cannot be a part"):
        FileParts(["a.run", path])


@pytest.mark.parametrize("paths", [[], "a.run"])
def test_parts_are_a_list_of_paths(paths):
    with pytest.raises(UsageError, match="no list of parts"):
        FileParts(paths)
