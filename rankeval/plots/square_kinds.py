"""P-values and topics won of all pairs of runs, and agreement of all pairs of measures."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np

from rankeval.base.wording import count
from rankeval.choices import Correction
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.plots.kinds import InReports, Numbers
from rankeval.plots.selection import (
    MeasureValues,
    mean_of,
    measure_names,
    score_of,
    short_number,
    table_of,
    values_by_seed,
)
from rankeval.plots.square_form import Square, Squares, register_squares
from rankeval.stats import (
    adjust_p_values,
    paired_differences,
    paired_test,
    summarize_differences,
)
from rankeval.stats.checked_arrays import NOISE, Floats
from rankeval.stats.mean_tests import seeds_test
from rankeval.stats.rank_correlation import order_agreement


def pairs_data(results: Results, *measures: str, alpha: float = 0.05) -> tuple[Squares, ...]:
    """Return p-values and shares of topics won of all pairs of runs, by measure.

    P-values are those of `rankeval.compare` for all pairs: Student's paired t test, corrected by
    Holm's method over all pairs and measures. For systems of several runs, the variance of topics
    and that of runs count. Without `measures`, all of the results count.

    Edge cases
        - A topic without a value for one of the two: left out of that pair.
        - Fewer than two topics: p = 1.

    Source: Holm, "A simple sequentially rejective multiple test procedure", 1979.
    """
    tables = [table_of(results, name, least_runs=2) for name in measures or measure_names(results)]
    pairs = list(combinations(range(len(results.runs)), 2))
    p_values = [_p_value(results, table, *pair) for table in tables for pair in pairs]
    corrected = adjust_p_values(p_values, correction=Correction.HOLM).reshape(-1, len(pairs))
    panels = []
    for table, row in zip(tables, corrected, strict=True):
        matrix = np.full((len(table.runs),) * 2, np.nan)
        for (i, j), p_value in zip(pairs, row.tolist(), strict=True):
            matrix[i, j] = matrix[j, i] = p_value
        panels.append(_pairs(table, matrix, alpha))
    return tuple(panels)


def _pairs(table: MeasureValues, p_values: Floats, alpha: float) -> Squares:
    """Return the p-values of a measure, and the shares of topics won."""
    p_value = Square(
        column="p_value",
        title=f"p-values of {table.measure}; bold: below {alpha:g}",
        names=table.runs,
        values=p_values,
        span=(0.0, 1.0),
        word="p-value",
        falling=True,
        bold=p_values < alpha,
        measure=table.measure,
        best=np.array([mean_of(values) for values in table.values.T]),
        loss=table.loss,
    )
    won = replace(
        p_value,
        column="won",
        title=f"share of topics won by the row's run, {table.measure}",
        values=_shares_won(table),
        word="share won",
        falling=False,
        bold=None,
    )
    return Squares(("a", "b"), (p_value, won), table.measure)


def _p_value(results: Results, table: MeasureValues, i: int, j: int) -> float:
    before, after = (values_by_seed(results, table, place) for place in (i, j))
    if before.shape[1] == after.shape[1] == 1:
        return paired_test(paired_differences(before[:, 0], after[:, 0])).p_value
    return seeds_test(before, after)[0].p_value


def _shares_won(table: MeasureValues) -> Floats:
    """Return the share of topics on which the run of a row is better than that of a column."""
    gains = -table.values if table.loss else table.values
    won = np.full((len(table.runs),) * 2, np.nan)
    for i, j in combinations(range(len(table.runs)), 2):
        found = summarize_differences(gains[:, j], gains[:, i])
        if found.n_topics:
            won[i, j], won[j, i] = found.wins / found.n_topics, found.losses / found.n_topics
    return won


LEAST_RUNS = 5
"""Of fewer runs, there are too few orders for measures to disagree in part."""


def agreement_data(results: Results) -> Squares:
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
    tau, top_heavy = np.full((size, size), np.nan), np.full((size, size), np.nan)
    for i in range(size):
        for j in range(size):
            orders = order_agreement(gains[i], gains[j])
            if orders.tau_b is not None and orders.tau_ap is not None:
                tau[i, j], top_heavy[i, j] = orders.tau_b, orders.tau_ap
    titles = ("Kendall's tau", "tau-AP of the column, truth: the row")
    tables = tuple(
        Square(column, f"{title}; {n_runs} runs", tuple(measures), values, _span(values), word)
        for column, title, values, word in zip(
            ("tau", "tau_ap"), titles, (tau, top_heavy), ("tau", "tau-AP"), strict=True
        )
    )
    return Squares(("truth", "measure"), tables, equal=True)


def _span(values: Floats) -> tuple[float, float]:
    """Return the ends of the shades: the least correlation, and 1."""
    low = float(np.min(values[~np.isnan(values)], initial=1.0))
    return (low if low < 1.0 - NOISE else 0.9), 1.0


def _gains(results: Results, name: str) -> list[float]:
    scores = [score_of(run, name) for run in results.runs]
    return [-score.aggregate if score.loss else score.aggregate for score in scores]


def _tables(data: Squares) -> Iterator[Numbers]:
    for table in data.tables:
        rows = zip(table.names, table.values, strict=True)
        numbers = tuple((name, *map(short_number, values)) for name, values in rows)
        yield Numbers(table.title, ("Measure", *table.names), numbers)


register_squares(
    "pairs",
    lambda results, choices: pairs_data(results, alpha=choices.alpha),
    of_runs=True,
    report=None,
    option="--alpha",
)
register_squares(
    "agreement",
    lambda results, _: [agreement_data(results)],
    of_runs=False,
    report=InReports(
        4,
        "Agreement of measures",
        "Kendall's tau and tau-AP between the orders in which the measures put the runs.",
        _tables,
        runs=LEAST_RUNS,
    ),
)
