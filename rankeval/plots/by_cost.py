"""Data by run and cost: the value of each run against what it costs."""

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from rankeval.base.frozen import frozen
from rankeval.base.numbers import finite
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.plots.selection import Row, chosen_measure, score_of
from rankeval.stats.checked_arrays import Floats

WIDE_COSTS = 30
"""The largest ratio of two costs that is drawn on a linear scale."""


@frozen(eq=False)
class Tradeoff:
    """The value and the cost of each run.

    ======== =======================================================================================
    measure  canonical name
    loss     True when smaller is better
    cost     name of the cost
    runs     names
    costs    shape (runs,)
    values   over all topics, shape (runs,)
    on_front True where no other run is better in one and as good in the other, shape (runs,)
    ======== =======================================================================================
    """

    measure: str
    loss: bool
    cost: str
    runs: tuple[str, ...]
    costs: Floats
    values: Floats
    on_front: npt.NDArray[np.bool_]

    @property
    def logarithmic(self) -> bool:
        """True if the costs are so far apart that they are drawn on a logarithmic scale."""
        positive = bool((self.costs > 0).all())
        return positive and bool(self.costs.max() > WIDE_COSTS * self.costs.min())

    def rows(self) -> Iterator[Row]:
        """Yield a row per run."""
        for i, run in enumerate(self.runs):
            yield {
                "run": run,
                "measure": self.measure,
                "value": finite(self.values[i]),
                self.cost: float(self.costs[i]),
                "pareto": bool(self.on_front[i]),
            }


def tradeoff_data(
    results: Results,
    costs: Mapping[str, float],
    measure: str | None = None,
    *,
    cost: str = "cost",
) -> Tradeoff:
    """Return value and cost of each run, with those on the Pareto front marked.

    A run is on the front if no other run is at least as good in both and better in one. `costs` has
    the cost of each run by name or path, less being better; `cost` is what it is called.
    """
    name = chosen_measure(results, measure)
    scores = [score_of(run, name) for run in results.runs]
    spent = np.array([_cost(run.name, run.path, costs) for run in results.runs])
    values = np.array([score.aggregate for score in scores])
    gains = -values if scores[0].loss else values
    no_worse = (spent[:, np.newaxis] <= spent) & (gains[:, np.newaxis] >= gains)
    better = (spent[:, np.newaxis] < spent) | (gains[:, np.newaxis] > gains)
    return Tradeoff(
        measure=name,
        loss=scores[0].loss,
        cost=cost,
        runs=tuple(run.name for run in results.runs),
        costs=spent,
        values=values,
        on_front=~(no_worse & better).any(axis=0) & ~np.isnan(values),
    )


def _cost(name: str, path: str, costs: Mapping[str, float]) -> float:
    for key in (name, path):
        if key in costs:
            return float(costs[key])
    raise UsageError(
        f"no cost is given for the run '{name}'",
        expected=f"one of {', '.join(costs)}",
        remedy="add a line with the run's name and its cost",
    )
