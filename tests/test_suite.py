"""The suite itself: it leaves the checkout as it was, and needs no tool that it compares with."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

ORACLES = (
    *("baycomp", "cwl_eval", "fsspec", "ir_measures", "orjson", "pingouin", "polars", "pyndeval"),
    *("pyprg", "pytrec_eval", "ranx", "scikit_posthocs", "sklearn", "statsmodels"),
)
WITHOUT = f"""
import sys
import pytest


class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {ORACLES!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)


sys.meta_path.insert(0, Absent())
sys.exit(pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider"]))
"""

STRAY = """
from pathlib import Path


def test_stray():
    Path("stray.txt").touch()


def test_tidy(tmp_path):
    (tmp_path / "tidy.txt").touch()
"""


@pytest.mark.slow
def test_tests_are_collected_without_the_tools_that_they_compare_with():
    command = [sys.executable, "-c", WITHOUT]

    found = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)

    assert found.returncode == 0, found.stdout[-2000:]


@pytest.mark.parametrize(("selected", "code"), [("test_tidy", 0), ("test_stray", 1)])
def test_a_session_that_leaves_a_file_in_the_checkout_fails(tmp_path, selected, code):
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "conftest.py").write_text((ROOT / "tests/conftest.py").read_text("utf-8"), "utf-8")
    (tests / "test_files.py").write_text(STRAY)
    (tmp_path / ".gitignore").write_text("__pycache__\n")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    command = [sys.executable, "-m", "pytest", "-q", "-k", selected, "-p", "no:cacheprovider"]

    found = subprocess.run(command, check=False, cwd=tmp_path, capture_output=True, text=True)

    assert found.returncode == code, found.stdout
    assert ("stray.txt" in found.stdout) == bool(code)
