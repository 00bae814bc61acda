"""Critical-difference diagrams: mean ranks on an axis, the names of the runs at its sides."""

from typing import TYPE_CHECKING, Any

from rankeval.plots.look import (
    LINE,
    distinct,
    ink,
    letters_of,
    named_rows,
    sentence,
    width_of,
)
from rankeval.plots.row_form import Rows, draw, inches

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_IN_DIAGRAM = 15
"""Runs whose names have room at the sides of a diagram; more have a row each."""

NAMES = 0.22
"""Share of the width that the names of runs take at each side."""


def draw_diagram(data: Rows, ax: "Axes", share: float) -> None:
    """Draw mean ranks, with bars that join groups; of many runs a row for each."""
    if len(data.runs) > MOST_IN_DIAGRAM:
        draw(data, ax, share)
        return
    n_runs, critical = len(data.runs), float(data.width or 0.0)
    half = (n_runs + 1) // 2
    letters = letters_of(width_of(ax), NAMES)
    names = distinct(data.runs, letters)
    left = named_rows(data.runs[:half], letters, padding=0.3)
    right = named_rows(data.runs[half:][::-1], letters, padding=0.3)
    low, high = 1.0, float(n_runs)
    first_bar, step = 0.6, 0.45
    top = first_bar + step * len(data.groups) + 0.3
    depth = top + float(max(left.edges[-1], right.edges[-1]))
    margin = 0.03 * (high - low)
    # Names are outside the axes, where the layout makes room for them.
    rightmost = max(high, low + critical)
    line: dict[str, Any] = {"color": ink(), "linewidth": 0.6, "clip_on": False}
    ranks = data.values.tolist()
    for place, rank in enumerate(ranks):
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
        ends = [ranks[first] - margin / 3, ranks[last] + margin / 3]
        ax.plot(ends, [y, y], color=ink(), linewidth=2.5, solid_capstyle="butt", clip_on=False)
    scale = -2.3
    ax.plot([low, low + critical], [scale, scale], marker="|", markersize=5, **line)
    words = f"CD = {critical:.2f}"
    ax.text(low + critical / 2, scale - 0.3, words, ha="center", va="bottom", fontsize=7)
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
    ax.set_xlabel(sentence(data.heading, letters_of(width_of(ax), 0.8)))


def diagram_inches(data: Rows, width: float) -> float:
    """Return the height that a diagram needs, or a row for each run."""
    if len(data.runs) > MOST_IN_DIAGRAM:
        return inches(data, width)
    half = (len(data.runs) + 1) // 2
    letters = letters_of(width, NAMES)
    sides = (data.runs[:half], data.runs[half:])
    names = max(named_rows(side, letters, padding=0.3).inches for side in sides)
    return names + LINE * (5.0 + 0.45 * len(data.groups)) + 0.45
