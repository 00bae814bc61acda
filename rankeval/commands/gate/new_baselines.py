"""New baselines of suites, evaluated and not written yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rankeval.base.frozen import frozen
from rankeval.commands.gate.suites.suite import Suite
from rankeval.errors import RankevalError
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.saved_results import load


@frozen(eq=False)
class NewBaseline:
    """The values that a baseline is to hold, and those that it holds now.

    ======= ==========================================================================
    suite   name of the suite; "" for none
    path    where the baseline is
    results the new values, of one run
    before  the run that it holds now; None for a new file
    ======= ==========================================================================
    """

    suite: str
    path: str
    results: Results
    before: RunResult | None

    @property
    def run(self) -> RunResult:
        """The run whose values it is to hold."""
        return self.results.runs[0]


def new_baseline(suite: Suite, results: Results) -> NewBaseline:
    """Return the new baseline of a suite, with its present content."""
    path = suite.files().baseline
    return NewBaseline(suite.name, path, results, saved_run(path))


def saved_run(path: str) -> RunResult | None:
    """Return the run whose values a baseline holds; None for a new file, or another kind of one."""
    try:
        (run,) = load(path).runs
    except (RankevalError, ValueError):
        return None
    return run


def told_apart(baselines: Sequence[NewBaseline]) -> Iterator[RunResult]:
    """Yield the runs for warnings; those of several baselines are named with them."""
    for one in baselines:
        run = one.run
        yield run if len(baselines) == 1 else replace(run, name=f"{one.path}: {run.name}")
