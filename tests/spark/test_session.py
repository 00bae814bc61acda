"""Spark Connect and a cluster give the same results.

A process has one kind of session, so these have processes of their own.
"""

import json
import os
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from shutil import which

import pytest

import rankeval
from tests.support.files import EXAMPLES
from tests.support.spark import QUICK, everything

QRELS = str(EXAMPLES / "qrels/python-reference.qrels")
BM25 = str(EXAMPLES / "runs/bm25.run")

SCRIPT = """
import json, sys
from pyspark.sql import SparkSession
from rankeval import InputError, spark
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
result = spark.evaluate(qrels, run, "AP nDCG@10 GAUC infAP")
found["all"] = everything(result)
twice = run.limit(5).union(run.limit(5))
for name, wrong in ("twice", twice), ("nowhere", session.read.parquet("/nonexistent/part")):
    try:
        spark.evaluate(qrels, wrong, "AP")
    except InputError as error:
        found[name] = str(error)
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
    assert found["all"] == expected
    assert "is listed twice in topic" in found["twice"]
    assert "/nonexistent/part" in found["nowhere"]


CLUSTER = """
import json, sys
from rankeval.io.formats import Form
from rankeval.spark import engine
from tests.support.spark import everything

master, qrels, run = sys.argv[1:]
with engine.started(master) as session:
    rows = engine.frame_of(session, run, Form("run"))
    print(json.dumps(everything(engine.evaluate(qrels, rows, "AP nDCG@10 GAUC"))))
"""


@pytest.fixture
def cluster(tmp_path):
    """The address of a standalone cluster of two workers on this machine."""
    home = Path(pytest.importorskip("pyspark").__file__).parent
    if which("java") is None:
        pytest.skip("there is no Java runtime")
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    address = f"spark://127.0.0.1:{port}"
    node = "org.apache.spark.deploy"
    limits = ["--cores", "1", "--memory", "1500m", "--work-dir", str(tmp_path)]
    commands = [
        [f"{node}.master.Master", "--host", "127.0.0.1", "--port", str(port)],
        *[[f"{node}.worker.Worker", "--host", "127.0.0.1", *limits, address]] * 2,
    ]
    environment = {**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1"}
    with ExitStack() as running:
        for command in commands:
            process = subprocess.Popen(
                [str(home / "bin" / "spark-class"), *command, "--webui-port", "0"],
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            running.callback(process.wait)
            running.callback(process.terminate)
        yield address


@pytest.mark.slow
def test_two_workers_of_a_cluster_give_the_results_of_one_machine(cluster):
    done = subprocess.run(
        [sys.executable, "-c", CLUSTER, cluster, QRELS, BM25],
        capture_output=True,
        text=True,
        check=False,
        env={
            **os.environ,
            **QUICK,
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_LOCAL_IP": "127.0.0.1",
        },
        timeout=300,
    )

    assert done.returncode == 0, done.stderr
    expected = everything(rankeval.evaluate(QRELS, BM25, "AP nDCG@10 GAUC"))
    assert json.loads(done.stdout) == json.loads(json.dumps(expected))


def test_spark_is_there_after_import_rankeval_and_imports_no_pyspark():
    code = "import sys, rankeval; print(rankeval.spark.evaluate.__name__, 'pyspark' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["evaluate", "False"]
