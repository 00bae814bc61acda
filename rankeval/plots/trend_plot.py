"""The means of runs in the history of a suite, and the changes of their levels."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from rankeval.base.frozen import frozen
from rankeval.plots.kinds import DRAWINGS, Drawing
from rankeval.plots.look import FALL, RISE, folded, identity, label, letters_of, width_of
from rankeval.stats.checked_arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MARKED = 10
"""About so many nights of a curve have a marker."""


COMMIT, ROOM = 7, 0.45
"""Characters of a commit, and the inches below the curves that they take."""


AXES = 0.6
"""Inches of a panel that dates and title take."""


class NightChange(Protocol):
    """A change of a level: the time and the commit of its first night, and its direction."""

    @property
    def time(self) -> datetime:
        """The time of its first night."""

    @property
    def commit(self) -> str:
        """The commit of its first night; "" if none is known."""

    @property
    def fell(self) -> bool:
        """True if the measure is lower after it."""


class NightSeries(Protocol):
    """The means of one run in one measure, from night to night, as those of `rankeval.trend`."""

    @property
    def suite(self) -> str:
        """The name of the suite; "" for none."""

    @property
    def name(self) -> str:
        """The measure, with its collection and group."""

    @property
    def run(self) -> str:
        """The name of the run."""

    @property
    def role(self) -> str:
        """candidate, baseline or golden."""

    @property
    def loss(self) -> bool:
        """True when smaller is better."""

    @property
    def times(self) -> Sequence[datetime]:
        """The times of the nights."""

    @property
    def values(self) -> Sequence[float]:
        """The mean of each night."""

    @property
    def changes(self) -> Sequence[NightChange]:
        """The changes of the level."""


class Nights(Protocol):
    """A history: its series, as those of `rankeval.trend`."""

    @property
    def series(self) -> Sequence[NightSeries]:
        """The series of all suites."""


@frozen(eq=False)
class NightCurves:
    """The means of some runs in one measure of a suite.

    ======= ==================================================================================
    suite   name; "" for none
    measure name, with the collection and the group of topics if it has them
    loss    True when smaller is better
    runs    names of the runs of all panels, so that each has one look
    curves  of each run of the panel its place among the runs, its times and its means
    changes of the candidates' levels
    ======= ==================================================================================
    """

    suite: str
    measure: str
    loss: bool
    runs: tuple[str, ...]
    curves: tuple[tuple[int, npt.NDArray[np.datetime64], Floats], ...]
    changes: tuple[NightChange, ...]


def trend_data(trend: Nights) -> tuple[NightCurves, ...]:
    """Return a panel for each suite and measure, with its candidates and baselines.

    `rankeval.plots.figure("trend", panels)` draws them.
    """
    runs = tuple(dict.fromkeys(_name(series) for series in trend.series))
    panels: dict[tuple[str, str], list[NightSeries]] = {}
    for series in trend.series:
        panels.setdefault((series.suite, series.name), []).append(series)
    return tuple(
        NightCurves(
            suite=suite,
            measure=measure,
            loss=some[0].loss,
            runs=runs,
            curves=tuple(_curves(some, runs)),
            changes=tuple(change for series in some for change in series.changes),
        )
        for (suite, measure), some in panels.items()
    )


def _curves(some: list[NightSeries], runs: tuple[str, ...]) -> Iterator[tuple[int, Any, Floats]]:
    for series in some:
        times = np.array(
            [time.replace(tzinfo=None) for time in series.times], dtype="datetime64[s]"
        )
        yield runs.index(_name(series)), times, np.array(series.values)


def _name(series: NightSeries) -> str:
    return series.run if series.role == "candidate" else f"{series.role} {series.run}".rstrip()


def _draw(data: NightCurves, ax: "Axes", share: float) -> None:
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
        height = _inches(share * width_of(ax)) - AXES
        ax.set_ylim(low - ROOM / (height - ROOM) * (high - low), high)
    for change in data.changes:
        colour = RISE if change.fell == data.loss else FALL
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


def _inches(width: float) -> float:
    """Return the height of a panel."""
    return max(1.5, 0.42 * width)


def _title(data: NightCurves, width: float, _: int) -> str:
    """Return the name of the suite."""
    return folded(data.suite or "no suite", letters_of(width, 0.8))


DRAWINGS["trend"] = Drawing(
    _draw,
    lambda _, width: _inches(width),
    (2, 1),
    legend=lambda data: data.runs,
    title=_title,
    least=1.7,
)
