"""Start Spark for a command and end it, and raise its errors as those of the input."""

import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rankeval.endings import installing
from rankeval.errors import InputError, RankevalError, UsageError

LOCAL_PARTITIONS = 16
"""Partitions behind a shuffle on one machine, for up to some hundred million rows. Spark's own 200
are as many tasks, which take half a minute for the smallest run."""


@contextmanager
def started(master: str | None = None) -> Iterator[Any]:
    """Start a session, by default on all processors of this machine; UsageError where none can be.

    Spark's processes have no stdout and no stderr of their own, so nothing mixes with results.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise UsageError(
            f"pyspark is not installed ({error})", remedy=installing("spark")
        ) from error
    address = master or "local[*]"
    if address.startswith("sc://"):  # a Spark Connect server, which needs no Java here
        builder = SparkSession.builder.remote(address)
    else:
        builder = SparkSession.builder.master(address).appName("rankeval")
        for name in ("spark.ui.enabled", "spark.ui.showConsoleProgress"):
            builder = builder.config(name, "false")
        builder = builder.config("spark.log.level", "OFF")
    if address.startswith("local"):
        builder = builder.config("spark.sql.shuffle.partitions", LOCAL_PARTITIONS)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        with _silent():
            session = builder.getOrCreate()
    except Exception as error:  # py4j passes on whatever Java raises
        raise UsageError(
            f"Spark cannot be started: {str(error).partition(chr(10))[0][:300]}",
            place=address,
            remedy="check the master, and that Java 17 or newer is there (apt-get install "
            "openjdk-17-jre-headless, JAVA_HOME), or pyspark[connect] for sc://",
        ) from error
    try:
        yield session
    finally:
        session.stop()


@contextmanager
def _silent() -> Iterator[None]:
    """Let processes that begin meanwhile write to nowhere."""
    kept = {1: os.dup(1), 2: os.dup(2)}
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123  pathlib has no constant for it
        for stream in kept:
            os.dup2(nowhere.fileno(), stream)
    try:
        yield
    finally:
        for stream, before in kept.items():
            os.dup2(before, stream)
            os.close(before)


@contextmanager
def told_as_input_errors() -> Iterator[None]:
    """Raise RankevalError for exceptions of Spark; warnings of its own are left out."""
    from pyspark.errors import PySparkException

    py4j: Any = sys.modules.get("py4j.protocol")  # where Spark runs in Java on this machine
    failures = (PySparkException, py4j.Py4JError) if py4j else PySparkException
    with warnings.catch_warnings():
        # Spark warns of pandas 3, which nothing here uses.
        warnings.filterwarnings("ignore", category=FutureWarning, module=r"pyspark(\.|$)")
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
        try:
            yield
        except failures as error:
            raise as_input_error(str(error)) from error


OURS = re.compile(
    r"^rankeval\.[\w.]*\b(\w+Error): (?:(.+:\d+): )?(.+)"
    r"(?:\n  expected: (.+))?(?:\n  to fix:   (.+))?",
    re.MULTILINE,
)
"""The text of an error of ours in the traceback of a Python worker."""


def as_input_error(text: str) -> RankevalError:
    """Return the error for a message of Spark, with the file that it names."""
    ours = OURS.search(text)
    if ours:
        kind, place, problem, expected, remedy = (part or "" for part in ours.groups())
        cls = UsageError if kind == "UsageError" else InputError
        return cls(problem, place=place, expected=expected, remedy=remedy)
    # Spark's own errors have a class in brackets. Of a Python worker's traceback the line that is
    # not indented has the cause.
    _, of_worker, traceback = text.rpartition("Traceback (most recent call last):")
    named = None if of_worker else re.search(r"\[[A-Z_.]+\] .+", text)
    cause = named or re.search(r"(?m)^\S.*", traceback)
    told = cause[0][:300] if cause else "no reason given"
    return InputError(f"{'a Python worker of ' * bool(of_worker)}Spark failed: {told}")
