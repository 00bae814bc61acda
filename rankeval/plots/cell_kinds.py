"""All values, p-values and topics won of all pairs of runs, and agreement of measures: shades."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.wording import count, finite
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import Axis
from rankeval.plots.cells import Cells, Layer
from rankeval.plots.form import Row
from rankeval.plots.kinds import Choices
from rankeval.plots.selection import (
    measure_names,
    place_of,
    require_runs,
    score_of,
    table_of,
)
from rankeval.stats.checked_arrays import NOISE
from rankeval.stats.rank_correlation import order_agreement

LEAST_RUNS = 5
"""Of fewer runs, there are too few orders for measures to disagree in part."""


def heatmap(results: Results, measure: str, choices: Choices) -> Cells:
    """Return the values of all runs on all topics, the easiest topics first.

    A topic is easy if the mean over the runs is good. With differences, values are those
    run - baseline of the other runs, and the topics come first on which they gain most.

    Edge cases
        - Topics without any value come last.
    """
    table = table_of(results, measure, least_runs=2 if choices.differences else 1)
    runs, values, baseline = table.runs, table.values, ""
    if choices.differences:
        at = place_of(runs, choices.baseline)
        others, baseline = [i for i in range(len(runs)) if i != at], runs[at]
        runs, values = tuple(runs[i] for i in others), values[:, others] - values[:, [at]]
    gains = -values if table.loss else values
    order = np.argsort(-_means(gains), kind="stable")
    topics, values = tuple(table.topics[i] for i in order.tolist()), values[order]
    word, first, (low, high) = measure, "the easiest first", table.span or _ends(values)
    if baseline:
        word = f"difference in {measure} from {baseline}; blue: better"
        first, high = "the largest gains first", float(np.nanmax(np.abs(values), initial=0)) or 1.0
        low = -high

    def numbers() -> Iterator[Row]:
        for (i, topic), (j, run) in product(enumerate(topics), enumerate(runs)):
            value = finite(values[i, j])
            facts: Row = {"run": run, "measure": measure, "topic": topic}
            if baseline:
                yield {"baseline": baseline, **facts, "difference": value}
            else:
                yield {"topic": topic, **facts, "value": value}

    layer = Layer(word, values.T, (low, high), word, falling=bool(baseline) and table.loss)
    below = f"{count(len(topics), choices.item)}, {first}"
    return Cells(measure, runs, topics, (layer,), numbers, below=below, changes=bool(baseline))


def _means(values: Floats) -> Floats:
    """Return the means of rows over the values that are defined; -infinity for none."""
    defined = ~np.isnan(values)
    n_defined = defined.sum(axis=1)
    totals = np.where(defined, values, 0.0).sum(axis=1)
    return np.where(n_defined > 0, totals / np.maximum(n_defined, 1), -np.inf)


def _ends(values: Floats) -> tuple[float, float]:
    axis = Axis.over(values.ravel())
    return axis.low, axis.high


def pairs(results: Results, _: str, choices: Choices) -> tuple[Cells, ...]:
    """Return p-values and shares of topics won of all pairs of runs, by measure.

    They are those of `results.compare(all_pairs=True)`, with its tests and its correction.
    """
    require_runs(results, 2)
    comparison, alpha = results.compare(alpha=choices.alpha, all_pairs=True), choices.alpha
    runs = tuple(run.name for run in results.runs)
    place, tables = {name: i for i, name in enumerate(runs)}, dict[str, Floats]()
    for pair in comparison.pairs:
        p_value, won = tables.setdefault(pair.measure, np.full((2, len(runs), len(runs)), np.nan))
        i, j, found = place[pair.run], place[pair.baseline], pair.summary
        p_value[i, j] = p_value[j, i] = pair.p
        if found.n_topics:
            won[i, j], won[j, i] = found.wins / found.n_topics, found.losses / found.n_topics
    panels = []
    for measure, (p_value, won) in tables.items():
        title = f"p-values of {measure}; bold: below {alpha:g}"
        below = p_value < alpha
        tests = Layer(title, p_value, (0.0, 1.0), "p-value", falling=True, bold=below)
        title = f"share of topics won by the row's run, {measure}"
        wins = Layer(title, won, (0.0, 1.0), "share won")
        columns = {"p_value": p_value, "won": won}
        numbers = partial(_pairs, ("a", "b"), runs, {"measure": measure}, columns)
        panels.append(Cells(measure, runs, None, (tests, wins), numbers))
    return tuple(panels)


def _pairs(
    heads: tuple[str, str],
    names: Sequence[str],
    facts: Mapping[str, Any],
    columns: Mapping[str, Floats],
    *,
    equal: bool = False,
) -> list[Row]:
    """Return a record for each pair of names, and of a name with itself if `equal`."""
    return [
        {heads[0]: a, heads[1]: b, **facts, **{k: finite(v[i, j]) for k, v in columns.items()}}
        for (i, a), (j, b) in product(enumerate(names), repeat=2)
        if i != j or equal
    ]


def agreement(results: Results, _: str, __: Choices) -> Cells:
    """Return Kendall's tau and tau-AP between all measures of the results, over the runs.

    Runs are ordered by their value over all topics, the best first. For tau-AP, which knows no
    ties, tied runs are ordered as in the other measure, and then as in the results. Raise
    UsageError for fewer than five runs.

    Edge cases
        - A run for which a measure is undefined is left out for that pair of measures.
        - All runs tied by one of the two: both are NaN.

    Source: Kendall, Biometrika 33, 1945; Yilmaz, Aslam and Robertson, SIGIR 2008.
    """
    n_runs = len(results.runs)
    if n_runs < LEAST_RUNS:
        raise UsageError(
            f"found {count(n_runs, 'run')}, too few to show how far measures agree on their order",
            expected=f"{LEAST_RUNS} runs or more",
        )
    measures = measure_names(results)
    if len(measures) < 2:
        raise UsageError("found 1 measure to compare", expected="two measures or more")
    gains = np.array([_gains(results, name) for name in measures])
    size = len(measures)
    tau, top_heavy = np.full((2, size, size), np.nan)
    for i, j in product(range(size), repeat=2):
        orders = order_agreement(gains[i], gains[j])
        if orders.tau_b is not None and orders.tau_ap is not None:
            tau[i, j], top_heavy[i, j] = orders.tau_b, orders.tau_ap
    layers = (
        Layer(f"Kendall's tau; {n_runs} runs", tau, _span(tau), "tau"),
        Layer(
            *(f"tau-AP of the column, truth: the row; {n_runs} runs", top_heavy),
            *(_span(top_heavy), "tau-AP"),
        ),
    )
    columns = {"tau": tau, "tau_ap": top_heavy}
    numbers = partial(_pairs, ("truth", "measure"), measures, {}, columns, equal=True)
    return Cells("", measures, None, layers, numbers, named=False)


def _span(values: Floats) -> tuple[float, float]:
    """Return the ends of the shades: the least correlation, and 1."""
    low = float(np.min(values[~np.isnan(values)], initial=1.0))
    return (low if low < 1.0 - NOISE else 0.9), 1.0


def _gains(results: Results, name: str) -> list[float]:
    scores = [score_of(run, name) for run in results.runs]
    return [-score.aggregate if score.loss else score.aggregate for score in scores]
