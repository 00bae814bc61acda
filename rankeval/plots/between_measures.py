"""Data of the agreement between measures: the orders in which they put the runs."""

from collections.abc import Iterator

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.base.numbers import finite
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.plots.selection import Row, measure_names, require_runs, score_of
from rankeval.stats.checked_arrays import Floats
from rankeval.stats.rank_correlation import order_agreement


@frozen(eq=False)
class Agreement:
    """Correlations of the orders in which measures put the runs.

    ======== =======================================================================================
    measures names
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


def agreement_data(results: Results) -> Agreement:
    """Return Kendall's tau and tau-AP between all measures of the results, over the runs.

    Runs are ordered by their value over all topics, the best first. For tau-AP, which knows no
    ties, tied runs are ordered as in the other measure, and then as in the results.

    Edge cases
        - A run for which a measure is undefined is left out for that pair of measures.
        - All runs tied by one of the two: both are NaN.

    Source: Kendall, Biometrika 33, 1945; Yilmaz, Aslam and Robertson, SIGIR 2008.
    """
    require_runs(results, 2)
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
    return Agreement(measures, len(results.runs), tau, top_heavy)


def _gains(results: Results, name: str) -> list[float]:
    scores = [score_of(run, name) for run in results.runs]
    return [-score.aggregate if score.loss else score.aggregate for score in scores]
