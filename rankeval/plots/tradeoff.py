"""The value of each run against its cost, and the kind that draws it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import finite, visible
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results, RunResult
from rankeval.plots import look
from rankeval.plots.canvas import Axis, canvas_beside, colour, framed, legend, letter
from rankeval.plots.form import Form, Row, Screen
from rankeval.plots.kinds import Choices
from rankeval.plots.selection import score_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDE_COSTS = 30
"""The largest ratio of two costs that is drawn on a linear scale."""

FRONT = "Pareto front"


class Spent(NamedTuple):
    """The record of a run, its cost and value.

    It is on the front where no other run is better in one and as good in the other.
    """

    numbers: Row
    cost: float
    value: float
    on_front: bool


@frozen(eq=False)
class Costs(Form):
    """Value and cost of each run, under the name of a measure and of the cost."""

    most, row, narrowest, legend, joined = 12, 0.0, 3.2, True, False
    measure: str
    cost: str
    of_runs: Mapping[str, Spent]

    @property
    def logarithmic(self) -> bool:
        """True if the costs are so far apart that they are drawn on a logarithmic scale."""
        costs = [one.cost for one in self.of_runs.values()]
        return min(costs) > 0 and max(costs) > WIDE_COSTS * min(costs)

    def draw(self, axes: "Axes", width: float) -> None:
        """Draw value against cost; runs on the Pareto front are filled and joined."""
        for i, one in enumerate(self.of_runs.values()):
            tint, _, marker = look.identity(i)
            axes.plot(
                [one.cost], [one.value], linestyle="none", marker=marker, color=tint,
                markersize=5.0, markerfacecolor=tint if one.on_front else "none", gid=f"run{i}",
                clip_on=False,
            )  # fmt: skip
        front = sorted((one.cost, one.value) for one in self.of_runs.values() if one.on_front)
        axes.step(
            [cost for cost, _ in front], [value for _, value in front], where="post",
            color=look.NEUTRAL, linewidth=0.8, zorder=0,
        )  # fmt: skip
        if self.logarithmic:
            axes.set_xscale("log")
        axes.margins(0.06)
        axes.set_xlabel(look.in_lines(f"{self.cost} (filled: {FRONT})", 0.7 * width))
        axes.set_ylabel(look.in_lines(self.measure, 0.6 * self.fixed(width)))

    def in_terminal(self, screen: Screen) -> list[Text]:
        """Return a canvas with the letter of each run at its point."""
        spent = [*self.of_runs.values()]
        names = legend(self.runs, screen, [f"  ({FRONT})" * one.on_front for one in spent])
        exact = np.array([one.cost for one in spent])
        costs = np.log(exact) if self.logarithmic else exact
        y_axis = Axis.over(one.value for one in spent)
        canvas = canvas_beside(screen, Axis.over(costs), y_axis, len(names))
        for i, (x, one) in enumerate(zip(costs.tolist(), spent, strict=True)):
            canvas.mark(x, one.value, letter(i), f"bold {colour(i)}")
        canvas.x = Axis.over(exact)
        cost = visible(self.cost) + (", logarithmic" if self.logarithmic else "")
        return [*framed(canvas, cost, visible(self.measure), screen), *names]


def tradeoff(results: Results, measure: str, choices: Choices) -> Costs:
    """Return value and cost of each run, with those on the Pareto front marked.

    A run is on the front if no other run is at least as good in both and better in one. Less cost
    is better.
    """
    if choices.costs is None:
        raise UsageError(
            "'tradeoff' needs the cost of each run",
            remedy="add --run-costs FILE: a header, then lines of run and number",
        )
    scores = [score_of(run, measure) for run in results.runs]
    costs = np.array([_cost(run, choices.costs) for run in results.runs])
    values = np.array([score.aggregate for score in scores])
    gains = -values if scores[0].loss else values
    no_worse = (costs[:, np.newaxis] <= costs) & (gains[:, np.newaxis] >= gains)
    better = (costs[:, np.newaxis] < costs) | (gains[:, np.newaxis] > gains)
    on_front = ~(no_worse & better).any(axis=0) & ~np.isnan(values)
    of_runs = {}
    for i, run in enumerate(results.runs):
        cost, value, front = float(costs[i]), float(values[i]), bool(on_front[i])
        numbers = {"run": run.name, "measure": measure, "value": finite(value)}
        numbers |= {choices.cost: cost, "pareto": front}
        of_runs[run.name] = Spent(numbers, cost, value, front)
    return Costs(measure, choices.cost, of_runs)


def _cost(run: RunResult, costs: Mapping[str, float]) -> float:
    for key in (run.name, run.path):
        if key in costs:
            return float(costs[key])
    raise UsageError(
        f"no cost is given for the run '{run.name}'",
        expected=f"one of {', '.join(costs)}",
        remedy="add a line with the run's name and its cost",
    )
