"""All values of all runs, or their differences from a baseline, as shades."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.text import Text

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.base.wording import count, finite, visible
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import Axis, row_per_run, short
from rankeval.plots.fewer_runs import FewerRuns, only_fields
from rankeval.plots.kinds import Choices, Drawing, PlotKind, Row, Screen, register
from rankeval.plots.look import (
    AXIS_INCHES,
    SHADES,
    NamedRows,
    folded,
    letters_of,
    most_names,
    named_rows,
    topic_label,
    topic_names_inches,
    width_of,
    write_row_names,
)
from rankeval.plots.selection import by_measure, in_bins, mean_of, named_topics, place_of, table_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


SIGNS, ASCII_SIGNS = " ░▒▓█", " .:-=+*#%@"
CHANGES, ASCII_CHANGES = "▼▽·△▲", "=-.+#"
"""Shades of values, and signs of differences from much worse to much better."""

BAR_THICKNESS, BAR_INCHES = 0.09, 0.5
"""Height of the colour bar alone, and with its numbers and its name."""

PIXELS = 200
"""Pixels of a picture to an inch: more topics than pixels are drawn in bins."""

DIVERGING = ("#FFC04D", "#A6A6A6", "#0B2F6B")
"""Worse, equal, better: apart in lightness too, so that grey and colour-blind readers see signs."""


@frozen(eq=False)
class TopicValues:
    """The values of all runs on all topics, the easiest topics first.

    ========= ======================================================================================
    measure   canonical name
    loss      True when smaller is better
    span      least and greatest value that a topic can have; None where that is not known
    runs      names
    topics    names
    values    shape (topics, runs); NaN where undefined
    item      the word for a topic, such as "collection"
    baseline  name of the run from which the values are differences; "" for values of the measure
    ========= ======================================================================================
    """

    measure: str
    loss: bool
    span: tuple[float, float] | None
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats
    item: str = "topic"
    baseline: str = ""

    def rows(self) -> Iterator[Row]:
        """Yield a row per topic and run."""
        for topic, values in zip(self.topics, self.values, strict=True):
            for run, value in zip(self.runs, values, strict=True):
                if self.baseline:
                    yield {
                        "baseline": self.baseline,
                        "run": run,
                        "measure": self.measure,
                        "topic": topic,
                        "difference": finite(value),
                    }
                else:
                    yield {
                        "topic": topic,
                        "run": run,
                        "measure": self.measure,
                        "value": finite(value),
                    }


def heatmap_data(
    results: Results,
    measure: str | None = None,
    *,
    baseline: str | None = None,
) -> TopicValues:
    """Return the values of all runs on all topics, the easiest topics first.

    A topic is easy if the mean over the runs is good. With `baseline`, values are the differences
    run - baseline of the other runs, and the topics come first on which they gain most.

    Edge cases
        - Topics without any value come last.
    """
    table = table_of(results, measure, least_runs=1 if baseline is None else 2)
    runs, values = table.runs, table.values
    if baseline is not None:
        at = place_of(runs, baseline)
        others = [i for i in range(len(runs)) if i != at]
        runs, values = tuple(runs[i] for i in others), values[:, others] - values[:, [at]]
    gains = -values if table.loss else values
    order = np.argsort(-_means(gains), kind="stable")
    return TopicValues(
        measure=table.measure,
        loss=table.loss,
        span=table.span,
        runs=runs,
        topics=named_topics(table.topics, order),
        values=values[order],
        baseline=baseline or "",
    )


def _means(values: Floats) -> Floats:
    """Return the means of rows over the values that are defined; -infinity for none."""
    defined = ~np.isnan(values)
    n_defined = defined.sum(axis=1)
    totals = np.where(defined, values, 0.0).sum(axis=1)
    return np.where(n_defined > 0, totals / np.maximum(n_defined, 1), -np.inf)


def _heatmaps(results: Results, choices: Choices) -> Iterator[TopicValues]:
    baseline = choices.baseline or results.runs[0].name if choices.differences else None
    yield from by_measure(results, heatmap_data, baseline=baseline)


def _limits(data: TopicValues) -> tuple[float, float]:
    """Return the values of the ends of the scale; 0 is the middle of one of differences."""
    if data.baseline:
        known = np.abs(data.values[~np.isnan(data.values)])
        most = float(known.max()) if known.any() else 1.0
        return -most, most
    axis = Axis.over(data.values.ravel(), least=data.span or ())
    return data.span or (axis.low, axis.high)


def _scale(data: TopicValues) -> Any:
    """Return the colours of the scale."""
    from matplotlib.colors import LinearSegmentedColormap

    if not data.baseline:
        return SHADES
    return LinearSegmentedColormap.from_list("signs", DIVERGING[:: -1 if data.loss else 1])


def _name(data: TopicValues) -> str:
    """Return the name of the scale."""
    if not data.baseline:
        return data.measure
    return f"difference in {data.measure} from {data.baseline}; blue: better"


def _order(data: TopicValues) -> str:
    return "the largest gains first" if data.baseline else "the easiest first"


def _rows(data: TopicValues, width: float) -> NamedRows:
    return named_rows(data.runs, letters_of(width, 0.3), even=True)


def _draw(data: TopicValues, ax: "Axes", share: float) -> None:
    """Draw a row of shades for each run; topics are binned where there are more than pixels."""
    width = width_of(ax) * share
    rows, (low, high) = _rows(data, width), _limits(data)
    values = in_bins(data.values, min(len(data.values), int(0.6 * width * PIXELS)))
    n_bins, n_topics = len(values), len(data.topics)
    ax.patch.set(facecolor="none", hatch="////", edgecolor="#a0a0a0")  # where undefined
    shades = ax.pcolormesh(
        np.arange(n_bins + 1) - 0.5,
        rows.edges,
        np.ma.masked_invalid(values.T),
        cmap=_scale(data),
        vmin=low,
        vmax=high,
        rasterized=values.size > 5000,
    )
    write_row_names(ax, rows)
    ax.spines[:].set_visible(False)
    if n_topics <= most_names(0.6 * width):
        names = [topic_label(topic) for topic in data.topics]
        ax.set_xticks(np.arange(n_topics), names, rotation=90, fontsize=6)
        ax.tick_params(axis="x", length=0)
        words = data.item
    else:
        ax.set_xticks([])
        words = count(n_topics, data.item) + (f" in {n_bins:,} bins" if n_bins < n_topics else "")
    ax.set_xlabel(folded(f"{words}, {_order(data)}", letters_of(width, 0.6)))
    figure = ax.get_figure()
    if figure is not None:
        bar = figure.colorbar(
            shades, ax=ax, location="bottom", pad=0.02,
            fraction=min(0.3, BAR_THICKNESS / rows.inches), aspect=0.6 * width / BAR_THICKNESS,
        )  # fmt: skip
        bar.set_label(folded(_name(data), letters_of(width, 0.6)))
        bar.outline.set_visible(False)


def _inches(data: TopicValues, width: float) -> float:
    names = topic_names_inches(data.topics, most_names(0.6 * width))
    return _rows(data, width).inches + AXIS_INCHES + BAR_INCHES + names


def _in_terminal(data: TopicValues, screen: Screen) -> list[Text]:
    axis = Axis(*_limits(data))
    signs = (CHANGES, ASCII_CHANGES) if data.baseline else (SIGNS, ASCII_SIGNS)
    shades = signs[not screen.unicode]
    if data.baseline and data.loss:
        shades = shades[::-1]
    n_topics = len(data.topics)

    def drawn(i: int, width: int) -> Text:
        line = Text()
        # Half a line of topics is shorter than the line; more of them fill it.
        n_bins = n_topics if n_topics < width // 2 else width
        for value in in_bins(data.values[:, i], n_bins).tolist():
            if np.isnan(value):
                line.append("?")
                continue
            share = float(axis.share(np.array(value)))
            sign = shades[min(len(shades) - 1, int(share * len(shades)))]
            line.append(sign, style=_style(data, value))
        return line

    name = f"{n_topics:,} {data.item}s, {_order(data)}"
    notes = (
        f"{visible(_name(data))} from {short(axis.low)} '{shades[0]}' to {short(axis.high)} "
        f"'{shades[-1]}'; ? undefined"
    )
    return row_per_run(data.runs, drawn, None, name, screen, notes)


def _style(data: TopicValues, value: float) -> str:
    """Return the colour of a difference in a terminal."""
    if not data.baseline or value == 0.0:
        return ""
    return "red" if (value > 0.0) == data.loss else "blue"


register(
    PlotKind(
        "heatmap",
        _heatmaps,
        Drawing(
            _draw,
            _inches,
            fewer=FewerRuns(
                lambda data: [mean_of(values) for values in data.values.T],
                only_fields("runs", "values"),
            ),
        ),
        _in_terminal,
        None,
        collections=True,
    )
)
