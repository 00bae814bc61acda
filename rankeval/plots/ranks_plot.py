"""Mean ranks of the runs, and the runs that do not differ significantly."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import p_words, visible
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import Axis, by_place, row_per_run
from rankeval.plots.fewer_runs import FewerRuns, only_fields
from rankeval.plots.kinds import Drawing, InReports, Numbers, PlotKind, Row, Screen, register
from rankeval.plots.look import (
    LINE,
    NAME_SHARE,
    distinct,
    ink,
    letters_of,
    named_rows,
    rows_inches,
    rule,
    sentence,
    width_of,
    write_row_names,
)
from rankeval.plots.selection import by_measure, short_number, table_of
from rankeval.stats import Nemenyi, nemenyi
from rankeval.stats.checked_arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


Groups = tuple[tuple[int, int], ...]
"""First and last places of groups of runs that do not differ significantly."""


@frozen(eq=False)
class MeanRanks:
    """Mean ranks of the runs, and the groups of runs that do not differ significantly.

    ======== =======================================================================================
    measure  canonical name
    test     Nemenyi's test, with Friedman's; its columns are the runs in the order of the results
    runs     names, the best mean rank first
    ranks    mean ranks, shape (runs,)
    groups   (first, last) places of runs whose mean ranks differ by no more than the critical
             difference; no group is a part of another one
    ======== =======================================================================================
    """

    measure: str
    test: Nemenyi
    runs: tuple[str, ...]
    ranks: Floats
    groups: Groups

    def rows(self) -> Iterator[Row]:
        """Yield a row per run, with the letters of its groups."""
        for i, run in enumerate(self.runs):
            yield {
                "run": run,
                "measure": self.measure,
                "mean_rank": float(self.ranks[i]),
                "groups": numbers_of_groups(self.groups, i),
                "critical_difference": self.test.critical_difference,
                "alpha": self.test.alpha,
                "topics": self.test.friedman.n_topics,
                "friedman_p": self.test.friedman.p_f,
            }


def ranks_data(results: Results, measure: str | None = None, *, alpha: float = 0.05) -> MeanRanks:
    """Return mean ranks, Nemenyi's critical difference, and the groups that it leaves together.

    Source: Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006.
    """
    table = table_of(results, measure, least_runs=2)
    test = nemenyi(-table.values if table.loss else table.values, alpha=alpha)
    if test.friedman.mean_ranks is None or test.critical_difference is None:
        raise UsageError(f"{table.measure} is defined for all runs on no topic")
    ranks = np.array(test.friedman.mean_ranks)
    order = np.argsort(ranks, kind="stable")
    return MeanRanks(
        measure=table.measure,
        test=test,
        runs=tuple(table.runs[i] for i in order),
        ranks=ranks[order],
        groups=groups_within(ranks[order], test.critical_difference),
    )


def groups_within(increasing: Floats, width: float) -> Groups:
    """Return (first, last) places of the largest groups of two or more that `width` spans."""
    last = np.searchsorted(increasing, increasing + width, side="right") - 1
    groups: list[tuple[int, int]] = []
    for i, j in enumerate(last.tolist()):
        if j > i and (not groups or j > groups[-1][1]):
            groups.append((i, j))
    return tuple(groups)


def numbers_of_groups(groups: Groups, place: int) -> str:
    """Return the numbers of the groups of a run, from 1."""
    return " ".join(str(n) for n, (a, b) in enumerate(groups, 1) if a <= place <= b)


MOST_IN_DIAGRAM = 15
"""Runs whose names have room at the sides of a diagram; more have a row each."""


def _draw(data: MeanRanks, ax: "Axes", share: float) -> None:
    """Draw a critical-difference diagram, or of many runs a dot in a row for each."""
    if len(data.runs) <= MOST_IN_DIAGRAM:
        _draw_diagram(data, ax)
        return
    width = width_of(ax) * share
    draw_grouped_dots(ax, data.runs, data.ranks, data.groups, letters_of(width, NAME_SHARE))
    ax.set_xlabel(sentence(_words(data), letters_of(width, 0.5)))


BAR_SHARE = 0.016
"""Share of the width of the axes that the bar of a group takes."""


def draw_grouped_dots(
    ax: "Axes", runs: Sequence[str], values: Floats, groups: Groups, letters: int
) -> None:
    """Draw a dot in each run's row, and a bar at the right of each group."""
    rows = named_rows(runs, letters)
    ax.hlines(rows.centres, 0.0, 1.0, transform=ax.get_yaxis_transform(), color=rule(), lw=0.5)
    for i, (value, centre) in enumerate(zip(values.tolist(), rows.centres.tolist(), strict=True)):
        ax.plot([value], [centre], "o", color="#0072B2", markersize=4.0, gid=f"run{i}")
    for n, (first, last) in enumerate(groups):
        x = 1.0 + BAR_SHARE * (n + 1)
        ends = [rows.centres[first] - 0.4, rows.centres[last] + 0.4]
        ax.plot(
            [x, x], ends, color=ink(), linewidth=1.8, solid_capstyle="butt", clip_on=False,
            transform=ax.get_yaxis_transform(), gid=f"group{n}",
        )  # fmt: skip
    write_row_names(ax, rows)
    ax.spines["left"].set_visible(False)


def _words(data: MeanRanks) -> str:
    """Return the name of the axis: the measure, the critical difference and Friedman's p-value."""
    test = data.test
    friedman = f"Friedman {p_words(test.friedman.p_f, test.alpha)}, alpha = {test.alpha:g}"
    of_ranks = f"mean rank by {data.measure}"
    if len(data.runs) <= MOST_IN_DIAGRAM:
        return f"{of_ranks}; {friedman}"
    return f"{of_ranks}; critical difference {test.critical_difference:.2f}; {friedman}"


def _draw_diagram(data: MeanRanks, ax: "Axes") -> None:
    """Draw a critical-difference diagram: bars join mean ranks that do not differ significantly."""
    n_runs = len(data.runs)
    half = (n_runs + 1) // 2
    letters = letters_of(width_of(ax), 0.22)
    names = distinct(data.runs, letters)
    left = named_rows(data.runs[:half], letters, padding=0.3)
    right = named_rows(data.runs[half:][::-1], letters, padding=0.3)
    low, high = 1.0, float(n_runs)
    first_bar, step = 0.6, 0.45
    top = first_bar + step * len(data.groups) + 0.3
    depth = top + float(max(left.edges[-1], right.edges[-1]))
    width = float(data.test.critical_difference or 0.0)
    margin = 0.03 * (high - low)
    # Names are outside the axes, where the layout makes room for them.
    rightmost = max(high, low + width)
    line: dict[str, Any] = {"color": ink(), "linewidth": 0.6, "clip_on": False}
    for place, rank in enumerate(data.ranks.tolist()):
        on_left = place < half
        rows, row = (left, place) if on_left else (right, n_runs - 1 - place)
        y = top + float(rows.centres[row])
        end = low - margin if on_left else rightmost + margin
        ax.plot([rank, rank, end], [0.0, y, y], gid=f"run{place}", **line)
        ax.text(
            end - margin / 2 if on_left else end + margin / 2,
            y,
            f"{names[place]}  ({rank:.2f})" if on_left else f"({rank:.2f})  {names[place]}",
            ha="right" if on_left else "left",
            va="center",
            fontsize=7,
        )
    for i, (first, last) in enumerate(data.groups):
        y = first_bar + step * i
        reach = margin / 3
        ends = [float(data.ranks[first]) - reach, float(data.ranks[last]) + reach]
        ax.plot(ends, [y, y], color=ink(), linewidth=2.5, solid_capstyle="butt", clip_on=False)
    scale = -2.3
    ax.plot([low, low + width], [scale, scale], marker="|", markersize=5, **line)
    ax.text(low + width / 2, scale - 0.3, f"CD = {width:.2f}", ha="center", va="bottom", fontsize=7)
    ax.set_xlim(low, rightmost)
    ax.set_ylim(depth, scale - 1.4)
    ax.spines[:].set_visible(False)
    ax.plot([low, high], [0.0, 0.0], color=ink(), linewidth=0.8, clip_on=False)
    ticks = [t for t in ax.get_xticks() if low <= t <= high and t == int(t)]
    for tick in sorted({*ticks, low, high}):
        ax.plot([tick, tick], [0.0, -0.25], **line)
        ax.text(tick, -0.4, f"{tick:g}", ha="center", va="bottom", fontsize=7)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_xlabel(sentence(_words(data), letters_of(width_of(ax), 0.8)))


def _inches(data: MeanRanks, width: float) -> float:
    """Return the height that a critical-difference diagram needs, or a row for each run."""
    if len(data.runs) > MOST_IN_DIAGRAM:
        return rows_inches(data.runs, width, NAME_SHARE) + 0.15
    half = (len(data.runs) + 1) // 2
    letters = letters_of(width, 0.22)
    sides = (data.runs[:half], data.runs[half:])
    names = max(named_rows(side, letters, padding=0.3).inches for side in sides)
    return names + LINE * (5.0 + 0.45 * len(data.groups)) + 0.3


def _only(data: MeanRanks, places: Sequence[int]) -> MeanRanks:
    """Return some of the mean ranks; the critical difference is that of all."""
    some: MeanRanks = only_fields("runs", "ranks")(data, places)
    groups = groups_within(some.ranks, data.test.critical_difference or np.inf)
    return replace(some, groups=groups)


def grouped_rows(
    runs: Sequence[str],
    values: Floats,
    groups: Groups,
    axis: Axis,
    screen: Screen,
    words: tuple[str, str],
    decimals: int = 4,
) -> list[Text]:
    """Return a line per run: a dot, its value and the bars of its groups; `words` explain them."""
    dot, bar = "●│" if screen.unicode else "o|"
    texts = [f" {value:.{decimals}f} " for value in values.tolist()]
    side = max(map(len, texts))

    def drawn(i: int, width: int) -> Text:
        cells = [" "] * width
        cells[by_place(axis, float(values[i]), width)] = dot
        marks = "".join(bar if a <= i <= b else " " for a, b in groups)
        return Text("".join(cells)).append(texts[i].rjust(side)).append(marks, style="bold")

    name, note = words
    notes = f"{note}\nRuns next to the same {bar} do not differ significantly."
    return row_per_run(runs, drawn, axis, name, screen, notes, side + len(groups))


def _in_terminal(data: MeanRanks, screen: Screen) -> list[Text]:
    axis = Axis(1.0, float(max(len(data.runs), 2)))
    test = data.test
    note = (
        f"critical difference {test.critical_difference:.2f} at alpha = {test.alpha:g}; "
        f"Friedman {p_words(test.friedman.p_f, test.alpha)}"
    )
    words = (f"mean rank by {visible(data.measure)}", note)
    return grouped_rows(data.runs, data.ranks, data.groups, axis, screen, words, decimals=2)


def _numbers(data: MeanRanks) -> Iterator[Numbers]:
    test = data.test
    yield Numbers(
        f"Mean ranks by {data.measure}; critical difference "
        f"{short_number(test.critical_difference)} at alpha = {test.alpha:g}; runs with a group "
        "in common do not differ significantly",
        ("Run", "Mean rank", "Groups"),
        tuple((row["run"], short_number(row["mean_rank"]), row["groups"]) for row in data.rows()),
    )


register(
    PlotKind(
        "ranks",
        lambda results, choices: by_measure(results, ranks_data, alpha=choices.alpha),
        Drawing(_draw, _inches, fewer=FewerRuns(lambda data: data.ranks, _only, lambda _: True)),
        _in_terminal,
        InReports(
            2,
            "Mean ranks",
            "Mean ranks over topics, 1 being the best. Bars join runs that do not differ "
            "significantly by Nemenyi's test.",
            _numbers,
            runs=2,
        ),
        option="--alpha",
        collections=True,
    )
)
