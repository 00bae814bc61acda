"""Distributions of each run's values over topics."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import visible
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import Axis, by_place, row_per_run, styled
from rankeval.plots.fewer_runs import FewerRuns, only_fields
from rankeval.plots.kinds import Drawing, InReports, Numbers, PlotKind, Row, Screen, register
from rankeval.plots.look import (
    NAME_SHARE,
    NEUTRAL,
    ink,
    label,
    letters_of,
    named_rows,
    rows_inches,
    width_of,
    write_row_names,
)
from rankeval.plots.selection import by_measure, chosen_measure, score_of, short_number
from rankeval.stats.checked_arrays import Floats

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
class Boxes:
    """The distributions of all runs.

    ======= ========================================================================================
    measure canonical name
    loss    True when smaller is better
    span    least and greatest value that a topic can have; None where that is not known
    boxes   one for each run
    ======= ========================================================================================
    """

    measure: str
    loss: bool
    span: tuple[float, float] | None
    boxes: tuple[Box, ...]

    @property
    def runs(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(box.run for box in self.boxes)

    def rows(self) -> Iterator[Row]:
        """Yield a row per run."""
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


def box_data(results: Results, measure: str | None = None) -> Boxes:
    """Return quartiles, whiskers and outliers of each run's values over topics.

    Source: Tukey, Exploratory Data Analysis, 1977; whiskers to 1.5 interquartile ranges.
    """
    name = chosen_measure(results, measure)
    scores = [score_of(run, name) for run in results.runs]
    return Boxes(
        measure=name,
        loss=scores[0].loss,
        span=scores[0].span,
        boxes=tuple(
            _box(run.name, score.values) for run, score in zip(results.runs, scores, strict=True)
        ),
    )


def _box(run: str, values: Floats) -> Box:
    defined = np.sort(values[~np.isnan(values)])
    if not defined.size:
        return Box(run, 0, None, None, None, None, None, None, defined)
    first, median, third = np.quantile(defined, [0.25, 0.5, 0.75]).tolist()
    reach = WHISKER * (third - first)
    inside = defined[(defined >= first - reach) & (defined <= third + reach)]
    low, high = min(inside[0], first), max(inside[-1], third)
    return Box(
        run=run,
        n_topics=len(defined),
        mean=float(defined.mean()),
        low=float(low),
        first=first,
        median=median,
        third=third,
        high=float(high),
        outliers=defined[(defined < low) | (defined > high)],
    )


def _draw(data: Boxes, ax: "Axes", _: float) -> None:
    """Draw the distribution of each run's values: box, median, mean (diamond) and outliers."""
    rows = named_rows(data.runs, letters_of(width_of(ax), NAME_SHARE))
    for i, (centre, box) in enumerate(zip(rows.centres.tolist(), data.boxes, strict=True)):
        if box.median is None:
            continue
        drawn = ax.bxp(
            [
                {
                    "q1": box.first,
                    "med": box.median,
                    "q3": box.third,
                    "whislo": box.low,
                    "whishi": box.high,
                    "mean": box.mean,
                    "fliers": box.outliers,
                }
            ],
            positions=[centre],
            widths=0.9,
            orientation="horizontal",
            showmeans=True,
            patch_artist=True,
            manage_ticks=False,
            boxprops={"facecolor": "#c9e0ee", "edgecolor": ink(), "linewidth": 0.6},
            medianprops={"color": "#101010", "linewidth": 1.4},
            whiskerprops={"linewidth": 0.6, "color": ink()},
            capprops={"linewidth": 0.6, "color": ink()},
            meanprops={
                "marker": "D",
                "markersize": 3,
                "markerfacecolor": "#D55E00",
                "markeredgecolor": "white",
                "markeredgewidth": 0.4,
            },
            flierprops={
                "marker": "o",
                "markersize": 2,
                "markerfacecolor": "none",
                "markeredgecolor": NEUTRAL,
                "markeredgewidth": 0.5,
            },
        )
        drawn["boxes"][0].set_gid(f"box{i}")
        drawn["fliers"][0].set_gid(f"outliers{i}")
    write_row_names(ax, rows)
    if data.span:
        pad = 0.02 * (data.span[1] - data.span[0])
        ax.set_xlim(data.span[0] - pad, data.span[1] + pad)
    ax.set_xlabel(label(data.measure))


def _in_terminal(data: Boxes, screen: Screen) -> list[Text]:
    known = [v for box in data.boxes for v in (box.low, box.high) if v is not None]
    outliers = [v for box in data.boxes for v in box.outliers.tolist()]
    axis = Axis.over([*known, *outliers], least=data.span or ())
    flat, left, right, middle, mean = "─[]┃◆" if screen.unicode else "-[]|+"

    def drawn(i: int, width: int) -> Text:
        box, cells, styles = data.boxes[i], [" "] * width, [""] * width
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
    return row_per_run(data.runs, drawn, axis, visible(data.measure), screen, notes)


def _numbers(data: Boxes) -> Iterator[Numbers]:
    heads = [name.replace("_", " ").capitalize() for name in next(data.rows()) if name != "measure"]
    rows = (
        (run, *(str(n) if isinstance(n, int) else short_number(n) for n in numbers))
        for run, _, *numbers in (row.values() for row in data.rows())
    )
    yield Numbers(f"Distribution of {data.measure}", tuple(heads), tuple(rows))


register(
    PlotKind(
        "box",
        lambda results, _: by_measure(results, box_data),
        Drawing(
            _draw,
            lambda data, width: rows_inches(data.runs, width, NAME_SHARE),
            fewer=FewerRuns(
                lambda data: [np.nan if box.mean is None else box.mean for box in data.boxes],
                only_fields("boxes"),
            ),
        ),
        _in_terminal,
        InReports(
            0,
            "Distributions",
            "Distributions over topics: quartiles, median (line), mean (diamond) and outliers.",
            _numbers,
        ),
        collections=True,
    )
)
