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

ARRAYS = {
    "torch": """
import torch

class Batch(NamedTuple):
    ids: torch.Tensor
    scores: torch.Tensor
    qids: torch.Tensor

ids = torch.tensor(order, dtype=torch.int32)
scores = torch.arange(160.0).flip(0).reshape(8, 20).to(torch.float32).requires_grad_()
qids = torch.arange(8)
""",
    "polars": """
import polars as pl

class Batch(NamedTuple):
    ids: pl.DataFrame
    scores: pl.DataFrame
    qids: pl.Series

ids = pl.DataFrame(np.array(order))
scores = pl.DataFrame(np.arange(160.0)[::-1].reshape(8, 20))
qids = pl.Series(range(8))
""",
}
"""Other arrays instead of those of NumPy."""

TABLES = {
    "polars": """
import polars as pl
qrels_table = pl.DataFrame(judged, schema=["topic", "docno", "grade"], orient="row")
bm25_table = pl.DataFrame(ranked, schema=["topic", "docno", "score"], orient="row").lazy()
""",
    "mappings": """
qrels_table: dict[str, dict[str, int]] = {}
bm25_table: dict[int, dict[int, float]] = {}
for topic, docno, grade in judged:
    qrels_table.setdefault(topic, {})[docno] = grade
for topic, docno, score in ranked:
    bm25_table.setdefault(int(topic), {})[int(docno)] = score
""",
}
"""Tables and mappings instead of the files."""


def script_of(block, arrays=None, table=None):
    """Return a block as a script, with other arrays and other tables than the page has."""
    given = GIVEN
    if arrays is not None:
        start = GIVEN.index("class Batch"), GIVEN.index("rows =")
        head, rest = GIVEN[: start[0]], GIVEN[start[1] : GIVEN.index("ids = np")]
        given = head + rest + ARRAYS[arrays]
    if table is not None:
        given += TABLES[table]
        block = block.replace('"qrels.txt"', "qrels_table").replace('"bm25.run"', "bm25_table")
    return given + BATCHES + block


VARIANTS = {
    "page": (BLOCKS[0],),
    **{f"arrays: {name}": (BLOCKS[0], name) for name in ARRAYS},
    **{f"tables: {name}": (BLOCKS[0], None, name) for name in TABLES},
}
"""The first block with what it may be given."""


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


@pytest.fixture(params=VARIANTS)
def first_block(request, tmp_path):
    """The first block as a script, behind what it finds."""
    for library in ("torch", "polars"):
        if library in request.param:
            pytest.importorskip(library)
    script = tmp_path / "first.py"
    script.write_text(script_of(*VARIANTS[request.param]), encoding="utf-8")
    return script


def run_script(script):
    """Run a script in its folder, and return what it printed."""
    command = [sys.executable, script]
    done = subprocess.run(command, cwd=script.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def printed_by_the_page(tmp_path_factory):
    script = tmp_path_factory.mktemp("page") / "first.py"
    script.write_text(script_of(BLOCKS[0]), encoding="utf-8")
    return run_script(script)


def test_the_first_block_runs_as_a_script_and_prints_the_same(first_block, printed_by_the_page):
    printed = run_script(first_block)

    assert "first_third" in printed_by_the_page
    named = re.sub(r"qrels: \S+ ", "qrels: ", printed)
    assert named == re.sub(r"qrels: \S+ ", "qrels: ", printed_by_the_page)
