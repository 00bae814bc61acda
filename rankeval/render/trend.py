"""The history of gates in every format."""

from collections.abc import Callable, Iterator
from functools import partial

from rankeval.choices import Format
from rankeval.documents.trend import (
    SHORT,
    change_sentences,
    document,
    method_words,
    records,
    short_words,
    suite_words,
)
from rankeval.render.drawings import drawings
from rankeval.render.printer import Printer
from rankeval.render.sparkline import sparkline
from rankeval.render.style import Style
from rankeval.render.tables import NAME, Block, Cell, Column, Emphasis, Table, numbers
from rankeval.support.numbers import number
from rankeval.tasks.trend.report import MeasureTrend, SuiteTrend, Trend

SPARKLINE = 12
"""Characters of the drawing of a series."""


def trend_printer(*, unicode: bool) -> Printer[Trend]:
    """Return the printer; series are drawn with blocks, or in ASCII.

    LaTeX, whose fonts have no blocks, draws none.
    """
    drawn = drawings(partial(blocks, unicode=unicode), _rows)
    latex = drawings(partial(blocks, unicode=None), _rows)[Format.LATEX]
    return Printer[Trend](
        document=lambda trend, style: document(trend, per_night=style.per_topic),
        records=lambda trend, style: records(trend, per_night=style.per_topic),
        drawings={**drawn, Format.LATEX: latex},
    )


def blocks(trend: Trend, style: Style, *, unicode: bool | None) -> Iterator[Block]:
    """Yield a table of each suite, with the changes below it, and how they are found."""
    for suite in trend.suites:
        if style.per_topic:
            for one in suite.series:
                yield _nights(one, style)
        yield _suite(suite, style, unicode=unicode)
        told = [one for one in suite.series if one.changes]
        for one in told:
            yield ""
            yield " ".join(change_sentences(one, style.decimals))
    yield ""
    if not trend.changed:
        yield "No change was found."
        yield ""
    if short := short_words(trend):
        yield short
        yield ""
    if any(outcome for one in trend.series for outcome in one.outcomes):
        yield OUTCOMES
        yield ""
    yield method_words(trend)


OUTCOMES = (
    "pass fail ?: nights on which the rules on a measure were kept or broken, or a test could not "
    "tell."
)


def _suite(suite: SuiteTrend, style: Style, *, unicode: bool | None) -> Table:
    columns = [
        Column("measure", 12),
        Column("run", NAME),
        Column("nights", right=True, spare=True),
        *numbers(["first", "last", "lowest", "highest"]),
        Column("pass fail ?", right=True),
    ]
    rows: list[list[str | Cell]] = []
    for one in suite.series:
        worse = bool(one.changes) and one.state == ("rose" if one.loss else "fell")
        last = Cell(
            number(one.values[-1], style.decimals), Emphasis.ALARM if worse else Emphasis.PLAIN
        )
        rows.append(
            [
                one.name,
                _run(one),
                str(len(one.values)),
                number(one.values[0], style.decimals),
                last,
                number(min(one.values), style.decimals),
                number(max(one.values), style.decimals),
                _outcomes(one),
            ]
        )
        if unicode is not None:
            drawn = sparkline(one.values, SPARKLINE, unicode=unicode, decimals=style.decimals)
            rows[-1].append(drawn)
    if unicode is not None:
        columns.append(Column("history"))
    return Table(suite_words(suite), columns, rows)


def _run(one: MeasureTrend) -> str:
    if one.role == "candidate":
        return one.run
    return f"{one.role} {one.run}".rstrip()


def _outcomes(one: MeasureTrend) -> str:
    if not any(one.outcomes):
        return "-"
    return f"{one.passed}/{one.failed}/{one.cannot_tell}"


def _nights(one: MeasureTrend, style: Style) -> Table:
    rows = [
        [f"{time:%Y-%m-%d %H:%M}", commit[:SHORT], number(value, style.decimals), outcome]
        for time, commit, value, outcome in zip(
            one.times, one.commits, one.values, one.outcomes, strict=True
        )
    ]
    columns = [Column("time"), Column("commit"), *numbers(["mean"]), Column("outcome")]
    suite = f"{one.suite}: " if one.suite else ""
    title = f"{suite}{one.name}, {_run(one)}"
    return Table(title, columns, rows, long=True)


NAMED = ("suite", "measure", "collection", "group", "role", "run")
HEADS = (
    *NAMED,
    *("nights", "first", "last", "lowest", "highest", "passed", "failed", "cannot_tell"),
    *("state", "changed", "commit", "before", "after", "p_value"),
)


def _rows(trend: Trend, style: Style, safe: Callable[[str], str]) -> Iterator[list[str]]:
    if style.per_topic:
        yield [*NAMED, "time", "commit", "mean", "outcome"]
    else:
        yield list(HEADS)
    for one in trend.series:
        about = one.suite, one.measure, one.collection, one.group
        named = [*map(safe, about), one.role, safe(one.run)]
        if style.per_topic:
            for time, commit, value, outcome in zip(
                one.times, one.commits, one.values, one.outcomes, strict=True
            ):
                yield [*named, time.isoformat(), safe(commit), style.number(value), outcome]
            continue
        values = one.values[0], one.values[-1], min(one.values), max(one.values)
        counts = [str(each) for each in (one.passed, one.failed, one.cannot_tell)]
        yield [
            *named,
            str(len(one.values)),
            *map(style.number, values),
            *counts,
            one.state,
            *_last_change(one, style, safe),
        ]


def _last_change(one: MeasureTrend, style: Style, safe: Callable[[str], str]) -> list[str]:
    if not one.changes:
        return [""] * 5
    last = one.changes[-1]
    levels = [style.number(value) for value in (last.before, last.after, last.p_value)]
    return [last.time.isoformat(), safe(last.commit), *levels]
