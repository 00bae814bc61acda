"""The values of two runs, topic by topic."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import visible
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import Axis, canvas_beside, framed, heading, wrapped
from rankeval.plots.kinds import Drawing, InReports, PlotKind, Row, Screen, register
from rankeval.plots.look import (
    BETTER,
    NEUTRAL,
    TITLE_SHARE,
    WORSE,
    counts_in_lines,
    folded,
    letters_of,
    width_of,
)
from rankeval.plots.selection import (
    MeasureValues,
    against_baseline,
    named_topics,
    panels_by_measure,
)
from rankeval.stats.checked_arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@frozen(eq=False)
class TopicPairs:
    """The values of the baseline and of one run on the topics where both have one.

    ============= ==================================================================================
    measure       canonical name
    span          least and greatest value that a topic can have; None where that is not known
    baseline, run names
    topics        names
    x, y          values of the baseline and of the run, shape (topics,)
    ============= ==================================================================================
    """

    measure: str
    span: tuple[float, float] | None
    baseline: str
    run: str
    topics: tuple[str, ...]
    x: Floats
    y: Floats

    def rows(self) -> Iterator[Row]:
        """Yield a row per topic."""
        for topic, x, y in zip(self.topics, self.x.tolist(), self.y.tolist(), strict=True):
            yield {
                "baseline": self.baseline,
                "run": self.run,
                "measure": self.measure,
                "topic": topic,
                "baseline_value": x,
                "run_value": y,
            }


def scatter_data(
    results: Results, measure: str | None = None, *, baseline: str | None = None
) -> tuple[TopicPairs, ...]:
    """Return the values of each other run, paired with the baseline's topic by topic."""
    return against_baseline(results, measure, baseline, _pairs)


def _pairs(table: MeasureValues, baseline: int, run: int) -> TopicPairs:
    x, y = table.values[:, baseline], table.values[:, run]
    defined = np.flatnonzero(~np.isnan(x) & ~np.isnan(y))
    return TopicPairs(
        measure=table.measure,
        span=table.span,
        baseline=table.runs[baseline],
        run=table.runs[run],
        topics=named_topics(table.topics, defined),
        x=x[defined],
        y=y[defined],
    )


def _title(data: TopicPairs, width: float, _: int) -> str:
    """Return the title of a plot of pairs, in lines that fit a width in inches."""
    above, below = int((data.y > data.x).sum()), int((data.y < data.x).sum())
    return counts_in_lines([f"{above:,} above,", f"{below:,} below"], width)


def _names(data: TopicPairs) -> tuple[str, str]:
    """Return the names of the axes of one of several plots of pairs: both runs, in one measure."""
    return f"{data.measure} of {data.baseline}", data.run


def _draw(data: TopicPairs, ax: "Axes", share: float) -> None:
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
    ax.plot([low, high], [low, high], color=NEUTRAL, linewidth=0.5, zorder=0)
    ax.set_xlim(low - pad, high + pad)
    ax.set_ylim(low - pad, high + pad)
    # At the top of their room: the layout cuts titles where squares are in its middle.
    ax.set_aspect("equal", anchor="N")
    most = max(1, min(5, int(width_of(ax) * share / 0.75)))
    ax.locator_params(nbins=most, min_n_ticks=min(most, 2))
    width = width_of(ax) * share
    ax.set_title(_title(data, width, 1), loc="left")
    names = (f"{data.measure} of {run}" for run in (data.baseline, data.run))
    x_name, y_name = (folded(name, letters_of(width, TITLE_SHARE)) for name in names)
    ax.set_xlabel(x_name)
    ax.set_ylabel(y_name)


def _in_terminal(data: TopicPairs, screen: Screen) -> list[Text]:
    above, below = int((data.y > data.x).sum()), int((data.y < data.x).sum())
    head = [
        *heading(f"{data.run} (upwards) and {data.baseline} (across)", screen),
        *wrapped(f"{above} topics above the diagonal, {below} below", screen),
    ]
    low, high = data.span or (np.inf, -np.inf)
    axis = Axis.over([*data.x, *data.y], least=(low, high))
    canvas = canvas_beside(screen, axis, axis, len(head))
    ends = np.array([axis.low, axis.high])
    canvas.line(ends, ends, "bright_black")
    mark = "•" if screen.unicode else "o"
    for x, y in zip(data.x.tolist(), data.y.tolist(), strict=True):
        style = "blue" if y > x else "red" if y < x else "bright_black"
        canvas.mark(x, y, mark, style)
    measure = visible(data.measure)
    return [*head, *framed(canvas, measure, measure, unicode=screen.unicode)]


register(
    PlotKind(
        "scatter",
        lambda results, choices: panels_by_measure(results, scatter_data, choices.baseline),
        Drawing(
            _draw,
            lambda _, width: 0.9 * width + 0.25,
            (3, 2),
            title=_title,
            names=_names,
            least=1.15,
        ),
        _in_terminal,
        InReports(
            3,
            "Topic by topic",
            "A point for each topic: above the diagonal the run has the greater value.",
            runs=2,
            by_topic=True,
        ),
    )
)
