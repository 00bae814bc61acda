"""The page of the Python library shows values that are so, and examples in docstrings run."""

import ast
import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.public_names import MEASURES, PUBLIC

PAGE = Path(__file__).parents[1] / "docs" / "python.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
GIVEN = """
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import rankeval


class Batch(NamedTuple):
    ids: NDArray[np.int64]
    scores: NDArray[np.float64]
    qids: NDArray[np.int64]


rows = [(q, d) for q in range(8) for d in range(20)]
Path("qrels.txt").write_text("".join(f"{q} 0 {d} {(q + d) % 3}\\n" for q, d in rows))
Path("bm25.run").write_text("".join(f"{q} Q0 {d} 1 {d * 7 % 20} x\\n" for q, d in rows))
ids = np.array([sorted(range(20), key=lambda d: -((q + d) % 3)) for q in range(8)])
scores, qids = np.arange(160.0)[::-1].reshape(8, 20), np.arange(8)
loader = [Batch(ids[:3], scores[:3], qids[:3]), Batch(ids[3:6], scores[3:6], qids[3:6])]
other_shard = rankeval.Evaluator("qrels.txt", [rankeval.nDCG @ 10, rankeval.AP])
other_shard.update(ids[6:], scores[6:], topics=qids[6:])
"""
"""What the first block of the page finds: files, arrays, batches and another evaluator."""


def test_the_code_of_the_page_gives_the_values_beside_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown: dict[str, object] = {}
    checked = 0
    for block in BLOCKS[1:]:
        for line in block.splitlines():
            code, _, value = line.partition("  # ")
            if re.match(r"[-\d{.]", value):
                checked += 1
                assert eval(code, shown) == ast.literal_eval(value), line
            else:
                exec(code, shown)

    assert checked == 8


def test_the_page_names_everything_public_but_single_measures():
    page = PAGE.read_text("utf-8")
    public = PUBLIC.keys() - MEASURES - {"__version__"}

    assert {name for name in public if f"| `{name}` |" not in page} == set()


@pytest.mark.parametrize(
    "module",
    [
        "rankeval.ranking.run_source",
        "rankeval.compat.ir_measures",
        "rankeval.compat.pytrec_eval",
        "rankeval.evaluation.evaluator",
        "rankeval.evaluation.results",
        "rankeval.evaluation.saved_results",
    ],
)
def test_examples_in_docstrings_run(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = importlib.import_module(module)
    pipeline = importlib.import_module("ir_measures").DefaultPipeline.providers
    kept = [*pipeline]

    getattr(found, "_provide", list)()  # another test may have taken the bridge away
    result = doctest.testmod(found)

    pipeline[:] = [one for one in kept if one.NAME != "rankeval"]
    assert result.attempted
    assert not result.failed


@pytest.fixture
def first_block(tmp_path):
    """The first block of the page as a script, behind what it finds."""
    script = tmp_path / "first.py"
    script.write_text(GIVEN + BLOCKS[0], encoding="utf-8")
    return script


def test_the_first_block_runs_as_a_script(first_block):
    done = subprocess.run(
        [sys.executable, first_block],
        cwd=first_block.parent,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "first_third" in done.stdout


def test_the_first_block_fails_where_its_gate_does(tmp_path):
    swapped = BLOCKS[0].replace("qrels, bm25, dense, rules", "qrels, dense, bm25, rules")
    (tmp_path / "first.py").write_text(GIVEN + swapped, encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "first.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert done.returncode == 1
    assert "GateError: the gate did not pass" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_the_first_block_type_checks(first_block, checker):
    pytest.importorskip(checker)
    options = ["--strict", "--follow-imports=silent", "--cache-dir", str(first_block.parent)]
    options = options if checker == "mypy" else ["--pythonpath", sys.executable]

    done = subprocess.run(
        [sys.executable, "-m", checker, *options, first_block],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_first_block_runs_in_a_notebook(tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    cells = [GIVEN, *BLOCKS[0].split("\n\n\n"), "res"]
    notebook = nbformat.v4.new_notebook(cells=[*map(nbformat.v4.new_code_cell, cells)])
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook.metadata["kernelspec"] = kernel

    nbclient.NotebookClient(notebook, resources={"metadata": {"path": tmp_path}}).execute()

    (shown,) = notebook.cells[-1].outputs
    assert "<table" in shown.data["text/html"]
