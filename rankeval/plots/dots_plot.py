"""Sorted means, with the groups of runs that do not differ significantly."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import visible
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import Axis, by_place, row_per_run
from rankeval.plots.fewer_runs import FewerRuns, only_fields
from rankeval.plots.kinds import Drawing, PlotKind, Row, Screen, register
from rankeval.plots.look import (
    NAME_SHARE,
    ink,
    letters_of,
    named_rows,
    rows_inches,
    rule,
    sentence,
    width_of,
    write_row_names,
)
from rankeval.plots.selection import by_measure, table_of
from rankeval.plots.whole_figure import on_axes
from rankeval.stats.checked_arrays import Floats
from rankeval.stats.tukey_tests import tukey_hsd

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Groups = tuple[tuple[int, int], ...]
"""First and last places of groups of runs that do not differ significantly."""


@frozen(eq=False)
class GroupedMeans:
    """The mean of each run, the best first, and the groups that Tukey's test leaves together.

    =================== ============================================================================
    measure             canonical name
    loss                True when smaller is better
    runs                names, the best first
    means               over the topics on which all runs have a value, shape (runs,)
    groups              first and last places of runs that do not differ significantly; no group is
                        a part of another one
    critical_difference of two means; None with fewer than two topics
    alpha               significance level
    n_topics            topics on which all runs have a value
    =================== ============================================================================
    """

    measure: str
    loss: bool
    runs: tuple[str, ...]
    means: Floats
    groups: Groups
    critical_difference: float | None
    alpha: float
    n_topics: int

    def rows(self) -> Iterator[Row]:
        """Yield a row per run, with the numbers of its groups."""
        for i, run in enumerate(self.runs):
            yield {
                "run": run,
                "measure": self.measure,
                "mean": float(self.means[i]),
                "groups": numbers_of_groups(self.groups, i),
                "critical_difference": self.critical_difference,
                "alpha": self.alpha,
                "topics": self.n_topics,
            }


def dots_data(results: Results, measure: str | None = None, *, alpha: float = 0.05) -> GroupedMeans:
    """Return means, the best first, and the groups without significant differences by Tukey's test.

    Two runs differ if their means are further apart than the critical difference of Tukey's test
    on the residual variance of topics and runs.

    Edge cases
        - A topic on which a run has no value is left out for all runs.
        - Fewer than two topics: one group of all runs.

    Source: Carterette, "Multiple testing in statistical analysis of systems-based information
    retrieval experiments", ACM TOIS 30(1), 2012.
    """
    table = table_of(results, measure, least_runs=2)
    found = tukey_hsd(table.values, level=1.0 - alpha)
    if found.anova.means is None:
        raise UsageError(f"{table.measure} is defined for all runs on no topic")
    means = np.array(found.anova.means)
    gains = -means if table.loss else means
    order = np.argsort(-gains, kind="stable")
    first = found.pairs[0]
    width = None
    if first.low is not None and first.high is not None:
        width = (first.high - first.low) / 2
    return GroupedMeans(
        measure=table.measure,
        loss=table.loss,
        runs=tuple(table.runs[i] for i in order),
        means=means[order],
        groups=_groups(means[order], width, loss=table.loss),
        critical_difference=width,
        alpha=alpha,
        n_topics=found.anova.n_topics,
    )


def _groups(means: Floats, width: float | None, *, loss: bool) -> Groups:
    return groups_within(means if loss else -means, np.inf if width is None else width)


def groups_within(increasing: Floats, width: float) -> Groups:
    """Return (first, last) places of the largest groups of two or more that `width` spans."""
    last = np.searchsorted(increasing, increasing + width, side="right") - 1
    groups: list[tuple[int, int]] = []
    for i, j in enumerate(last.tolist()):
        if j > i and (not groups or j > groups[-1][1]):
            groups.append((i, j))
    return tuple(groups)


def numbers_of_groups(groups: Groups, place: int) -> str:
    """Return the numbers of the groups of a run, from 1."""
    return " ".join(str(n) for n, (a, b) in enumerate(groups, 1) if a <= place <= b)


def dots(
    results: Results,
    ax: "Axes | None" = None,
    measure: str | None = None,
    *,
    alpha: float = 0.05,
) -> "Axes":
    """Draw sorted means, and bars next to runs that do not differ significantly."""
    return on_axes("dots", dots_data(results, measure, alpha=alpha), ax)


BAR_SHARE = 0.016
"""Share of the width of the axes that the bar of a group takes."""


def draw_grouped_dots(
    ax: "Axes", runs: Sequence[str], values: Floats, groups: Groups, letters: int
) -> None:
    """Draw a dot in each run's row, and a bar at the right of each group."""
    rows = named_rows(runs, letters)
    ax.hlines(rows.centres, 0.0, 1.0, transform=ax.get_yaxis_transform(), color=rule(), lw=0.5)
    for i, (value, centre) in enumerate(zip(values.tolist(), rows.centres.tolist(), strict=True)):
        ax.plot([value], [centre], "o", color="#0072B2", markersize=4.0, gid=f"run{i}")
    for n, (first, last) in enumerate(groups):
        x = 1.0 + BAR_SHARE * (n + 1)
        ends = [rows.centres[first] - 0.4, rows.centres[last] + 0.4]
        ax.plot(
            [x, x], ends, color=ink(), linewidth=1.8, solid_capstyle="butt", clip_on=False,
            transform=ax.get_yaxis_transform(), gid=f"group{n}",
        )  # fmt: skip
    write_row_names(ax, rows)
    ax.spines["left"].set_visible(False)


def _note(data: GroupedMeans) -> str:
    if data.critical_difference is None:
        return "too few topics for the test"
    return f"Tukey's critical difference {data.critical_difference:.3f} at alpha = {data.alpha:g}"


def _draw(data: GroupedMeans, ax: "Axes", share: float) -> None:
    """Draw means, the best at the top; bars join runs that do not differ significantly."""
    width = width_of(ax) * share
    draw_grouped_dots(ax, data.runs, data.means, data.groups, letters_of(width, NAME_SHARE))
    ax.locator_params(axis="x", nbins=max(2, int(width)))
    name = f"mean {data.measure}; {_note(data)}"
    ax.set_xlabel(sentence(name, letters_of(width, 0.5)))


def _only(data: GroupedMeans, places: Sequence[int]) -> GroupedMeans:
    """Return some of the means; the critical difference is that of all."""
    some: GroupedMeans = only_fields("runs", "means")(data, places)
    groups = _groups(some.means, data.critical_difference, loss=data.loss)
    return replace(some, groups=groups)


def _in_terminal(data: GroupedMeans, screen: Screen) -> list[Text]:
    return grouped_rows(
        data.runs, data.means, data.groups, Axis.over(data.means), screen,
        (f"mean {visible(data.measure)}", _note(data)),
    )  # fmt: skip


def grouped_rows(
    runs: Sequence[str],
    values: Floats,
    groups: Groups,
    axis: Axis,
    screen: Screen,
    words: tuple[str, str],
    decimals: int = 4,
) -> list[Text]:
    """Return a line per run: a dot, its value and the bars of its groups; `words` explain them."""
    dot, bar = "●│" if screen.unicode else "o|"
    texts = [f" {value:.{decimals}f} " for value in values.tolist()]
    side = max(map(len, texts))

    def drawn(i: int, width: int) -> Text:
        cells = [" "] * width
        cells[by_place(axis, float(values[i]), width)] = dot
        marks = "".join(bar if a <= i <= b else " " for a, b in groups)
        return Text("".join(cells)).append(texts[i].rjust(side)).append(marks, style="bold")

    name, note = words
    notes = f"{note}\nRuns next to the same {bar} do not differ significantly."
    return row_per_run(runs, drawn, axis, name, screen, notes, side + len(groups))


register(
    PlotKind(
        "dots",
        lambda results, choices: by_measure(results, dots_data, alpha=choices.alpha),
        Drawing(
            _draw,
            lambda data, width: rows_inches(data.runs, width, NAME_SHARE) + 0.15,
            fewer=FewerRuns(lambda data: data.means, _only),
        ),
        _in_terminal,
        None,
        option="--alpha",
        collections=True,
    )
)
