"""Means with confidence intervals."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import finite, visible
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import Axis, by_place, row_per_run, styled
from rankeval.plots.fewer_runs import FewerRuns, only_fields
from rankeval.plots.kinds import Drawing, InReports, Numbers, PlotKind, Row, Screen, register
from rankeval.plots.look import (
    NAME_SHARE,
    label,
    letters_of,
    named_rows,
    rows_inches,
    rule,
    width_of,
    write_row_names,
)
from rankeval.plots.selection import (
    by_measure,
    chosen_measure,
    ends_of_mean,
    mean_of,
    score_of,
    seed_values,
    short_number,
)
from rankeval.stats.checked_arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@frozen(eq=False)
class Means:
    """Means with confidence intervals, the best run first.

    ========= ======================================================================================
    measure   canonical name
    loss      True when smaller is better
    level     of the intervals
    runs      names, the best mean first
    mean      shape (runs,)
    low, high ends of Student's interval, shape (runs,); NaN with fewer than two topics
    seeds     for a system of several runs, the mean of each; empty for one run
    ========= ======================================================================================
    """

    measure: str
    loss: bool
    level: float
    runs: tuple[str, ...]
    mean: Floats
    low: Floats
    high: Floats
    seeds: tuple[Floats, ...] = ()

    def rows(self) -> Iterator[Row]:
        """Yield a row per run."""
        for i, run in enumerate(self.runs):
            ends = {"mean": self.mean, "low": self.low, "high": self.high}
            numbers = {name: finite(values[i]) for name, values in ends.items()}
            yield {"run": run, "measure": self.measure, "level": self.level, **numbers}


def ci_data(
    results: Results,
    measure: str | None = None,
    *,
    level: float = 0.95,
    best_first: bool = True,
) -> Means:
    """Return the mean of each run with Student's confidence interval, the best run first.

    Without `best_first`, runs are in the order of the results.

    The intervals are those of single means. Two that overlap say nothing of the difference of the
    two runs on the same topics, which `rankeval compare` tests. For a system of several runs, the
    variance of topics and that of runs count.

    Edge cases
        - A topic without a value is left out of the run's mean.
        - No value at all: NaN, last.
    """
    name = chosen_measure(results, measure)
    scores = [score_of(run, name) for run in results.runs]
    loss = scores[0].loss
    means = np.array([mean_of(score.values) for score in scores])
    order = np.argsort(means if loss else -means, kind="stable")
    if not best_first:
        order = np.arange(len(means))
    ends = [ends_of_mean(score, level) for score in scores]
    low, high = np.array(ends, dtype=np.float64).T
    return Means(
        measure=name,
        loss=loss,
        level=level,
        runs=tuple(results.runs[i].name for i in order),
        mean=means[order],
        low=low[order],
        high=high[order],
        seeds=tuple(seed_values(scores[i]) for i in order),
    )


MEANS, SEEDS = "#0072B2", "#B07500"
"""The colours of means, and of the dots of a system's runs."""


def _draw(data: Means, ax: "Axes", _: float) -> None:
    """Draw means with their confidence intervals, the best run at the top."""
    ends = zip(data.low.tolist(), data.mean.tolist(), data.high.tolist(), strict=True)
    interval_rows(ax, data.runs, width_of(ax), ends, data.seeds)
    room = width_of(ax) * (1.0 - NAME_SHARE)
    ax.locator_params(axis="x", nbins=max(2, int(room / NUMBER)))
    ax.set_xlabel(f"mean {label(data.measure)}, {100 * data.level:g}% interval")


def interval_rows(
    ax: "Axes",
    runs: Sequence[str],
    width: float,
    ends: Iterable[tuple[float, float, float]],
    seeds: Sequence[Floats] = (),
) -> Floats:
    """Draw a row for each run: its value on its interval, and the values of its seeds as dots.

    `ends` are low end, value and high end of each, and `width` is that of the axes in inches. The
    centres of the rows are returned.
    """
    rows = named_rows(runs, letters_of(width, NAME_SHARE))
    for i, (centre, (low, value, high)) in enumerate(zip(rows.centres.tolist(), ends, strict=True)):
        if not np.isnan(low):
            ax.plot(
                [low, high], [centre, centre], color=MEANS, linewidth=1.2, solid_capstyle="butt",
                gid=f"interval{i}",
            )  # fmt: skip
        dots = seeds[i] if seeds else np.array([])
        ax.plot(dots, np.full(len(dots), centre), ".", color=SEEDS, markersize=3, gid=f"seeds{i}")
        if not np.isnan(value):
            ax.plot([value], [centre], "o", color=MEANS, markersize=3.5, gid=f"run{i}")
    write_row_names(ax, rows)
    ax.grid(visible=True, axis="x", color=rule(), linewidth=0.5)
    ax.set_axisbelow(True)
    return rows.centres


NUMBER = 0.5
"""Inches from one number below an axis to the next."""


def _in_terminal(data: Means, screen: Screen) -> list[Text]:
    numbers = np.concatenate([data.mean, data.low, data.high, *data.seeds])
    axis = Axis.over(numbers)
    flat, dot, mark = "─●○" if screen.unicode else "-o."
    texts = [
        f" {mean:.4f} [{low:.4f}, {high:.4f}]" if np.isfinite(low) else f" {mean:.4f}"
        for mean, low, high in zip(data.mean, data.low, data.high, strict=True)
    ]
    side = max(map(len, texts))

    def drawn(i: int, width: int) -> Text:
        cells = [" "] * width
        styles = [""] * width
        if np.isfinite(data.low[i]):
            low, high = (by_place(axis, v[i], width) for v in (data.low, data.high))
            cells[low : high + 1] = flat * (high - low + 1)
        for value in data.seeds[i].tolist():
            place = by_place(axis, value, width)
            cells[place], styles[place] = mark, "yellow"
        if np.isfinite(data.mean[i]):
            place = by_place(axis, data.mean[i], width)
            cells[place], styles[place] = dot, "bold blue"
        return styled(cells, styles).append(texts[i])

    name = f"mean {visible(data.measure)}, {100 * data.level:g}% intervals"
    if any(map(len, data.seeds)):
        name += f", {mark} runs"
    return row_per_run(data.runs, drawn, axis, name, screen, "", side)


def _numbers(data: Means) -> Iterator[Numbers]:
    level = f"{100 * data.level:g}%"
    yield Numbers(
        f"Mean {data.measure} with {level} interval",
        ("Run", "Mean", "Low", "High"),
        tuple(
            (run, *map(short_number, ends))
            for run, *ends in zip(data.runs, data.mean, data.low, data.high, strict=True)
        ),
    )


register(
    PlotKind(
        "ci",
        lambda results, choices: by_measure(
            results, ci_data, level=1.0 - choices.alpha, best_first=choices.sort is None
        ),
        Drawing(
            _draw,
            lambda data, width: rows_inches(data.runs, width, NAME_SHARE),
            fewer=FewerRuns(
                lambda data: data.mean,
                only_fields("runs", "mean", "low", "high", "seeds"),
            ),
        ),
        _in_terminal,
        InReports(
            0,
            "Means",
            "Means with intervals. Overlapping intervals do not show that runs are equal.",
            _numbers,
        ),
        option="--alpha",
        collections=True,
    )
)
