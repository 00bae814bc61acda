"""A row for each run: its value, perhaps on an interval or in a group of runs like it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import visible
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import Axis, by_place, row_per_run, styled
from rankeval.plots.fewer_runs import FewerRuns, only_fields
from rankeval.plots.kinds import Choices, Drawing, InReports, PlotKind, Row, Screen, register
from rankeval.plots.look import (
    BETTER,
    NAME_SHARE,
    NEUTRAL,
    WORSE,
    ink,
    letters_of,
    named_rows,
    paper,
    rows_inches,
    rule,
    sentence,
    width_of,
    write_row_names,
)
from rankeval.stats.checked_arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {None: BETTER, 1: BETTER, -1: WORSE, 0: NEUTRAL}
STYLES = {None: "bold blue", 1: "bold blue", -1: "bold red", 0: ""}
"""Colours of points by the sign of their row, in pictures and in the terminal."""

SEEDS = "#B07500"
"""The colour of the dots of a system's runs."""

BAR_SHARE = 0.016
"""Share of the width of the axes that the bar of a group takes."""

Groups = tuple[tuple[int, int], ...]
"""First and last places of groups of runs that do not differ significantly."""


@frozen(eq=False)
class RunRow:
    """The row of a run.

    ======= ========================================================================================
    numbers the run and its numbers, under the names of columns
    text    its value in words, for the terminal
    beside  words at the right; "" for none
    sign    1 if it is better than the baseline, -1 if worse, 0 if neither is shown; None without
            a baseline
    seeds   for a system of several runs, the value of each
    ======= ========================================================================================
    """

    numbers: Row
    text: str
    beside: str = ""
    sign: int | None = None
    seeds: tuple[float, ...] = ()


@frozen(eq=False)
class Rows:
    """Runs in rows, the first at the top.

    ======== =======================================================================================
    measure  canonical name
    loss     True when smaller values are better
    value    the column of the values; the ends of intervals, if any, are in `low` and `high`
    heading  name of the axis
    of_runs  a row for each run
    beside   heading of the words at the right; "" for none
    note     a line below the drawing in the terminal
    baseline run that the others are compared with; "" for none
    of_ranks True if the values are ranks
    width    runs whose values differ by no more are a group; None without groups
    ======== =======================================================================================
    """

    measure: str
    loss: bool
    value: str
    heading: str
    of_runs: tuple[RunRow, ...]
    beside: str = ""
    note: str = ""
    baseline: str = ""
    of_ranks: bool = False
    width: float | None = None

    def rows(self) -> Iterator[Row]:
        """Yield a row per run."""
        return (row.numbers for row in self.of_runs)

    @property
    def runs(self) -> tuple[str, ...]:
        """Names, the first at the top."""
        return tuple(row.numbers["run"] for row in self.of_runs)

    @property
    def values(self) -> Floats:
        """The values of the runs; NaN where undefined."""
        return np.array([row.numbers[self.value] for row in self.of_runs], dtype=np.float64)

    @property
    def groups(self) -> Groups:
        """The groups of two runs or more, of values that are sorted."""
        return () if self.width is None else groups_within(self.values, self.width)


def groups_within(increasing: Floats, width: float) -> Groups:
    """Return (first, last) places of the largest groups of two or more that `width` spans."""
    last = np.searchsorted(increasing, increasing + width, side="right") - 1
    groups: list[tuple[int, int]] = []
    for i, j in enumerate(last.tolist()):
        if j > i and (not groups or j > groups[-1][1]):
            groups.append((i, j))
    return tuple(groups)


def draw(data: Rows, ax: "Axes", share: float) -> None:
    """Draw a point for each run, its interval, and bars at the right that join groups."""
    from matplotlib.ticker import MaxNLocator

    width = width_of(ax) * share
    rows = named_rows(data.runs, letters_of(width, NAME_SHARE))
    if data.baseline:
        ax.axvline(0.0, color=ink(), linewidth=0.6)
    for i, (centre, row) in enumerate(zip(rows.centres.tolist(), data.of_runs, strict=True)):
        value, low, high = map(row.numbers.get, (data.value, "low", "high"))
        colour = COLOURS[row.sign]
        if low is not None and high is not None:
            ax.plot(
                [low, high], [centre, centre], color=colour, linewidth=1.2,
                solid_capstyle="butt", gid=f"interval{i}",
            )  # fmt: skip
        dots = [centre] * len(row.seeds)
        ax.plot(row.seeds, dots, ".", color=SEEDS, markersize=3, gid=f"seeds{i}")
        if value is not None:
            filled = paper() if row.sign == 0 else colour
            ax.plot(
                [value], [centre], "o", color=colour, markerfacecolor=filled, markersize=4.0,
                gid=f"run{i}",
            )  # fmt: skip
    for n, (first, last) in enumerate(data.groups, 1):
        ends = [rows.centres[first] - 0.4, rows.centres[last] + 0.4]
        ax.plot(
            [1.0 + BAR_SHARE * n] * 2, ends, color=ink(), linewidth=1.8, solid_capstyle="butt",
            clip_on=False, transform=ax.get_yaxis_transform(),
        )  # fmt: skip
    write_row_names(ax, rows)
    if data.beside:
        words = ax.secondary_yaxis("right")
        words.set_yticks(rows.centres, [row.beside for row in data.of_runs])
        words.tick_params(axis="y", length=0, pad=8)
        words.spines[:].set_visible(False)
        ax.set_title(data.beside, loc="right", fontsize=7)
    ax.spines["left"].set_visible(False)
    ax.grid(visible=True, axis="x", color=rule(), linewidth=0.5)
    ax.set_axisbelow(True)
    n_ticks = max(3, int(width * (2.0 if data.of_ranks else 0.9)))
    ax.xaxis.set_major_locator(MaxNLocator(n_ticks, integer=data.of_ranks))
    ax.set_xlabel(sentence(data.heading, letters_of(width, 0.55)))


def inches(data: Rows, width: float) -> float:
    """Return the height that rows need, with the name of the axis in several lines."""
    return rows_inches(data.runs, width, NAME_SHARE) + (0.45 if data.beside else 0.3)


def in_terminal(data: Rows, screen: Screen) -> list[Text]:
    """Return a line of characters for each run, with its value and words at the right."""
    flat, dot, hollow, bar = "─●○│" if screen.unicode else "-*o|"
    ends = [row.numbers.get(name) for row in data.of_runs for name in (data.value, "low", "high")]
    seeds = [seed for row in data.of_runs for seed in row.seeds]
    least = (0.0,) if data.baseline else (1.0, float(len(data.of_runs))) if data.of_ranks else ()
    axis = Axis.over([*(end for end in ends if end is not None), *seeds], least=least)
    joined = [
        "".join(bar if a <= i <= b else " " for a, b in data.groups)
        for i in range(len(data.of_runs))
    ]
    texts = [row.text for row in data.of_runs]
    for column in ([row.beside for row in data.of_runs], joined):
        texts = _with_column(texts, column)

    def drawn(i: int, width: int) -> Text:
        row, cells, styles = data.of_runs[i], [" "] * width, [""] * width
        value, low, high = map(row.numbers.get, (data.value, "low", "high"))
        if data.baseline:
            cells[by_place(axis, 0.0, width)] = bar
        if low is not None and high is not None:
            first, last = by_place(axis, low, width), by_place(axis, high, width)
            n_cells = last - first + 1
            cells[first : last + 1] = flat * n_cells
            styles[first : last + 1] = [STYLES[row.sign] if data.baseline else ""] * n_cells
        point = hollow if row.sign == 0 else dot
        marks = [(seed, hollow, "yellow") for seed in row.seeds]
        for at, sign, style in (*marks, (value, point, STYLES[row.sign])):
            if at is not None:
                place = by_place(axis, at, width)
                cells[place], styles[place] = sign, style
        return styled(cells, styles).append(f" {texts[i]}")

    notes = [data.note] if data.note else []
    if data.baseline:
        notes.append(f"{dot} differs, {hollow} not shown; then {data.beside}")
    if seeds:
        notes.append(f"{hollow} runs of a system")
    if data.groups:
        notes.append(f"Runs next to the same {bar} do not differ significantly.")
    side = max(map(len, texts)) + 1
    return row_per_run(
        data.runs, drawn, axis, visible(data.heading), screen, "\n".join(notes), side
    )


def _with_column(texts: Sequence[str], column: Sequence[str]) -> list[str]:
    """Return texts with a column behind them, whose words end at the same place."""
    width, more = max(map(len, texts)), max(map(len, column))
    return [
        f"{text:<{width}} {word:>{more}}" if more else text
        for text, word in zip(texts, column, strict=True)
    ]


def register_rows(
    name: str,
    data: Callable[[Results, Choices], Iterable[Rows]],
    draw: Callable[[Rows, "Axes", float], None] = draw,
    inches: Callable[[Rows, float], float] = inches,
    report: InReports | None = None,
    **more: Any,
) -> None:
    """Register a kind with a row for each run, whose intervals or groups have the level --alpha."""
    fewer = FewerRuns(lambda data: data.values, only_fields("of_runs"))
    drawing = Drawing(draw, inches, fewer=fewer)
    register(PlotKind(name, data, drawing, in_terminal, report, option="--alpha", **more))
