"""Draw topics with matplotlib: sorted differences, pairs of values, and heat maps."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rankeval.base.wording import count
from rankeval.plots.look import (
    BETTER,
    NEUTRAL,
    SHADES,
    WORSE,
    folded,
    label,
    letters_of,
    named_rows,
    width_of,
    write_row_names,
)
from rankeval.plots.topic_data import TopicDifferences, TopicPairs, TopicValues
from rankeval.stats.checked_arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMED_TOPICS = 60
"""More topics than these have no room for their names."""

SEPARATE_BARS = 400
"""More bars than these would be narrower than a point."""


LEVELS = 1000
"""Heights that bars narrower than a point can have."""

TOPIC_LETTER = 0.052
"""Mean width of a letter of 6 points, in inches."""

LONGEST_TOPIC = 32
"""Letters of the longest name of a topic below a plot; of longer ones the middle is left out."""

TITLE_SHARE = 0.55
"""Share of the width that a title may take, whose letters are larger than those of names."""


def most_names(width: float) -> int:
    """Return the most topics whose names have room side by side, upright, in a width in inches."""
    return min(NAMED_TOPICS, int(width / 0.1))


def topic_names_inches(topics: Sequence[str], most: int) -> float:
    """Return the height of the names of topics below a plot; 0 where it has no room for them."""
    if len(topics) > most:
        return 0.0
    return TOPIC_LETTER * max((len(topic_label(topic)) for topic in topics), default=0)


def topic_label(topic: str) -> str:
    """Return the name of a topic below a plot, without its middle if it is long."""
    half = (LONGEST_TOPIC - 1) // 2
    short = len(topic) <= LONGEST_TOPIC
    return label(topic if short else f"{topic[:half]}\N{HORIZONTAL ELLIPSIS}{topic[-half:]}")


def topics_title(data: TopicDifferences, width: float, *, alone: bool = True) -> str:
    """Return the title of a plot of differences, in lines that fit a width in inches.

    A panel beside others does without the baseline, which the name of the axis tells once.
    """
    mean = f"{data.differences.mean():+.3f}" if len(data.differences) else "undefined"
    counts = [f"{data.wins:,} better,", f"{data.losses:,} worse,", f"{data.ties:,} equal;"]
    name = f"{data.run} - {data.baseline}" if alone else data.run
    return _title(name, [*counts, f"mean {mean}"], width)


def topics_names(data: TopicDifferences) -> tuple[str, str]:
    """Return the names of the two axes of a plot of differences."""
    of_topics = f"{count(len(data.topics), 'topic')}, the best first"
    return of_topics, f"difference in {data.measure} from {data.baseline}"


def scatter_title(data: TopicPairs, width: float) -> str:
    """Return the title of a plot of pairs, in lines that fit a width in inches."""
    above, below = int((data.y > data.x).sum()), int((data.y < data.x).sum())
    return _title(data.run, [f"{above:,} above,", f"{below:,} below"], width)


def scatter_names(data: TopicPairs) -> tuple[str, str]:
    """Return the names of the two axes of a plot of pairs."""
    return f"{data.measure} of {data.baseline}", f"{data.measure} of the run above"


def _title(name: str, counts: Sequence[str], width: float) -> str:
    """Return a name, and counts below it, none of which is broken."""
    letters = letters_of(width, TITLE_SHARE)
    words = " ".join(one.replace(" ", "\N{NO-BREAK SPACE}") for one in counts)
    return f"{folded(name, letters)}\n{textwrap.fill(words, letters)}"


def draw_topics(data: TopicDifferences, ax: "Axes", *, share: float = 1.0) -> None:
    """Draw differences from the baseline as bars, the best topic for the run first.

    `share` is that of the figure's width which the axes take.
    """
    x = np.arange(len(data.differences), dtype=float)
    gains = -data.differences if data.loss else data.differences
    separate = len(x) <= SEPARATE_BARS
    edges, heights = merged_bars(data.differences)
    for sign, colour, hatch in ((1.0, BETTER, ""), (-1.0, WORSE, "//////")):
        if separate:
            chosen = gains * sign > 0
            bars = ax.bar(
                x[chosen], data.differences[chosen], width=0.8, color=colour, hatch=hatch,
                edgecolor="white", linewidth=0.0, clip_on=False,
            )  # fmt: skip
            for place, bar in zip(np.flatnonzero(chosen).tolist(), bars, strict=True):
                bar.set_gid(f"topic{place}")
        else:
            side = -sign if data.loss else sign
            shown = np.where(heights * side > 0, heights, 0.0)
            ax.stairs(shown, edges, fill=True, color=colour, linewidth=0.0)
    ax.axhline(0.0, color="black", linewidth=0.6)
    mean = float(data.differences.mean()) if len(x) else 0.0
    ax.axhline(mean, color=NEUTRAL, linewidth=0.8, linestyle=(0, (4, 2)))
    width = width_of(ax) * share
    ax.set_title(topics_title(data, width), loc="left")
    ax.set_ylabel(f"difference in {label(data.measure)}")
    ax.set_xlabel(topics_names(data)[0])
    ax.set_xlim(-0.7, max(len(x), 1) - 0.3)
    if len(x) <= most_names(width):
        names_of_topics = [topic_label(topic) for topic in data.topics]
        ax.set_xticks(x, names_of_topics, rotation=90, fontsize=6)
        ax.tick_params(axis="x", length=0)


def merged_bars(heights: Floats) -> tuple[Floats, Floats]:
    """Return the edges and heights of bars at 0, 1, 2 and so on; neighbours alike are one bar.

    Bars are alike that differ by less than a thousandth of the range, which no plot shows.
    """
    unit = float(np.ptp(np.append(heights, 0.0))) / LEVELS or 1.0
    level = np.round(heights / unit)
    first = np.flatnonzero(np.append(True, np.diff(level) != 0))[: len(heights)]
    return np.append(first, len(heights)) - 0.5, level[first] * unit


def draw_scatter(data: TopicPairs, ax: "Axes", *, share: float = 1.0) -> None:
    """Draw the values of a run against those of the baseline, topic by topic."""
    many = len(data.x) > 1000
    for name, chosen, colour, marker in (
        ("above", data.y > data.x, BETTER, "^"),
        ("below", data.y < data.x, WORSE, "v"),
        ("equal", data.y == data.x, NEUTRAL, "o"),
    ):
        ax.scatter(
            data.x[chosen],
            data.y[chosen],
            s=4.0 if many else 12.0,
            marker=marker,
            color=colour,
            alpha=0.25 if many else 0.7,
            linewidths=0.0,
            rasterized=many,
            clip_on=False,
            gid=name,
        )
    both = np.concatenate([data.x, data.y])
    low, high = data.span or ((float(both.min()), float(both.max())) if both.size else (0.0, 1.0))
    pad = 0.03 * ((high - low) or 1.0)
    ax.plot([low, high], [low, high], color="#a0a0a0", linewidth=0.6, zorder=0)
    ax.set_xlim(low - pad, high + pad)
    ax.set_ylim(low - pad, high + pad)
    # At the top of their room: the layout cuts titles where squares are in its middle.
    ax.set_aspect("equal", anchor="N")
    ax.locator_params(nbins=max(1, min(5, int(width_of(ax) * share / 0.6))))
    width = width_of(ax) * share
    ax.set_title(scatter_title(data, width), loc="left")
    x_name, y_name = scatter_names(data)
    ax.set_xlabel(folded(x_name, letters_of(width, TITLE_SHARE)))
    ax.set_ylabel(label(y_name))


def draw_heatmap(data: TopicValues, ax: "Axes", *, share: float = 1.0) -> None:
    """Draw the values of all runs as shades, a row for each run, the easiest topic first."""
    width = width_of(ax) * share
    rows = named_rows(data.runs, letters_of(width, 0.3))
    low, high = data.span or (None, None)
    x = np.arange(len(data.topics) + 1) - 0.5
    ax.patch.set(facecolor="none", hatch="////", edgecolor="#a0a0a0")  # where undefined
    shades = ax.pcolormesh(
        x,
        rows.edges,
        np.ma.masked_invalid(data.values.T),
        cmap=SHADES,
        vmin=low,
        vmax=high,
        rasterized=data.values.size > 5000,
    )
    write_row_names(ax, rows)
    ax.spines[:].set_visible(False)
    if len(data.topics) <= most_names(0.6 * width):
        ax.set_xticks(
            np.arange(len(data.topics)),
            [topic_label(topic) for topic in data.topics],
            rotation=90,
            fontsize=6,
        )
        ax.tick_params(axis="x", length=0)
        ax.set_xlabel(f"{data.item}, the easiest first")
    else:
        ax.set_xticks([])
        ax.set_xlabel(f"{count(len(data.topics), data.item)}, the easiest first")
    figure = ax.get_figure()
    if figure is not None:
        bar = figure.colorbar(shades, ax=ax, aspect=30, pad=0.02)
        bar.set_label(label(data.measure))
        bar.outline.set_visible(False)
