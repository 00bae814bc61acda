"""A line for each run over places: the form of curves and distributions."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import finite, visible
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
from rankeval.plots.look import curve_inches, identity, label
from rankeval.plots.selection import short_number
from rankeval.stats.checked_arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ELEVEN = tuple(level / 10 for level in range(11))
"""The usual levels of recall."""

MARKED = 10
"""About this many places of a line have a marker."""

ROUND_CUTOFFS = [digit * 10**power for power in range(7) for digit in (1, 2, 5)]
"""Cutoffs that an axis names."""


@frozen(eq=False)
class Line:
    """The line of a run.

    ======= ========================================================================================
    run     name
    numbers columns of places, increasing, and of heights, NaN where undefined; perhaps others
    value   by which runs are the best
    note    words behind the name in a legend of the terminal
    ======= ========================================================================================
    """

    run: str
    numbers: Mapping[str, Floats]
    value: float
    note: str = ""

    @property
    def x(self) -> Floats:
        """The places."""
        x, *_ = self.numbers.values()
        return x

    @property
    def y(self) -> Floats:
        """The heights at the places."""
        _, y, *_ = self.numbers.values()
        return y


@frozen(eq=False)
class Lines:
    """Lines of all runs.

    =========== ====================================================================================
    measure     what is drawn, such as nDCG, AP or unjudged
    loss        True when smaller values are better
    names       of the axes
    lines       a line for each run
    ends        of the axis of places; None for those that some run has
    limits      least and greatest height that is shown; None for those that occur
    logarithmic True for a logarithmic axis of places
    steps       True if a line keeps its height up to the next place
    in_rows     True if the numbers name the measure in a column of its own
    =========== ====================================================================================
    """

    measure: str
    loss: bool
    names: tuple[str, str]
    lines: tuple[Line, ...]
    ends: tuple[float, float] | None = None
    limits: tuple[float, float] | None = None
    logarithmic: bool = False
    steps: bool = False
    in_rows: bool = False

    @property
    def runs(self) -> tuple[str, ...]:
        """Names of the runs."""
        return tuple(line.run for line in self.lines)

    def rows(self) -> Iterator[Row]:
        """Yield a row per run and place."""
        for line in self.lines:
            named = {"run": line.run, **({"measure": self.measure} if self.in_rows else {})}
            for values in zip(*(column.tolist() for column in line.numbers.values()), strict=True):
                numbers = (finite(v) if isinstance(v, float) else v for v in values)
                yield {**named, **dict(zip(line.numbers, numbers, strict=True))}

    def shown_ends(self) -> tuple[float, float]:
        """Return the first and the last place that is drawn."""
        if self.ends:
            return self.ends
        places = np.concatenate([line.x[~np.isnan(line.y)] for line in self.lines])
        known = places if places.size else np.array([0.0, 1.0])
        return float(known.min()), float(known.max())

    def corners(self, line: Line) -> tuple[Floats, Floats]:
        """Return the points that a line joins: of steps, two at each place, from end to end."""
        if not self.steps or not line.x.size:
            return line.x, line.y
        low, high = self.shown_ends()
        x = np.concatenate([[low], np.repeat(line.x, 2), [high]])
        return x, np.repeat(np.append(0.0, line.y), 2)


def draw(data: Lines, ax: "Axes", _: float) -> None:
    """Draw the line of each run, with markers at some places."""
    from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

    low, high = data.shown_ends()
    for i, line in enumerate(data.lines):
        tint, dashes, marker = identity(i)
        step = max(1, len(line.x) // MARKED)
        # Neighbours have their markers at different places, but at the usual levels from 0 to 1.
        first = 0 if data.ends == (0.0, 1.0) and not data.steps else i % step
        ax.plot(
            *data.corners(line), color=tint, linestyle=dashes, marker=marker, markersize=3.0,
            markevery=(2 + 2 * first, 2 * step) if data.steps else (first, step), gid=f"run{i}",
        )  # fmt: skip
    if data.logarithmic:
        ax.set_xscale("log")
        ax.set_xlim(low / 1.04, high * 1.04)
        inside = [tick for tick in ROUND_CUTOFFS if low <= tick <= high]
        ticks = inside if len(inside) > 1 else sorted({low, high})
        ax.xaxis.set_major_locator(FixedLocator(ticks))
        ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        ax.xaxis.set_minor_locator(NullLocator())
    else:
        pad = 0.01 * ((high - low) or 1.0)
        ax.set_xlim(low - pad, high + pad)
    if data.limits:
        least, most = data.limits
        ax.set_ylim(least - 0.02 * (least < 0.0), 1.02 * most)
    ax.set_xlabel(label(data.names[0]))
    ax.set_ylabel(label(data.names[1]))


def in_terminal(data: Lines, screen: Screen) -> list[Text]:
    """Return the lines in dots, with the letter of each run on its line at several places."""
    names = legend(data.runs, screen.width, notes=[line.note for line in data.lines])
    ends = Axis.over(data.shown_ends())
    scale = np.log if data.logarithmic else np.asarray
    x_axis = Axis.over(scale(np.array([ends.low, ends.high])))
    heights = np.concatenate([line.y for line in data.lines])
    y_axis = Axis.over(heights, least=data.limits or ())
    canvas = canvas_beside(screen, x_axis, y_axis, len(names))
    points = [data.corners(line) for line in data.lines]
    for i, (x, y) in enumerate(points):
        canvas.line(scale(x), y, colour(i))
    marks = max(2, canvas.width // 24)
    for i, (x, y) in enumerate(points):
        for k in range(marks):
            share = (k + (i + 0.5) / len(points)) / marks
            at = x_axis.low + share * (x_axis.high - x_axis.low)
            canvas.mark(at, float(np.interp(at, scale(x), y)), letter(i), f"bold {colour(i)}")
    canvas.x = ends
    x_name, y_name = map(visible, data.names)
    x_name += ", logarithmic" if data.logarithmic else ""
    return [*framed(canvas, x_name, y_name, unicode=screen.unicode), *names]


def numbers_at(
    places: Sequence[float], title: str, column: str = ""
) -> Callable[[Lines], Iterator[Numbers]]:
    """Return the function that gives the heights at some places as a table in reports.

    `title` may have {measure}; `column` is one whose only number stands behind the name.
    """

    def numbers(data: Lines) -> Iterator[Numbers]:
        x = data.lines[0].x
        chosen = np.flatnonzero(np.isin(x, places))
        rows = []
        for line in data.lines:
            only = [short_number(line.numbers[column][0])] if column else []
            rows.append((line.run, *only, *map(short_number, line.y[chosen])))
        heads = ("Run", *([column.capitalize()] if column else []), *(f"{k:g}" for k in x[chosen]))
        yield Numbers(title.format(measure=data.measure), heads, tuple(rows))

    return numbers


def register_lines(
    name: str,
    data: Callable[[Results, Choices], Iterable[Lines]],
    report: InReports | None = None,
    draw: Callable[[Lines, "Axes", float], None] = draw,
    columns: tuple[int, int] = (1, 1),
    **more: Any,
) -> None:
    """Register a kind with a line for each run."""
    fewer = FewerRuns(lambda data: [line.value for line in data.lines], only_fields("lines"))
    drawing = Drawing(draw, curve_inches, columns, legend=lambda data: data.runs, fewer=fewer)
    register(PlotKind(name, data, drawing, in_terminal, report, **more))
