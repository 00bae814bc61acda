"""Tables of the commands, and pictures, set by a real LaTeX."""

from pathlib import Path

import pytest

from tests.support.commands import run_command
from tests.support.typesetting import complaints, needs_latex
from tests.support.words import words_of

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
QRELS = str(ROOT / "examples/qrels/python-reference.qrels")
RUNS = [str(path) for path in sorted((ROOT / "examples/runs").glob("*.run"))]

OTHERS = ("diff", "explain", "systems", "topics")
COMMANDS = {
    "eval": ["eval", QRELS, *RUNS, "-m", "nDCG@10 AP"],
    "topics of eval": ["eval", QRELS, *RUNS[:2], "-q", "--signature"],
    "letters": ["compare", QRELS, *RUNS, "--all-pairs", "--test", "tukey", "-m", "nDCG@10 AP"],
    "compare": ["compare", QRELS, *RUNS, "-m", "nDCG@10 AP(rel=2)"],
    **{name: words_of(name, QRELS=QRELS, A=RUNS[0], B=RUNS[1], TOPIC="25") for name in OTHERS},
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_latex_sets_the_tables(words, tmp_path):
    needs_latex()
    done = run_command([*words, "-f", "latex"])

    assert done.code == 0, done.stderr
    assert complaints(done.stdout, tmp_path) == []
