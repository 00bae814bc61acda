"""One session of Spark for all tests, and ways to make DataFrames for it."""

import os
import sys
import warnings
from pathlib import Path
from shutil import which

import pyarrow as pa
import pytest

import rankeval
from rankeval.evaluation.saved_results import document
from rankeval.output.style import Style

QUICK = {"SPARK_CONF_DIR": str(Path(__file__).parents[1] / "data" / "spark")}
"""The environment of a process whose Spark has a few rows only."""


def spark_session(master="local[2,3]"):
    """A session on two threads, which tries tasks three times; a skip where Spark cannot run."""
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    if which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("there is no Java runtime")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    return (
        sql.SparkSession.builder.master(master)
        .appName("rankeval's tests")
        .config("spark.ui.enabled", "false")
        .config("spark.log.level", "OFF")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "3")
        # Compiling each plan, and Java's code in full, takes longer than running a few rows.
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.memory", "1g")
        .getOrCreate()
    )


def frame(session, table):
    """A DataFrame of a table of pyarrow, or of lists by the names of columns."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
        return session.createDataFrame(pa.table(table))


def everything(results):
    """All that JSON says of results, values of topics and warnings included, but the paths."""
    found = document(results, Style(per_topic=True))
    del found["qrels"]["path"]
    for run in found["runs"]:
        del run["path"]
    return found


def on_one_machine(qrels, run, measures=None, settings=None, **more):
    """The results for the same tables without Spark."""
    return rankeval.evaluate(pa.table(qrels), pa.table(run), measures, settings, **more)
