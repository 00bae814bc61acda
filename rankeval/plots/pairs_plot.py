"""All pairs of runs: p-values of their differences, and shares of topics won."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import finite, visible
from rankeval.choices import Correction
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import wrapped
from rankeval.plots.fewer_runs import FewerRuns, only_fields
from rankeval.plots.kinds import Choices, Drawing, PlotKind, Row, Screen, register
from rankeval.plots.matrices import Matrix, draw_matrix, matrix_inches, matrix_lines
from rankeval.plots.selection import MeasureValues, mean_of, measure_names, table_of, values_by_seed
from rankeval.stats import (
    adjust_p_values,
    paired_differences,
    paired_test,
    summarize_differences,
)
from rankeval.stats.checked_arrays import Floats
from rankeval.stats.mean_tests import seeds_test


@frozen(eq=False)
class RunPairs:
    """All pairs of runs in one measure.

    ======= ========================================================================================
    measure canonical name
    loss    True when smaller is better
    runs    names
    mean    over the topics that all runs have; of preferences, the mean share won
    p_value corrected p-value of the difference, shape (runs, runs); NaN on the diagonal
    won     share of topics on which the row's run is better, shape (runs, runs); NaN on the
            diagonal, and without a topic on which both have a value
    alpha   significance level
    unit    what is won
    ======= ========================================================================================
    """

    measure: str
    loss: bool
    runs: tuple[str, ...]
    mean: Floats
    p_value: Floats
    won: Floats
    alpha: float
    unit: str = "topics"

    def rows(self) -> Iterator[Row]:
        """Yield a row per ordered pair of runs."""
        for i, a in enumerate(self.runs):
            for j, b in enumerate(self.runs):
                if i != j:
                    yield {
                        "a": a,
                        "b": b,
                        "measure": self.measure,
                        "p_value": finite(self.p_value[i, j]),
                        "won": finite(self.won[i, j]),
                    }


def pairs_data(results: Results, *measures: str, alpha: float = 0.05) -> tuple[RunPairs, ...]:
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
        means = np.array([mean_of(values) for values in table.values.T])
        won = _shares_won(table)
        panels.append(RunPairs(table.measure, table.loss, table.runs, means, matrix, won, alpha))
    return tuple(panels)


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


Part = tuple[RunPairs, str]
"""The content of one of the axes: the pairs, and which of their numbers."""
PARTS = ("p_value", "won")


def _matrix(part: Part) -> Matrix:
    data, which = part
    if which == "won":
        title = f"share of {data.unit} won by the row's run, {data.measure}"
        return Matrix(title, data.runs, data.won, (0.0, 1.0), "share won")
    title = f"p-values of {data.measure}; bold: below {data.alpha:g}"
    bold = data.p_value < data.alpha
    return Matrix(title, data.runs, data.p_value, (0.0, 1.0), "p-value", "falling", bold)


def _only(part: Part, places: Sequence[int]) -> Part:
    """Return the pairs of some runs; p-values stay corrected over all."""
    data, which = part
    square = np.ix_(places, places)
    some = {"p_value": data.p_value[square], "won": data.won[square]}
    return replace(only_fields("runs", "mean")(data, places), **some), which


def _in_terminal(data: RunPairs, screen: Screen) -> list[Text]:
    lines: list[Text] = []
    for which in PARTS:
        matrix = _matrix((data, which))
        lines += [*wrapped(visible(matrix.title), screen, "bold"), *matrix_lines(matrix, screen)]
    return lines


def _all(results: Results, choices: Choices) -> tuple[RunPairs, ...]:
    return pairs_data(results, alpha=choices.alpha)


register(
    PlotKind(
        "pairs",
        _all,
        Drawing(
            lambda part, ax, share: draw_matrix(_matrix(part), ax, share),
            lambda part, width: matrix_inches(_matrix(part), width),
            (2, 1),
            parts=lambda panel: [(panel, which) for which in PARTS],
            fewer=FewerRuns(lambda part: part[0].mean, _only),
        ),
        _in_terminal,
        None,
        option="--alpha",
        collections=True,
    )
)
