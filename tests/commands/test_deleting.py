"""A command is deleted with its folder, and with the lines that name it in three other files."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "rankeval"
MOST_FILES = 3
USE = """
import rankeval
from rankeval.__main__ import run
found = rankeval.evaluate({"1": {"a": 1}}, {"1": {"b": 2.0, "a": 1.0}}, "RR")
assert found.runs[0].scores[0].aggregate == 0.5
assert "nuggets" not in dir(rankeval)
assert run(["--help"]) == 0
"""


def without(text: str, name: str, *, stub: bool) -> str:
    """The text of a module without the lines that name a command: imports, entries of tables."""
    lines = text.splitlines(keepends=True)
    if stub:
        return "".join(line for line in lines if f"commands.{name}." not in line)
    dropped: set[int] = set()
    for table in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Dict)):
        starts = [*(key.lineno for key in table.keys if key), table.end_lineno or 0]
        for key, start, end in zip(table.keys, starts, starts[1:], strict=False):
            if isinstance(key, ast.Constant) and key.value == name:
                dropped.update(range(start, end))
    return "".join(line for number, line in enumerate(lines, 1) if number not in dropped)


@pytest.mark.slow
def test_a_command_goes_with_its_folder_and_lines_of_three_files(tmp_path):
    package = tmp_path / "rankeval"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(package / "commands" / "nuggets")
    edited = []
    for path in sorted(package.rglob("*.py*")):
        text = path.read_text("utf-8")
        kept = without(text, "nuggets", stub=path.suffix == ".pyi")
        if kept != text:
            path.write_text(kept, "utf-8")
            edited.append(path.name)

    done = subprocess.run(
        [sys.executable, "-c", USE], capture_output=True, text=True, check=False, cwd=tmp_path
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert len(edited) <= MOST_FILES
