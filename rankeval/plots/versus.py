"""Points of two values: a run and the baseline, topic by topic, and the value and cost of runs."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar

import numpy as np
from rich.text import Text

from rankeval.base.arrays import Booleans, Floats
from rankeval.base.frozen import record, replace
from rankeval.base.wording import count, finite
from rankeval.errors import UsageError, visible
from rankeval.evaluation.comparable_runs import score_of
from rankeval.evaluation.results import Results, RunResult, Span
from rankeval.plots import look
from rankeval.plots.canvas import (
    Axis,
    canvas_beside,
    colour,
    distinct,
    framed,
    legend,
    letter,
    wrapped,
)
from rankeval.plots.kinds import Choices, Form, Row, Screen
from rankeval.plots.selection import in_bins, table_of
from rankeval.stats.checked_arrays import NOISE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SEPARATE_BARS = 400
"""More bars than these would be narrower than a point."""
MANY = 1000
"""More points than these are small, and drawn as pixels."""
LONGEST = 26
"""Letters of the longest name in a heading of the terminal."""


@record
class Versus(Form):
    """The values of the baseline and of one run on the topics where both have one.

    ============= ==================================================================================
    measure       canonical name
    loss          True when smaller is better
    span          least and greatest value that a topic can have; None where that is not known
    baseline, run names
    topics        names
    x, y          values of the baseline and of the run, shape (topics,)
    ============= ==================================================================================
    """

    row = 0.0
    measure: str
    loss: bool
    span: Span
    baseline: str
    run: str
    topics: tuple[str, ...]
    x: Floats
    y: Floats

    @property
    def runs(self) -> tuple[str, ...]:
        """The run."""
        return (self.run,)

    def only(self, runs: Sequence[str]) -> Self:  # noqa: ARG002
        """Return the panel, which is that of its run."""
        return self

    @property
    def facts(self) -> Row:
        """What all records have in common."""
        return {"baseline": self.baseline, "run": self.run, "measure": self.measure}


class Bars(Versus):
    """Differences by topic, the best for the run first."""

    narrowest, same_heights, group = 3.0, True, "topic"

    @property
    def differences(self) -> Floats:
        """The differences run - baseline; those below rounding noise are ties and count as 0."""
        exact = self.y - self.x
        return np.where(np.abs(exact) <= NOISE, 0.0, exact)

    def best_first(self) -> "Bars":
        """Return the bars by what the run gains; topics with equal differences stay in order."""
        gains = self.differences if self.loss else -self.differences
        order = np.argsort(gains, kind="stable")
        topics = tuple(self.topics[i] for i in order.tolist())
        return replace(self, topics=topics, x=self.x[order], y=self.y[order])

    @property
    def records(self) -> Iterator[Row]:
        """A record for each topic."""
        for topic, difference in zip(self.topics, self.differences.tolist(), strict=True):
            yield {**self.facts, "topic": topic, "difference": difference}

    def fixed(self, width: float) -> float:
        """Return the inches of the bars, of two lines above, and of the names of topics below."""
        return 0.9 + max(1.0, 0.3 * width) + look.topics_named(self.topics, 0.8 * width)

    def counted(self) -> str:
        """Return the numbers of topics that are better, worse and equal, and the mean."""
        gains = -self.differences if self.loss else self.differences
        mean = f"{self.differences.mean():+.4f}" if len(gains) else "undefined"
        better, worse, equal = ((gains > 0).sum(), (gains < 0).sum(), (gains == 0).sum())
        return f"{better:,} better, {worse:,} worse, {equal:,} equal; mean {mean}"

    def draw(self, axes: "Axes", width: float) -> None:
        """Draw a bar for each topic, the best for the run first; of many, stairs."""
        differences = self.differences
        x = np.arange(len(differences), dtype=float)
        gains = -differences if self.loss else differences
        for sign, tint, hatch in ((1.0, look.BETTER, ""), (-1.0, look.WORSE, "//////")):
            chosen = gains * sign > 0
            if len(x) > SEPARATE_BARS:
                shown = np.where(chosen, differences, 0.0)
                axes.stairs(shown, fill=True, color=tint, linewidth=0.0)
                continue
            bars = axes.bar(
                x[chosen], differences[chosen], width=0.8, color=tint, hatch=hatch,
                edgecolor=look.paper(), linewidth=0.0, clip_on=False,
            )  # fmt: skip
            for place, bar in zip(np.flatnonzero(chosen).tolist(), bars, strict=True):
                bar.set_gid(f"topic{place}")
        axes.axhline(0.0, color=look.ink(), linewidth=0.6)
        mean = float(differences.mean()) if len(x) else 0.0
        axes.axhline(mean, color=look.NEUTRAL, linewidth=0.8, linestyle=(0, (4, 2)))
        name = look.shown(look.cut(self.run, look.letters_of(width - 1.0)))
        axes.set_title(
            f"{name}\n{look.in_lines(self.counted(), 0.8 * width)}", loc="left", fontsize=7
        )
        difference = f"difference in {self.measure} from {self.baseline}"
        axes.set_ylabel(look.in_lines(difference, 1.3), fontsize=7)
        axes.set_xlabel(f"{count(len(self.topics), 'topic')}, best first", fontsize=7)
        axes.set_xlim(-0.7, max(len(x), 1) - 0.3)
        look.name_topics(axes, self.topics, 0.8 * width)

    def in_terminal(self, screen: Screen) -> list[Text]:
        """Return bars of dots, with their numbers above."""
        run, baseline = distinct([self.run, self.baseline], LONGEST, screen)
        head = [Text(f"{run} - {baseline}", style="bold"), *wrapped(self.counted(), screen)]
        axis = Axis.over([*self.differences, 0.0])
        canvas = canvas_beside(screen, Axis(0.0, 1.0), axis, len(head))
        n = len(self.topics)
        places = canvas.width * (2 if screen.unicode else 1) if n else 0
        # Topics that share a column of dots are drawn as their mean.
        for place, height in enumerate(in_bins(self.differences, places).tolist()):
            better = height < 0 if self.loss else height > 0
            if height:
                canvas.bar(place / (places - 1), height, "blue" if better else "red")
        canvas.x = Axis(1.0, float(max(n, 2)))
        measure = f"difference in {visible(self.measure)}"
        return [*head, *framed(canvas, "topics, best first", measure, screen)]


class Points(Versus):
    """A point for each topic: above the diagonal where the run has the greater value."""

    narrowest, flattest, group = 1.65, inf, ""

    @property
    def records(self) -> Iterator[Row]:
        """A record for each topic."""
        for topic, x, y in zip(self.topics, self.x.tolist(), self.y.tolist(), strict=True):
            yield {**self.facts, "topic": topic, "baseline_value": x, "run_value": y}

    @property
    def sides(self) -> dict[str, Booleans]:
        """The topics above, below and on the diagonal."""
        return {"above": self.y > self.x, "below": self.y < self.x, "equal": self.y == self.x}

    def fixed(self, width: float) -> float:
        """Return the inches of a square with a title."""
        return min(5.0, 0.95 * width) + 0.35

    def counted(self, above: str, below: str) -> str:
        """Return the numbers of topics above and below the diagonal."""
        sides = self.sides
        return f"{sides['above'].sum():,} {above}, {sides['below'].sum():,} {below}"

    def draw(self, axes: "Axes", width: float) -> None:
        """Draw the values of a run against those of the baseline, topic by topic."""
        many = len(self.x) > MANY
        looks = ((look.BETTER, "^"), (look.WORSE, "v"), (look.NEUTRAL, "o"))
        for (name, chosen), (tint, marker) in zip(self.sides.items(), looks, strict=True):
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
        up, down = "\N{BLACK UP-POINTING TRIANGLE}", "\N{BLACK DOWN-POINTING TRIANGLE}"
        axes.set_title(self.counted(up, down), loc="left", fontsize=7)
        for put, name in ((axes.set_xlabel, self.baseline), (axes.set_ylabel, self.run)):
            label = f"{self.measure} of {look.cut(name, look.LONGEST_NAME)}"
            put(look.in_lines(label, max(0.6, width - 0.9)), fontsize=7)

    def in_terminal(self, screen: Screen) -> list[Text]:
        """Return a canvas with a mark for each topic, and the diagonal."""
        run, baseline = distinct([self.run, self.baseline], LONGEST, screen)
        head = [
            Text(f"{run} (upwards) and {baseline} (across)", style="bold"),
            *wrapped(self.counted("topics above the diagonal", "below"), screen),
        ]
        axis = Axis.over([*self.x, *self.y, *(self.span or ())])
        canvas = canvas_beside(screen, axis, axis, len(head))
        ends = np.array([axis.low, axis.high])
        canvas.line(ends, ends, "bright_black")
        mark = "•" if screen.unicode else "o"
        for x, y in zip(self.x.tolist(), self.y.tolist(), strict=True):
            style = "blue" if y > x else "red" if y < x else "bright_black"
            canvas.mark(x, y, mark, style)
        measure = visible(self.measure)
        return [*head, *framed(canvas, measure, measure, screen)]


Panel = TypeVar("Panel", bound=Versus)


def scatter(results: Results, measure: str, _: Choices) -> tuple[Points, ...]:
    """Return the values of each other run, paired with the baseline's topic by topic."""
    return tuple(_versus(Points, results, measure))


def topics(results: Results, measure: str, _: Choices) -> tuple[Bars, ...]:
    """Return the differences of each other run from the baseline, the best topics first."""
    return tuple(bars.best_first() for bars in _versus(Bars, results, measure))


def _versus(form: type[Panel], results: Results, measure: str) -> Iterator[Panel]:
    """Yield a panel for each run but the baseline, of the topics on which both have a value."""
    table = table_of(results, measure, least_runs=2)
    baseline, *others = table.runs
    for i, run in enumerate(others, 1):
        x, y = table.values[:, 0], table.values[:, i]
        kept = np.flatnonzero(~np.isnan(x) & ~np.isnan(y))
        named = tuple(table.topics[i] for i in kept.tolist())
        facts = (measure, table.loss, table.span, baseline, run, named)
        yield form(*facts, x[kept], y[kept])


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


@record
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
        named = zip(self.runs, spent, strict=True)
        names = legend([f"{run}{f', {FRONT}' * one.on_front}" for run, one in named], screen)
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
    if not choices.costs:
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
