"""The means of runs in the history of a suite, and the changes of their levels."""

import textwrap
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from rankeval.base.frozen import frozen
from rankeval.plots.kinds import DRAWINGS, Drawing
from rankeval.plots.look import (
    FALL,
    LINE,
    NEUTRAL,
    RISE,
    folded,
    identity,
    label,
    letters_of,
    width_of,
    without_middle,
)
from rankeval.stats.checked_arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MARKED = 10
"""About this many nights of a curve have a marker."""


COMMIT, NAME = 7, 24
"""Characters of a commit, and of a name next to an event."""


AXES = 0.6
"""Inches of a panel that dates and title take."""


EVENT_POINTS, EVENT_INCHES, ROOM = 6.5, 0.14, 0.14
"""Size of the number of an event, the inches from one to the next, and those above the curves."""


MOST_NAMED = 2
"""Runs that one event names; more are counted."""


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


class NightRename(Protocol):
    """A night on which a run has a new name, or another run is the baseline."""

    @property
    def time(self) -> datetime:
        """The time of the night."""

    @property
    def before(self) -> str:
        """The name until then."""

    @property
    def after(self) -> str:
        """The name since then."""


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

    @property
    def renames(self) -> Sequence[NightRename]:
        """The nights on which a candidate has a new name, or another run is the baseline."""


class Nights(Protocol):
    """A history: its series, as those of `rankeval.trend`."""

    @property
    def series(self) -> Sequence[NightSeries]:
        """The series of all suites."""


@frozen
class NightEvent:
    """An event in a history.

    ====== =========================================================================================
    time   time of its night
    kind   fell, rose, renamed or new baseline
    run    name of the run
    detail the commit of a change; the name before of a run that was renamed; "" if not known
    better True or False for a change to a better or worse level, None for another event
    ====== =========================================================================================
    """

    time: datetime
    kind: str
    run: str
    detail: str = ""
    better: bool | None = None

    @property
    def words(self) -> str:
        """The words next to the event's line."""
        name = without_middle(self.run, NAME)
        if self.kind == "renamed":
            return f"{name}, was {without_middle(self.detail, NAME)}"
        if self.kind == "new baseline":
            return f"{self.kind} {name}"
        return f"{name} {self.kind}, {self.detail[:COMMIT] or self.time.date()}"


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
    events  the changes, renames of candidates and new baselines, in the order of time
    ======= ==================================================================================
    """

    suite: str
    measure: str
    loss: bool
    runs: tuple[str, ...]
    curves: tuple[tuple[int, npt.NDArray[np.datetime64], Floats], ...]
    changes: tuple[NightChange, ...]
    events: tuple[NightEvent, ...] = ()


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
            events=tuple(sorted(_events(some), key=lambda event: event.time)),
        )
        for (suite, measure), some in panels.items()
    )


def _curves(some: list[NightSeries], runs: tuple[str, ...]) -> Iterator[tuple[int, Any, Floats]]:
    for series in some:
        times = np.array(
            [time.replace(tzinfo=None) for time in series.times], dtype="datetime64[s]"
        )
        yield runs.index(_name(series)), times, np.array(series.values)


def _events(some: list[NightSeries]) -> Iterator[NightEvent]:
    for series in some:
        for change in series.changes:
            kind = "fell" if change.fell else "rose"
            better = change.fell == series.loss
            yield NightEvent(change.time, kind, series.run, change.commit, better)
        for rename in series.renames:
            if series.role == "baseline":
                yield NightEvent(rename.time, "new baseline", rename.after)
            else:
                yield NightEvent(rename.time, "renamed", rename.after, rename.before)


def _name(series: NightSeries) -> str:
    return series.run if series.role == "candidate" else f"{series.role} {series.run}".rstrip()


def _draw(data: NightCurves, ax: "Axes", share: float) -> None:
    """Draw a line for each run, and the events: changes, renames and new baselines."""
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
    ax.margins(x=0.02)
    _mark_events(data, ax, share * width_of(ax))
    # With fewer ticks, matplotlib finds no interval for 13 to 23 months.
    locator = AutoDateLocator(minticks=2, maxticks=max(5, int(10 * share)))
    ax.xaxis.set_major_locator(locator)
    ax.xaxis.set_major_formatter(ConciseDateFormatter(locator))
    ax.set_ylabel(folded(_label(data), letters_of(_inches(share * width_of(ax)), 0.8)))


def _label(data: NightCurves) -> str:
    """Return the name of the means: the measure, and the run where a panel has one."""
    candidates = [data.runs[place] for place, _, _ in data.curves]
    shown = [run for run in candidates if not run.startswith(("baseline ", "golden"))]
    return f"{data.measure} of {shown[0]}" if len(shown) == 1 else data.measure


def _mark_events(data: NightCurves, ax: "Axes", width: float) -> None:
    """Draw a line for each night with events, and its number above the curves, side by side."""
    from matplotlib.dates import date2num

    nights = _by_night(data.events)[: _most(width)]
    if not nights:
        return
    low, high = ax.get_ylim()
    height = _inches(width) - AXES
    ax.set_ylim(low, high + ROOM / (height - ROOM) * (high - low))
    first, last = ax.get_xlim()
    step = EVENT_INCHES * (last - first) / (0.8 * width)
    times = [float(date2num(time.replace(tzinfo=None))) for time, _, _ in nights]
    places = np.array(times)
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + step)
    for i in range(len(places) - 1, -1, -1):
        places[i] = min(places[i], last - (len(places) - 1 - i) * step)
    for number, (time, place, night) in enumerate(zip(times, places, nights, strict=True), 1):
        colour = night[2]
        ax.axvline(
            time, ymax=1.0 - ROOM / height, color=colour, linestyle=(0, (1, 1.5)), linewidth=1.0,
            gid="change",
        )  # fmt: skip
        ax.annotate(
            str(number),
            (float(place), 1.0),
            xycoords=ax.get_xaxis_transform(),
            fontsize=EVENT_POINTS,
            color=colour,
            horizontalalignment="center",
            verticalalignment="top",
        )
    ax.set_xlabel(_key(data, width), loc="left", fontsize=7)


def _most(width: float) -> int:
    """Return the number of nights whose numbers have room side by side."""
    return max(1, int(0.7 * width / EVENT_INCHES))


def _key(data: NightCurves, width: float) -> str:
    """Return the words of the numbered events in lines; "" for none."""
    nights = _by_night(data.events)
    entries = [f"{number} {words}" for number, (_, words, _) in enumerate(nights, 1)]
    shown, left_out = entries[: _most(width)], len(entries[_most(width) :])
    shown += [f"and {left_out} more"] if left_out else []
    lines = textwrap.wrap(". ".join(shown), letters_of(width, 0.62), break_long_words=True)
    return "\n".join(label(line) for line in lines)


def _by_night(events: Sequence[NightEvent]) -> list[tuple[datetime, str, str]]:
    """Return time, words and colour of the events of each night and kind."""
    groups: dict[tuple[datetime, str], list[NightEvent]] = {}
    for event in events:
        groups.setdefault((event.time, event.kind), []).append(event)
    found = []
    for (time, _), some in groups.items():
        named = [event.words for event in some[:MOST_NAMED]]
        more = [f"{len(some) - MOST_NAMED} more"] if len(some) > MOST_NAMED else []
        better = some[0].better
        colour = NEUTRAL if better is None else RISE if better else FALL
        found.append((time, "; ".join([*named, *more]), colour))
    return found


def _inches(width: float) -> float:
    """Return the height of a panel."""
    return max(1.5, 0.42 * width)


def _title(data: NightCurves, width: float, _: int) -> str:
    """Return the name of the suite."""
    return folded(data.suite or "no suite", letters_of(width, 0.8))


DRAWINGS["trend"] = Drawing(
    _draw,
    lambda data, width: _inches(width) + LINE * len(_key(data, width).splitlines()),
    (2, 1),
    legend=lambda data: data.runs,
    title=_title,
    least=1.7,
)
