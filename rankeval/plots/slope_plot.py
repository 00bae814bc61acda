"""Ranks of the runs under several measures, or under two sets of judgments."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import finite, visible
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results, Score
from rankeval.plots.canvas import colour as terminal_colour
from rankeval.plots.canvas import letter, wrapped
from rankeval.plots.fewer_runs import FewerRuns, only_fields
from rankeval.plots.kinds import Drawing, PlotKind, Row, Screen, register
from rankeval.plots.look import (
    LINE,
    distinct,
    folded,
    identity,
    letters_of,
    named_rows,
    rule,
    width_of,
)
from rankeval.plots.selection import measure_names, require_runs, score_of
from rankeval.stats.checked_arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@frozen(eq=False)
class Slopes:
    """Values and ranks of the runs under several measures or judgments.

    ===== ==========================================================================================
    title what the ranks have in common: a measure, or ""
    under names of the measures or judgments
    runs  names
    loss  True when smaller is better under the first
    value over all topics, shape (under, runs)
    rank  1 being the best, tied runs sharing the mean, shape (under, runs); NaN where undefined
    ===== ==========================================================================================
    """

    title: str
    under: tuple[str, ...]
    runs: tuple[str, ...]
    loss: bool
    value: Floats
    rank: Floats

    def rows(self) -> Iterator[Row]:
        """Yield a row per measure or judgments and run."""
        for i, under in enumerate(self.under):
            for j, run in enumerate(self.runs):
                yield {
                    "run": run,
                    "measure": self.title or under,
                    "under": under,
                    "value": finite(self.value[i, j]),
                    "rank": finite(self.rank[i, j]),
                }


def slope_data(results: Results, against: tuple[str, Results] | None = None) -> tuple[Slopes, ...]:
    """Return ranks under all measures of the results, or under other judgments by measure.

    `against` has the name of other judgments, and the results of the same runs with them.

    Edge cases
        - Tied runs share the mean of their ranks.
        - A run without a value has no rank.
    """
    require_runs(results, 2)
    measures = measure_names(results)
    if against is None:
        if len(measures) < 2:
            raise UsageError(
                "'slope' joins ranks under two measures, and found 1",
                remedy="name two with -m 'nDCG@10 AP', or give --against-qrels",
            )
        return (_slopes("", measures, [_scores(results, name) for name in measures], results),)
    name, others = against
    under = (results.qrels.path or "QRELS", name)
    return tuple(
        _slopes(measure, under, [_scores(found, measure) for found in (results, others)], results)
        for measure in measures
    )


def _slopes(
    title: str, under: Sequence[str], found: Sequence[list[Score]], results: Results
) -> Slopes:
    """Return ranks under measures or judgments, of which `found` has the scores of all runs."""
    values = np.array([[score.aggregate for score in scores] for scores in found])
    losses = [scores[0].loss for scores in found]
    return Slopes(
        title=title,
        under=tuple(under),
        runs=tuple(run.name for run in results.runs),
        loss=losses[0],
        value=values,
        rank=np.array([_ranks(of, loss=loss) for of, loss in zip(values, losses, strict=True)]),
    )


def _scores(results: Results, measure: str) -> list[Score]:
    return [score_of(run, measure) for run in results.runs]


def _ranks(values: Floats, *, loss: bool) -> Floats:
    """Return ranks from 1, the best first; tied values share the mean."""
    gains = np.round(-values if loss else values, 12)
    greater = (gains > gains[:, np.newaxis]).sum(axis=1)
    equal = (gains == gains[:, np.newaxis]).sum(axis=1)
    return np.where(np.isnan(values), np.nan, greater + (equal + 1) / 2)


NAMES = 0.28
"""Share of the width that the names of runs take at each side."""


def labels_at_side(data: Slopes, side: int) -> list[tuple[float, str]]:
    """Return places and names of the runs under the first or the last measure, the best first.

    Tied runs are listed one below the other, in the places that they share.
    """
    ranks = data.rank[side]
    order = [int(i) for i in np.argsort(ranks, kind="stable") if not np.isnan(ranks[i])]
    return [(place, data.runs[i]) for place, i in enumerate(order, 1)]


def _draw(data: Slopes, ax: "Axes", share: float) -> None:
    """Draw a line for each run between its ranks, with its name at both ends."""
    letters = letters_of(width_of(ax) * share, NAMES)
    for j in range(len(data.runs)):
        colour, dashes, marker = identity(j)
        ax.plot(
            range(len(data.under)), data.rank[:, j], color=colour, linestyle=dashes,
            marker=marker, markersize=3.5, gid=f"run{j}", clip_on=False,
        )  # fmt: skip
    n_runs = len(data.runs)
    other = ax.secondary_yaxis("right")
    for axis, side in ((ax, 0), (other, -1)):
        named = labels_at_side(data, side)
        axis.set_yticks([at for at, _ in named], distinct([name for _, name in named], letters))
        axis.tick_params(axis="y", length=0)
        axis.spines[:].set_visible(False)
    ax.set_ylim(n_runs + 0.5, 0.5)
    ax.set_xlim(-0.06, len(data.under) - 0.94)
    wide = letters_of(width_of(ax) * share * 0.4 / max(1, len(data.under) - 1), 1.0)
    ax.set_xticks(range(len(data.under)), [folded(name, wide) for name in data.under])
    ax.tick_params(axis="x", length=0)
    ax.grid(visible=True, axis="x", color=rule(), linewidth=0.6)
    if data.title:
        ax.set_title(f"rank by {folded(data.title, letters_of(width_of(ax) * share, 0.5))}")


def _inches(data: Slopes, width: float) -> float:
    rows = named_rows(data.runs, letters_of(width, NAMES), padding=0.6)
    most = max(label.count("\n") for label in rows.labels) + 1.4
    return LINE * most * len(data.runs) + 0.6


def _only(data: Slopes, places: Sequence[int]) -> Slopes:
    """Return some of the runs, with their ranks among each other."""
    some: Slopes = only_fields("runs", "value", "rank")(data, places)
    return replace(some, rank=np.array([_ranks(ranks, loss=True) for ranks in some.rank]))


def _in_terminal(data: Slopes, screen: Screen) -> list[Text]:
    lines = wrapped(f"rank by {visible(data.title)}", screen, "bold") if data.title else []
    heads = [f"{letter(i)}: {visible(name)}" for i, name in enumerate(data.under)]
    lines += wrapped(f"ranks under {', '.join(heads)}", screen)
    order = np.argsort(data.rank[0], kind="stable").tolist()
    side = screen.width - 8 * len(data.under) - 2
    lines.append(Text(" " * side + "".join(f"{letter(i):>8}" for i in range(len(data.under)))))
    for j in order:
        *before, last = _cells(visible(data.runs[j]), side)
        lines += [Text(text) for text in before]
        line = Text(last.ljust(side), style=terminal_colour(j))
        line.append(f"{_rank(data.rank[0, j]):>8}")
        for a, b in pairwise(data.rank[:, j].tolist()):
            style = "bold blue" if b < a else "bold red" if b > a else ""
            line.append(f"{_arrow(a, b, unicode=screen.unicode)}{_rank(b):>6}", style=style)
        lines.append(line)
    return lines


def _cells(text: str, width: int) -> list[str]:
    from rankeval.output.arrange import folded as folded_cells

    return folded_cells(text, max(8, width))


def _rank(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:g}"


def _arrow(before: float, after: float, *, unicode: bool) -> str:
    up, down = "↑↓" if unicode else "^v"
    return f" {up if after < before else down if after > before else ' '}"


register(
    PlotKind(
        "slope",
        lambda results, choices: slope_data(results, choices.against),
        Drawing(
            _draw,
            _inches,
            (2, 1),
            fewer=FewerRuns(lambda data: data.value[0], _only),
        ),
        _in_terminal,
        None,
        option="--against-qrels",
        collections=True,
    )
)
