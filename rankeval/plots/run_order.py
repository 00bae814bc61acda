"""Which runs a picture shows, and in which order."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.sorting import in_order
from rankeval.measures import parse_measure


def drawn_names(
    results: Results, baseline: str, sort: str | None = None, top: int | None = None
) -> list[str]:
    """Return the names of the runs that are drawn, in the order `value`, `name` or as given.

    With `top`, they are the best ones by the first measure, and the baseline; of a curve, those
    with the best mean over its places. Runs without a value come last.
    """
    runs = list(results.runs)
    by_value = [runs[i] for i in np.argsort([-_gain(run) for run in runs], kind="stable")]
    kept = [run.name for run in by_value[:top]]
    if baseline not in kept:
        kept[-1] = baseline
    orders = {"value": by_value, "name": in_order(runs, "name")}
    return [run.name for run in orders.get(sort or "", runs) if run.name in kept]


def with_runs(results: Results, names: Sequence[str]) -> Results:
    """Return the results of some runs, in the order of their names."""
    by_name = {run.name: run for run in results.runs}
    return replace(results, runs=tuple(by_name[name] for name in names))


def _gain(run: RunResult) -> float:
    """Return the value by which runs are sorted, more being better."""
    first = parse_measure(run.scores[0].measure).name
    same = [score for score in run.scores if parse_measure(score.measure).name == first]
    scores = same if len(same) > 2 else run.scores[:1]
    defined = [score.aggregate for score in scores if not np.isnan(score.aggregate)]
    if not defined:
        return -np.inf
    return float(np.mean(defined)) * (-1.0 if run.scores[0].loss else 1.0)
