"""Draw means by night with matplotlib, with a line and the commit where a level changed."""

from typing import TYPE_CHECKING

from rankeval.plots.by_night import NightCurves
from rankeval.plots.look import BETTER, WORSE, folded, identity, label, letters_of, width_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKED = 10
"""About so many nights of a curve have a marker."""

COMMIT, ROOM = 7, 0.45
"""Characters of a commit, and the inches below the curves that they take."""

AXES = 0.6
"""Inches of a panel that dates and title take."""


def draw_nights(data: NightCurves, ax: "Axes", *, share: float) -> None:
    """Draw a line for each run, and where a candidate's level changed the commit."""
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num

    for place, times, means in data.curves:
        colour, dashes, marker = identity(place)
        step = max(1, len(times) // MARKED)
        ax.plot(
            date2num(times),
            means,
            color=colour,
            linestyle=dashes,
            marker=marker,
            markersize=3.0,
            # Neighbours have their markers at different nights.
            markevery=(place % step, step),
            linewidth=1.0,
            gid=f"run{place}",
        )
    low, high = ax.get_ylim()
    if data.changes:
        height = nights_inches(share * width_of(ax)) - AXES
        ax.set_ylim(low - ROOM / (height - ROOM) * (high - low), high)
    for change in data.changes:
        colour = BETTER if change.fell == data.loss else WORSE
        time = float(date2num(change.time.replace(tzinfo=None)))
        ax.axvline(time, color=colour, linestyle=(0, (1, 1.5)), linewidth=1.0, gid="change")
        ax.annotate(
            label(change.commit[:COMMIT] or str(change.time.date())),
            (time, 0.02),
            xycoords=ax.get_xaxis_transform(),
            xytext=(2, 0),
            textcoords="offset points",
            rotation=90,
            fontsize=6.0,
            color=colour,
            verticalalignment="bottom",
        )
    # With fewer ticks, matplotlib finds no interval for 13 to 23 months.
    locator = AutoDateLocator(minticks=2, maxticks=max(5, int(10 * share)))
    ax.xaxis.set_major_locator(locator)
    ax.xaxis.set_major_formatter(ConciseDateFormatter(locator))
    ax.set_ylabel(folded(data.measure, letters_of(width_of(ax), 0.2)))


def nights_inches(width: float) -> float:
    """Return the height of a panel."""
    return max(1.5, 0.42 * width)


def nights_title(data: NightCurves, width: float) -> str:
    """Return the name of the suite."""
    return folded(data.suite or "no suite", letters_of(width, 0.8))
