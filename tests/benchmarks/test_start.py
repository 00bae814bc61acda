"""The time that small commands take, most of which is their start, as ratios to other programs."""

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.files import run_of

pytestmark = pytest.mark.slow

BIN = Path(sys.executable).parent
PAIRS = 15
NOISE = 1.15
"""How far the median of so many ratios lies from the true one at most, on a busy machine."""


def processor_time(command, **environment):
    """Processor time of a command, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env={**os.environ, **environment}, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ratio(command, peer, **environment):
    """The median ratio of pairs that run in turn."""
    environment = {"PYTHONDONTWRITEBYTECODE": "", **environment}
    for one in (command, peer):
        processor_time(one, **environment)  # compiles what is imported
    return statistics.median(
        processor_time(command, **environment) / processor_time(peer, **environment)
        for _ in range(PAIRS)
    )


@pytest.fixture
def files(tmp_path):
    ranking = " ".join(f"d{i}" for i in range(100))
    topics = [f"t{i}" for i in range(50)]
    (tmp_path / "run").write_text(run_of(**dict.fromkeys(topics, ranking)))
    (tmp_path / "qrels").write_text(
        "".join(f"{topic} 0 d{i} {i % 3}\n" for topic in topics for i in range(0, 100, 3))
    )
    return [tmp_path / "qrels", tmp_path / "run"]


def test_a_small_run_takes_no_longer_than_with_ir_measures(files):
    peer = BIN / "ir_measures"
    if not peer.exists():
        pytest.skip("ir_measures is not installed")

    assert ratio([BIN / "rankeval", *files], [peer, *files, "AP", "nDCG@10"]) < NOISE


@pytest.mark.parametrize("options", [["compare"], ["gate", "--max-drop", "AP=100%"]])
def test_comparing_two_small_runs_takes_little_more_than_evaluating_one(files, options):
    qrels, run = files
    other = run.with_name("other")
    other.write_text(run.read_text().replace("d1 ", "e1 "))
    command = [BIN / "rankeval", options[0], qrels, run, other, *options[1:]]

    assert ratio(command, [BIN / "rankeval", "eval", qrels, run]) < 1.6 * NOISE


ONE_CALL = """
from rankeval import Evaluator, evaluate
qrels, run = {"q1": {"d1": 1}}, {"q1": {"d1": 0.5, "d2": 0.7}}
evaluate(qrels, run, "AP nDCG@10")
Evaluator(qrels, "AP nDCG@10").means(run)
"""


def test_evaluating_dictionaries_takes_little_more_than_the_import_of_numpy():
    """Where numpy takes 80 ms, and Python itself 15, 50 ms more make 1.53 of them."""
    command, peer = ([sys.executable, "-c", code] for code in (ONE_CALL, "import numpy"))

    assert ratio(command, peer, OPENBLAS_NUM_THREADS="1") < 1.53 * NOISE


COMPLETED = {
    "_RANKEVAL_COMPLETE": "complete_bash",
    "COMP_WORDS": "rankeval eval q r --ti",
    "COMP_CWORD": "4",
}


@pytest.mark.parametrize(
    ("arguments", "environment"), [(["--help"], {}), ([], COMPLETED)], ids=["help", "completion"]
)
def test_help_and_completion_take_twice_the_import_of_typer_at_most(arguments, environment):
    peer = [sys.executable, "-c", "import typer"]

    assert ratio([BIN / "rankeval", *arguments], peer, **environment) < 2
