"""Spark Connect: the same results; a process has one kind of session, so this one has its own."""

import json
import os
import subprocess
import sys
import time
from shutil import which

import pytest

import rankeval
from rankeval.base.progress import listening
from rankeval.spark.session import TASKS, tasks_counted
from tests.support.files import EXAMPLES
from tests.support.spark import QUICK, everything

QRELS = str(EXAMPLES / "qrels/python-reference.qrels")
BM25 = str(EXAMPLES / "runs/bm25.run")

SCRIPT = """
import json, sys, time
from pyspark.sql import SparkSession
from rankeval import InputError, spark
from rankeval.base.progress import listening
from rankeval.spark.session import tasks_counted
from tests.support.spark import everything

qrels_path, run_path = sys.argv[1:]
builder = SparkSession.builder.remote("local[2]").config("spark.sql.shuffle.partitions", "3")
session = builder.getOrCreate()
lines = lambda path: [line.split() for line in open(path)]
qrels = session.createDataFrame(
    [(topic, docno, int(grade)) for topic, _, docno, grade in lines(qrels_path)],
    ["topic", "docno", "grade"],
)
run = session.createDataFrame(
    [(f[0], f[2], float(f[4]), f[5]) for f in lines(run_path)], ["topic", "docno", "score", "tag"]
)
found = {}
for broadcast in True, False:
    result = spark.evaluate(qrels, run, "AP nDCG@10 GAUC infAP", broadcast=broadcast)
    found[str(broadcast)] = everything(result.results), result.per_topic.count()
twice = run.limit(5).union(run.limit(5))
for name, wrong in ("twice", twice), ("nowhere", session.read.parquet("/nonexistent/part")):
    try:
        spark.evaluate(qrels, wrong, "AP")
    except InputError as error:
        found[name] = str(error)
def asleep(batches):
    time.sleep(3)
    yield from batches

heard = []
with listening(lambda *counts: heard.append(counts)), tasks_counted(session):
    session.range(0, 2, 1, 2).mapInArrow(asleep, "id long").toArrow()
found["tasks"] = heard
print(json.dumps(found))
"""


@pytest.mark.slow
def test_results_are_those_of_one_machine():
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    pytest.importorskip("grpc", reason="the packages of pyspark[connect] are not installed")
    if which("java") is None:
        pytest.skip("there is no Java runtime")

    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, QRELS, BM25],
        capture_output=True,
        text=True,
        check=False,
        env={
            **os.environ,
            **QUICK,
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_LOCAL_IP": "127.0.0.1",
        },
    )

    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    alone = rankeval.evaluate(QRELS, BM25, "AP nDCG@10 GAUC infAP")
    expected = json.loads(json.dumps(everything(alone)))
    assert found["True"] == found["False"] == [expected, 4 * 50]
    assert "is listed twice in topic" in found["twice"]
    assert "/nonexistent/part: no such file or folder" in found["nowhere"]
    assert_counts(found["tasks"])


def assert_counts(heard):
    """Two tasks that slept were counted while they ran, and forgotten at the end."""
    *running, last = heard
    assert running
    assert all(what == TASKS and done < total <= 2 for what, done, total in running)
    assert last[1] == last[2]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
def test_running_tasks_are_counted_for_whoever_listens(session):
    def asleep(batches):
        time.sleep(3)
        yield from batches

    heard = []
    with listening(lambda *counts: heard.append(counts)), tasks_counted(session):
        session.range(0, 2, 1, 2).mapInArrow(asleep, "id long").toArrow()

    assert_counts(heard)
