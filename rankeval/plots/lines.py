"""A line for each run over places: curves and distributions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from rich.text import Text

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.base.wording import finite, visible
from rankeval.plots.canvas import Axis, canvas_beside, colour, framed, legend, letter
from rankeval.plots.form import Form, Numbers, Row, Screen, cell
from rankeval.plots.look import identity, in_lines, labels_of, rule

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKED = 10
"""About this many places of a line have a marker, and are in tables."""

NAME_INCHES = 0.14
"""Height of the name of a line at its end."""

ROUND_CUTOFFS = [digit * 10**power for power in range(7) for digit in (1, 2, 5)]
"""Cutoffs that an axis names."""


class Line(NamedTuple):
    """The line of a run.

    ======= ========================================================================================
    numbers columns of places, increasing, and of heights, NaN where undefined; perhaps others, of
            which `hull` is drawn as a thin line
    note    words behind the name in a legend of the terminal
    ======= ========================================================================================
    """

    numbers: Mapping[str, Floats]
    note: str = ""

    @property
    def points(self) -> tuple[Floats, Floats]:
        """The places, and the heights there."""
        x, y, *_ = self.numbers.values()
        return x, y


@frozen(eq=False)
class Lines(Form):
    """Lines of all runs.

    =========== ====================================================================================
    measure     what is drawn, such as nDCG, AP or unjudged
    names       of the axes
    of_runs     a line for each run
    ends        of the axis of places; None for those that some run has
    limits      least and greatest height that is shown; None for those that occur
    logarithmic True for a logarithmic axis of places
    steps       True if a line keeps its height up to the next place
    in_rows     True if the numbers name the measure in a column of its own
    behind      grey lines behind the others: their places and heights
    grey        words for these
    =========== ====================================================================================
    """

    most, row, narrowest, legend = 12, 0.0, 3.2, True
    measure: str
    names: tuple[str, str]
    of_runs: Mapping[str, Line]
    ends: tuple[float, float] | None = None
    limits: tuple[float, float] | None = None
    logarithmic: bool = False
    steps: bool = False
    in_rows: bool = False
    behind: Sequence[tuple[Floats, Floats]] = ()
    grey: str = ""

    @property
    def records(self) -> Iterator[Row]:
        """A record for each run and place."""
        for run, line in self.of_runs.items():
            named = {"run": run, **({"measure": self.measure} if self.in_rows else {})}
            for values in zip(*(column.tolist() for column in line.numbers.values()), strict=True):
                numbers = (finite(v) if isinstance(v, float) else v for v in values)
                yield {**named, **dict(zip(line.numbers, numbers, strict=True))}

    def titles(self) -> Iterator[tuple[str, str]]:
        """Yield the group of each line, and the run's name with its note."""
        for i, (run, line) in enumerate(self.of_runs.items()):
            yield f"run{i}", f"{run}{line.note}"

    def table(self) -> Numbers:
        """Return the heights at about ten places, a row for each run."""
        x, _ = self._lines[0].points
        if self.logarithmic:
            chosen = np.flatnonzero(np.isin(x, ROUND_CUTOFFS))
        else:
            chosen = np.arange(0, len(x), max(1, len(x) // MARKED))
        rows = (
            (run, *map(cell, line.points[1][chosen].tolist())) for run, line in self.of_runs.items()
        )
        return Numbers(("Run", *(f"{k:g}" for k in x[chosen])), tuple(rows))

    @property
    def _lines(self) -> list[Line]:
        return [*self.of_runs.values()]

    def shown_ends(self) -> tuple[float, float]:
        """Return the first and the last place that is drawn."""
        if self.ends:
            return self.ends
        places = np.concatenate([x[~np.isnan(y)] for x, y in (line.points for line in self._lines)])
        known = places if places.size else np.array([0.0, 1.0])
        return float(known.min()), float(known.max())

    def corners(self, line: Line) -> tuple[Floats, Floats]:
        """Return the points that a line joins: of steps, two at each place, from end to end."""
        x, y = line.points
        if not self.steps or not x.size:
            return x, y
        low, high = self.shown_ends()
        return (
            np.concatenate([[low], np.repeat(x, 2), [high]]),
            np.repeat(np.append(0.0, y), 2),
        )

    def ends_apart(self, inches: float) -> bool:
        """Return True if lines end so far apart that they can be named there, not in a legend."""
        if not all(line.points[1].size for line in self._lines):
            return False
        heights = np.concatenate([line.points[1] for line in self._lines])
        axis = Axis.over([*heights, *(self.limits or ())])
        ends = np.sort(axis.share(np.array([line.points[1][-1] for line in self._lines])))
        return bool((np.diff(ends) * 0.7 * inches > NAME_INCHES).all())

    def name_ends(self, axes: "Axes", inches: float) -> None:
        """Name each line at its end, in its colour."""
        names = axes.secondary_yaxis("right")
        ends = [float(line.points[1][-1]) for line in self._lines]
        names.set_yticks(ends, labels_of(self.runs, inches))
        names.tick_params(axis="y", length=0)
        names.spines[:].set_visible(False)
        for i, text in enumerate(names.get_yticklabels()):
            text.set_color(identity(i)[0])

    def draw(self, axes: "Axes", width: float) -> None:
        """Draw the line of each run, with markers at some places."""
        from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

        low, high = self.shown_ends()
        for x, y in self.behind:
            axes.plot(x, y, color=rule(), linewidth=0.6, zorder=0)
        for i, line in enumerate(self._lines):
            tint, dashes, marker = identity(i)
            step = max(1, len(line.points[0]) // MARKED)
            # Neighbours have their markers at different places, but at the usual levels from 0 to 1
            first = 0 if self.ends == (0.0, 1.0) and not self.steps else i % step
            axes.plot(
                *self.corners(line), color=tint, linestyle=dashes, marker=marker, markersize=3.0,
                markevery=(2 + 2 * first, 2 * step) if self.steps else (first, step), gid=f"run{i}",
            )  # fmt: skip
            if "hull" in line.numbers:
                axes.plot(line.points[0], line.numbers["hull"], color=tint, linewidth=0.5)
        if self.logarithmic:
            axes.set_xscale("log")
            axes.set_xlim(low / 1.04, high * 1.04)
            inside = [tick for tick in ROUND_CUTOFFS if low <= tick <= high]
            ticks = inside if len(inside) > 1 else sorted({low, high})
            axes.xaxis.set_major_locator(FixedLocator(ticks))
            axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
            axes.xaxis.set_minor_locator(NullLocator())
        else:
            pad = 0.01 * ((high - low) or 1.0)
            axes.set_xlim(low - pad, high + pad)
        if self.limits:
            least, most = self.limits
            axes.set_ylim(least - 0.02 * (least < 0.0), 1.02 * most)
        grey = f" (grey: {self.grey})" if self.grey else ""
        axes.set_xlabel(in_lines(f"{self.names[0]}{grey}", 0.7 * width))
        axes.set_ylabel(in_lines(self.names[1], 0.6 * self.fixed(width)))

    def in_terminal(self, screen: Screen) -> list[Text]:
        """Return the lines in dots, with the letter of each run on its line at several places."""
        names = legend(self.runs, screen, [line.note for line in self._lines])
        ends = Axis.over(self.shown_ends())
        scale = np.log if self.logarithmic else np.asarray
        x_axis = Axis.over(scale(np.array([ends.low, ends.high])))
        heights = np.concatenate([line.points[1] for line in self._lines])
        y_axis = Axis.over([*heights, *(self.limits or ())])
        canvas = canvas_beside(screen, x_axis, y_axis, len(names))
        points = [self.corners(line) for line in self._lines]
        for i, (x, y) in enumerate(points):
            canvas.line(scale(x), y, colour(i))
        marks = max(2, canvas.width // 24)
        for i, (x, y) in enumerate(points):
            for k in range(marks):
                share = (k + (i + 0.5) / len(points)) / marks
                at = x_axis.low + share * (x_axis.high - x_axis.low)
                canvas.mark(at, float(np.interp(at, scale(x), y)), letter(i), f"bold {colour(i)}")
        canvas.x = ends
        x_name, y_name = map(visible, self.names)
        x_name += ", logarithmic" if self.logarithmic else ""
        return [*framed(canvas, x_name, y_name, screen), *names]
