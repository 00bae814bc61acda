"""`rankeval eval --engine spark`: what one machine prints, and errors that name what is wrong."""

import json
import os
import subprocess
import sys
from shutil import which

import pyarrow as pa
import pytest
from pyarrow import parquet

from rankeval.endings import installing
from tests.support.commands import Outcome, run_command
from tests.support.files import BM25, QRELS
from tests.support.spark import QUICK

SPARK = ("--engine", "spark=local[2]")


def evaluated(*words, code=0, **environment):
    """What `rankeval eval` prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "rankeval", "eval", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **QUICK, **environment},
    )
    assert done.returncode == code, done.stderr
    return done


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of Parquet files, judgments, and what is wrong."""
    folder = tmp_path_factory.mktemp("spark")
    (folder / "run").mkdir()
    for topic in ("007", "8"):
        docs = {"docno": ["d1", "d2", "d3"], "score": [0.1, 0.3, 0.2]}
        rows = pa.table({"topic": [topic] * 3, **docs})
        parquet.write_table(rows, folder / "run" / f"{topic}.parquet")
    (folder / "run" / "_SUCCESS").touch()
    (folder / "qrels.txt").write_text("007 0 d1 1\n007 0 d2 0\n8 0 d3 2\n9 0 d1 1\n")
    (folder / "damaged").mkdir()
    rows = pa.table({"topic": ["007"], "docno": ["d1"], "score": [0.1]})
    parquet.write_table(rows, folder / "damaged" / "a.parquet")
    whole = (folder / "damaged" / "a.parquet").read_bytes()
    (folder / "damaged" / "b.parquet").write_bytes(whole[:300])
    (folder / "wrong.txt").write_text("007 Q0 d1 1 high tag\n")
    return folder


DETAILS = ("-q", "-f", "json", "-m", "AP nDCG")
IN_TURN = """
import json, sys
from dataclasses import astuple
from tests.support.commands import run_command

print(json.dumps([astuple(run_command(words)) for words in json.load(sys.stdin)]))
"""


@pytest.fixture(scope="module")
def on_spark(folder):
    """What each run leaves behind; one process evaluates them in turn, as Java takes long."""
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if which("java") is None:
        pytest.skip("there is no Java runtime")
    options = {
        "run": DETAILS,
        "damaged": ("-o", str(folder / "out.json")),
        "wrong.txt": (),
    }
    calls = [
        ["eval", str(folder / "qrels.txt"), str(folder / name), *SPARK, *words]
        for name, words in options.items()
    ]
    done = subprocess.run(
        [sys.executable, "-W", "ignore:PySpark does not yet fully:FutureWarning", "-c", IN_TURN],
        input=json.dumps(calls),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **QUICK},
    )
    assert (done.returncode, done.stderr) == (0, "")
    outcomes = [Outcome(*one) for one in json.loads(done.stdout)]
    return dict(zip(options, outcomes, strict=True))


@pytest.mark.slow
def test_folders_of_tables_print_what_one_machine_prints(folder, on_spark):
    found = on_spark["run"]

    alone = run_command(["eval", str(folder / "qrels.txt"), str(folder / "run"), *DETAILS])

    assert found == alone
    assert found.code == 0
    assert '"007": 0.3333' in found.stdout


@pytest.mark.slow
def test_a_damaged_part_and_a_wrong_line_are_named(folder, on_spark):
    damaged, wrong = on_spark["damaged"], on_spark["wrong.txt"]

    assert damaged.code == wrong.code == 2
    assert "damaged/b.parquet" in damaged.stderr
    assert 'score "high" is not a finite number' in wrong.stderr
    assert "wrong.txt" in wrong.stderr
    assert damaged.stdout == wrong.stdout == ""
    assert "Traceback" not in damaged.stderr + wrong.stderr
    assert not (folder / "out.json").exists()


def test_a_missing_java_is_told_with_what_to_install():
    pytest.importorskip("pyspark", reason="pyspark is not installed")

    done = evaluated(QRELS, BM25, *SPARK, code=2, JAVA_HOME="/nonexistent")

    assert "Spark cannot be started" in done.stderr
    assert "openjdk-17-jre-headless" in done.stderr


def test_a_missing_pyspark_is_told_with_what_to_install(tmp_path):
    (tmp_path / "pyspark.py").write_text("raise ImportError('not here')\n")

    done = evaluated(QRELS, BM25, *SPARK, code=2, PYTHONPATH=str(tmp_path))

    assert "pyspark is not installed" in done.stderr
    assert installing("spark") in done.stderr


def test_options_that_spark_does_not_take_are_refused():
    two = evaluated(QRELS, BM25, BM25, *SPARK, code=2)
    other = evaluated(QRELS, BM25, "--engine", "dask", code=2)

    assert "evaluates one run, and here are 2" in two.stderr
    assert "there is no engine 'dask'" in other.stderr
