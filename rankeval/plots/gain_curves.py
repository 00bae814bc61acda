"""Precision-recall-gain curves of runs, with their areas and convex hulls."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import finite
from rankeval.evaluation.results import Results
from rankeval.measures import Measure, parse_measure
from rankeval.plots.canvas import Axis
from rankeval.plots.curves import ELEVEN, MARKED, curve, lacking, lines_of, swept
from rankeval.plots.fewer_runs import FewerRuns, only_fields
from rankeval.plots.kinds import Drawing, InReports, Numbers, PlotKind, Row, Screen, register
from rankeval.plots.look import identity, rule
from rankeval.plots.needed import LEVELS, only_measure
from rankeval.plots.selection import mean_of, score_of, short_number
from rankeval.stats.checked_arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


F_GAINS = (0.2, 0.4, 0.6, 0.8)
"""The F gains whose isometrics are drawn."""


MOST_HULLS = 8
"""The hulls of more runs would hide the curves."""


@frozen(eq=False)
class GainCurves:
    """Precision-recall-gain curves, their areas and convex hulls.

    ============== ===========================================================================
    runs           names
    recall_gain    shape (places,), from 0 to 1
    precision_gain means over topics, shape (runs, places)
    area           mean area under the curves of the topics, shape (runs,)
    hull           height of the convex hull of the mean curve, shape (runs, places)
    ============== ===========================================================================
    """

    runs: tuple[str, ...]
    recall_gain: Floats
    precision_gain: Floats
    area: Floats
    hull: Floats

    def rows(self) -> Iterator[Row]:
        """Yield a row per run and recall gain."""
        for i, run in enumerate(self.runs):
            heights = zip(
                self.recall_gain.tolist(), self.precision_gain[i], self.hull[i], strict=True
            )
            for recall, precision, hull in heights:
                yield {
                    "run": run,
                    "recall_gain": recall,
                    "precision_gain": finite(precision),
                    "hull": finite(hull),
                    "area": finite(self.area[i]),
                }


def prg_data(results: Results) -> GainCurves:
    """Return precision-recall-gain curves averaged over topics, with area and convex hull.

    Precision and recall gain are rescaled harmonically, so that the classifier that calls every
    judged document relevant has precision gain 0. F gain is then a weighted mean of the two, and
    its isometrics are straight lines; the hull holds the operating points that are best for
    some weight. The mean is taken over topics at each recall gain, so that its area is the mean
    AUPRG. The results hold AUPRG and PRG at recall gains from 0 to 1, as `measures("prg")` names
    them.

    Edge cases
        - Topics without relevant or without nonrelevant documents are left out of the mean.

    Source: Flach and Kull, "Precision-recall-gain curves: PR analysis done right", NeurIPS 2015.
    """
    found = swept(results, "PRG", "level", "prg")
    area = next(
        (s.measure for s in results.runs[0].scores if parse_measure(s.measure).name == "AUPRG"), ""
    )
    if not area:
        raise lacking("prg")
    levels = np.array(found.places, dtype=float)
    heights = np.array([[mean_of(values) for values in run] for run in found.values])
    return GainCurves(
        runs=found.runs,
        recall_gain=levels,
        precision_gain=heights,
        area=np.array([mean_of(score_of(run, area).values) for run in results.runs]),
        hull=np.array([upper_hull(levels, run) for run in heights]),
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


def isometric(f_gain: float, beta: float = 1.0) -> tuple[Floats, Floats]:
    """Return the ends of the line of equal F gain: recall gains 0 and 1, and precision gains.

    FG = (precG + β²·recG) / (1 + β²), which is solved for precG.
    """
    recall = np.array([0.0, 1.0])
    return recall, (1.0 + beta**2) * f_gain - beta**2 * recall


def _draw(data: GainCurves, ax: "Axes", _: float) -> None:
    """Draw gain curves with their convex hulls, on the lines of equal F gain."""
    for level in F_GAINS:
        recall, precision = isometric(level)
        ax.plot(recall, precision, color=rule(), linewidth=0.6, zorder=0)
    for i in range(len(data.runs)):
        curve(ax, i, data.recall_gain, data.precision_gain[i], _marked(data))
        if len(data.runs) <= MOST_HULLS:
            colour = identity(i).colour
            ax.plot(data.recall_gain, data.hull[i], color=colour, linewidth=0.5, alpha=0.8)
    lowest = float(np.nanmin(data.precision_gain, initial=0.0))
    ax.set_xlim(-0.01, 1.01)
    ax.set_ylim(min(0.0, lowest) - 0.02, 1.02)
    levels = ", ".join(f"{level:g}" for level in F_GAINS)
    ax.set_xlabel(f"recall gain\n(grey: F gain of {levels})")
    ax.set_ylabel("precision gain")


def _marked(data: GainCurves) -> Sequence[int]:
    """Return the places of a curve that have a marker."""
    size = len(data.recall_gain)
    return range(0, size, max(1, size // MARKED))


def _in_terminal(data: GainCurves, screen: Screen) -> list[Text]:
    y = Axis.over(data.precision_gain.ravel(), least=(0.0, 1.0))
    areas = [f"  area {area:.3f}" for area in data.area.tolist()]
    return lines_of(
        data.runs,
        data.recall_gain,
        data.precision_gain,
        y,
        screen,
        ("recall gain", "mean precision gain"),
        areas,
    )


def _numbers(data: GainCurves) -> Iterator[Numbers]:
    chosen = np.flatnonzero(np.isin(data.recall_gain, ELEVEN))
    yield Numbers(
        "Precision gain by recall gain, and the area under the curve",
        ("Run", "Area", *(f"{place:g}" for place in data.recall_gain[chosen])),
        tuple(
            (run, short_number(area), *map(short_number, heights[chosen]))
            for run, area, heights in zip(data.runs, data.area, data.precision_gain, strict=True)
        ),
    )


def _over_gains(found: Sequence[Measure], _: Sequence[int]) -> list[str]:
    one = only_measure(found, "prg", "AUPRG", "PRG")
    given = ",".join(
        f"{name}={value!r}" for name, value in one.given if name in ("rel", "universe")
    )
    inside = f"({given})" if given else ""
    return [f"AUPRG{inside}", *(f"PRG{inside}@{level}" for level in LEVELS)]


register(
    PlotKind(
        "prg",
        lambda results, _: [prg_data(results)],
        Drawing(
            _draw,
            lambda _, width: min(0.75 * width, 4.5),
            legend=lambda data: data.runs,
            fewer=FewerRuns(
                lambda data: data.area,
                only_fields("runs", "area", by_row=("precision_gain", "hull")),
                lambda _: False,
            ),
        ),
        _in_terminal,
        InReports(
            6,
            "Precision gain and recall gain",
            "Gain curves averaged over topics, with lines of equal F gain.",
            _numbers,
        ),
        sweep=_over_gains,
    )
)
