"""A line for each run: precision by recall, gain curves, measures by cutoff, distributions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from rich.text import Text

from rankeval.base.arrays import Floats
from rankeval.base.frozen import record
from rankeval.base.wording import finite
from rankeval.errors import UsageError, visible
from rankeval.evaluation.comparable_runs import score_of
from rankeval.evaluation.results import Results, Span
from rankeval.measures import parse_measure
from rankeval.plots.canvas import Axis, canvas_beside, colour, framed, legend, letter
from rankeval.plots.kinds import KINDS, Choices, Form, Row, Screen
from rankeval.plots.look import identity, in_lines, labels_of
from rankeval.plots.selection import mean_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKED = 10
"""About this many places of a line have a marker."""

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


@record
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
    =========== ====================================================================================
    """

    most, row, narrowest, legend = 12, 0.0, 3.2, True
    measure: str
    names: tuple[str, str]
    of_runs: Mapping[str, Line]
    ends: Span = None
    limits: Span = None
    logarithmic: bool = False
    steps: bool = False
    in_rows: bool = False

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

    def _y_axis(self) -> Axis:
        heights = np.concatenate([line.points[1] for line in self._lines])
        return Axis.over([*heights, *(self.limits or ())])

    def ends_apart(self, inches: float) -> bool:
        """Return True if lines end so far apart that they can be named there, not in a legend."""
        if not all(line.points[1].size for line in self._lines):
            return False
        ends = np.sort(self._y_axis().share(np.array([line.points[1][-1] for line in self._lines])))
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
        axes.set_xlabel(in_lines(self.names[0], 0.7 * width))
        axes.set_ylabel(in_lines(self.names[1], 0.6 * self.fixed(width)))

    def in_terminal(self, screen: Screen) -> list[Text]:
        """Return the lines in dots, with the letter of each run on its line at several places."""
        names = legend([f"{run}{line.note}" for run, line in self.of_runs.items()], screen)
        ends = Axis.over(self.shown_ends())
        scale = np.log if self.logarithmic else np.asarray
        x_axis = Axis.over(scale(np.array([ends.low, ends.high])))
        canvas = canvas_beside(screen, x_axis, self._y_axis(), len(names))
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


class Swept(NamedTuple):
    """A measure without its place, increasing places, and values of topics by run and place."""

    measure: str
    places: Floats
    values: Sequence[Sequence[Floats]]

    @property
    def means(self) -> Floats:
        """Means over topics, shape (runs, places); NaN where undefined for all topics."""
        return np.array([[mean_of(values) for values in run] for run in self.values])


def swept(results: Results, kind: str, *names: str) -> tuple[Swept, ...]:
    """Return the measures of results that differ in nothing but the place that a kind sweeps.

    Of a kind with measures of its own, `names` are those wanted; UsageError where one is missing.
    """
    at, families = KINDS[kind].over, dict[str, dict[float, int]]()
    for i, score in enumerate(results.runs[0].scores):
        measure = parse_measure(score.measure)
        given = dict(measure.given)
        place = given.pop(at, None)
        if measure.definition.at == at and isinstance(place, int | float):
            parameters = ", ".join(f"{k}={v}" for k, v in given.items())
            family = f"{measure.name}({parameters})" if parameters else measure.name
            if not names or measure.name in names:
                families.setdefault(family, {})[place] = i
    held = {family.partition("(")[0] for family in families}
    if not families or held != {*(names or held)}:
        raise UsageError(
            f"the results lack the measures that '{kind}' draws",
            remedy=f"evaluate the runs with rankeval.plots.measures('{kind}')",
        )
    found = []
    for family, scores in families.items():
        places = sorted(scores)
        values = [[run.scores[scores[at]].values for at in places] for run in results.runs]
        found.append(Swept(family, np.array(places), values))
    return tuple(found)


def lines_of(
    results: Results, columns: tuple[str, str], x: Floats, y: Sequence[Floats] | Floats
) -> dict[str, Line]:
    """Return lines over the same places; `y` has a row for each run."""
    return {
        run.name: Line(dict(zip(columns, (x, heights), strict=True)))
        for run, heights in zip(results.runs, y, strict=True)
    }


def pr(results: Results, _: str, __: Choices) -> Lines:
    """Return interpolated precision at levels of recall, averaged over topics.

    Source: Salton and McGill, Introduction to Modern Information Retrieval, 1983, chapter 5.
    """
    (found,) = swept(results, "pr", "IPrec")
    lines = lines_of(results, ("recall", found.measure), found.places, found.means)
    names = ("recall", "interpolated precision")
    return Lines(found.measure, names, lines, ends=(0.0, 1.0), limits=(0.0, 1.0))


def cutoff(results: Results, _: str, __: Choices) -> tuple[Lines, ...]:
    """Return measures at several cutoffs, averaged over topics."""
    return tuple(
        Lines(
            found.measure,
            ("cutoff k", f"mean {found.measure}@k"),
            lines_of(results, ("cutoff", found.measure), found.places, found.means),
            logarithmic=True,
        )
        for found in swept(results, "cutoff")
    )


def judged(results: Results, _: str, __: Choices) -> Lines:
    """Return the share of unjudged documents among the first k, over all topics.

    k times Unjudged@k is the number of unjudged documents, and NumRet@k that of all.

    Edge cases
        - A topic with fewer than k documents: those that it has count.
        - No topic has a document: NaN.
    """
    found = {one.measure: one for one in swept(results, "judged", "Unjudged", "NumRet")}
    unjudged, there = (
        np.array([[np.sum(values) for values in run] for run in found[name].values])
        for name in ("Unjudged", "NumRet")
    )
    places = found["Unjudged"].places
    share = np.where(there > 0, unjudged * places / np.maximum(there, 1.0), np.nan)
    known = share[~np.isnan(share)]
    lines = lines_of(results, ("cutoff", "unjudged"), places, share)
    limits = (0.0, float(known.max()) if known.any() else 1.0)
    return Lines("unjudged", ("k", "share unjudged in the top k"), lines, limits=limits)


def prg(results: Results, _: str, __: Choices) -> Lines:
    """Return precision-recall-gain curves averaged over topics, with area and convex hull.

    Precision and recall gain are rescaled harmonically, so that the classifier that calls every
    judged document relevant has precision gain 0. F gain is then a weighted mean of the two; the
    hull holds the operating points that are best for
    some weight. The mean is taken over topics at each recall gain, so that its area is the mean
    AUPRG.

    Edge cases
        - Topics without relevant or without nonrelevant documents are left out of the mean.

    Source: Flach and Kull, "Precision-recall-gain curves: PR analysis done right", NeurIPS 2015.
    """
    (found,) = swept(results, "prg", "PRG")
    area_name = next(s.measure for s in results.runs[0].scores if s.measure.startswith("AUPRG"))
    lines = {}
    for run, heights in zip(results.runs, found.means, strict=True):
        area = mean_of(score_of(run, area_name).values)
        numbers = {
            "recall_gain": found.places,
            "precision_gain": heights,
            "hull": upper_hull(found.places, heights),
            "area": np.full(len(heights), area),
        }
        lines[run.name] = Line(numbers, f", area {area:.3f}")
    return Lines(
        *("", ("recall gain", "precision gain"), lines),
        ends=(0.0, 1.0),
        limits=(float(np.nanmin(found.means, initial=0.0)), 1.0),
    )


def upper_hull(x: Floats, y: Floats) -> Floats:
    """Return the height of the upper convex hull of points at each x, which increases.

    NaN where any height is NaN.
    """
    if np.isnan(y).any():
        return np.full(len(x), np.nan)
    kept: list[int] = []
    for i in range(len(x)):
        while len(kept) >= 2:
            a, b = kept[-2], kept[-1]
            if (y[b] - y[a]) * (x[i] - x[a]) > (y[i] - y[a]) * (x[b] - x[a]):
                break
            kept.pop()
        kept.append(i)
    return np.interp(x, x[kept], y[kept])


def ecdf(results: Results, measure: str, _: Choices) -> Lines:
    r"""Return the share of topics up to each value that occurs, by run.

    .. math:: F(x) = \frac{1}{n} \sum_{t=1}^{n} [x_t \le x]

    with the values x of n topics. Where the curve of one run lies below that of another, it has
    more topics with higher values.

    Edge cases
        - Topics without a value are left out.
        - No topic with a value: an empty curve.
    """
    lines = {}
    for run in results.runs:
        increasing = np.sort(score_of(run, measure).values)
        increasing = increasing[~np.isnan(increasing)]
        values, counts = np.unique(increasing, return_counts=True)
        share = np.cumsum(counts) / max(1, len(increasing))
        lines[run.name] = Line({"value": values, "share": share})
    return Lines(
        *(measure, (measure, "share of topics"), lines),
        ends=score_of(results.runs[0], measure).span,
        limits=(0.0, 1.0),
        steps=True,
        in_rows=True,
    )
