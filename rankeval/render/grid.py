"""Results as grids of cells: run by measure, and topic by measure or by run."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from rankeval.documents.values import (
    ALL,
    adds_up,
    bounds_by_topic,
    bounds_over_all,
    decimal,
    decimals,
    finite,
    grouped,
    measure_names,
    run_labels,
)
from rankeval.evaluation.results import GroupResult, Results, RunResult, Score
from rankeval.render.style import Style
from rankeval.support.frozen import frozen

UNDEFINED = "-"


class Cell(NamedTuple):
    """A value as printed; empty if the run was not scored with the measure."""

    text: str
    best: bool = False


@frozen
class Grid:
    """Rows of cells under heads. Names are not yet escaped.

    ======= ==============================================================================
    title   the run, the measure or the group that the whole grid is about; "" for a summary
    corner  the kind of the rows' labels: "run", "measure", "group" or "topic"
    heads   one per column
    labels  one per row
    rows    one tuple of cells per label
    footing True when the last row is the value over all topics of those above
    ======= ==============================================================================
    """

    title: str
    corner: str
    heads: tuple[str, ...]
    labels: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    footing: bool = False

    def escaped(self, escape: Callable[[str], str]) -> "Grid":
        """Return the same grid with escaped names."""
        return replace(
            self,
            title=escape(self.title),
            heads=tuple(map(escape, self.heads)),
            labels=tuple(map(escape, self.labels)),
        )

    def columns(self) -> list[tuple[Cell, ...]]:
        """Return the cells by column."""
        return list(zip(*self.rows, strict=True)) or [()] * len(self.heads)

    def part(self, columns: slice) -> "Grid":
        """Return some of the columns, beside the same labels."""
        rows = tuple(row[columns] for row in self.rows)
        return replace(self, heads=self.heads[columns], rows=rows)


def grids(results: Results, style: Style) -> Iterator[Grid]:
    """Yield the grids that the style asks for: per topic, then the summary.

    Topics of one run stand beside its measures; those of several runs stand beside the runs,
    measure by measure, because that is how runs are compared. The values over all topics are
    the last row of a grid, and a summary follows where there are several grids. Groups of
    topics come before it: rows beside the measures of one run, a summary each for several runs.
    """
    has_groups = style.summary and grouped(results)
    if style.per_topic:
        several = len(results.runs) > 1
        found = list(_measure_by_measure(results, style) if several else _by_run(results, style))
        yield from found
        if has_groups:
            yield from _by_group(results, style)
        elif style.summary and len(found) != 1:
            yield summary(results, style)
    elif has_groups:
        yield from _by_group(results, style)
    else:
        yield summary(results, style)


def _by_group(results: Results, style: Style) -> Iterator[Grid]:
    """Yield the values over groups and over all topics."""
    if len(results.runs) == 1:
        (run,) = results.runs
        parts = [run, *(_of_group(run, group) for group in run.groups)]
        whole, *groups = (summary(replace(results, runs=(part,)), style) for part in parts)
        names = [f"{group.name} ({group.topics})" for group in run.groups]
        yield Grid(
            title="",
            corner="group",
            heads=whole.heads,
            labels=(*names, f"{ALL} ({len(run.topics)})"),
            rows=tuple(grid.rows[0] for grid in (*groups, whole)),
            footing=True,
        )
        return
    for name in dict.fromkeys(group.name for run in results.runs for group in run.groups):
        members = [next((g for g in run.groups if g.name == name), None) for run in results.runs]
        runs = tuple(
            _of_group(run, group) for run, group in zip(results.runs, members, strict=True)
        )
        sizes = {group.topics for group in members if group}
        yield replace(
            summary(replace(results, runs=runs), style),
            title=f"group {name}" + (f", topics: {sizes.pop()}" if len(sizes) == 1 else ""),
        )
    yield replace(summary(results, style), title="all topics")


def _of_group(run: RunResult, group: GroupResult | None) -> RunResult:
    """Return the run with the values over a group in place of those over all topics."""
    nan = float("nan")
    aggregates = group.aggregates if group else (nan,) * len(run.scores)
    scores = zip(run.scores, aggregates, strict=True)
    return replace(
        run, scores=tuple(replace(s, aggregate=value, bounds=None) for s, value in scores)
    )


def summary(results: Results, style: Style) -> Grid:
    """Return a grid with a row per run and a column per measure."""
    columns = {
        name: _values_over_all(scores, style) for name, scores in _scores(results, style).items()
    }
    return Grid(
        title="",
        corner="run",
        heads=tuple(columns),
        labels=tuple(run_labels(results.runs)),
        rows=tuple(tuple(column[i] for column in columns.values()) for i in range(_n(results))),
    )


def transposed(grid: Grid, corner: str) -> Grid:
    """Return a summary with rows and columns exchanged."""
    return Grid(grid.title, corner, grid.labels, grid.heads, tuple(grid.columns()))


def _n(results: Results) -> int:
    return len(results.runs)


def _scores(results: Results, style: Style) -> dict[str, list[Score | None]]:
    """Return the scores by measure and run; None if a run lacks the measure."""
    found: dict[str, list[Score | None]] = {}
    for i, run in enumerate(results.runs):
        for name, score in zip(measure_names(run.scores, style), run.scores, strict=True):
            found.setdefault(name, [None] * _n(results))[i] = score
    return found


def _values_over_all(scores: Sequence[Score | None], style: Style) -> list[Cell]:
    """Return a measure's values over all topics, the best of several runs marked.

    Runs that print the same number are equally good: marking one of them would puzzle the reader.
    """
    printed = [_value_over_all(score, style) for score in scores]
    shown = [
        text + _between(score, bounds_over_all(score), style) if score else text
        for text, score in zip(printed, scores, strict=True)
    ]
    if len(scores) < 2 or any(score and adds_up(score) for score in scores):
        return [Cell(text) for text in shown]
    by_run = [
        float(text) if score and finite(score.aggregate) is not None else None
        for text, score in zip(printed, scores, strict=True)
    ]
    defined = [value for value in by_run if value is not None]
    loss = any(score and score.loss for score in scores)
    best = (min if loss else max)(defined, default=None)
    return [
        Cell(text, value is not None and value == best)
        for text, value in zip(shown, by_run, strict=True)
    ]


def _value_over_all(score: Score | None, style: Style) -> str:
    return decimal(score.aggregate, decimals(score, style), UNDEFINED) if score else ""


def _values_by_topic(score: Score, style: Style) -> list[str]:
    digits = decimals(score, style)
    return [
        decimal(value, digits, UNDEFINED) + _between(score, bounds, style)
        for value, bounds in zip(score.values.tolist(), bounds_by_topic(score), strict=True)
    ]


def _between(score: Score, bounds: tuple[float, float], style: Style) -> str:
    """Return the bounds, as in ` [0.2900, 0.4500]`; "" if they are not known."""
    if score.bounds is None:
        return ""
    digits = decimals(score, style)
    low, high = (decimal(bound, digits, UNDEFINED) for bound in bounds)
    return f" [{low}, {high}]"


def _by_run(results: Results, style: Style) -> Iterator[Grid]:
    """Yield a grid of topics by measures for each run."""
    for label, run in zip(run_labels(results.runs), results.runs, strict=True):
        columns = [
            [*_values_by_topic(score, style), _values_over_all([score], style)[0].text]
            for score in run.scores
        ]
        heads = measure_names(run.scores, style)
        yield _topic_grid(f"run {label}", heads, run.topics, _cells(columns), style)


def _measure_by_measure(results: Results, style: Style) -> Iterator[Grid]:
    """Yield a grid of topics by runs for each measure."""
    topics = tuple(dict.fromkeys(chain.from_iterable(run.topics for run in results.runs)))
    for name, scores in _scores(results, style).items():
        columns = []
        for run, score in zip(results.runs, scores, strict=True):
            values = _values_by_topic(score, style) if score else []
            found = dict(zip(run.topics, values, strict=False))
            columns.append([found.get(topic, "") for topic in topics])
        foot = _values_over_all(scores, style)
        cells = [
            [*column, over_all] for column, over_all in zip(_cells(columns), foot, strict=True)
        ]
        yield _topic_grid(name, run_labels(results.runs), topics, cells, style)


def _cells(columns: Sequence[Sequence[str]]) -> list[list[Cell]]:
    return [[Cell(text) for text in column] for column in columns]


def _topic_grid(
    title: str,
    heads: Sequence[str],
    topics: Sequence[str],
    columns: Sequence[Sequence[Cell]],
    style: Style,
) -> Grid:
    """Return a grid of columns that end with the value over all topics; cut it if not wanted."""
    labels = [*topics, ALL]
    rows = [tuple(column[i] for column in columns) for i in range(len(labels))]
    shown = len(labels) if style.summary else len(labels) - 1
    return Grid(
        title, "topic", tuple(heads), tuple(labels[:shown]), tuple(rows[:shown]), style.summary
    )
