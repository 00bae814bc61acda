"""Ranks of the runs under several measures: lines that slope."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from rich.text import Text

from rankeval.base.arrays import Floats
from rankeval.base.frozen import record, replace
from rankeval.base.wording import finite
from rankeval.errors import UsageError, visible
from rankeval.evaluation.comparable_runs import score_of
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import letter, lettered, wrapped
from rankeval.plots.kinds import Choices, Form, Row, Screen
from rankeval.plots.look import identity, in_lines, labels_of, rule
from rankeval.plots.selection import measure_names, require_runs

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMES = 0.28
"""Share of the width that the names of runs take at each side."""


class Slope(NamedTuple):
    """The values of a run over all topics, and its ranks, under each of several measures.

    Ranks begin at 1, the best; tied runs share the mean; NaN where undefined.
    """

    values: Floats
    ranks: Floats


@record
class Slopes(Form):
    """Values and ranks of the runs, in `of_runs`, under several measures."""

    narrowest, measure = 3.3, ""
    under: tuple[str, ...]
    of_runs: Mapping[str, Slope]

    @property
    def records(self) -> Iterator[Row]:
        """A record for each measure and run."""
        for i, under in enumerate(self.under):
            for run, of in self.of_runs.items():
                facts = {"run": run, "measure": under, "under": under}
                yield {**facts, "value": finite(of.values[i]), "rank": finite(of.ranks[i])}

    def only(self, runs: Sequence[str]) -> Self:
        """Return some of the runs, with their ranks among each other."""
        some = super().only(runs)
        ranks = np.array([ranked(-of) for of in some.ranks().T])
        of_runs = zip(some.of_runs.items(), ranks.T, strict=True)
        return replace(some, of_runs={run: Slope(of.values, own) for (run, of), own in of_runs})

    def ranks(self) -> Floats:
        """Return the ranks, shape (runs, under)."""
        return np.array([of.ranks for of in self.of_runs.values()])

    def draw(self, axes: "Axes", width: float) -> None:
        """Draw a line for each run between its ranks, with its name at both ends.

        Tied runs are listed one below the other, in the places that they share.
        """
        ranks = self.ranks()
        for j, of_run in enumerate(ranks):
            tint, dashes, marker = identity(j)
            axes.plot(
                range(len(self.under)), of_run, color=tint, linestyle=dashes, marker=marker,
                markersize=3.5, gid=f"run{j}", clip_on=False,
            )  # fmt: skip
        for axis, of_end in ((axes, ranks[:, 0]), (axes.secondary_yaxis("right"), ranks[:, -1])):
            order = np.argsort(of_end, kind="stable").tolist()
            best_first = [self.runs[j] for j in order if not np.isnan(of_end[j])]
            labels = labels_of(best_first, NAMES * width)
            axis.set_yticks(range(1, len(labels) + 1), labels)
            axis.tick_params(axis="y", length=0)
            axis.spines[:].set_visible(False)
        axes.set_ylim(len(self.runs) + 0.5, 0.5)
        last = len(self.under) - 1
        axes.set_xlim(-0.06, last + 0.06)
        names = [in_lines(name, 0.4 * width / max(1, last)) for name in self.under]
        axes.set_xticks(range(last + 1), names)
        axes.tick_params(axis="x", length=0)
        axes.grid(visible=True, axis="x", color=rule(), linewidth=0.6)

    def in_terminal(self, screen: Screen) -> list[Text]:
        """Return a line for each run with its ranks, in blue where they rise, in red where not."""
        heads = [f"{letter(i)}: {visible(name)}" for i, name in enumerate(self.under)]
        ranks = self.ranks()
        order = np.argsort(ranks[:, 0], kind="stable").tolist()

        def cell(i: int, j: int) -> tuple[str, str]:
            rank, before = ranks[order[i], [j, max(0, j - 1)]].tolist()
            style = "bold red" if rank > before else "bold blue" if rank < before else ""
            return f"{rank:g}".replace("nan", "-"), style

        names = [self.runs[j] for j in order]
        return [
            *wrapped(f"ranks under {', '.join(heads)}", screen),
            *lettered(names, len(self.under), cell, screen),
        ]


def slope(results: Results, _: str, __: Choices) -> Slopes:
    """Return ranks under all measures of the results.

    Edge cases
        - Tied runs share the mean of their ranks.
        - A run without a value has no rank.
    """
    require_runs(results, 2)
    measures = measure_names(results)
    if len(measures) < 2:
        raise UsageError(
            "'slope' joins ranks under two measures, and found 1",
            remedy="name two with -m 'nDCG@10 AP'",
        )
    scores = [[score_of(run, name) for run in results.runs] for name in measures]
    values = np.array([[score.aggregate for score in of] for of in scores])
    ranks = [ranked(-v if of[0].loss else v) for v, of in zip(values, scores, strict=True)]
    of_runs = map(Slope, values.T, np.array(ranks).T)
    names = [run.name for run in results.runs]
    return Slopes(measures, dict(zip(names, of_runs, strict=True)))


def ranked(gains: Floats) -> Floats:
    """Return ranks from 1, the greatest first; tied values share the mean."""
    rounded = np.round(gains, 12)
    greater = (rounded > rounded[:, np.newaxis]).sum(axis=1)
    equal = (rounded == rounded[:, np.newaxis]).sum(axis=1)
    return np.where(np.isnan(gains), np.nan, greater + (equal + 1) / 2)
