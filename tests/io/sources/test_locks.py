"""Append to a file to which other processes append at the same time."""

import subprocess
import sys

import pytest

from rankeval.errors import InputError
from rankeval.io.sources.atomic import append_text

WRITER = """
import sys
from rankeval.io.sources.atomic import append_text
for number in range(50):
    text = f"- {sys.argv[1]} {number} " + "x" * 5000 + "\\n"
    append_text("history", text, beginning="-")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is locked there")
def test_no_line_of_processes_that_append_at_the_same_time_is_lost(tmp_path):
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(number)], cwd=tmp_path)
        for number in range(4)
    ]
    assert [writer.wait(120) for writer in writers] == [0] * 4

    lines = (tmp_path / "history").read_text().splitlines()
    assert sorted(line.split()[1:3] for line in lines) == sorted(
        [str(writer), str(number)] for writer in range(4) for number in range(50)
    )
    assert {len(line.split()[3]) for line in lines} == {5000}


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is locked there")
def test_a_file_that_nobody_can_append_to_is_named(tmp_path):
    (tmp_path / "no").write_text("")
    with pytest.raises(InputError, match="no/state"):
        append_text(f"{tmp_path}/no/state", "- x\n", beginning="-")
