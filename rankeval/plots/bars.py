"""Differences from the baseline as bars, and the kind that draws them topic by topic."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.base.wording import count, visible
from rankeval.evaluation.results import Results
from rankeval.plots import look
from rankeval.plots.canvas import Axis, canvas_beside, framed, heading, wrapped
from rankeval.plots.form import Form, Row, Screen
from rankeval.plots.kinds import Choices
from rankeval.plots.selection import in_bins, named_topics, place_of, table_of
from rankeval.stats.checked_arrays import NOISE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SEPARATE_BARS = 400
"""More bars than these would be narrower than a point."""


@frozen(eq=False)
class Bars(Form):
    """Differences of one run from the baseline by topic, the best for the run first.

    ============= ==================================================================================
    measure       canonical name
    loss          True when smaller is better
    baseline, run names
    topics        names, those with the largest improvement first
    differences   run - baseline, shape (topics,)
    ============= ==================================================================================
    """

    row, narrowest, same_heights = 0.0, 3.0, True
    measure: str
    loss: bool
    baseline: str
    run: str
    topics: tuple[str, ...]
    differences: Floats

    @property
    def records(self) -> Iterator[Row]:
        """A record for each topic."""
        for topic, difference in zip(self.topics, self.differences.tolist(), strict=True):
            facts = {"baseline": self.baseline, "run": self.run, "measure": self.measure}
            yield {**facts, "topic": topic, "difference": difference}

    def titles(self) -> Iterator[tuple[str, str]]:
        """Yield the group of each bar, and its topic and difference."""
        for i, record in enumerate(self.records):
            yield f"topic{i}", f"{record['topic']}: {record['difference']:+.4f}"

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
        x = np.arange(len(self.differences), dtype=float)
        gains = -self.differences if self.loss else self.differences
        for sign, colour, hatch in ((1.0, look.BETTER, ""), (-1.0, look.WORSE, "//////")):
            if len(x) > SEPARATE_BARS:
                shown = np.where(gains * sign > 0, self.differences, 0.0)
                axes.stairs(shown, fill=True, color=colour, linewidth=0.0, rasterized=True)
                continue
            chosen = gains * sign > 0
            bars = axes.bar(
                x[chosen], self.differences[chosen], width=0.8, color=colour, hatch=hatch,
                edgecolor=look.paper(), linewidth=0.0, clip_on=False,
            )  # fmt: skip
            for place, bar in zip(np.flatnonzero(chosen).tolist(), bars, strict=True):
                bar.set_gid(f"topic{place}")
        axes.axhline(0.0, color=look.ink(), linewidth=0.6)
        mean = float(self.differences.mean()) if len(x) else 0.0
        axes.axhline(mean, color=look.NEUTRAL, linewidth=0.8, linestyle=(0, (4, 2)))
        name = look.without_middle(self.run, look.letters_of(width - 1.0))
        axes.set_title(
            f"{name}\n{look.in_lines(self.counted(), 0.8 * width)}", loc="left", fontsize=7
        )
        difference = f"difference in {self.measure} from {self.baseline}"
        axes.set_ylabel(look.in_lines(difference, 1.3), fontsize=7)
        axes.set_xlabel(f"{count(len(self.topics), 'topic')}, the best first", fontsize=7)
        axes.set_xlim(-0.7, max(len(x), 1) - 0.3)
        look.name_topics(axes, self.topics, 0.8 * width)

    def in_terminal(self, screen: Screen) -> list[Text]:
        """Return bars of dots, with their numbers above."""
        head = [
            *heading(f"{self.run} - {self.baseline}", screen),
            *wrapped(self.counted(), screen),
        ]
        axis = Axis.over(self.differences, least=(0.0,))
        canvas = canvas_beside(screen, Axis(0.0, 1.0), axis, len(head))
        n = len(self.differences)
        places = canvas.width * (2 if screen.unicode else 1) if n else 0
        # Topics that share a column of dots are drawn as their mean.
        for place, height in enumerate(in_bins(self.differences, places).tolist()):
            better = height < 0 if self.loss else height > 0
            if height:
                canvas.bar(place / (places - 1), height, "blue" if better else "red")
        canvas.x = Axis(1.0, float(max(n, 2)))
        name = "topics, the best first"
        measure = f"difference in {visible(self.measure)}"
        return [*head, *framed(canvas, name, measure, unicode=screen.unicode)]


def topics(results: Results, measure: str, choices: Choices) -> tuple[Bars, ...]:
    """Return the differences of each other run from the baseline, by default the first run.

    Topics without a value for one of the two are left out. Differences below rounding noise are
    ties and count as 0. Topics with equal differences stay in the order of the results.
    """
    table = table_of(results, measure, least_runs=2)
    at, panels = place_of(table.runs, choices.baseline), []
    for i, run in enumerate(table.runs):
        exact = table.values[:, i] - table.values[:, at]
        defined = np.flatnonzero(~np.isnan(exact))
        differences = np.where(np.abs(exact) <= NOISE, 0.0, exact)[defined]
        order = np.argsort(differences if table.loss else -differences, kind="stable")
        named = named_topics(table.topics, defined[order])
        if i != at:
            facts = (measure, table.loss, table.runs[at], run)
            panels.append(Bars(*facts, named, differences[order]))
    return tuple(panels)
