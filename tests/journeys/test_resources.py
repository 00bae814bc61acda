"""What files of real size take: memory beside their size and a peer's, time beside each other."""

import sys

import pyarrow.compute as pc
import pytest
from pyarrow import parquet

from tests.support.journeys import measured, measured_command

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is measured on Linux")
PEER = """
import sys, pytrec_eval
with open(sys.argv[1]) as qrels, open(sys.argv[2]) as run:
    judged, ranked = pytrec_eval.parse_qrel(qrels), pytrec_eval.parse_run(run)
pytrec_eval.RelevanceEvaluator(judged, {"map", "ndcg_cut.10"}).evaluate(ranked)
"""
OF_JUDGMENTS, OF_RUN = 20, 4
"""Bytes of memory for each byte of a file, beyond what a small file takes."""


@pytest.fixture(scope="module")
def evaluated(collection):
    """Evaluate a run in a process that is measured."""

    def evaluate(qrels, *runs):
        return measured(collection.folder, "eval", qrels, *runs, "-m", "AP nDCG@10")

    return evaluate


@pytest.fixture(scope="module")
def plain(evaluated):
    """The large run in TREC's lines."""
    return evaluated("qrels.trec", "large.run")


def test_memory_keeps_to_the_sizes_of_the_files(plain, evaluated, collection):
    folder = collection.folder
    for name in ("qrels", "baseline"):
        table = parquet.read_table(folder / f"{name}.parquet")
        first = table.filter(pc.equal(table["topic"], "topic-100"))
        parquet.write_table(first, folder / f"tiny.{name}.parquet")
    tiny = evaluated("tiny.qrels.parquet", "tiny.baseline.parquet")
    sizes = [(folder / name).stat().st_size for name in ("qrels.trec", "large.run")]

    assert plain.memory < tiny.memory + OF_JUDGMENTS * sizes[0] + OF_RUN * sizes[1]


def test_memory_is_less_than_twice_the_peers(plain, collection):
    files = [str(collection.folder / name) for name in ("qrels.trec", "large.run")]
    peer = measured_command(collection.folder, [sys.executable, "-c", PEER, *files])

    assert plain.memory < 2 * peer.memory


@pytest.mark.parametrize("run", ["large.run.gz", "large.parquet"])
def test_a_run_in_another_form_takes_little_more(plain, evaluated, run):
    other = evaluated("qrels.trec", run)

    assert other.memory < 2.3 * plain.memory  # which is read without Arrow
    assert other.seconds < 3 * plain.seconds


def test_many_runs_share_their_judgments(evaluated):
    one = evaluated("qrels.trec", "many00.run")
    all_of_them = evaluated("qrels.trec", *(f"many{i:02}.run" for i in range(28)))

    assert all_of_them.memory < 1.5 * one.memory
    assert all_of_them.seconds < 10 * one.seconds
