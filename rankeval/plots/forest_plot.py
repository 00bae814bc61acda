"""Differences from the baseline with intervals that hold together, and wins, ties and losses."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import visible
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import Axis, by_place, row_per_run, styled
from rankeval.plots.fewer_runs import FewerRuns, only_fields
from rankeval.plots.kinds import (
    Choices,
    Drawing,
    InReports,
    Numbers,
    PlotKind,
    Row,
    Screen,
    register,
)
from rankeval.plots.look import (
    BETTER,
    NAME_SHARE,
    NEUTRAL,
    WORSE,
    ink,
    letters_of,
    named_rows,
    paper,
    rows_inches,
    rule,
    sentence,
    width_of,
    write_row_names,
)
from rankeval.plots.selection import (
    measure_names,
    place_of,
    short_number,
    table_of,
    values_by_seed,
)
from rankeval.stats import confidence_interval, paired_differences, summarize_differences
from rankeval.stats.checked_arrays import Floats
from rankeval.stats.mean_tests import seeds_test

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@frozen
class ForestLine:
    """A run's difference from the baseline.

    ========== =====================================================================================
    run        name
    difference mean of run - baseline over the topics; None without a topic
    low, high  ends of its interval; None with fewer than two topics
    wins, ties, losses  numbers of topics on which the run is better, equal and worse
    ========== =====================================================================================
    """

    run: str
    difference: float | None
    low: float | None
    high: float | None
    wins: int
    ties: int
    losses: int

    @property
    def sign(self) -> int:
        """Return 1 or -1 where the interval lies above or below 0, and else 0."""
        if self.low is None or self.high is None:
            return 0
        return int(self.low > 0) - int(self.high < 0)


@frozen
class Forest:
    """The differences of all other runs from the baseline in one measure.

    ======== =======================================================================================
    measure  canonical name
    loss     True when smaller is better
    baseline name
    level    confidence level, of all intervals together if `together`, and else of each
    together True if the intervals hold together, over all runs and measures
    lines    a line for each other run, in the order of the runs
    ======== =======================================================================================
    """

    measure: str
    loss: bool
    baseline: str
    level: float
    together: bool
    lines: tuple[ForestLine, ...]

    def rows(self) -> Iterator[Row]:
        """Yield a row per run."""
        for line in self.lines:
            yield {
                "run": line.run,
                "baseline": self.baseline,
                "measure": self.measure,
                "difference": line.difference,
                "low": line.low,
                "high": line.high,
                "wins": line.wins,
                "ties": line.ties,
                "losses": line.losses,
            }


class Compared(Protocol):
    """A comparison of runs, such as that of `rankeval.compare`."""

    @property
    def pairs(self) -> Sequence[Any]:
        """The pairs of runs."""

    @property
    def method(self) -> Any:
        """The method, with alpha."""


def forest_data(
    results: Results,
    measure: str | None = None,
    *,
    baseline: str | None = None,
    alpha: float = 0.05,
    n_measures: int = 1,
) -> Forest:
    r"""Return the differences of each other run from the baseline, by default the first run.

    .. math:: \bar d \pm t_{n - 1}\left(1 - \frac{\alpha}{2 m}\right) \frac{s_d}{\sqrt n}

    with the differences d of n topics and m intervals, a run and a measure each: Student's
    intervals hold together with the level 1 - alpha by Bonferroni's correction, as those of
    `rankeval.compare`. `n_measures` is the number of measures that are compared. For a system of
    several runs, the variance of topics and that of runs count.

    Edge cases
        - A topic without a value for one of the two: left out of that difference.
        - Fewer than two topics: no interval.

    Source: Dunn, "Multiple comparisons among means", JASA 56, 1961.
    """
    table = table_of(results, measure, least_runs=2)
    at = place_of(table.runs, baseline)
    level = 1.0 - alpha / ((len(table.runs) - 1) * n_measures)
    lines = []
    for i, run in enumerate(table.runs):
        if i == at:
            continue
        before, after = table.values[:, at], table.values[:, i]
        summary = summarize_differences(before, after)
        by_seed = [values_by_seed(results, table, place) for place in (at, i)]
        low, high = _ends(by_seed[0], by_seed[1], level)
        counts = (summary.wins, summary.losses)
        wins, losses = counts[::-1] if table.loss else counts
        lines.append(ForestLine(run, summary.difference, low, high, wins, summary.ties, losses))
    return Forest(
        table.measure, table.loss, table.runs[at], 1.0 - alpha, together=True, lines=tuple(lines)
    )


def _ends(before: Floats, after: Floats, level: float) -> tuple[float | None, float | None]:
    """Return the ends of the interval of a difference; (None, None) with fewer than two topics."""
    if before.shape[1] == after.shape[1] == 1:
        found = confidence_interval(paired_differences(before[:, 0], after[:, 0]), level=level)
        return found.low, found.high
    return seeds_test(before, after, level=level)[1] or (None, None)


def forest_of(comparison: Compared) -> tuple[Forest, ...]:
    """Return a panel for each measure of a comparison with a baseline, over all topics.

    Differences, intervals, wins, ties and losses are those of the comparison, whatever its method.
    """
    panels: dict[str, list[Any]] = {}
    for pair in comparison.pairs:
        if not pair.group and pair.baseline == comparison.pairs[0].baseline:
            panels.setdefault(pair.measure, []).append(pair)
    method = comparison.method
    return tuple(
        Forest(
            measure,
            pairs[0].loss,
            pairs[0].baseline,
            1.0 - method.alpha,
            together=method.together,
            lines=tuple(map(_line_of, pairs)),
        )
        for measure, pairs in panels.items()
    )


def _line_of(pair: Any) -> ForestLine:
    summary = pair.summary
    counts = (summary.wins, summary.ties, summary.losses)
    return ForestLine(pair.run, summary.difference, pair.low, pair.high, *counts)


def _forests(results: Results, choices: Choices) -> Iterator[Forest]:
    names = measure_names(results)
    for name in names:
        yield forest_data(
            results,
            name,
            baseline=choices.baseline,
            alpha=choices.alpha,
            n_measures=len(names),
        )


def _colour(data: Forest, line: ForestLine) -> str:
    better = -line.sign if data.loss else line.sign
    return (NEUTRAL, BETTER, WORSE)[better]


def _intervals(data: Forest) -> str:
    """Return the words for the intervals of a panel."""
    return f"{100 * data.level:g}% {'simultaneous ' if data.together else ''}intervals"


def _counts(line: ForestLine) -> str:
    return f"{line.wins:,} / {line.ties:,} / {line.losses:,}"


COUNTS = "wins / ties / losses"


def _draw(data: Forest, ax: "Axes", share: float) -> None:
    """Draw differences and intervals; filled points differ from the baseline."""
    width = width_of(ax) * share
    rows = named_rows([line.run for line in data.lines], letters_of(width, NAME_SHARE))
    ax.axvline(0.0, color=ink(), linewidth=0.6)
    for i, (centre, line) in enumerate(zip(rows.centres.tolist(), data.lines, strict=True)):
        if line.difference is None:
            continue
        colour = _colour(data, line)
        if line.low is not None and line.high is not None:
            ax.plot(
                [line.low, line.high], [centre, centre], color=colour, linewidth=1.1,
                solid_capstyle="butt", gid=f"interval{i}",
            )  # fmt: skip
        ax.plot(
            [line.difference], [centre], marker="s", markersize=4.0, color=colour,
            linestyle="none", markerfacecolor=colour if line.sign else paper(), gid=f"run{i}",
        )  # fmt: skip
    write_row_names(ax, rows)
    counts = ax.secondary_yaxis("right")
    counts.set_yticks(rows.centres, [_counts(line) for line in data.lines])
    counts.tick_params(axis="y", length=0, pad=8)
    counts.spines[:].set_visible(False)
    ax.spines["left"].set_visible(False)
    ax.grid(visible=True, axis="x", color=rule(), linewidth=0.5)
    ax.set_axisbelow(True)
    ax.locator_params(axis="x", nbins=max(2, int(width * 0.45 / NUMBER)))
    name = f"difference in {data.measure} from {data.baseline}"
    ax.set_xlabel(sentence(f"{name}, {_intervals(data)}", letters_of(width, 0.55)))
    ax.set_title(COUNTS, loc="right", fontsize=7)


NUMBER = 0.55
"""Inches from one number below an axis to the next."""


def _inches(data: Forest, width: float) -> float:
    return rows_inches([line.run for line in data.lines], width, NAME_SHARE) + 0.45


def _in_terminal(data: Forest, screen: Screen) -> list[Text]:
    known = [v for line in data.lines for v in (line.difference, line.low, line.high)]
    axis = Axis.over([v for v in known if v is not None], least=(0.0,))
    flat, dot, hollow, bar = "─●○│" if screen.unicode else "-*o|"
    texts = [
        f" {line.difference:+.3f} {line.wins:>4} {line.ties:>4} {line.losses:>4}"
        if line.difference is not None
        else " undefined"
        for line in data.lines
    ]
    side = max(map(len, texts))

    def drawn(i: int, width: int) -> Text:
        line, cells, styles = data.lines[i], [" "] * width, [""] * width
        cells[by_place(axis, 0.0, width)] = bar
        style = {BETTER: "bold blue", WORSE: "bold red"}.get(_colour(data, line), "")
        if line.low is not None and line.high is not None:
            first, last = by_place(axis, line.low, width), by_place(axis, line.high, width)
            for place in range(first, last + 1):
                cells[place], styles[place] = flat, style
        if line.difference is not None:
            place = by_place(axis, line.difference, width)
            cells[place], styles[place] = (dot if line.sign else hollow), style
        return styled(cells, styles).append(texts[i].rjust(side))

    name = f"difference in {visible(data.measure)}"
    notes = (
        f"from {visible(data.baseline)}, {_intervals(data)}; {dot} differs, {hollow} not shown; "
        "then wins, ties, losses"
    )
    runs = [line.run for line in data.lines]
    return row_per_run(runs, drawn, axis, name, screen, notes, side)


def _numbers(data: Forest) -> Iterator[Numbers]:
    yield Numbers(
        f"Difference in {data.measure} from {data.baseline}, {_intervals(data)}",
        ("Run", "Difference", "Low", "High", "Wins", "Ties", "Losses"),
        tuple(
            (
                line.run,
                *map(short_number, (line.difference, line.low, line.high)),
                *map(str, (line.wins, line.ties, line.losses)),
            )
            for line in data.lines
        ),
    )


register(
    PlotKind(
        "forest",
        _forests,
        Drawing(
            _draw,
            _inches,
            fewer=FewerRuns(
                lambda data: [
                    np.nan if line.difference is None else line.difference for line in data.lines
                ],
                only_fields("lines"),
            ),
        ),
        _in_terminal,
        InReports(
            11,
            "Differences from the baseline",
            "Mean differences from the baseline, with intervals that hold together. A filled point "
            "differs from the baseline.",
            _numbers,
            runs=2,
        ),
        option="--alpha",
    )
)
