"""Points: two runs topic by topic, and the value of each run against its cost."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Self

import numpy as np
from rich.text import Text

from rankeval.base.arrays import Booleans, Floats
from rankeval.base.frozen import frozen
from rankeval.base.wording import finite, visible
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results, RunResult
from rankeval.plots import look
from rankeval.plots.canvas import (
    Axis,
    canvas_beside,
    colour,
    framed,
    heading,
    legend,
    letter,
    wrapped,
)
from rankeval.plots.form import Form, Row, Screen
from rankeval.plots.kinds import Choices
from rankeval.plots.selection import named_topics, place_of, score_of, seed_values, table_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDE_COSTS = 30
"""The largest ratio of two costs that is drawn on a linear scale."""

FRONT = "Pareto front"
MANY = 1000
"""More points than these are small, and drawn as pixels."""


@frozen(eq=False)
class Pairs(Form):
    """The values of the baseline and of one run on the topics where both have one.

    ============= ==================================================================================
    measure       canonical name
    span          least and greatest value that a topic can have; None where that is not known
    baseline, run names
    topics        names
    x, y          values of the baseline and of the run, shape (topics,)
    ============= ==================================================================================
    """

    row, narrowest, flattest = 0.0, 1.65, inf
    measure: str
    span: tuple[float, float] | None
    baseline: str
    run: str
    topics: tuple[str, ...]
    x: Floats
    y: Floats

    @property
    def records(self) -> Iterator[Row]:
        """A record for each topic."""
        for topic, x, y in zip(self.topics, self.x.tolist(), self.y.tolist(), strict=True):
            facts = {"baseline": self.baseline, "run": self.run, "measure": self.measure}
            yield {**facts, "topic": topic, "baseline_value": x, "run_value": y}

    def fixed(self, width: float) -> float:
        """Return the inches of a square with a title."""
        return min(5.0, 0.95 * width) + 0.35

    def counted(self) -> str:
        """Return the numbers of topics above and below the diagonal."""
        return f"{(self.y > self.x).sum():,} above, {(self.y < self.x).sum():,} below"

    def draw(self, axes: "Axes", width: float) -> None:
        """Draw the values of a run against those of the baseline, topic by topic."""
        many = len(self.x) > MANY
        for name, chosen, tint, marker in (
            ("above", self.y > self.x, look.BETTER, "^"),
            ("below", self.y < self.x, look.WORSE, "v"),
            ("equal", self.y == self.x, look.NEUTRAL, "o"),
        ):
            axes.scatter(
                self.x[chosen], self.y[chosen], s=4.0 if many else 12.0, marker=marker, color=tint,
                alpha=0.25 if many else 0.7, linewidths=0.0, rasterized=many, clip_on=False,
                gid=name,
            )  # fmt: skip
        axis = Axis.over([*self.x, *self.y]) if self.span is None else Axis(*self.span)
        pad = 0.03 * (axis.high - axis.low)
        ends = [axis.low, axis.high]
        axes.plot(ends, ends, color=look.NEUTRAL, linewidth=0.5, zorder=0)
        axes.set_xlim(axis.low - pad, axis.high + pad)
        axes.set_ylim(axis.low - pad, axis.high + pad)
        axes.set_aspect("equal", anchor="N")
        axes.locator_params(nbins=max(1, min(5, int(width / 0.75))))
        marked = self.counted().replace("above", "\N{BLACK UP-POINTING TRIANGLE}")
        marked = marked.replace("below", "\N{BLACK DOWN-POINTING TRIANGLE}")
        axes.set_title(marked, loc="left", fontsize=7)
        for put, name in ((axes.set_xlabel, self.baseline), (axes.set_ylabel, self.run)):
            label = f"{self.measure} of {look.without_middle(name, look.LONGEST_NAME)}"
            put(look.in_lines(label, max(0.6, width - 0.9)), fontsize=7)

    def in_terminal(self, screen: Screen) -> list[Text]:
        """Return a canvas with a mark for each topic, and the diagonal."""
        head = [
            *heading(f"{self.run} (upwards) and {self.baseline} (across)", screen),
            *wrapped(self.counted().replace(" above", " topics above the diagonal"), screen),
        ]
        axis = Axis.over([*self.x, *self.y], least=self.span or ())
        canvas = canvas_beside(screen, axis, axis, len(head))
        ends = np.array([axis.low, axis.high])
        canvas.line(ends, ends, "bright_black")
        mark = "•" if screen.unicode else "o"
        for x, y in zip(self.x.tolist(), self.y.tolist(), strict=True):
            style = "blue" if y > x else "red" if y < x else "bright_black"
            canvas.mark(x, y, mark, style)
        measure = visible(self.measure)
        return [*head, *framed(canvas, measure, measure, unicode=screen.unicode)]


def scatter(results: Results, measure: str, choices: Choices) -> tuple[Pairs, ...]:
    """Return the values of each other run, paired with the baseline's topic by topic."""
    table = table_of(results, measure, least_runs=2)
    at, panels = place_of(table.runs, choices.baseline), []
    for i, run in enumerate(table.runs):
        x, y = table.values[:, at], table.values[:, i]
        defined = np.flatnonzero(~np.isnan(x) & ~np.isnan(y))
        named = named_topics(table.topics, defined)
        if i != at:
            facts = (measure, table.span, table.runs[at], run, named)
            panels.append(Pairs(*facts, x[defined], y[defined]))
    return tuple(panels)


@frozen(eq=False)
class Costs(Form):
    """The value and the cost of each run.

    ======== =======================================================================================
    measure  canonical name
    cost     name of the cost
    names    of the runs
    costs    shape (runs,)
    values   over all topics, shape (runs,)
    on_front True where no other run is better in one and as good in the other, shape (runs,)
    seeds    for a system of several runs, the value of each; empty for one run
    ======== =======================================================================================
    """

    most, row, narrowest, legend, joined = 12, 0.0, 3.2, True, False
    measure: str
    cost: str
    names: tuple[str, ...]
    costs: Floats
    values: Floats
    on_front: Booleans
    seeds: tuple[Floats, ...]

    @property
    def runs(self) -> tuple[str, ...]:
        """Names of the runs."""
        return self.names

    @property
    def logarithmic(self) -> bool:
        """True if the costs are so far apart that they are drawn on a logarithmic scale."""
        positive = bool((self.costs > 0).all())
        return positive and bool(self.costs.max() > WIDE_COSTS * self.costs.min())

    @property
    def records(self) -> Iterator[Row]:
        """A record for each run."""
        for i, run in enumerate(self.runs):
            facts = {"run": run, "measure": self.measure, "value": finite(self.values[i])}
            yield {**facts, self.cost: float(self.costs[i]), "pareto": bool(self.on_front[i])}

    def only(self, runs: Sequence[str]) -> Self:
        """Return the points of some runs."""
        chosen = [i for i, run in enumerate(self.runs) if run in runs]
        return replace(
            self,
            names=tuple(self.runs[i] for i in chosen),
            seeds=tuple(self.seeds[i] for i in chosen),
            **{name: getattr(self, name)[chosen] for name in ("costs", "values", "on_front")},
        )

    def draw(self, axes: "Axes", width: float) -> None:
        """Draw value against cost; runs on the Pareto front are filled and joined."""
        for i in range(len(self.runs)):
            tint, _, marker = look.identity(i)
            axes.plot(
                [self.costs[i]], [self.values[i]], linestyle="none", marker=marker, color=tint,
                markersize=5.0, markerfacecolor=tint if self.on_front[i] else "none",
                gid=f"run{i}", clip_on=False,
            )  # fmt: skip
            at = np.full(len(self.seeds[i]), self.costs[i])
            axes.plot(at, self.seeds[i], ".", color=tint, markersize=2.5, gid=f"seeds{i}")
        front = np.flatnonzero(self.on_front)
        order = front[np.lexsort((self.values[front], self.costs[front]))]
        axes.step(
            self.costs[order], self.values[order], where="post", color=look.NEUTRAL, linewidth=0.8,
            zorder=0,
        )  # fmt: skip
        if self.logarithmic:
            axes.set_xscale("log")
        axes.margins(0.06)
        axes.set_xlabel(look.in_lines(f"{self.cost} (filled: {FRONT})", 0.7 * width))
        axes.set_ylabel(look.in_lines(self.measure, 0.6 * self.fixed(width)))

    def in_terminal(self, screen: Screen) -> list[Text]:
        """Return a canvas with the letter of each run at its point."""
        notes = [f"  ({FRONT})" if on_front else "" for on_front in self.on_front.tolist()]
        names = legend(self.runs, screen.width, notes=notes)
        costs = np.log(self.costs) if self.logarithmic else self.costs
        y_axis = Axis.over([*self.values, *np.concatenate(self.seeds)])
        canvas = canvas_beside(screen, Axis.over(costs), y_axis, len(names))
        for i, (x, y) in enumerate(zip(costs.tolist(), self.values.tolist(), strict=True)):
            canvas.dots(np.full(len(self.seeds[i]), x), self.seeds[i], colour(i))
            canvas.mark(x, y, letter(i), f"bold {colour(i)}")
        canvas.x = Axis.over(self.costs)
        cost = visible(self.cost) + (", logarithmic" if self.logarithmic else "")
        return [*framed(canvas, cost, visible(self.measure), unicode=screen.unicode), *names]


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
    spent = np.array([_cost(run, choices.costs) for run in results.runs])
    values = np.array([score.aggregate for score in scores])
    gains = -values if scores[0].loss else values
    no_worse = (spent[:, np.newaxis] <= spent) & (gains[:, np.newaxis] >= gains)
    better = (spent[:, np.newaxis] < spent) | (gains[:, np.newaxis] > gains)
    on_front = ~(no_worse & better).any(axis=0) & ~np.isnan(values)
    runs, seeds = (run.name for run in results.runs), map(seed_values, scores)
    return Costs(measure, choices.cost, tuple(runs), spent, values, on_front, tuple(seeds))


def _cost(run: RunResult, costs: Mapping[str, float]) -> float:
    for key in (run.name, run.path):
        if key in costs:
            return float(costs[key])
    raise UsageError(
        f"no cost is given for the run '{run.name}'",
        expected=f"one of {', '.join(costs)}",
        remedy="add a line with the run's name and its cost",
    )
