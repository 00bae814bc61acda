"""A kind of plot is a function and a record: a new one is offered and drawn like the others."""

import json
import subprocess
import sys

from tests.support.files import EXAMPLE_QRELS, EXAMPLE_RUNS
from tests.support.frames import judged_frame

FILES = [str(path) for path in (EXAMPLE_QRELS, *EXAMPLE_RUNS[:2])]


def with_gain(*arguments: str) -> str:
    """Run a command in a process of its own, to which cumulative gain by rank was added."""
    code = "import tests.support.gain_plot\nfrom rankeval.__main__ import run\n"
    command = [sys.executable, "-c", f"{code}raise SystemExit(run({list(arguments)}))"]
    root = EXAMPLE_QRELS.parents[2]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_new_kind_is_explained_and_drawn_and_its_numbers_are_sums_of_grades(tmp_path):
    picture, data = tmp_path / "gain.svg", tmp_path / "gain.json"

    helped = with_gain("plot", "-h")
    printed = with_gain("plot", "gain", *FILES)
    with_gain("plot", "gain", *FILES, "-o", str(picture), "--data", str(data))

    assert "gain      cumulative gain by rank" in helped
    assert printed.splitlines()[0] == "cumulative gain"
    assert " bm25" in printed
    assert '"><title>lsa</title>' in picture.read_text()
    rows = json.loads(data.read_text())["rows"]
    first = judged_frame(EXAMPLE_QRELS, EXAMPLE_RUNS[0]).query("rank <= 10")
    assert rows[9] == {"run": "bm25", "rank": 10, "gain": first["grade"].fillna(0).sum() / 50}
