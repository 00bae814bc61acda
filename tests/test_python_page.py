"""The page of the Python library shows values that are so, and examples in docstrings run."""

import ast
import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

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
judged = [(str(q), str(d), (q + d) % 3) for q, d in rows]
ranked = [(str(q), str(d), float(d * 7 % 20)) for q, d in rows]
Path("qrels.txt").write_text("".join(f"{q} 0 {d} {grade}\\n" for q, d, grade in judged))
Path("bm25.run").write_text("".join(f"{q} Q0 {d} 1 {score} x\\n" for q, d, score in ranked))
order = [sorted(range(20), key=lambda d: -((q + d) % 3)) for q in range(8)]
ids = np.array(order)
scores, qids = np.arange(160.0)[::-1].reshape(8, 20), np.arange(8)
"""
"""What the first block of the page finds: files and arrays."""

BATCHES = """
loader = [Batch(ids[:3], scores[:3], qids[:3]), Batch(ids[3:6], scores[3:6], qids[3:6])]
other_shard = rankeval.Evaluator("qrels.txt", [rankeval.nDCG @ 10, rankeval.AP])
other_shard.update(ids[6:], scores[6:], topics=qids[6:])
"""
"""And a loader of batches, and another evaluator."""


def test_the_code_of_the_page_gives_the_values_beside_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown: dict[str, object] = {}
    checked = 0
    for block in BLOCKS[1:]:
        for line in block.splitlines():
            code, _, value = line.partition("  # ")
            if re.match(r"[-\d{.]|True", value):
                checked += 1
                assert eval(code, shown) == ast.literal_eval(value), line
            else:
                exec(code, shown)

    assert checked > 10


@pytest.mark.parametrize(
    "module",
    [
        "rankeval.ranking.run_source",
        "rankeval.compat.ir_measures",
        "rankeval.compat.pytrec_eval",
        "rankeval.evaluation.evaluate",
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


def test_the_first_block_runs_as_a_script(tmp_path):
    script = tmp_path / "first.py"
    script.write_text(GIVEN + BATCHES + BLOCKS[0], encoding="utf-8")

    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert "first_third" in done.stdout
