"""Distributions of each run's values over topics: boxes, and the kind that draws them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from rich.text import Text

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.base.wording import visible
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import Axis, row_per_run, strip
from rankeval.plots.form import Form, Row, Screen
from rankeval.plots.kinds import Choices
from rankeval.plots.look import NEUTRAL, in_lines, ink, name_rows
from rankeval.plots.selection import score_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WHISKER = 1.5
"""The whiskers reach to the last value within this many interquartile ranges of the box."""


class Box(NamedTuple):
    """The distribution of one run's values over topics.

    ======== =======================================================================================
    numbers  its record: the run, the topics with a value, their mean and quartiles, interpolated
             linearly between two values, and the ends of the whiskers, low and high: the last
             values within 1.5 interquartile ranges of the box. None without topics
    outliers values beyond the whiskers, increasing
    ======== =======================================================================================
    """

    numbers: Row
    outliers: Floats


@frozen(eq=False)
class Boxes(Form):
    """The distributions of all runs.

    ======= ========================================================================================
    measure canonical name
    span    least and greatest value that a topic can have; None where that is not known
    of_runs a box for each run
    ======= ========================================================================================
    """

    measure: str
    span: tuple[float, float] | None
    of_runs: Mapping[str, Box]

    def draw(self, axes: "Axes", width: float) -> None:
        """Draw the distribution of each run's values: box, median, mean (diamond) and outliers."""
        thin = {"linewidth": 0.6, "color": ink()}
        for i, box in enumerate(self.of_runs.values()):
            of = box.numbers
            if of["median"] is None:
                continue
            drawn = axes.bxp(
                [{
                    "q1": of["first_quartile"], "med": of["median"], "q3": of["third_quartile"],
                    "whislo": of["low"], "whishi": of["high"], "mean": of["mean"],
                    "fliers": box.outliers,
                }],
                positions=[i], widths=0.6, orientation="horizontal", showmeans=True,
                patch_artist=True, manage_ticks=False, whiskerprops=thin, capprops=thin,
                boxprops={"facecolor": "#c9e0ee", "edgecolor": ink(), "linewidth": 0.6},
                medianprops={"color": "#101010", "linewidth": 1.4},
                meanprops={
                    "marker": "D", "markersize": 3, "markerfacecolor": "#D55E00",
                    "markeredgecolor": "white", "markeredgewidth": 0.4,
                },
                flierprops={
                    "marker": "o", "markersize": 2, "markerfacecolor": "none",
                    "markeredgecolor": NEUTRAL, "markeredgewidth": 0.5,
                },
            )  # fmt: skip
            drawn["boxes"][0].set_gid(f"run{i}")
            drawn["fliers"][0].set_gid(f"outliers{i}")
        name_rows(axes, self.runs, 0.35 * width)
        if self.span:
            pad = 0.02 * (self.span[1] - self.span[0])
            axes.set_xlim(self.span[0] - pad, self.span[1] + pad)
        axes.set_xlabel(in_lines(self.measure, 0.6 * width))

    def in_terminal(self, screen: Screen) -> list[Text]:
        """Return a line of characters for each run."""
        boxes = [*self.of_runs.values()]
        ends = [box.numbers[end] for box in boxes for end in ("low", "high")]
        outliers = [value for box in boxes for value in box.outliers.tolist()]
        known = [end for end in ends if end is not None]
        axis = Axis.over([*known, *outliers, *(self.span or ())])
        flat, left, right, middle, mean, dot = "─[]┃◆·" if screen.unicode else "-[]|+."

        def drawn(i: int, width: int) -> Text:
            of, line = boxes[i].numbers, strip(axis, width)
            if of["median"] is None:
                return Text("undefined")
            for outlier in boxes[i].outliers.tolist():
                line.mark(outlier, 0.0, dot)
            line.fill(of["low"], of["high"], flat)
            line.fill(of["first_quartile"], of["third_quartile"], " ", "reverse")
            line.mark(of["first_quartile"], 0.0, left, "reverse")
            line.mark(of["third_quartile"], 0.0, right, "reverse")
            line.mark(of["mean"], 0.0, mean, "reverse yellow")
            line.mark(of["median"], 0.0, middle, "reverse bold")
            return line.rows()[0]

        notes = f"[ ] quartiles, {middle} median, {mean} mean"
        return row_per_run(self.runs, drawn, axis, visible(self.measure), screen, notes)


def box(results: Results, measure: str, _: Choices) -> Boxes:
    """Return quartiles, whiskers and outliers of each run's values over topics.

    Source: Tukey, Exploratory Data Analysis, 1977; whiskers to 1.5 interquartile ranges.
    """
    boxes = {
        run.name: _box(run.name, measure, score_of(run, measure).values) for run in results.runs
    }
    return Boxes(measure, score_of(results.runs[0], measure).span, boxes)


def _box(run: str, measure: str, values: Floats) -> Box:
    defined = np.sort(values[~np.isnan(values)])
    facts: Row = {"run": run, "measure": measure, "topics": len(defined)}
    names = ("mean", "low", "first_quartile", "median", "third_quartile", "high")
    if not defined.size:
        return Box({**facts, **dict.fromkeys(names), "outliers": 0}, defined)
    first, median, third = np.quantile(defined, [0.25, 0.5, 0.75]).tolist()
    reach = WHISKER * (third - first)
    inside = defined[(defined >= first - reach) & (defined <= third + reach)]
    low, high = float(min(inside[0], first)), float(max(inside[-1], third))
    outliers = defined[(defined < low) | (defined > high)]
    found = (float(defined.mean()), low, first, median, third, high)
    return Box(
        {**facts, **dict(zip(names, found, strict=True)), "outliers": len(outliers)}, outliers
    )
