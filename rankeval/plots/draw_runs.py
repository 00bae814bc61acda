"""Draw runs with matplotlib: boxes, intervals, mean ranks, costs; and the agreement of measures."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rankeval.base.numbers import p_words
from rankeval.plots.between_measures import Agreement
from rankeval.plots.by_cost import Tradeoff
from rankeval.plots.by_run import Boxes, MeanRanks, Means
from rankeval.plots.labels import free_places
from rankeval.plots.look import (
    LINE,
    MARKERS,
    NEUTRAL,
    SHADES,
    folded,
    identity,
    label,
    letters_of,
    named_rows,
    width_of,
    write_row_names,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME_SHARE = 0.35
"""Share of the width that names of runs may take beside a plot."""

DIGIT, MARK = 0.055, 0.07
"""Inches of a digit beside a point, and of the point."""

NUMBER = 0.5
"""Inches from one number below an axis to the next."""


def draw_box(data: Boxes, ax: "Axes") -> None:
    """Draw the distribution of each run's values: box, median, mean (diamond) and outliers."""
    rows = named_rows([box.run for box in data.boxes], letters_of(width_of(ax), NAME_SHARE))
    for i, (centre, box) in enumerate(zip(rows.centres.tolist(), data.boxes, strict=True)):
        if box.median is None:
            continue
        drawn = ax.bxp(
            [
                {
                    "q1": box.first,
                    "med": box.median,
                    "q3": box.third,
                    "whislo": box.low,
                    "whishi": box.high,
                    "mean": box.mean,
                    "fliers": box.outliers,
                }
            ],
            positions=[centre],
            widths=0.9,
            orientation="horizontal",
            showmeans=True,
            patch_artist=True,
            manage_ticks=False,
            boxprops={"facecolor": "#c9e0ee", "edgecolor": "black", "linewidth": 0.6},
            medianprops={"color": "#101010", "linewidth": 1.4},
            whiskerprops={"linewidth": 0.6},
            capprops={"linewidth": 0.6},
            meanprops={
                "marker": "D",
                "markersize": 3,
                "markerfacecolor": "#D55E00",
                "markeredgecolor": "white",
                "markeredgewidth": 0.4,
            },
            flierprops={
                "marker": "o",
                "markersize": 2,
                "markerfacecolor": "none",
                "markeredgecolor": NEUTRAL,
                "markeredgewidth": 0.5,
            },
        )
        drawn["boxes"][0].set_gid(f"box{i}")
        drawn["fliers"][0].set_gid(f"outliers{i}")
    write_row_names(ax, rows)
    if data.span:
        pad = 0.02 * (data.span[1] - data.span[0])
        ax.set_xlim(data.span[0] - pad, data.span[1] + pad)
    ax.set_xlabel(label(data.measure))


def draw_ci(data: Means, ax: "Axes") -> None:
    """Draw means with their confidence intervals, the best run at the top."""
    rows = named_rows(data.runs, letters_of(width_of(ax), NAME_SHARE))
    ends = np.array([data.mean - data.low, data.high - data.mean])
    drawn = ax.errorbar(
        data.mean,
        rows.centres,
        xerr=np.where(np.isnan(ends), 0.0, ends),
        fmt="o",
        color="#0072B2",
        markersize=3.5,
        elinewidth=1.0,
        capsize=2.5,
    )
    drawn.lines[0].set_gid("means")
    drawn.lines[2][0].set_gid("intervals")
    write_row_names(ax, rows)
    ax.grid(visible=True, axis="x", color="#e0e0e0", linewidth=0.5)
    ax.set_axisbelow(True)
    _spread_numbers(ax)
    ax.set_xlabel(f"mean {label(data.measure)}, {100 * data.level:g}% interval")


def _spread_numbers(ax: "Axes") -> None:
    """Leave room between the numbers below an axis."""
    room = width_of(ax) * (1.0 - NAME_SHARE)
    ax.locator_params(axis="x", nbins=max(2, int(room / NUMBER)))


def draw_ranks(data: MeanRanks, ax: "Axes") -> None:
    """Draw a critical-difference diagram: mean ranks, joined where they cannot be told apart."""
    n_runs = len(data.runs)
    half = (n_runs + 1) // 2
    letters = letters_of(width_of(ax), 0.22)
    names = [folded(name, letters) for name in data.runs]
    left = named_rows(data.runs[:half], letters, padding=0.3)
    right = named_rows(data.runs[half:][::-1], letters, padding=0.3)
    low, high = 1.0, float(n_runs)
    first_bar, step = 0.6, 0.45
    top = first_bar + step * len(data.groups) + 0.3
    depth = top + float(max(left.edges[-1], right.edges[-1]))
    width = float(data.test.critical_difference or 0.0)
    margin = 0.03 * (high - low)
    # Names stand outside the axes, where the layout makes room for them.
    rightmost = max(high, low + width)
    line: dict[str, Any] = {"color": "black", "linewidth": 0.6, "clip_on": False}
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
        ax.plot(ends, [y, y], color="black", linewidth=2.5, solid_capstyle="butt", clip_on=False)
    scale = -2.3
    ax.plot([low, low + width], [scale, scale], marker="|", markersize=5, **line)
    ax.text(low + width / 2, scale - 0.3, f"CD = {width:.2f}", ha="center", va="bottom", fontsize=7)
    ax.set_xlim(low, rightmost)
    ax.set_ylim(depth, scale - 1.4)
    ax.spines[:].set_visible(False)
    ax.plot([low, high], [0.0, 0.0], color="black", linewidth=0.8, clip_on=False)
    ticks = [t for t in ax.get_xticks() if low <= t <= high and t == int(t)]
    for tick in sorted({*ticks, low, high}):
        ax.plot([tick, tick], [0.0, -0.25], **line)
        ax.text(tick, -0.4, f"{tick:g}", ha="center", va="bottom", fontsize=7)
    ax.set_xticks([])
    ax.set_yticks([])
    words = f"mean rank by {label(data.measure)}"
    details = (
        f"Friedman {p_words(data.test.friedman.p_f, data.test.alpha)}, alpha = {data.test.alpha:g}"
    )
    ax.set_xlabel(f"{words}; {details}" if width_of(ax) > 5 else f"{words}\n{details}")


def ranks_inches(data: MeanRanks, width: float) -> float:
    """Return the height that a critical-difference diagram needs."""
    half = (len(data.runs) + 1) // 2
    letters = letters_of(width, 0.22)
    sides = (data.runs[:half], data.runs[half:])
    names = max(named_rows(side, letters, padding=0.3).inches for side in sides)
    return names + LINE * (5.0 + 0.45 * len(data.groups)) + 0.3


def tradeoff_entries(data: Tradeoff) -> Sequence[str]:
    """Return the names of a legend, with numbers where markers alone do not tell runs apart."""
    if len(data.runs) <= len(MARKERS):
        return data.runs
    return [f"{place} {run}" for place, run in enumerate(data.runs, 1)]


def draw_tradeoff(data: Tradeoff, ax: "Axes", *, share: float = 1.0) -> None:
    """Draw value against cost; runs on the Pareto front are filled and joined.

    `share` is that of the figure's width which the axes take.
    """
    for i in range(len(data.runs)):
        colour, _, marker = identity(i)
        ax.plot(
            [data.costs[i]],
            [data.values[i]],
            linestyle="none",
            marker=marker,
            markersize=5.0,
            color=colour,
            markerfacecolor=colour if data.on_front[i] else "none",
            gid=f"run{i}",
            clip_on=False,
        )
    front = np.flatnonzero(data.on_front)
    order = front[np.lexsort((data.values[front], data.costs[front]))]
    ax.step(
        data.costs[order],
        data.values[order],
        where="post",
        color=NEUTRAL,
        linewidth=0.8,
        zorder=0,
    )
    if data.logarithmic:
        ax.set_xscale("log")
    ax.margins(0.06)
    ax.set_xlabel(label(data.cost))
    ax.set_ylabel(label(data.measure))
    if len(data.runs) > len(MARKERS):
        _number_points(data, ax, width_of(ax) * share)


def _number_points(data: Tradeoff, ax: "Axes", width: float) -> None:
    """Write the number of each run beside its point, where there is room."""
    height = max(2.2, 0.5 * width)
    costs, limits = data.costs, np.array(ax.get_xlim())
    if data.logarithmic:
        costs, limits = np.log(costs), np.log(limits)
    low, high = ax.get_ylim()
    x = (costs - limits[0]) / np.ptp(limits) * 0.85 * width
    y = (data.values - low) / (high - low) * 0.8 * height
    places = free_places(x, y, DIGIT * 2, DIGIT * 1.5, MARK)
    for i, (right, up) in enumerate(places.tolist()):
        if np.isfinite(right):
            far = max(abs(right), abs(up)) > 2 * MARK + DIGIT
            ax.annotate(
                str(i + 1),
                (data.costs[i], data.values[i]),
                (72 * right, 72 * up),
                textcoords="offset points",
                ha="center",
                va="center",
                fontsize=6,
                arrowprops={"arrowstyle": "-", "linewidth": 0.4, "color": NEUTRAL} if far else None,
            )


def draw_agreement(
    data: Agreement, ax: "Axes", *, statistic: str = "tau", share: float = 1.0
) -> None:
    """Draw a table of Kendall's tau or tau-AP between measures."""
    values = data.tau if statistic == "tau" else data.tau_ap
    width = width_of(ax) * share
    letters = letters_of(width, 0.3)
    names = [folded(name, letters) for name in data.measures]
    size = len(names)
    ax.patch.set(facecolor="none", hatch="////", edgecolor="#a0a0a0")
    edges = np.arange(size + 1) - 0.5
    cells = np.ma.masked_invalid(values)
    ax.pcolormesh(edges, edges, cells, cmap=SHADES, vmin=-1.0, vmax=1.0, gid="cells")
    ax.set_ylim(size - 0.5, -0.5)
    ax.set_xticks(range(size), names, rotation=90)
    ax.set_yticks(range(size), names)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    cell = width * 0.65 / size
    if cell > 0.15:
        for i in range(size):
            for j in range(size):
                if not np.isnan(values[i, j]):
                    ax.text(
                        j,
                        i,
                        f"{values[i, j]:.2f}".replace("0.", ".").replace("1.00", "1"),
                        ha="center",
                        va="center",
                        fontsize=min(7.0, cell * 72 / 2.6),
                        color="#101010" if values[i, j] > 0.1 else "white",
                    )
    title = "Kendall's tau" if statistic == "tau" else "tau-AP of the column, truth: the row"
    ax.set_title(f"{title}\n{data.n_runs} runs", loc="left")
