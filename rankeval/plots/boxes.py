"""Distributions of each run's values over topics: boxes, and the kind that draws them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.base.wording import visible
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import Axis, by_place, row_per_run, styled
from rankeval.plots.form import Form, Row, Screen
from rankeval.plots.kinds import Choices
from rankeval.plots.look import NEUTRAL, in_lines, ink, name_rows
from rankeval.plots.selection import score_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WHISKER = 1.5
"""The whiskers reach to the last value within this many interquartile ranges of the box."""


@frozen(eq=False)
class Box:
    """The distribution of one run's values over topics.

    ========= ======================================================================================
    run       name
    n_topics  topics with a value
    mean      None without topics, as are the next five
    low, high ends of the whiskers: the last values within 1.5 interquartile ranges of the box
    first, median, third  quartiles, interpolated linearly between two values
    outliers  values beyond the whiskers, increasing
    ========= ======================================================================================
    """

    run: str
    n_topics: int
    mean: float | None
    low: float | None
    first: float | None
    median: float | None
    third: float | None
    high: float | None
    outliers: Floats


@frozen(eq=False)
class Boxes(Form):
    """The distributions of all runs.

    ======= ========================================================================================
    measure canonical name
    span    least and greatest value that a topic can have; None where that is not known
    boxes   one for each run
    ======= ========================================================================================
    """

    each = "boxes"
    measure: str
    span: tuple[float, float] | None
    boxes: tuple[Box, ...]

    @property
    def records(self) -> Iterator[Row]:
        """A record for each run."""
        for box in self.boxes:
            yield {
                "run": box.run,
                "measure": self.measure,
                "topics": box.n_topics,
                "mean": box.mean,
                "low": box.low,
                "first_quartile": box.first,
                "median": box.median,
                "third_quartile": box.third,
                "high": box.high,
                "outliers": len(box.outliers),
            }

    def draw(self, axes: "Axes", width: float) -> None:
        """Draw the distribution of each run's values: box, median, mean (diamond) and outliers."""
        thin = {"linewidth": 0.6, "color": ink()}
        for i, box in enumerate(self.boxes):
            if box.median is None:
                continue
            drawn = axes.bxp(
                [{
                    "q1": box.first, "med": box.median, "q3": box.third, "whislo": box.low,
                    "whishi": box.high, "mean": box.mean, "fliers": box.outliers,
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
        known = [v for box in self.boxes for v in (box.low, box.high) if v is not None]
        outliers = [v for box in self.boxes for v in box.outliers.tolist()]
        axis = Axis.over([*known, *outliers], least=self.span or ())
        flat, left, right, middle, mean = "─[]┃◆" if screen.unicode else "-[]|+"

        def drawn(i: int, width: int) -> Text:
            box, cells, styles = self.boxes[i], [" "] * width, [""] * width
            if box.median is None or box.low is None or box.high is None:
                return Text("undefined")

            def put(value: float | None, text: str, style: str = "") -> None:
                place = by_place(axis, value or 0.0, width)
                cells[place], styles[place] = text, style

            for outlier in box.outliers.tolist():
                put(outlier, "·" if screen.unicode else ".")
            low, high = by_place(axis, box.low, width), by_place(axis, box.high, width)
            cells[low : high + 1] = flat * (high - low + 1)
            first, third = (by_place(axis, v or 0.0, width) for v in (box.first, box.third))
            for place in range(first, third + 1):
                cells[place], styles[place] = " ", "reverse"
            put(box.first, left, "reverse")
            put(box.third, right, "reverse")
            put(box.mean, mean, "reverse yellow")
            put(box.median, middle, "reverse bold")
            return styled(cells, styles)

        notes = f"[ ] quartiles, {middle} median, {mean} mean"
        return row_per_run(self.runs, drawn, axis, visible(self.measure), screen, notes)


def box(results: Results, measure: str, _: Choices) -> Boxes:
    """Return quartiles, whiskers and outliers of each run's values over topics.

    Source: Tukey, Exploratory Data Analysis, 1977; whiskers to 1.5 interquartile ranges.
    """
    boxes = tuple(_box(run.name, score_of(run, measure).values) for run in results.runs)
    return Boxes(measure, score_of(results.runs[0], measure).span, boxes)


def _box(run: str, values: Floats) -> Box:
    defined = np.sort(values[~np.isnan(values)])
    if not defined.size:
        return Box(run, 0, None, None, None, None, None, None, defined)
    first, median, third = np.quantile(defined, [0.25, 0.5, 0.75]).tolist()
    reach = WHISKER * (third - first)
    inside = defined[(defined >= first - reach) & (defined <= third + reach)]
    low, high = float(min(inside[0], first)), float(max(inside[-1], third))
    outliers = defined[(defined < low) | (defined > high)]
    mean = float(defined.mean())
    return Box(run, len(defined), mean, low, first, median, third, high, outliers)
