"""Differences from the baseline, topic by topic."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import count, visible
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import Axis, canvas_beside, framed, heading, wrapped
from rankeval.plots.kinds import Drawing, InReports, PlotKind, Row, Screen, register
from rankeval.plots.look import (
    BETTER,
    NEUTRAL,
    WORSE,
    ink,
    label,
    most_names,
    paper,
    titled,
    topic_label,
    topic_names_inches,
    width_of,
)
from rankeval.plots.selection import (
    MeasureValues,
    against_baseline,
    in_bins,
    named_topics,
    panels_by_measure,
)
from rankeval.stats.checked_arrays import NOISE, Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


SEPARATE_BARS = 400
"""More bars than these would be narrower than a point."""


HEIGHTS = 1000
"""Heights that bars narrower than a point can have."""


@frozen(eq=False)
class TopicDifferences:
    """Differences of one run from the baseline by topic, the best for the run first.

    Topics without a value for one of the two are left out.

    ================== ============================================================================
    measure            canonical name
    loss               True when smaller is better
    baseline, run      names
    topics             names, those with the largest improvement first
    differences        run - baseline, shape (topics,)
    wins, ties, losses numbers of topics on which the run is better, equal and worse
    ================== ============================================================================
    """

    measure: str
    loss: bool
    baseline: str
    run: str
    topics: tuple[str, ...]
    differences: Floats
    wins: int
    ties: int
    losses: int

    def rows(self) -> Iterator[Row]:
        """Yield a row per topic."""
        for topic, difference in zip(self.topics, self.differences.tolist(), strict=True):
            yield {
                "baseline": self.baseline,
                "run": self.run,
                "measure": self.measure,
                "topic": topic,
                "difference": difference,
            }


def topics_data(
    results: Results, measure: str | None = None, *, baseline: str | None = None
) -> tuple[TopicDifferences, ...]:
    """Return the differences of each other run from the baseline, by default the first run.

    Differences below rounding noise are ties and count as 0. Topics with equal differences stay in
    the order of the results.
    """
    return against_baseline(results, measure, baseline, _differences)


def _differences(table: MeasureValues, baseline: int, run: int) -> TopicDifferences:
    exact = table.values[:, run] - table.values[:, baseline]
    defined = np.flatnonzero(~np.isnan(exact))
    differences = np.where(np.abs(exact) <= NOISE, 0.0, exact)[defined]
    gains = -differences if table.loss else differences
    order = np.argsort(-gains, kind="stable")
    return TopicDifferences(
        measure=table.measure,
        loss=table.loss,
        baseline=table.runs[baseline],
        run=table.runs[run],
        topics=named_topics(table.topics, defined[order]),
        differences=differences[order],
        wins=int((gains > 0).sum()),
        ties=int((gains == 0).sum()),
        losses=int((gains < 0).sum()),
    )


def _title(data: TopicDifferences, width: float, n_panels: int) -> str:
    """Return the title of a plot of differences, in lines that fit a width in inches.

    A panel next to others leaves out the baseline, which the name of the axis has once.
    """
    mean = f"{data.differences.mean():+.3f}" if len(data.differences) else "undefined"
    counts = [f"{data.wins:,} better,", f"{data.losses:,} worse,", f"{data.ties:,} equal;"]
    name = data.run if n_panels > 1 else f"{data.run} - {data.baseline}"
    return titled(name, [*counts, f"mean {mean}"], width)


def _names(data: TopicDifferences) -> tuple[str, str]:
    """Return the names of the two axes of a plot of differences."""
    of_topics = f"{count(len(data.topics), 'topic')}, the best first"
    return of_topics, f"difference in {data.measure} from {data.baseline}"


def _draw(data: TopicDifferences, ax: "Axes", share: float) -> None:
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
                edgecolor=paper(), linewidth=0.0, clip_on=False,
            )  # fmt: skip
            for place, bar in zip(np.flatnonzero(chosen).tolist(), bars, strict=True):
                bar.set_gid(f"topic{place}")
        else:
            side = -sign if data.loss else sign
            shown = np.where(heights * side > 0, heights, 0.0)
            ax.stairs(shown, edges, fill=True, color=colour, linewidth=0.0)
    ax.axhline(0.0, color=ink(), linewidth=0.6)
    mean = float(data.differences.mean()) if len(x) else 0.0
    ax.axhline(mean, color=NEUTRAL, linewidth=0.8, linestyle=(0, (4, 2)))
    width = width_of(ax) * share
    ax.set_title(_title(data, width, 1), loc="left")
    ax.set_ylabel(f"difference in {label(data.measure)}")
    ax.set_xlabel(_names(data)[0])
    ax.set_xlim(-0.7, max(len(x), 1) - 0.3)
    if len(x) <= most_names(width):
        names_of_topics = [topic_label(topic) for topic in data.topics]
        ax.set_xticks(x, names_of_topics, rotation=90, fontsize=6)
        ax.tick_params(axis="x", length=0)


def merged_bars(heights: Floats) -> tuple[Floats, Floats]:
    """Return the edges and heights of bars at 0, 1, 2 and so on; neighbours alike are one bar.

    Bars are alike that differ by less than a thousandth of the range, which no plot shows.
    """
    unit = float(np.ptp(np.append(heights, 0.0))) / HEIGHTS or 1.0
    level = np.round(heights / unit)
    first = np.flatnonzero(np.append(True, np.diff(level) != 0))[: len(heights)]
    return np.append(first, len(heights)) - 0.5, level[first] * unit


def _inches(data: TopicDifferences, width: float) -> float:
    names = topic_names_inches(data.topics, most_names(width))
    return max(1.1, min(1.5, 0.6 * width), 0.35 * width) + names


def _in_terminal(data: TopicDifferences, screen: Screen) -> list[Text]:
    mean = f"{data.differences.mean():+.4f}" if len(data.differences) else "undefined"
    head = [
        *heading(f"{data.run} - {data.baseline}", screen),
        *wrapped(
            f"{data.wins} better, {data.losses} worse, {data.ties} equal; mean {mean}", screen
        ),
    ]
    axis = Axis.over(data.differences, least=(0.0,))
    canvas = canvas_beside(screen, Axis(0.0, 1.0), axis, len(head))
    n = len(data.differences)
    places = canvas.width * (2 if screen.unicode else 1) if n else 0
    # Topics that share a column of dots are drawn as their mean.
    for place, height in enumerate(in_bins(data.differences, places).tolist()):
        better = height < 0 if data.loss else height > 0
        if height:
            canvas.bar(place / (places - 1), height, "blue" if better else "red")
    canvas.x = Axis(1.0, float(max(n, 2)))
    name = "topics, the best first"
    measure = f"difference in {visible(data.measure)}"
    return [*head, *framed(canvas, name, measure, unicode=screen.unicode)]


register(
    PlotKind(
        "topics",
        lambda results, choices: panels_by_measure(results, topics_data, choices.baseline),
        Drawing(_draw, _inches, (2, 1), title=_title, names=_names, least=1.4, same_heights=True),
        _in_terminal,
        InReports(
            2,
            "Differences",
            "Differences from the baseline by topic, the best topics for the run first.",
            runs=2,
            by_topic=True,
        ),
    )
)
