"""Tables of shades: values by topic, all pairs of runs, and the agreement of measures."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from math import inf
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from rich.text import Text

from rankeval.base.arrays import Floats
from rankeval.base.frozen import record, replace
from rankeval.base.wording import count, finite
from rankeval.errors import UsageError, visible
from rankeval.evaluation.comparable_runs import score_of
from rankeval.evaluation.results import Results
from rankeval.plots import look
from rankeval.plots.canvas import Axis, letter, lettered, row_per_run, short, wrapped
from rankeval.plots.kinds import Choices, Form, Row, Screen
from rankeval.plots.selection import (
    in_bins,
    mean_of,
    measure_names,
    require_runs,
    table_of,
)
from rankeval.stats.checked_arrays import NOISE
from rankeval.stats.rank_correlation import order_agreement

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STEPS = 45
"""Shades; with more, matplotlib draws a colour bar as pixels."""

LEAST_CELL = 0.2
"""Inches of the narrowest cell that has its number."""

COLUMN = 0.11
"""Inches of a column whose name is written upwards."""

SHAPES = 5000
"""More cells are drawn as pixels."""

SIGNS, ASCII_SIGNS = " ░▒▓█", " .:-=+*#%@"
"""Shades of values."""


@record
class Cells(Form):
    """A table of values.

    ======= ========================================================================================
    measure canonical name; "" of several
    title   what is shown
    rows    names of the rows
    columns names of the columns; None where they are those of the rows
    values  shape (rows, columns); NaN where undefined
    span    values of the first and the last shade
    word    name of the colours
    numbers yields the records; nothing of a table beside one that has them
    falling True if the shades go from bright to dark
    bold    numbers below it are bold
    named   True if rows are runs
    below   words below the columns; "" where they are rows
    ======= ========================================================================================
    """

    group = ""
    measure: str
    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...] | None
    values: Floats
    span: tuple[float, float]
    word: str
    numbers: Callable[[], Iterable[Row]] = tuple
    falling: bool = False
    bold: float = -inf
    named: bool = True
    below: str = ""

    @property
    def runs(self) -> tuple[str, ...]:
        """Names of the runs; none of a table of measures."""
        return self.rows if self.named else ()

    @property
    def records(self) -> Iterable[Row]:
        """A record for each cell."""
        return self.numbers()

    @property
    def narrowest(self) -> float:  # type: ignore[override]
        """Inches of a table that has others beside it."""
        return 3.3 if self.columns is None else 6.0

    def height(self, width: float) -> float:
        """Return the inches of the whole table, whose rows need be no runs."""
        return self.fixed(width) + self.row * len(self.rows)

    def fits(self, width: float) -> int:
        """Return the number of runs whose names have room below a table as well."""
        return self.most if self.columns else min(self.most, int(0.55 * width / COLUMN))

    def only(self, runs: Sequence[str]) -> Self:
        """Return the table of some runs, in this order; of measures, all."""
        if not self.named:
            return self
        rows = np.array([self.rows.index(name) for name in runs if name in self.rows])
        columns = rows if self.columns is None else np.arange(len(self.columns))
        chosen, names = np.ix_(rows, columns), tuple(self.rows[i] for i in rows)
        return replace(self, rows=names, values=self.values[chosen])

    def fixed(self, width: float) -> float:
        """Return the inches of the names below, of the bar of colours and of the title."""
        if self.columns is None:
            return 1.0 + 0.055 * max(map(len, self._names(width)))
        return 1.0 + look.topics_named(self.columns, 0.6 * width)

    def _names(self, width: float) -> list[str]:
        return look.labels_of(self.rows, 0.3 * width)

    def draw(self, axes: "Axes", width: float) -> None:
        """Draw a table as shades, with the numbers where cells are large enough."""
        import matplotlib as mpl

        (low, high), values = self.span, self.values
        n_rows, n_columns = values.shape
        scale = mpl.colormaps[f"{look.SHADES}_r" if self.falling else look.SHADES].resampled(STEPS)
        axes.patch.set(facecolor="none", hatch="////", edgecolor="#a0a0a0")  # where undefined
        shades = axes.pcolormesh(
            np.arange(n_columns + 1) - 0.5, np.arange(n_rows + 1) - 0.5,
            np.ma.masked_invalid(values), cmap=scale, vmin=low, vmax=high,
            rasterized=values.size > SHAPES, gid="cells",
        )  # fmt: skip
        look.name_rows(axes, self.rows, 0.3 * width)
        axes.spines[:].set_visible(False)
        if self.columns is None:
            axes.set_xticks(range(n_columns), self._names(width), rotation=90)
            axes.tick_params(axis="x", length=0)
            axes.set_title(look.in_lines(self.title, 0.6 * width), loc="left", fontsize=7)
            if 0.5 * width / n_columns > LEAST_CELL:
                self._write_numbers(axes, shades)
        else:
            axes.set_xticks([])
            look.name_topics(axes, self.columns, 0.6 * width)
            axes.set_xlabel(look.in_lines(self.below, 0.6 * width))
        figure: Any = axes.get_figure()
        bar = figure.colorbar(
            shades, ax=axes, location="bottom", aspect=40, pad=0.02, fraction=0.05, shrink=0.9
        )
        bar.set_label(look.in_lines(self.word, 0.6 * width), fontsize=7)
        bar.outline.set_visible(False)

    def _write_numbers(self, axes: "Axes", shades: Any) -> None:
        for (i, j), value in np.ndenumerate(self.values):
            if np.isnan(value):
                continue
            red, green, blue, _ = shades.to_rgba(value)
            bright = 0.3 * red + 0.59 * green + 0.11 * blue > 0.5
            small = self.bold > 0 and value < 0.01
            axes.text(
                j, i, "<.01" if small else short_share(float(value)), ha="center", va="center",
                fontsize=5.5, gid="cell", fontweight="bold" if value < self.bold else "normal",
                color="black" if bright else "white",
            )  # fmt: skip

    def in_terminal(self, screen: Screen) -> list[Text]:
        """Return the shades of runs by topics, or the numbers of all other tables."""
        if self.columns is not None:
            return self._shaded(screen)
        rows = [f"{letter(i)} {name}" for i, name in enumerate(self.rows)]

        def cell(i: int, j: int) -> tuple[str, str]:
            value = float(self.values[i, j])
            return f"{value:.2f}".replace("nan", "-"), "bold" if value < self.bold else ""

        numbers = lettered(rows, len(rows), cell, screen)
        return [*wrapped(visible(self.title), screen, "bold"), *numbers]

    def _shaded(self, screen: Screen) -> list[Text]:
        axis, n_columns = Axis(*self.span), self.values.shape[1]
        shades = SIGNS if screen.unicode else ASCII_SIGNS

        def drawn(i: int, width: int) -> Text:
            # Half a line of topics is shorter than the line; more of them fill it.
            n_bins = n_columns if n_columns < width // 2 else width
            shares = axis.share(in_bins(self.values[i], n_bins)).tolist()
            last, size = len(shades) - 1, len(shades)
            signs = ("?" if np.isnan(s) else shades[min(last, int(s * size))] for s in shares)
            return Text("".join(signs))

        notes = (
            f"{visible(self.word)} from {short(axis.low)} '{shades[0]}' to {short(axis.high)} "
            f"'{shades[-1]}'; ? undefined"
        )
        rows = row_per_run(self.rows, drawn, None, self.below, screen)
        return [*rows, *wrapped(notes, screen)]


def short_share(value: float) -> str:
    """Return a number of two decimals in few characters: .05, 1, -.2."""
    text = f"{value:.2f}".replace("0.", ".")
    return {"1.00": "1", "-1.00": "-1", ".00": "0", "-.00": "0"}.get(text, text)


LEAST_RUNS = 5
"""Of fewer runs, there are too few orders for measures to disagree in part."""


def heatmap(results: Results, measure: str, _: Choices) -> Cells:
    """Return the values of all runs on all topics, the easiest topics first.

    A topic is easy if the mean over the runs is good.

    Edge cases
        - Topics without any value come last.
    """
    table = table_of(results, measure)
    gains = -table.values if table.loss else table.values
    order = np.argsort([-mean_of(row) for row in gains], kind="stable")
    topics, values = tuple(table.topics[i] for i in order.tolist()), table.values[order]
    axis = Axis(*table.span) if table.span else Axis.over(values.ravel())

    def numbers() -> Iterator[Row]:
        for (i, topic), (j, run) in product(enumerate(topics), enumerate(table.runs)):
            yield {"topic": topic, "run": run, "measure": measure, "value": finite(values[i, j])}

    return Cells(
        *(measure, measure, table.runs, topics, values.T, (axis.low, axis.high), measure, numbers),
        below=f"{count(len(topics), results.unit)}, the easiest first",
    )


def pairs(results: Results, _: str, choices: Choices) -> tuple[Cells, ...]:
    """Return p-values and shares of topics won of all pairs of runs, by measure.

    They are those of `results.compare(all_pairs=True)`, with its tests and its correction.
    """
    require_runs(results, 2)
    comparison, alpha = results.compare(alpha=choices.alpha, all_pairs=True), choices.alpha
    runs = tuple(run.name for run in results.runs)
    place, tables = {name: i for i, name in enumerate(runs)}, dict[str, Floats]()
    for pair in comparison.pairs:
        p_value, won = tables.setdefault(pair.measure, np.full((2, len(runs), len(runs)), np.nan))
        i, j, found = place[pair.run], place[pair.baseline], pair.summary
        p_value[i, j] = p_value[j, i] = pair.p
        if found.n_topics:
            won[i, j], won[j, i] = found.wins / found.n_topics, found.losses / found.n_topics
    panels = []
    for measure, (p_value, won) in tables.items():
        columns, span = {"p_value": p_value, "won": won}, (0.0, 1.0)
        numbers = partial(_pairs, ("a", "b"), runs, {"measure": measure}, columns)
        title = f"p-values of {measure}; bold: below {alpha:g}"
        tests = (measure, title, runs, None, p_value, span, "p-value", numbers)
        title = f"share of topics won by the row's run, {measure}"
        panels.append(Cells(*tests, falling=True, bold=alpha))
        panels.append(Cells(measure, title, runs, None, won, span, "share won"))
    return tuple(panels)


def _pairs(
    heads: tuple[str, str],
    names: Sequence[str],
    facts: Mapping[str, Any],
    columns: Mapping[str, Floats],
    *,
    equal: bool = False,
) -> list[Row]:
    """Return a record for each pair of names, and of a name with itself if `equal`."""
    return [
        {heads[0]: a, heads[1]: b, **facts, **{k: finite(v[i, j]) for k, v in columns.items()}}
        for (i, a), (j, b) in product(enumerate(names), repeat=2)
        if i != j or equal
    ]


def agreement(results: Results, _: str, __: Choices) -> tuple[Cells, ...]:
    """Return Kendall's tau and tau-AP between all measures of the results, over the runs.

    Runs are ordered by their value over all topics, the best first. For tau-AP, which knows no
    ties, tied runs are ordered as in the other measure, and then as in the results. Raise
    UsageError for fewer than five runs.

    Edge cases
        - A run for which a measure is undefined is left out for that pair of measures.
        - All runs tied by one of the two: both are NaN.

    Source: Kendall, Biometrika 33, 1945; Yilmaz, Aslam and Robertson, SIGIR 2008.
    """
    n_runs = len(results.runs)
    if n_runs < LEAST_RUNS:
        raise UsageError(
            f"found {count(n_runs, 'run')}, too few to show how far measures agree on their order",
            expected=f"{LEAST_RUNS} runs or more",
        )
    measures = measure_names(results)
    if len(measures) < 2:
        raise UsageError("found 1 measure to compare", expected="two measures or more")
    gains = np.array([_gains(results, name) for name in measures])
    size = len(measures)
    tau, top_heavy = np.full((2, size, size), np.nan)
    for i, j in product(range(size), repeat=2):
        orders = order_agreement(gains[i], gains[j])
        if orders.tau_b is not None and orders.tau_ap is not None:
            tau[i, j], top_heavy[i, j] = orders.tau_b, orders.tau_ap
    columns = {"tau": tau, "tau_ap": top_heavy}
    numbers = partial(_pairs, ("truth", "measure"), measures, {}, columns, equal=True)
    title = f"Kendall's tau; {n_runs} runs"
    other = f"tau-AP of the column, truth: the row; {n_runs} runs"
    return (
        Cells("", title, measures, None, tau, _span(tau), "tau", numbers, named=False),
        Cells("", other, measures, None, top_heavy, _span(top_heavy), "tau-AP", named=False),
    )


def _span(values: Floats) -> tuple[float, float]:
    """Return the ends of the shades: the least correlation, and 1."""
    low = float(np.min(values[~np.isnan(values)], initial=1.0))
    return (low if low < 1.0 - NOISE else 0.9), 1.0


def _gains(results: Results, name: str) -> list[float]:
    scores = [score_of(run, name) for run in results.runs]
    return [-score.aggregate if score.loss else score.aggregate for score in scores]
