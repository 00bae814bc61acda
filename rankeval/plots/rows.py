"""A row for each run: means with intervals, differences from the baseline, mean ranks, boxes."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from rich.text import Text

from rankeval.base.arrays import Floats
from rankeval.base.frozen import record, replace
from rankeval.base.wording import finite
from rankeval.errors import UsageError, visible
from rankeval.evaluation.comparable_runs import score_of
from rankeval.evaluation.results import Results, Span
from rankeval.plots import look
from rankeval.plots.canvas import Axis, row_per_run, strip, wrapped
from rankeval.plots.kinds import AXIS_INCHES, Choices, Form, Row, Screen
from rankeval.plots.look import NEUTRAL, in_lines, ink, name_rows
from rankeval.plots.selection import (
    ends_of_mean,
    mean_of,
    require_runs,
    table_of,
)
from rankeval.stats import nemenyi
from rankeval.stats.in_words import p_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {None: look.BETTER, 1: look.BETTER, -1: look.WORSE, 0: look.NEUTRAL}
STYLES = {None: "bold blue", 1: "bold blue", -1: "bold red", 0: ""}
"""Colours of points by the sign of their row, in pictures and in the terminal."""

BAR_SHARE = 0.016
"""Share of the width of the axes that the bar of a group takes."""


class RunRow(NamedTuple):
    """The row of a run.

    ======= ========================================================================================
    numbers its record
    text    its value in words, for the terminal
    beside  words at the right; "" for none
    sign    1 if it is better than the baseline, -1 if worse, 0 if neither is shown; None without
            a baseline
    ======= ========================================================================================
    """

    numbers: Row
    text: str
    beside: str = ""
    sign: int | None = None


@record
class Rows(Form):
    """Runs in rows, the first at the top.

    ======== =======================================================================================
    measure  canonical name
    value    the column of the values; the ends of intervals, if any, are in `low` and `high`
    heading  name of the axis
    of_runs  a row for each run
    beside   heading of the words at the right; "" for none
    baseline run that the others are compared with; "" for none
    width    ranks that differ by no more are a group; None where values are no ranks
    ======== =======================================================================================
    """

    measure: str
    value: str
    heading: str
    of_runs: Mapping[str, RunRow]
    beside: str = ""
    baseline: str = ""
    width: float | None = None

    @property
    def groups(self) -> tuple[tuple[int, int], ...]:
        """First and last places of groups of runs that do not differ significantly."""
        if self.width is None:
            return ()
        values = [row[self.value] for row in self.records]
        return groups_within(np.array(values, dtype=np.float64), self.width)

    def only(self, runs: Sequence[str]) -> Self:
        """Return the rows of some runs, in this order; ranks stay in their own."""
        own = [name for name in self.of_runs if name in runs]
        names = runs if self.width is None else own
        return replace(self, of_runs={n: self.of_runs[n] for n in names if n in self.of_runs})

    def fixed(self, width: float) -> float:
        """Return the inches of the axis, its name, and the heading of the words at the right."""
        lines = look.in_lines(self.heading, 0.6 * width).count("\n")
        return AXIS_INCHES + 0.14 * (lines + bool(self.beside))

    def draw(self, axes: "Axes", width: float) -> None:
        """Draw a point for each run, its interval, and bars at the right that join groups."""
        from matplotlib.ticker import MaxNLocator

        if self.baseline:
            axes.axvline(0.0, color=look.ink(), linewidth=0.6)
        for i, row in enumerate(self.of_runs.values()):
            value, low, high = map(row.numbers.get, (self.value, "low", "high"))
            colour = COLOURS[row.sign]
            if low is not None and high is not None:
                axes.plot([low, high], [i, i], color=colour, linewidth=1.2, gid=f"interval{i}")
            if value is not None:
                filled = look.paper() if row.sign == 0 else colour
                axes.plot(
                    [value], [i], "o", color=colour, markerfacecolor=filled, markersize=4.0,
                    gid=f"run{i}",
                )  # fmt: skip
        for n, (first, last) in enumerate(self.groups, 1):
            axes.plot(
                [1.0 + BAR_SHARE * n] * 2, [first - 0.25, last + 0.25], color=look.ink(),
                linewidth=1.8, solid_capstyle="butt", clip_on=False,
                transform=axes.get_yaxis_transform(),
            )  # fmt: skip
        look.name_rows(axes, self.runs, 0.35 * width)
        if self.beside:
            words = axes.secondary_yaxis("right")
            words.set_yticks(range(len(self.runs)), [row.beside for row in self.of_runs.values()])
            words.tick_params(axis="y", length=0)
            words.spines[:].set_visible(False)
            axes.set_title(self.beside, loc="right", fontsize=7)
        axes.spines["left"].set_visible(False)
        axes.grid(visible=True, axis="x", color=look.rule(), linewidth=0.5)
        axes.set_axisbelow(True)
        of_ranks = self.width is not None
        n_ticks = max(3, int(width * (2.0 if of_ranks else 0.9)))
        axes.xaxis.set_major_locator(MaxNLocator(n_ticks, integer=of_ranks))
        axes.set_xlabel(look.in_lines(self.heading, 0.6 * width))

    def in_terminal(self, screen: Screen) -> list[Text]:
        """Return a line of characters for each run, with its value and words at the right."""
        flat, dot, hollow, bar = "─●○│" if screen.unicode else "-*o|"
        rows = [*self.of_runs.values()]
        ends = [row.numbers.get(name) for row in rows for name in (self.value, "low", "high")]
        least = [0.0] if self.baseline else [1.0, len(rows)] if self.width is not None else []
        axis = Axis.over([*(end for end in ends if end is not None), *least])
        joined = [
            "".join(bar if first <= i <= last else " " for first, last in self.groups)
            for i in range(len(rows))
        ]
        columns = [[row.text for row in rows], [row.beside for row in rows], joined]
        widths = [max(map(len, column)) for column in columns]
        texts = [
            " ".join(f"{word:>{width}}" for word, width in zip(words, widths, strict=True) if width)
            for words in zip(*columns, strict=True)
        ]

        def drawn(i: int, width: int) -> Text:
            line, row = strip(axis, width), rows[i]
            value, low, high = map(row.numbers.get, (self.value, "low", "high"))
            line.mark(0.0 if self.baseline else None, 0.0, bar)
            line.fill(low, high, flat, STYLES[row.sign] if self.baseline else "")
            line.mark(value, 0.0, hollow if row.sign == 0 else dot, STYLES[row.sign])
            return line.rows()[0].append(f" {texts[i]}")

        note = f"{dot} differs, {hollow} not shown; then {self.beside}" if self.baseline else ""
        if joined[0]:
            note = f"Runs next to the same {bar} do not differ significantly."
        side, heading = max(map(len, texts)) + 1, visible(self.heading)
        return [
            *row_per_run(self.runs, drawn, axis, heading, screen, side),
            *wrapped(note, screen),
        ]


def groups_within(increasing: Floats, width: float) -> tuple[tuple[int, int], ...]:
    """Return (first, last) places of the largest groups of two or more that `width` spans."""
    last = np.searchsorted(increasing, increasing + width, side="right") - 1
    groups: list[tuple[int, int]] = []
    for i, j in enumerate(last.tolist()):
        if j > i and (not groups or j > groups[-1][1]):
            groups.append((i, j))
    return tuple(groups)


def ci(results: Results, measure: str, choices: Choices) -> Rows:
    """Return the mean of each run with Student's confidence interval.

    The intervals are those of single means: two that overlap say nothing of the difference of two
    runs on the same topics. For a system of several runs, the variance of topics and that of runs
    count. A topic without a value is left out of the run's mean.
    """
    level, rows = 1.0 - choices.alpha, {}
    for run in results.runs:
        score = score_of(run, measure)
        mean, (low, high) = finite(mean_of(score.values)), ends_of_mean(score, level)
        text = "undefined" if mean is None else f"{mean:.4f}"
        if low is not None and high is not None:
            text += f" [{low:.4f}, {high:.4f}]"
        numbers = {"measure": measure, "level": level, "mean": mean, "low": low, "high": high}
        rows[run.name] = RunRow({"run": run.name, **numbers}, text)
    return Rows(measure, "mean", f"mean {measure}, {100 * level:g}% intervals", rows)


def forest(results: Results, _: str, choices: Choices) -> tuple[Rows, ...]:
    """Return the differences of each other run from the first, the baseline.

    They are those of `results.compare`, with its intervals, its tests and its correction.
    """
    require_runs(results, 2)
    return forest_of(results.compare(alpha=choices.alpha))


def forest_of(comparison: Any) -> tuple[Rows, ...]:
    """Return a panel for each measure of a comparison with a baseline, over all topics."""
    alpha, rows = comparison.method.alpha, dict[str, dict[str, RunRow]]()
    baseline = comparison.pairs[0].baseline
    for pair in comparison.pairs:
        if pair.group or pair.baseline != baseline:
            continue
        found = pair.summary
        numbers = {"run": pair.run, "baseline": baseline, "measure": pair.measure}
        ends = {"difference": found.difference, "low": pair.low, "high": pair.high}
        counts = {"wins": found.wins, "ties": found.ties, "losses": found.losses}
        text = "undefined" if found.difference is None else f"{found.difference:+.3f}"
        beside = " / ".join(f"{n:,}" for n in counts.values())
        sign = (1 if pair.gain > 0 else -1) if pair.is_shown(alpha) else 0
        row = RunRow({**numbers, **ends, **counts, "p": pair.p}, text, beside, sign)
        rows.setdefault(pair.measure, {})[pair.run] = row
    intervals = f"{100 * (1.0 - alpha):g}% intervals"
    if comparison.method.adjusts and len(comparison.runs) > 2:
        intervals = f"adjusted {intervals}"
    return tuple(
        Rows(
            *(measure, "difference", f"difference in {measure} from {baseline}, {intervals}"),
            *(of_runs, "wins / ties / losses", baseline),
        )
        for measure, of_runs in rows.items()
    )


def ranks(results: Results, measure: str, choices: Choices) -> Rows:
    """Return mean ranks, Nemenyi's critical difference, and the groups that it leaves together.

    Source: Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006.
    """
    table, alpha = table_of(results, measure, least_runs=2), choices.alpha
    test = nemenyi(-table.values if table.loss else table.values, alpha=alpha)
    friedman, critical = test.friedman, test.critical_difference
    if friedman.mean_ranks is None or critical is None:
        raise UsageError(f"{measure} is defined for all runs on no topic")
    order = np.argsort(friedman.mean_ranks, kind="stable")
    means = np.array(friedman.mean_ranks)[order]
    groups = groups_within(means, critical)
    facts = {"critical_difference": critical, "alpha": alpha}
    facts |= {"topics": friedman.n_topics, "friedman_p": friedman.p_f}
    rows = {}
    for i, (place, rank) in enumerate(zip(order.tolist(), means.tolist(), strict=True)):
        run = table.runs[place]
        of_run = " ".join(str(n) for n, (a, b) in enumerate(groups, 1) if a <= i <= b)
        numbers = {"run": run, "measure": measure, "mean_rank": rank, "groups": of_run, **facts}
        rows[run] = RunRow(numbers, f"{rank:>5.2f}")
    heading = (
        f"mean rank by {measure}; critical difference {critical:.2f} at alpha = {alpha:g}; "
        f"Friedman {p_words(friedman.p_f, alpha)}"
    )
    return Rows(measure, "mean_rank", heading, rows, width=critical)


WHISKER = 1.5
"""The whiskers reach to the last value within this many interquartile ranges of the box."""


class Box(NamedTuple):
    """The distribution of one run's values over topics.

    ======== =======================================================================================
    numbers  its record: the run, the topics with a value, their mean and quartiles, interpolated
             linearly between two values, and the ends of the whiskers, low and high: the last
             values within 1.5 interquartile ranges of the box. None without topics
    outliers values beyond the whiskers, increasing
    ======== =======================================================================================
    """

    numbers: Row
    outliers: Floats


@record
class Boxes(Form):
    """The distributions of all runs.

    ======= ========================================================================================
    measure canonical name
    span    least and greatest value that a topic can have; None where that is not known
    of_runs a box for each run
    ======= ========================================================================================
    """

    measure: str
    span: Span
    of_runs: Mapping[str, Box]

    def draw(self, axes: "Axes", width: float) -> None:
        """Draw the distribution of each run's values: box, median, mean (diamond) and outliers."""
        thin = {"linewidth": 0.6, "color": ink()}
        for i, box in enumerate(self.of_runs.values()):
            of = box.numbers
            if of["median"] is None:
                continue
            drawn = axes.bxp(
                [{
                    "q1": of["first_quartile"], "med": of["median"], "q3": of["third_quartile"],
                    "whislo": of["low"], "whishi": of["high"], "mean": of["mean"],
                    "fliers": box.outliers,
                }],
                positions=[i], widths=0.6, orientation="horizontal", showmeans=True,
                patch_artist=True, manage_ticks=False, whiskerprops=thin, capprops=thin,
                boxprops={"facecolor": "#c9e0ee", "edgecolor": ink(), "linewidth": 0.6},
                medianprops={"color": "#101010", "linewidth": 1.4},
                meanprops={
                    "marker": "D", "markersize": 3, "markerfacecolor": "#D55E00",
                    "markeredgecolor": "white", "markeredgewidth": 0.4,
                },
                flierprops={
                    "marker": "o", "markersize": 2, "markerfacecolor": "none",
                    "markeredgecolor": NEUTRAL, "markeredgewidth": 0.5,
                },
            )  # fmt: skip
            drawn["boxes"][0].set_gid(f"run{i}")
            drawn["fliers"][0].set_gid(f"outliers{i}")
        name_rows(axes, self.runs, 0.35 * width)
        if self.span:
            pad = 0.02 * (self.span[1] - self.span[0])
            axes.set_xlim(self.span[0] - pad, self.span[1] + pad)
        axes.set_xlabel(in_lines(self.measure, 0.6 * width))

    def in_terminal(self, screen: Screen) -> list[Text]:
        """Return a line of characters for each run."""
        boxes = [*self.of_runs.values()]
        ends = [box.numbers[end] for box in boxes for end in ("low", "high")]
        outliers = [value for box in boxes for value in box.outliers.tolist()]
        known = [end for end in ends if end is not None]
        axis = Axis.over([*known, *outliers, *(self.span or ())])
        flat, left, right, middle, mean, dot = "─[]┃◆·" if screen.unicode else "-[]|+."

        def drawn(i: int, width: int) -> Text:
            of, line = boxes[i].numbers, strip(axis, width)
            if of["median"] is None:
                return Text("undefined")
            for outlier in boxes[i].outliers.tolist():
                line.mark(outlier, 0.0, dot)
            line.fill(of["low"], of["high"], flat)
            line.fill(of["first_quartile"], of["third_quartile"], " ", "reverse")
            line.mark(of["first_quartile"], 0.0, left, "reverse")
            line.mark(of["third_quartile"], 0.0, right, "reverse")
            line.mark(of["mean"], 0.0, mean, "reverse yellow")
            line.mark(of["median"], 0.0, middle, "reverse bold")
            return line.rows()[0]

        rows = row_per_run(self.runs, drawn, axis, visible(self.measure), screen)
        return [*rows, Text(f"[ ] quartiles, {middle} median, {mean} mean")]


def box(results: Results, measure: str, _: Choices) -> Boxes:
    """Return quartiles, whiskers and outliers of each run's values over topics.

    Source: Tukey, Exploratory Data Analysis, 1977; whiskers to 1.5 interquartile ranges.
    """
    boxes = {
        run.name: _box(run.name, measure, score_of(run, measure).values) for run in results.runs
    }
    return Boxes(measure, score_of(results.runs[0], measure).span, boxes)


def _box(run: str, measure: str, values: Floats) -> Box:
    defined = np.sort(values[~np.isnan(values)])
    facts: Row = {"run": run, "measure": measure, "topics": len(defined)}
    names = ("mean", "low", "first_quartile", "median", "third_quartile", "high")
    if not defined.size:
        return Box({**facts, **dict.fromkeys(names), "outliers": 0}, defined)
    first, median, third = np.quantile(defined, [0.25, 0.5, 0.75]).tolist()
    reach = WHISKER * (third - first)
    inside = defined[(defined >= first - reach) & (defined <= third + reach)]
    low, high = float(min(inside[0], first)), float(max(inside[-1], third))
    outliers = defined[(defined < low) | (defined > high)]
    found = (float(defined.mean()), low, first, median, third, high)
    return Box(
        {**facts, **dict(zip(names, found, strict=True)), "outliers": len(outliers)}, outliers
    )
