"""`rankeval eval --engine spark`: what one machine prints, and errors that name what is wrong."""

import os
import subprocess
import sys
from shutil import which

import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.support.files import BM25, QRELS
from tests.support.spark import QUICK

SPARK = ("--engine", "spark", "--spark-master", "local[2]")


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


@pytest.fixture
def needs_spark():
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if which("java") is None:
        pytest.skip("there is no Java runtime")


@pytest.mark.slow
@pytest.mark.usefixtures("needs_spark")
def test_folders_of_parts_print_what_one_machine_prints(tmp_path):
    """Parquet in folders whose names are topics such as 007, and judgments as lines."""
    for topic in ("007", "8"):
        folder = tmp_path / "run" / f"topic={topic}"
        folder.mkdir(parents=True)
        rows = pa.table({"docno": ["d1", "d2", "d3"], "score": [0.1, 0.3, 0.2]})
        parquet.write_table(rows, folder / "part-0.parquet")
    (tmp_path / "run" / "_SUCCESS").touch()
    (tmp_path / "qrels.txt").write_text("007 0 d1 1\n007 0 d2 0\n8 0 d3 2\n9 0 d1 1\n")
    words = (tmp_path / "qrels.txt", tmp_path / "run", "-q", "-f", "json", "-m", "AP nDCG")

    alone, on_spark = evaluated(*words), evaluated(*words, *SPARK)

    assert on_spark.stdout == alone.stdout
    assert on_spark.stderr == alone.stderr
    assert '"007": 0.3333' in on_spark.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("needs_spark")
def test_a_damaged_part_and_a_wrong_line_are_named(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    rows = pa.table({"topic": ["1"], "docno": ["d1"], "score": [0.1]})
    parquet.write_table(rows, folder / "a.parquet")
    (folder / "b.parquet").write_bytes((folder / "a.parquet").read_bytes()[:300])
    (tmp_path / "qrels.txt").write_text("1 0 d1 1\n")
    (tmp_path / "bad.txt").write_text("1 Q0 d1 1 high tag\n")
    output = tmp_path / "out.json"

    damaged = evaluated(tmp_path / "qrels.txt", folder, *SPARK, "-o", output, code=2)
    wrong = evaluated(tmp_path / "qrels.txt", tmp_path / "bad.txt", *SPARK, code=2)

    assert "run/b.parquet" in damaged.stderr
    assert 'score "high" is not a finite number' in wrong.stderr
    assert "bad.txt" in wrong.stderr
    assert damaged.stdout == wrong.stdout == ""
    assert "Traceback" not in damaged.stderr + wrong.stderr
    assert not output.exists()


def test_a_missing_java_is_told_with_what_to_install():
    pytest.importorskip("pyspark", reason="pyspark is not installed")

    done = evaluated(QRELS, BM25, *SPARK, code=2, JAVA_HOME="/nonexistent")

    assert "there is no Java in JAVA_HOME" in done.stderr
    assert "openjdk-17-jre-headless" in done.stderr


def test_a_missing_pyspark_is_told_with_what_to_install(tmp_path):
    (tmp_path / "pyspark.py").write_text("raise ImportError('not here')\n")

    done = evaluated(QRELS, BM25, *SPARK, code=2, PYTHONPATH=str(tmp_path))

    assert "pyspark is not installed" in done.stderr
    assert "pip install 'rankeval-ir[spark]'" in done.stderr


def test_options_that_spark_does_not_take_are_refused():
    two = evaluated(QRELS, BM25, BM25, *SPARK, code=2)
    alone = evaluated(QRELS, BM25, "--spark-master", "yarn", code=2)

    assert "evaluates one run, and here are 2" in two.stderr
    assert "--spark-master is for --engine spark" in alone.stderr


@pytest.mark.parametrize("address", ["sc://localhost:1", "sc://", "sc://localhost:x"])
def test_a_server_that_does_not_answer_is_told_at_once(address):
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    pytest.importorskip("grpc", reason="the packages of pyspark[connect] are not installed")

    done = evaluated(QRELS, BM25, "--engine", "spark", "--spark-master", address, code=2)

    assert f"{address}: no Spark Connect server answers" in done.stderr
    assert done.stdout == ""
