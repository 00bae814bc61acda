"""Raise the errors of Spark as those of the input or of the installation."""

import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rankeval.errors import InputError, RankevalError, UsageError

UNREADABLE = re.compile(r"\[FAILED_READ_FILE[^\]]*\][^\n]*?reading file (\S+?)\.?(?:\s|$)")
MISSING = re.compile(r"\[PATH_NOT_FOUND\][^\n]*?: (\S+?)\.?(?:\s|$)")
NO_MODULE = re.compile(r"ModuleNotFoundError: No module named '([^']+)'")
OWN = re.compile(
    r"^rankeval\.errors\.InputError: ([^\n]+)"
    r"(?:\n  expected: ([^\n]+))?(?:\n  to fix:   ([^\n]+))?",
    re.MULTILINE,
)
"""An error that a worker has raised, in its traceback."""

NOT_THERE = re.compile(r"(?:FileNotFoundException|SparkFileNotFoundException)[^\n]*?(\w+:/\S+)")


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


def as_input_error(text: str) -> RankevalError:
    """Return the error for a message of Spark, with the file that it names."""
    own = OWN.search(text)
    if own:
        problem, expected, remedy = (text.strip() for text in own.groups(""))
        return InputError(problem, expected=expected, remedy=remedy)
    module = NO_MODULE.search(text)
    if module:
        return UsageError(
            f"Spark's Python workers have no module {module[1]}",
            expected="the same packages on every worker as here",
            remedy="install rankeval-ir there, or name their Python in PYSPARK_PYTHON",
        )
    for pattern, problem in (
        (MISSING, "no such file or folder"),
        (NOT_THERE, "the file is not there any more"),
        (UNREADABLE, "Spark cannot read the file"),
    ):
        found = pattern.search(text)
        if found:
            return InputError(
                problem,
                place=found[1].strip("'\"").rstrip("."),
                remedy="check that the file is complete, and write it again"
                if pattern is UNREADABLE
                else "check the path",
            )
    return InputError(f"Spark failed: {_first_line(text)}")


def _first_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0][:300] if lines else "no reason given"
