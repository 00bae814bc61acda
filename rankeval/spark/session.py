"""Start Spark for a command, and end it; its log goes nowhere."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from pathlib import Path
from shutil import which
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

from rankeval.base.progress import is_heard, report_progress
from rankeval.errors import UsageError

LOCAL = "local[*]"
"""The master that runs Spark in threads of this machine."""

CONNECT = "sc://"
"""Beginning of the address of a Spark Connect server, which needs no Java here."""

PORT = 15002
"""Port of such a server, unless its address has another."""

PATIENCE = 10.0
"""Seconds in which it has to answer."""

LOCAL_PARTITIONS = 16
"""Partitions behind a shuffle on one machine, for up to some hundred million rows. Spark's own 200
are as many tasks, which take half a minute for the smallest run."""


@contextmanager
def started(master: str | None = None) -> Iterator[Any]:
    """Start a session, by default on all processors of this machine; UsageError where none can be.

    Spark's processes have no stdout and no stderr of their own, so nothing mixes with results.
    """
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise UsageError(
            f"pyspark is not installed ({error})", remedy="pip install 'rankeval-ir[spark]'"
        ) from error
    address = master or LOCAL
    if address.startswith(CONNECT):
        _require_server(address)
        builder = SparkSession.builder.remote(address)
    else:
        _require_java()
        builder = (
            SparkSession.builder.master(address)
            .appName("rankeval")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.log.level", "OFF")
        )
    if address.startswith("local"):
        builder = builder.config("spark.sql.shuffle.partitions", LOCAL_PARTITIONS)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        with _silent():
            session = builder.getOrCreate()
    except Exception as error:  # py4j passes on whatever Java raises
        of_spark = isinstance(error, PySparkException | OSError | RuntimeError)
        if not of_spark and not type(error).__module__.startswith("py4j"):
            raise
        lines = str(error).splitlines()
        raise UsageError(
            f"Spark cannot be started: {lines[0][:300] if lines else type(error).__name__}",
            place=address,
            remedy="check the master" + ", and that Java is 17 or newer" * of_spark,
        ) from error
    try:
        yield session
    finally:
        session.stop()


TASKS = "Spark's tasks"
"""The name of the items that are counted while Spark works."""

LOOK_EVERY = 0.5
"""Seconds between two looks at the stages that run."""


@contextmanager
def tasks_counted(session: Any) -> Iterator[None]:
    """Tell whoever listens how many tasks of the running stages are done meanwhile."""
    if not is_heard():
        yield
        return
    counting = _counted_by_client if is_connect(session) else _counted_by_tracker
    try:
        with counting(session):
            yield
    finally:
        report_progress(TASKS, 1, 1)


def is_connect(session: Any) -> bool:
    """Return True for a session of Spark Connect, which has no context of its own here."""
    return type(session).__module__.startswith("pyspark.sql.connect")


@contextmanager
def _counted_by_client(session: Any) -> Iterator[None]:
    """Pass on the progress that a Spark Connect server reports between two parts of its answer."""

    def heard(stages: Any, inflight_tasks: int, operation_id: str | None, done: bool) -> None:  # noqa: ARG001, FBT001  the names that Spark calls it by
        _tell_tasks((stage.num_completed_tasks, stage.num_tasks) for stage in stages or ())

    session.registerProgressHandler(heard)
    try:
        yield
    finally:
        session.removeProgressHandler(heard)


@contextmanager
def _counted_by_tracker(session: Any) -> Iterator[None]:
    """Look at the running stages from a thread, since this one waits for Spark."""
    tracker, over = session.sparkContext.statusTracker(), Event()

    def look() -> None:
        while not over.wait(LOOK_EVERY):
            stages = map(tracker.getStageInfo, tracker.getActiveStageIds())
            _tell_tasks((stage.numCompletedTasks, stage.numTasks) for stage in stages if stage)

    looking = Thread(target=copy_context().run, args=(look,), daemon=True)
    looking.start()
    try:
        yield
    finally:
        over.set()
        looking.join()


def _tell_tasks(stages: Iterable[tuple[int, int]]) -> None:
    """Tell how many tasks of stages are done, if any is left."""
    counts = [*stages]
    done, total = sum(done for done, _ in counts), sum(total for _, total in counts)
    if done < total:
        report_progress(TASKS, done, total)


def _require_java() -> None:
    """UsageError where there is no Java runtime."""
    java = os.environ.get("JAVA_HOME")
    if not (Path(java, "bin", "java").exists() if java else which("java")):
        raise UsageError(
            f"there is no Java in JAVA_HOME, {java}" if java else "there is no Java runtime",
            expected="Java 17 or newer, which Spark runs on",
            remedy="install it, as by apt-get install openjdk-17-jre-headless, or set JAVA_HOME",
        )


def _require_server(address: str) -> None:
    """UsageError where no Spark Connect server answers, or packages to speak to it are missing.

    Its client would try again for minutes.
    """
    try:
        import grpc  # noqa: F401  one of those that pyspark.sql.connect imports
    except ImportError as error:
        raise UsageError(
            f"a package that Spark Connect needs is not installed ({error})",
            remedy="pip install 'pyspark[connect]'",
        ) from error
    from socket import create_connection

    try:
        place = urlsplit(address)
        create_connection((place.hostname or "", place.port or PORT), PATIENCE).close()
    except (OSError, ValueError) as error:
        raise UsageError(
            f"no Spark Connect server answers: {error}",
            place=address,
            expected="sc://HOST or sc://HOST:PORT",
            remedy="check the master, and that the server runs",
        ) from error


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
