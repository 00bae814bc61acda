"""Rainclouds: of each run the density, the quartiles and the value of every topic."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import finite, visible
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import Axis, by_place, row_per_run, styled
from rankeval.plots.fewer_runs import FewerRuns, only_fields
from rankeval.plots.kinds import Drawing, PlotKind, Row, Screen, register
from rankeval.plots.look import (
    NAME_SHARE,
    identity,
    ink,
    label,
    letters_of,
    named_rows,
    rows_inches,
    width_of,
    write_row_names,
)
from rankeval.plots.selection import (
    by_measure,
    chosen_measure,
    defined_values,
    mean_of,
    score_of,
    seed_values,
)
from rankeval.plots.whole_figure import on_axes
from rankeval.stats.checked_arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@frozen(eq=False)
class Rainclouds:
    """The values of all runs on their topics.

    ======= ========================================================================================
    measure canonical name
    loss    True when smaller is better
    span    least and greatest value that a topic can have; None where that is not known
    runs    names
    topics  of each run, the names of its topics
    values  of each run, the values of its topics; NaN where undefined
    seeds   of each system of several runs, the value of each run; empty for one run
    ======= ========================================================================================
    """

    measure: str
    loss: bool
    span: tuple[float, float] | None
    runs: tuple[str, ...]
    topics: tuple[tuple[str, ...], ...]
    values: tuple[Floats, ...]
    seeds: tuple[Floats, ...]

    def rows(self) -> Iterator[Row]:
        """Yield a row per run and topic."""
        for run, topics, values in zip(self.runs, self.topics, self.values, strict=True):
            for topic, value in zip(topics, values, strict=True):
                yield {
                    "run": run,
                    "measure": self.measure,
                    "topic": topic,
                    "value": finite(value),
                }


def rain_data(results: Results, measure: str | None = None) -> Rainclouds:
    """Return the values of each run on its topics, and of systems those of their runs."""
    name = chosen_measure(results, measure)
    scores = [score_of(run, name) for run in results.runs]
    return Rainclouds(
        measure=name,
        loss=scores[0].loss,
        span=scores[0].span,
        runs=tuple(run.name for run in results.runs),
        topics=tuple(run.topics for run in results.runs),
        values=tuple(score.values for score in scores),
        seeds=tuple(map(seed_values, scores)),
    )


def cloud(values: Floats, places: Floats) -> Floats:
    """Return the density of values at places, by Gaussian kernels; 0 where all are the same.

    The width of the kernels is Scott's: the deviation times n to the power -1/5.
    """
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    if not deviation:
        return np.zeros(len(places))
    # Equal values are one kernel, so that thousands of topics take little memory.
    distinct, counts = np.unique(values, return_counts=True)
    width = deviation * len(values) ** -0.2
    far = (places[:, np.newaxis] - distinct) / width
    kernels = np.exp(-(far**2) / 2) @ counts
    return np.asarray(kernels / (len(values) * width * np.sqrt(2 * np.pi)))


def rain(results: Results, ax: "Axes | None" = None, measure: str | None = None) -> "Axes":
    """Draw a raincloud for each run: density, quartiles, and the value of every topic."""
    return on_axes("rain", rain_data(results, measure), ax)


ROW = 2.0
"""Lines of text that a raincloud is higher than the name of its run."""
SHADE = 0.38
"""Opacity of a cloud, before which the quartiles are seen on any page."""
SEEDS = "#B07500"
"""The colour of the values of a system's runs."""


def _draw(data: Rainclouds, ax: "Axes", share: float) -> None:
    """Draw clouds above, and drops below a line with the quartiles."""
    from matplotlib.colors import to_rgba

    colour = identity(0).colour
    rows = named_rows(data.runs, letters_of(width_of(ax) * share, NAME_SHARE), padding=ROW)
    every = np.concatenate([defined_values(values) for values in data.values])
    low, high = data.span or ((every.min(), every.max()) if every.size else (0.0, 1.0))
    places = np.linspace(low, high, 201)
    clouds = [cloud(defined_values(values), places) for values in data.values]
    top = max((float(density.max()) for density in clouds), default=0.0) or 1.0
    for i, (values, density) in enumerate(zip(data.values, clouds, strict=True)):
        known = defined_values(values)
        height, centre = float(np.diff(rows.edges)[i]), float(rows.centres[i])
        line = centre + 0.05 * height
        ax.fill_between(
            places, line, line - density / top * 0.5 * height, edgecolor=colour, linewidth=0.5,
            facecolor=to_rgba(colour, SHADE), gid=f"cloud{i}",
        )  # fmt: skip
        # The golden ratio spreads neighbours without chance.
        spread = (np.arange(len(known)) * 0.618034) % 1.0
        many = len(known) > 1000
        ax.scatter(
            known, line + (0.12 + 0.2 * spread) * height, s=1.5 if many else 4.0,
            color=colour, alpha=0.2 if many else 0.7, linewidths=0.0, rasterized=many,
            gid=f"rain{i}",
        )  # fmt: skip
        if known.size:
            first, median, third = np.quantile(known, [0.25, 0.5, 0.75]).tolist()
            ax.plot([first, third], [line, line], color=ink(), linewidth=2.0)
            ax.plot([median], [line], "o", color=ink(), markersize=3.5, gid=f"run{i}")
        seeds = data.seeds[i]
        ax.plot(
            seeds, np.full(len(seeds), line), "D", color=SEEDS, markersize=2.5,
            markeredgecolor=ink(), markeredgewidth=0.3, gid=f"seeds{i}",
        )  # fmt: skip
    write_row_names(ax, rows)
    pad = 0.02 * ((high - low) or 1.0)
    ax.set_xlim(low - pad, high + pad)
    ax.set_xlabel(label(data.measure))


BLOCKS, ASCII_BLOCKS = " ▁▂▃▄▅▆▇█", " .:-=+*#%@"


def _in_terminal(data: Rainclouds, screen: Screen) -> list[Text]:
    axis = Axis.over(np.concatenate(data.values), least=data.span or ())
    blocks = BLOCKS if screen.unicode else ASCII_BLOCKS
    median, mark = "┃◆" if screen.unicode else "|o"

    def drawn(i: int, width: int) -> Text:
        known = defined_values(data.values[i])
        if not known.size:
            return Text("undefined")
        places = [by_place(axis, value, width) for value in known.tolist()]
        counts = np.bincount(places, minlength=width)
        most = max(1, int(counts.max()))
        cells = [blocks[-(-int(n) * (len(blocks) - 1) // most)] for n in counts]
        styles = [""] * width
        at = by_place(axis, float(np.median(known)), width)
        cells[at], styles[at] = median, "bold"
        for value in data.seeds[i].tolist():
            place = by_place(axis, value, width)
            cells[place], styles[place] = mark, "yellow"
        return styled(cells, styles)

    notes = f"height: number of topics; {median} median"
    if any(map(len, data.seeds)):
        notes += f", {mark} runs"
    return row_per_run(data.runs, drawn, axis, visible(data.measure), screen, notes)


def _inches(data: Rainclouds, width: float) -> float:
    padded = named_rows(data.runs, letters_of(width, NAME_SHARE), padding=ROW)
    plain = named_rows(data.runs, letters_of(width, NAME_SHARE))
    return rows_inches(data.runs, width, NAME_SHARE) + padded.inches - plain.inches


register(
    PlotKind(
        "rain",
        lambda results, _: by_measure(results, rain_data),
        Drawing(
            _draw,
            _inches,
            fewer=FewerRuns(
                lambda data: [mean_of(values) for values in data.values],
                only_fields("runs", "topics", "values", "seeds"),
            ),
        ),
        _in_terminal,
        None,
        collections=True,
    )
)
