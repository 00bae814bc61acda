"""The agreement between measures: the orders in which they put the runs."""

from collections.abc import Iterator

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import count, finite
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import wrapped
from rankeval.plots.kinds import Drawing, InReports, Numbers, PlotKind, Row, Screen, register
from rankeval.plots.matrices import Matrix, draw_matrix, matrix_inches, matrix_lines
from rankeval.plots.selection import measure_names, score_of, short_number
from rankeval.stats.checked_arrays import NOISE, Floats
from rankeval.stats.rank_correlation import order_agreement


@frozen(eq=False)
class Agreement:
    """Correlations of the orders in which measures put the runs.

    ======== =======================================================================================
    measures names, in the order of the results, or clustered so that those that agree are
             neighbours
    n_runs   number of runs
    tau      Kendall's tau-b, shape (measures, measures); NaN where all runs are tied
    tau_ap   AP correlation of the order of the column's measure with that of the row's, which
             counts as the true one, shape (measures, measures); not symmetric
    ======== =======================================================================================
    """

    measures: tuple[str, ...]
    n_runs: int
    tau: Floats
    tau_ap: Floats

    def rows(self) -> Iterator[Row]:
        """Yield a row per pair of measures."""
        for i, truth in enumerate(self.measures):
            for j, measure in enumerate(self.measures):
                yield {
                    "truth": truth,
                    "measure": measure,
                    "tau": finite(self.tau[i, j]),
                    "tau_ap": finite(self.tau_ap[i, j]),
                }


LEAST_RUNS = 5
"""Of fewer runs, there are too few orders for measures to disagree in part."""


def agreement_data(results: Results) -> Agreement:
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
    return Agreement(tuple(measures), n_runs, tau, top_heavy)


def _gains(results: Results, name: str) -> list[float]:
    scores = [score_of(run, name) for run in results.runs]
    return [-score.aggregate if score.loss else score.aggregate for score in scores]


Part = tuple[Agreement, str]
"""The content of one of the axes: the agreement, and which of its statistics."""
TITLES = {"tau": "Kendall's tau", "tau_ap": "tau-AP of the column, truth: the row"}


def _matrix(part: Part) -> Matrix:
    data, statistic = part
    values = getattr(data, statistic)
    known = values[~np.isnan(values)]
    low = float(known.min()) if known.size else -1.0
    span = (low if low < 1.0 - NOISE else 0.9, 1.0)
    title = f"{TITLES[statistic]}; {data.n_runs} runs"
    return Matrix(title, data.measures, values, span, statistic.replace("_ap", "-AP"))


def _style(value: float) -> str:
    return "bold" if value > 0.9 else "red" if value < 0.5 else ""


def _in_terminal(data: Agreement, screen: Screen) -> list[Text]:
    lines: list[Text] = []
    titles = ("Kendall's tau", "tau-AP of the column's order, the row's being the truth")
    for title, statistic in zip(titles, TITLES, strict=True):
        matrix = _matrix((data, statistic))
        lines += wrapped(f"{title}, {data.n_runs} runs", screen, "bold")
        lines += matrix_lines(matrix, screen, _style)
    return lines


def _numbers(data: Agreement) -> Iterator[Numbers]:
    for title, values in (("Kendall's tau", data.tau), ("tau-AP, truth: the row", data.tau_ap)):
        yield Numbers(
            title,
            ("Measure", *data.measures),
            tuple(
                (name, *map(short_number, row))
                for name, row in zip(data.measures, values, strict=True)
            ),
        )


register(
    PlotKind(
        "agreement",
        lambda results, _: [agreement_data(results)],
        Drawing(
            lambda part, ax, share: draw_matrix(_matrix(part), ax, share),
            lambda part, width: matrix_inches(_matrix(part), width),
            (2, 1),
            parts=lambda panel: [(panel, name) for name in TITLES],
        ),
        _in_terminal,
        InReports(
            4,
            "Agreement of measures",
            "Kendall's tau and tau-AP between the orders in which the measures put the runs.",
            _numbers,
            runs=LEAST_RUNS,
        ),
        collections=True,
    )
)
