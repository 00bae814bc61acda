"""The process around a command: its exit code when somebody hangs up."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path) -> Path:
    """Judgments and a run of so many topics that their values fill a pipe."""
    topics = range(3000)
    (tmp_path / "qrels.txt").write_text("".join(f"{topic} 0 d 1\n" for topic in topics))
    (tmp_path / "run.txt").write_text("".join(f"{topic} 0 d 1 1 tag\n" for topic in topics))
    return tmp_path


def shell(command: str, folder: Path) -> tuple[int, str]:
    """Run a command line in which $rankeval is the command; its exit code and its stderr."""
    done = subprocess.run(
        ["bash", "-c", command],
        env={
            "rankeval": f"{sys.executable} -m rankeval",
            "PYTHONPATH": str(Path(__file__).parents[1]),
        },
        cwd=folder,
        capture_output=True,
        check=False,
        text=True,
    )
    return done.returncode, done.stderr


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")


@pytest.mark.parametrize("form", ["table", "tsv", "json"])
def test_a_closed_pipe_ends_quietly(folder, form):
    command = f"$rankeval qrels.txt run.txt -q -f {form} | head -n 1; exit ${{PIPESTATUS[0]}}"

    assert shell(command, folder) == (0, "")


def test_bad_input_is_told_by_the_exit_code_where_stderr_is_closed(folder):
    assert shell("$rankeval qrels.txt missing.txt 2>&-", folder) == (2, "")


def test_bad_input_is_told_where_standard_input_is_closed(folder):
    code, message = shell("$rankeval qrels.txt - <&-", folder)

    assert code == 2
    assert message.startswith("rankeval: standard input: is closed\n")
