"""The value of each run against its cost."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import finite, visible
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import Axis, canvas_beside, colour, framed, legend, letter
from rankeval.plots.fewer_runs import FewerRuns, only_fields
from rankeval.plots.kinds import (
    Choices,
    Drawing,
    InReports,
    Numbers,
    PlotKind,
    Row,
    Screen,
    register,
)
from rankeval.plots.look import (
    MARKERS,
    NEUTRAL,
    curve_inches,
    folded,
    identity,
    label,
    letters_of,
    width_of,
)
from rankeval.plots.selection import (
    chosen_measure,
    measure_names,
    score_of,
    seed_values,
    short_number,
)
from rankeval.stats.checked_arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


WIDE_COSTS = 30
"""The largest ratio of two costs that is drawn on a linear scale."""


DIGIT, MARK = 0.055, 0.07
"""Inches of a digit next to a point, and of the point."""


FRONT = "Pareto front"


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
    seeds    for a system of several runs, the value of each; empty for one run
    ======== =======================================================================================
    """

    measure: str
    loss: bool
    cost: str
    runs: tuple[str, ...]
    costs: Floats
    values: Floats
    on_front: npt.NDArray[np.bool_]
    seeds: tuple[Floats, ...] = ()

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
        seeds=tuple(map(seed_values, scores)),
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


def _tradeoffs(results: Results, choices: Choices) -> Iterator[Any]:
    if choices.costs is None:
        raise UsageError(
            "'tradeoff' needs the cost of each run",
            remedy="add --run-costs FILE: a header, then lines of run and number",
        )
    for measure in measure_names(results):
        yield tradeoff_data(results, choices.costs, measure, cost=choices.cost)


def _entries(data: Tradeoff) -> Sequence[str]:
    """Return the names of a legend, with numbers where runs share a marker."""
    if len(data.runs) <= len(MARKERS):
        return data.runs
    return [f"{place} {run}" for place, run in enumerate(data.runs, 1)]


def _front(data: Tradeoff) -> list[str]:
    """Return the names of the runs on the Pareto front."""
    return [run for run, on_front in zip(data.runs, data.on_front, strict=True) if on_front]


def _draw(data: Tradeoff, ax: "Axes", share: float) -> None:
    """Draw value against cost; runs on the Pareto front are filled and joined.

    `share` is that of the figure's width which the axes take.
    """
    for i in range(len(data.runs)):
        colour, _, marker = identity(i)
        ax.plot(
            [data.costs[i]],
            [data.values[i]],
            linestyle="none",
            marker=marker,
            markersize=5.0,
            color=colour,
            markerfacecolor=colour if data.on_front[i] else "none",
            gid=f"run{i}",
            clip_on=False,
        )
        seeds = data.seeds[i]
        at = np.full(len(seeds), data.costs[i])
        ax.plot(at, seeds, ".", color=colour, markersize=2.5, gid=f"seeds{i}")
    front = np.flatnonzero(data.on_front)
    order = front[np.lexsort((data.values[front], data.costs[front]))]
    ax.step(
        data.costs[order],
        data.values[order],
        where="post",
        color=NEUTRAL,
        linewidth=0.8,
        zorder=0,
    )
    if data.logarithmic:
        ax.set_xscale("log")
    ax.margins(0.06)
    width = width_of(ax) * share
    ax.set_xlabel(folded(f"{data.cost} (filled: {FRONT})", letters_of(width, 0.7)))
    ax.set_ylabel(label(data.measure))
    if len(data.runs) > len(MARKERS):
        _number_points(data, ax, width)


def _number_points(data: Tradeoff, ax: "Axes", width: float) -> None:
    """Write the number of each run right of its point or above, where none of the others is."""
    costs, limits = data.costs, np.array(ax.get_xlim())
    if data.logarithmic:
        costs, limits = np.log(costs), np.log(limits)
    low, high = ax.get_ylim()
    x = (costs - limits[0]) / np.ptp(limits) * 0.85 * width
    y = (data.values - low) / (high - low) * 0.8 * curve_inches(data, width)
    taken = np.column_stack([x, y])
    room = np.array([(2 * DIGIT + 1.5 * MARK) / 2, (1.5 * DIGIT + MARK) / 2])
    for i, point in enumerate(taken[: len(x)]):
        others = np.delete(taken, i, axis=0)
        for offset in (room * (1.0, 0.0), room * (0.0, 1.0)):
            covered = (np.abs(others - point - offset) < room).all(axis=1).any()
            if not covered and not np.isnan(point).any():
                taken = np.vstack([taken, point + offset])
                ax.annotate(
                    str(i + 1), (data.costs[i], data.values[i]), (72 * offset[0], 72 * offset[1]),
                    textcoords="offset points", ha="center", va="center", fontsize=6.0,
                )  # fmt: skip
                break


def _in_terminal(data: Tradeoff, screen: Screen) -> list[Text]:
    notes = [f"  ({FRONT})" if on_front else "" for on_front in data.on_front.tolist()]
    names = legend(data.runs, screen.width, notes=notes)
    costs = np.log(data.costs) if data.logarithmic else data.costs
    canvas = canvas_beside(
        screen, Axis.over(costs), Axis.over([*data.values, *np.concatenate(data.seeds)]), len(names)
    )
    for i, (x, y) in enumerate(zip(costs.tolist(), data.values.tolist(), strict=True)):
        canvas.dots(np.full(len(data.seeds[i]), x), data.seeds[i], colour(i))
        canvas.mark(x, y, letter(i), f"bold {colour(i)}")
    canvas.x = Axis.over(data.costs)
    cost = visible(data.cost) + (", logarithmic" if data.logarithmic else "")
    return [*framed(canvas, cost, visible(data.measure), unicode=screen.unicode), *names]


def _numbers(data: Tradeoff) -> Iterator[Numbers]:
    rows = zip(data.runs, data.costs, data.values, data.on_front, strict=True)
    yield Numbers(
        f"{data.measure} and {data.cost}",
        ("Run", data.cost, data.measure, FRONT),
        tuple(
            (run, f"{cost:g}", short_number(value), "yes" if on_front else "no")
            for run, cost, value, on_front in rows
        ),
    )


register(
    PlotKind(
        "tradeoff",
        _tradeoffs,
        Drawing(
            _draw,
            curve_inches,
            (2, 1),
            legend=_entries,
            markers=True,
            hollow=lambda data: ~data.on_front,
            fewer=FewerRuns(
                lambda data: data.values,
                only_fields("runs", "costs", "values", "on_front", "seeds"),
                first=_front,
            ),
        ),
        _in_terminal,
        InReports(
            7,
            "Values and costs",
            "Value and cost of each run; those on the Pareto front are filled and joined.",
            _numbers,
        ),
        option="--run-costs",
    )
)
