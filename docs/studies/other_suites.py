"""Run the tests of other libraries with rankeval instead of what they test.

`python -m docs.studies.other_suites ir_measures FOLDER` runs the tests in a checkout of that
library (docs/oracles.md has the commits, the numbers and the reason of each failure). It needs the
library itself, and pytest; the tests of pytrec_eval need the folder `test` of trec_eval, too, in
the folder `trec_eval` of the checkout. What is behind FOLDER is handed to pytest.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

SUITES = {
    "pytrec_eval": ["tests/pytrec_eval_tests.py"],
    "ir_measures": ["tests"],
    "pyterrier": [
        "tests/test_experiment_linear.py",
        "tests/test_experiment_other.py",
        "tests/test_experiment_tree.py",
    ],
}
"""The tests of each library that are about values of measures."""

CHOSEN = "RANKEVAL_IN_PLACE_OF"
"""The variable with the library, where pytest loads this module as a plugin."""

calls = {"rankeval": 0, "others": 0}
"""How many evaluations each computed, for the libraries that choose between providers."""


def pytest_configure() -> None:
    """Put rankeval in its place before any test is read."""
    if os.environ[CHOSEN] == "pytrec_eval":
        from rankeval.compat import pytrec_eval

        sys.modules["pytrec_eval"] = pytrec_eval
        return
    if os.environ[CHOSEN] == "pyterrier":
        import pyterrier

        pyterrier.java.started = lambda: True  # Java's part of PyTerrier is not needed
        pyterrier.IndexFactory.of = skipped("an index")
        pyterrier.get_dataset = pyterrier.datasets.get_dataset = skipped("a download")
    if os.environ[CHOSEN] != "nothing":
        put_before_every_provider()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print how many evaluations rankeval computed."""
    if any(calls.values()):
        terminalreporter.write_line(f"evaluations by {calls}")


def skipped(need: str) -> Callable[..., None]:
    """Return a function that skips the test which calls it."""

    def skip(*_: object, **__: object) -> None:
        import pytest

        pytest.skip(f"needs {need}")

    return skip


def put_before_every_provider() -> None:
    """Let rankeval compute what tests ask of ir_measures' other providers by name."""
    from ir_measures.providers.base import Provider

    from rankeval.compat.ir_measures import RankevalProvider

    ours, evaluator = RankevalProvider(), Provider.evaluator

    def instead(self, measures, qrels):  # type: ignore[no-untyped-def]
        measures = list(measures)
        is_ours = not isinstance(self, RankevalProvider) and all(map(ours.supports, measures))
        calls["rankeval" if is_ours or isinstance(self, RankevalProvider) else "others"] += 1
        return evaluator(ours if is_ours else self, measures, qrels)

    Provider.evaluator = instead
    Provider.iter_calc = lambda self, measures, qrels, run: instead(
        self, measures, qrels
    ).iter_calc(run)


def main(library: str, folder: str, *options: str) -> int:
    """Run the tests of a library and return pytest's exit code."""
    environment = {**os.environ, CHOSEN: library}
    arguments = ["-q", *SUITES[library], *options]
    # Their package `tests` comes first, and this module is a plugin under another name.
    start = f"""import importlib.util, sys, pytest
sys.path.append({str(Path(__file__).parents[2])!r})
spec = importlib.util.spec_from_file_location("rankeval_in_front", {__file__!r})
plugin = importlib.util.module_from_spec(spec)
spec.loader.exec_module(plugin)
sys.exit(pytest.main({arguments!r}, plugins=[plugin]))"""
    return subprocess.call([sys.executable, "-P", "-c", start], cwd=folder, env=environment)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
