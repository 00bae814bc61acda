"""Start Spark for a command, and end it; its log goes nowhere."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import Any

from rankeval.errors import UsageError

LOCAL = "local[*]"
"""The master that runs Spark in threads of this machine."""

LOCAL_PARTITIONS = 16
"""Partitions behind a shuffle on one machine, for up to some hundred million rows. Spark's own 200
are as many tasks, which take half a minute for the smallest run."""


@contextmanager
def started(master: str | None = None) -> Iterator[Any]:
    """Start a session, by default on all processors of this machine; UsageError where none can be.

    Spark's processes have no stdout and no stderr of their own, so that results stand alone.
    """
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise UsageError(
            f"pyspark is not installed ({error})", remedy="pip install 'rankeval-ir[spark]'"
        ) from error
    java = os.environ.get("JAVA_HOME")
    if not (Path(java, "bin", "java").exists() if java else which("java")):
        raise UsageError(
            f"there is no Java in JAVA_HOME, {java}" if java else "there is no Java runtime",
            expected="Java 17 or newer, which Spark runs on",
            remedy="install it, as by apt-get install openjdk-17-jre-headless, or set JAVA_HOME",
        )
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = (
        SparkSession.builder.master(master or LOCAL)
        .appName("rankeval")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "OFF")
        # Names of folders are text: topic=007 is 007.
        .config("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
    )
    if (master or LOCAL).startswith("local"):
        builder = builder.config("spark.sql.shuffle.partitions", LOCAL_PARTITIONS)
    try:
        with _silent():
            session = builder.getOrCreate()
    except (PySparkException, OSError, RuntimeError) as error:
        raise UsageError(
            f"Spark cannot be started: {_first_line(error)}",
            place=master or LOCAL,
            remedy="check --spark-master, and that Java is 17 or newer",
        ) from error
    except Exception as error:  # py4j passes on whatever Java raises
        if not type(error).__module__.startswith("py4j"):
            raise
        raise UsageError(
            f"Spark cannot be started: {_first_line(error)}",
            place=master or LOCAL,
            remedy="check --spark-master",
        ) from error
    try:
        yield session
    finally:
        session.stop()


@contextmanager
def _silent() -> Iterator[None]:
    """Let processes that begin meanwhile write to nowhere."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(1), os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)
        for file in (*kept, nowhere):
            os.close(file)


def _first_line(error: Exception) -> str:
    lines = str(error).splitlines()
    return lines[0][:300] if lines else type(error).__name__
