"""The ranks that runs may have among all topics, and their chances to be the best."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import count, visible
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import Axis, by_place, row_per_run, styled
from rankeval.plots.ci_plot import interval_rows
from rankeval.plots.fewer_runs import FewerRuns, only_fields
from rankeval.plots.kinds import Drawing, PlotKind, Row, Screen, register
from rankeval.plots.look import (
    NAME_SHARE,
    letters_of,
    rows_inches,
    sentence,
    width_of,
)
from rankeval.plots.selection import by_measure, table_of
from rankeval.stats.rank_intervals import RankInterval, bootstrap_ranks

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@frozen(eq=False)
class RankIntervals:
    """The ranks of runs among all topics that users might ask, the best run first.

    ======= =================================================
    measure canonical name
    level   of the intervals
    runs    names, the best rank first
    ranks   rank, interval and probability to be best of each
    ======= =================================================
    """

    measure: str
    level: float
    runs: tuple[str, ...]
    ranks: tuple[RankInterval, ...]

    def rows(self) -> Iterator[Row]:
        """Yield a row per run."""
        for run, found in zip(self.runs, self.ranks, strict=True):
            ends = {"rank": found.rank, "low": found.low, "high": found.high}
            yield {"run": run, "measure": self.measure, **ends, "best": found.best}


def rank_intervals_data(
    results: Results, measure: str | None = None, *, alpha: float = 0.05
) -> RankIntervals:
    """Return intervals of ranks at the level 1 - alpha, by `rankeval.stats.bootstrap_ranks`.

    They are those of `rankeval.systems`. UsageError for fewer than two runs, or two topics on which
    all runs have a value.
    """
    table = table_of(results, measure, least_runs=2)
    found = bootstrap_ranks(-table.values if table.loss else table.values, level=1.0 - alpha)
    if not found:
        whole = int((~np.isnan(table.values)).all(axis=1).sum())
        raise UsageError(
            f"{table.measure} is defined for all runs on {count(whole, 'topic')}",
            expected="two topics or more, of which samples are drawn",
        )
    order = sorted(range(len(found)), key=lambda i: (found[i].rank, -found[i].best))
    return RankIntervals(
        measure=table.measure,
        level=1.0 - alpha,
        runs=tuple(table.runs[i] for i in order),
        ranks=tuple(found[i] for i in order),
    )


BEST = "chance to be best"


def _percent(found: RankInterval) -> str:
    return f"{100 * found.best:.0f}%"


def _words(data: RankIntervals) -> str:
    return f"rank by {data.measure}, {100 * data.level:g}% intervals"


def _draw(data: RankIntervals, ax: "Axes", share: float) -> None:
    """Draw ranks with their intervals, and the chance to be best at the right."""
    from matplotlib.ticker import MaxNLocator

    width = width_of(ax) * share
    ends = [(found.low, found.rank, found.high) for found in data.ranks]
    centres = interval_rows(ax, data.runs, width, ends)
    chances = ax.secondary_yaxis("right")
    chances.set_yticks(centres, list(map(_percent, data.ranks)))
    chances.tick_params(axis="y", length=0, pad=8)
    chances.spines[:].set_visible(False)
    ax.spines["left"].set_visible(False)
    ax.set_xlim(0.5, max(found.high for found in data.ranks) + 0.5)
    ax.xaxis.set_major_locator(MaxNLocator(max(2, int(2 * width)), integer=True))
    ax.set_xlabel(sentence(_words(data), letters_of(width, 0.55)))
    ax.set_title(BEST, loc="right", fontsize=7)


def _in_terminal(data: RankIntervals, screen: Screen) -> list[Text]:
    axis = Axis(1.0, float(max(2, *(found.high for found in data.ranks))))
    flat, dot = "─●" if screen.unicode else "-o"
    texts = [f" {each.rank} [{each.low}, {each.high}]" for each in data.ranks]
    side = max(map(len, texts))

    def drawn(i: int, width: int) -> Text:
        cells, styles = [" "] * width, [""] * width
        found = data.ranks[i]
        low, place, high = (by_place(axis, v, width) for v in (found.low, found.rank, found.high))
        cells[low : high + 1] = flat * (high - low + 1)
        cells[place], styles[place] = dot, "bold blue"
        return styled(cells, styles).append(texts[i].ljust(side) + _percent(found).rjust(5))

    note = f"Percent at the right: {BEST} over all topics that users might ask."
    return row_per_run(data.runs, drawn, axis, visible(_words(data)), screen, note, side + 5)


register(
    PlotKind(
        "rank-intervals",
        lambda results, choices: by_measure(results, rank_intervals_data, alpha=choices.alpha),
        Drawing(
            _draw,
            lambda data, width: rows_inches(data.runs, width, NAME_SHARE) + 0.45,
            fewer=FewerRuns(
                lambda data: [found.rank for found in data.ranks],
                only_fields("runs", "ranks"),
                lambda _: True,
            ),
        ),
        _in_terminal,
        None,
        option="--alpha",
    )
)
