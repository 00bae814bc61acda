"""All values of all runs, as shades."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import count, finite, visible
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import Axis, row_per_run, short
from rankeval.plots.kinds import Drawing, PlotKind, Row, Screen, register
from rankeval.plots.look import (
    SHADES,
    label,
    letters_of,
    most_names,
    named_rows,
    rows_inches,
    topic_label,
    topic_names_inches,
    width_of,
    write_row_names,
)
from rankeval.plots.selection import by_measure, named_topics, table_of
from rankeval.plots.whole_figure import on_axes
from rankeval.stats.checked_arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


SIGNS, ASCII_SIGNS = " ░▒▓█", " .:-=+*#%@"


@frozen(eq=False)
class TopicValues:
    """The values of all runs on all topics, the topics with the highest mean first.

    ======= ========================================================================================
    measure canonical name
    loss    True when smaller is better
    span    least and greatest value that a topic can have; None where that is not known
    runs    names
    topics  names
    values  shape (topics, runs); NaN where undefined
    item    the word for a topic, such as "collection"
    ======= ========================================================================================
    """

    measure: str
    loss: bool
    span: tuple[float, float] | None
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats
    item: str = "topic"

    def rows(self) -> Iterator[Row]:
        """Yield a row per topic and run."""
        for topic, values in zip(self.topics, self.values, strict=True):
            for run, value in zip(self.runs, values, strict=True):
                yield {
                    "topic": topic,
                    "run": run,
                    "measure": self.measure,
                    "value": finite(value),
                }


def heatmap_data(results: Results, measure: str | None = None) -> TopicValues:
    """Return the values of all runs on all topics, the topics with the highest mean first.

    Topics without any value come last.
    """
    table = table_of(results, measure)
    defined = ~np.isnan(table.values)
    count = defined.sum(axis=1)
    total = np.where(defined, table.values, 0.0).sum(axis=1)
    means = np.where(count > 0, total / np.maximum(count, 1), -np.inf)
    order = np.argsort(-means, kind="stable")
    return TopicValues(
        measure=table.measure,
        loss=table.loss,
        span=table.span,
        runs=table.runs,
        topics=named_topics(table.topics, order),
        values=table.values[order],
    )


def heatmap(results: Results, ax: "Axes | None" = None, measure: str | None = None) -> "Axes":
    """Draw the values of all runs on all topics as shades."""
    return on_axes("heatmap", heatmap_data(results, measure), ax)


def _draw(data: TopicValues, ax: "Axes", share: float) -> None:
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


def _inches(data: TopicValues, width: float) -> float:
    names = topic_names_inches(data.topics, most_names(0.6 * width))
    return rows_inches(data.runs, width, 0.3) + 0.3 + names


def _in_terminal(data: TopicValues, screen: Screen) -> list[Text]:
    axis = Axis.over(data.values.ravel(), least=data.span or ())
    shades = SIGNS if screen.unicode else ASCII_SIGNS

    def drawn(i: int, width: int) -> Text:
        n = len(data.topics)
        line = Text()
        for place in range(min(width, n) if n < width // 2 else width):
            first = place if n < width // 2 else place * n // width
            last = first + 1 if n < width // 2 else max(first + 1, (place + 1) * n // width)
            values = data.values[first:last, i]
            values = values[~np.isnan(values)]
            if not values.size:
                line.append("?")
                continue
            share = float(axis.share(values.mean()))
            line.append(shades[min(len(shades) - 1, int(share * len(shades)))])
        return line

    name = f"{len(data.topics):,} {data.item}s, the easiest first"
    notes = (
        f"{visible(data.measure)} from {short(axis.low)} '{shades[0]}' to {short(axis.high)} "
        f"'{shades[-1]}'; ? undefined"
    )
    return row_per_run(data.runs, drawn, None, name, screen, notes)


register(
    PlotKind(
        "heatmap",
        lambda results, _: by_measure(results, heatmap_data),
        Drawing(_draw, _inches),
        _in_terminal,
        None,
        collections=True,
    )
)
