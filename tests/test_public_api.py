"""The public API is the one that is written down, and a user's script that uses it type-checks."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rankeval
from rankeval import plots, stats
from tests.public_api import FILE, STUB, lines, stub

SCRIPT = Path(__file__).parent / "data" / "typing" / "user_script.py"


def test_names_and_signatures_are_those_that_are_written_down():
    """After a change that is meant, `python -m tests.public_api --write` renews the file."""
    assert [*lines()] == FILE.read_text(encoding="utf-8").splitlines()


def test_type_checkers_know_the_measures_of_the_catalogue():
    assert STUB.read_text(encoding="utf-8") == stub()


@pytest.mark.parametrize("door", [stats, plots])
def test_no_public_name_is_hidden_by_a_module_of_the_same_name(door):
    """Importing a module sets its name on the package, instead of the function."""
    folder = Path(door.__path__[0])
    names = re.findall(r"import \w+ as (\w+)", (folder / "__init__.pyi").read_text("utf-8"))

    assert names
    assert {path.stem for path in folder.glob("*.py")}.intersection(names) == set()


def test_the_users_script_uses_every_public_name():
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    used = {
        *(node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)),
        *(a.name for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) for a in n.names),
    }

    names = {n for n in rankeval.__all__ if not isinstance(getattr(rankeval, n), rankeval.Measure)}
    assert names - used == set()


@pytest.mark.slow
def test_the_users_script_type_checks_strictly(tmp_path):
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--follow-imports=silent",
        "--cache-dir",
        str(tmp_path),
        SCRIPT,
    ]

    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_pyright_knows_every_name_of_the_users_script(tmp_path):
    """It does not ask a module for names, as mypy does, so that measures have to be declared."""
    pytest.importorskip("pyright")
    pyright = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]
    if subprocess.run([*pyright, "--version"], capture_output=True, check=False).returncode:
        pytest.skip("pyright needs node, and its own files")
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from rankeval import nDCG, nDGC\n\nhalf: int = nDCG @ 10\n")

    done = subprocess.run([*pyright, SCRIPT], capture_output=True, text=True, check=False)
    refused = subprocess.run([*pyright, wrong], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    assert '"nDGC" is unknown import symbol' in refused.stdout
    assert '"Measure" is not assignable to "int"' in refused.stdout


@pytest.mark.slow
def test_the_users_script_runs(tmp_path):
    subprocess.run([sys.executable, SCRIPT], cwd=tmp_path, check=True, timeout=120)
