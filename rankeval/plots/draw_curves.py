"""Draw curves with matplotlib: a line for each run, told apart by colour, dashes and marker."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rankeval.plots.curves import ELEVEN, Curves, GainCurves, isometric
from rankeval.plots.look import identity, label
from rankeval.stats.checked_arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

F_GAINS = (0.2, 0.4, 0.6, 0.8)
"""The F gains whose isometrics are drawn."""

MARKED = 10
"""About so many places of a curve have a marker."""


MOST_HULLS = 8
"""The hulls of more runs would hide the curves."""


def marked_places(data: Curves | GainCurves, run: int) -> Sequence[int]:
    """Return the places of a run's curve that have a marker."""
    if isinstance(data, GainCurves):
        size = len(data.recall_gain)
        return range(0, size, max(1, size // MARKED))
    if data.axis == "recall":
        return [int(np.abs(data.x - level).argmin()) for level in ELEVEN]
    # Neighbours have their markers at different places.
    step = max(1, len(data.x) // MARKED)
    return range(run % step, len(data.x), step)


def draw_pr(data: Curves, ax: "Axes") -> None:
    """Draw interpolated precision by recall, with markers at the usual eleven levels."""
    for i in range(len(data.runs)):
        _line(ax, i, data.x, data.y[i], marked_places(data, i))
    ax.set_xlim(-0.01, 1.01)
    ax.set_ylim(0.0, 1.02)
    ax.set_xlabel("recall")
    ax.set_ylabel("interpolated precision")


def draw_prg(data: GainCurves, ax: "Axes") -> None:
    """Draw gain curves with their convex hulls, on the lines of equal F gain."""
    for level in F_GAINS:
        recall, precision = isometric(level)
        ax.plot(recall, precision, color="#d0d0d0", linewidth=0.6, zorder=0)
    for i in range(len(data.runs)):
        _line(ax, i, data.recall_gain, data.precision_gain[i], marked_places(data, i))
        if len(data.runs) <= MOST_HULLS:
            colour = identity(i).colour
            ax.plot(data.recall_gain, data.hull[i], color=colour, linewidth=0.5, alpha=0.8)
    lowest = float(np.nanmin(data.precision_gain, initial=0.0))
    ax.set_xlim(-0.01, 1.01)
    ax.set_ylim(min(0.0, lowest) - 0.02, 1.02)
    levels = ", ".join(f"{level:g}" for level in F_GAINS)
    ax.set_xlabel(f"recall gain\n(grey: F gain of {levels})")
    ax.set_ylabel("precision gain")


def draw_cutoff(data: Curves, ax: "Axes") -> None:
    """Draw a measure by cutoff."""
    _by_place(data, ax)
    ax.set_xlabel("cutoff k")
    ax.set_ylabel(f"mean {label(data.measure)}@k")


def draw_judged(data: Curves, ax: "Axes") -> None:
    """Draw the share of unjudged documents by rank."""
    _by_place(data, ax)
    ax.set_ylim(0.0, 1.02)
    ax.set_xlabel("rank")
    ax.set_ylabel("share unjudged")


def _by_place(data: Curves, ax: "Axes") -> None:
    for i in range(len(data.runs)):
        _line(ax, i, data.x, data.y[i], marked_places(data, i))
    first, last = data.x[data.drawn][[0, -1]].tolist()
    ax.set_xlim(first - 0.01 * (last - first) - 0.1, last + 0.01 * (last - first) + 0.1)


def _line(ax: "Axes", place: int, x: Floats, y: Floats, marked: Sequence[int]) -> None:
    colour, dashes, marker = identity(place)
    ax.plot(
        x,
        y,
        color=colour,
        linestyle=dashes,
        marker=marker,
        markevery=list(marked),
        markersize=3.0,
        gid=f"run{place}",
    )
