"""Start Spark for a command and end it, and raise its errors as those of the input."""

import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rankeval.base.endings import installing
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
        lines = str(error).splitlines()
        raise UsageError(
            f"Spark cannot be started: {lines[0][:300] if lines else type(error).__name__}",
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
    module = re.search(r"ModuleNotFoundError: No module named '([^']+)'", text)
    if module:
        return UsageError(
            f"Spark's Python workers have no module {module[1]}",
            expected="the same packages on every worker as here",
            remedy="install rankeval-ir there, or name their Python in PYSPARK_PYTHON",
        )
    ours = OURS.search(text)
    if ours:
        kind, place, problem, *further = (part or "" for part in ours.groups())
        cls = UsageError if kind == "UsageError" else InputError
        return cls(problem, place=place, expected=further[0], remedy=further[1])
    # Spark's own errors have a class in brackets. Of a Python worker's traceback the line that is
    # not indented has the cause.
    _, of_worker, traceback = text.rpartition("Traceback (most recent call last):")
    named = re.search(r"\[[A-Z_.]+\] .+", text)
    lines = [line for line in traceback.splitlines() if line.strip()]
    cause = next((one for one in lines if not (of_worker and one[0].isspace())), "no reason given")
    cause = named[0] if named and not of_worker else cause.strip()
    return InputError(f"{'a Python worker of ' * bool(of_worker)}Spark failed: {cause[:300]}")
