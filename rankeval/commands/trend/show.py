"""The history of gates in every format, its sentences and its schema."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal, NotRequired, TypedDict

from rankeval.base.wording import count, number
from rankeval.choices import Format
from rankeval.commands.trend.task import LevelChange, MeasureTrend, RunRename, SuiteTrend, Trend
from rankeval.output.data_rows import Row
from rankeval.output.document_form import Document, Headed, Positive, Time, headed, plain
from rankeval.output.latex import latex_file
from rankeval.output.plain import shared_scale, sparkline
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import NAME, Block, Cell, Column, Emphasis, Table, numbers
from rankeval.output.writing import prints_unicode

if TYPE_CHECKING:
    from markupsafe import Markup

    from rankeval.output.looks import Look

SCHEMA = "rankeval-trend/1"


class TrendChange(TypedDict):
    """A change of the level.

    ================= =================================================================
    time              Time of the first night after the change.
    commit            Commit of that night; "" if none is known.
    commit_before     Commit of the night before it.
    before            Median of the nights since the change before, or the first night.
    after             Median of the nights until the next change, or the last night.
    nights_before     Number of nights that `before` is the median of.
    nights_after      Number of nights that `after` is the median of.
    earliest          Time of the first night that the change may have begun on.
    latest            Time of the last such night.
    noticed           Time of the night with which the change was noticed.
    ================= =================================================================
    """

    time: Time
    commit: str
    commit_before: str
    before: float
    after: float
    nights_before: int
    nights_after: int
    earliest: Time
    latest: Time
    noticed: Time


class TrendRename(TypedDict):
    """A new name of a run, or another run that is the baseline.

    ====== ==============================================
    time   Time of the first night with the name.
    before Name of the run until then.
    after  Name of the run since then.
    ====== ==============================================
    """

    time: Time
    before: str
    after: str


class TrendNight(TypedDict):
    """A night.

    ======= ======================================================
    time    Time of the gate.
    commit  Commit; "" for none.
    value   The mean.
    outcome Outcome of the rules on the measure; null without one.
    ======= ======================================================
    """

    time: Time
    commit: str
    value: float
    outcome: Literal["passed", "failed", "cannot tell"] | None


class TrendSeries(TypedDict):
    """The means of a run in a measure.

    =========== =================================================================================
    measure     Name of the measure.
    collection  The collection, "macro mean" or "worst collection"; "" for a suite over none.
    group       Group of topics; "" for all topics.
    role        Side of the gate.
    run         Name of the run; "(changing name)" for runs that have another one every night, ""
                for the golden baseline.
    nights      Number of nights with a mean.
    first       Mean of the first night.
    last        Mean of the last night.
    lowest      Lowest mean.
    highest     Highest mean.
    passed      Number of nights on which the rules on the measure were kept.
    failed      Number of nights on which a rule on it was broken.
    cannot_tell Number of nights on which a test reached no verdict.
    state       "fell" or "rose" for good, "recovered" from a change for the worse; "" without a
                change.
    changes     Changes of the level, in the order of time; only candidates are tested.
    renames     Nights on which a candidate has a new name, joined with the one before, or another
                run became the baseline.
    values      Means by night, with -q.
    =========== =================================================================================
    """

    measure: str
    collection: str
    group: str
    role: Literal["candidate", "baseline", "golden"]
    run: str
    nights: Positive
    first: float
    last: float
    lowest: float
    highest: float
    passed: int
    failed: int
    cannot_tell: int
    state: Literal["", "fell", "rose", "recovered"]
    changes: list[TrendChange]
    renames: list[TrendRename]
    values: NotRequired[list[TrendNight]]


class TrendSuite(TypedDict):
    """A suite.

    =========== =============================================================================
    suite       Name of the suite; "" for none.
    nights      Number of nights.
    first_time  Time of the first night.
    last_time   Time of the last night.
    passed      Number of nights on which the gate passed.
    failed      Number of nights on which a rule was broken.
    errors      Number of nights on which the gate could not judge.
    judged_anew Times of the first nights with other judgments, each of which begins a new level.
    series      Measures of its candidates and baselines.
    =========== =============================================================================
    """

    suite: str
    nights: Positive
    first_time: Time
    last_time: Time
    passed: int
    failed: int
    errors: int
    judged_anew: list[Time]
    series: list[TrendSeries]


class TrendDocument(Headed):
    """History of gates.

    Document that `rankeval trend -f json` writes.

    ================= ==============================================================================
    false_alarm_every Mean number of nights until a false alarm in some series, or more.
    seed              Seed of the draws for equal means, and of the permutations for intervals.
    fewest_nights     Number of nights that a series needs for a change to be named.
    tested            Number of series of candidates, which have false alarms together.
    suites            The suites, in the order of their first nights.
    warnings          Sentences.
    ================= ==============================================================================
    """

    schema: Literal["rankeval-trend/1"]
    false_alarm_every: float
    seed: int
    fewest_nights: int
    tested: int
    suites: list[TrendSuite]
    warnings: list[str]


SHORT = 12
"""Characters of a commit in sentences and tables."""


def document(trend: Trend, *, per_night: bool) -> TrendDocument:
    """Return the suites with their series, and the means of the nights if they are wanted."""
    facts = {
        **_method(trend),
        "suites": [
            {
                **_suite_document(suite),
                "series": [
                    {**_series(series), "values": list(_nights_document(series))}
                    if per_night
                    else _series(series)
                    for series in suite.series
                ],
            }
            for suite in trend.suites
        ],
        "warnings": list(trend.warnings),
    }
    return headed(SCHEMA, plain(facts))


def _method(trend: Trend) -> Document:
    return {
        "false_alarm_every": trend.false_alarm_every,
        "seed": trend.seed,
        "fewest_nights": trend.fewest,
        "tested": trend.tested,
    }


def _suite_document(suite: SuiteTrend) -> Document:
    return {
        "suite": suite.suite,
        "nights": len(suite.times),
        "first_time": suite.times[0].isoformat(),
        "last_time": suite.times[-1].isoformat(),
        "passed": suite.passed,
        "failed": suite.failed,
        "errors": suite.errors,
        "judged_anew": [night.isoformat() for night in suite.judged_anew],
    }


def _named(series: MeasureTrend) -> Document:
    names = ("measure", "collection", "group", "role", "run")
    return {name: getattr(series, name) for name in names}


def _series(series: MeasureTrend) -> Document:
    return {
        **_named(series),
        "nights": len(series.values),
        "first": series.values[0],
        "last": series.values[-1],
        "lowest": min(series.values),
        "highest": max(series.values),
        "passed": series.passed,
        "failed": series.failed,
        "cannot_tell": series.cannot_tell,
        "state": series.state,
        "changes": [_change(change) for change in series.changes],
        "renames": [_rename(rename) for rename in series.renames],
    }


def _change(change: LevelChange) -> Document:
    return {
        "time": change.time.isoformat(),
        "commit": change.commit,
        "commit_before": change.commit_before,
        "before": change.before,
        "after": change.after,
        "nights_before": change.nights_before,
        "nights_after": change.nights_after,
        "earliest": change.earliest.isoformat(),
        "latest": change.latest.isoformat(),
        "noticed": change.noticed.isoformat(),
    }


def _rename(rename: RunRename) -> Document:
    return {"time": rename.time.isoformat(), "before": rename.before, "after": rename.after}


def _nights_document(series: MeasureTrend) -> Iterator[Document]:
    for time, commit, value, outcome in zip(
        series.times, series.commits, series.values, series.outcomes, strict=True
    ):
        yield {
            "time": time.isoformat(),
            "commit": commit,
            "value": value,
            "outcome": outcome or None,
        }


def suite_words(suite: SuiteTrend) -> str:
    """Return the name of a suite, its nights and how they ended."""
    first, last = suite.times[0].date(), suite.times[-1].date()
    days = f"{first}" if first == last else f"{first} to {last}"
    ends = [f"{suite.passed} passed", f"{suite.failed} failed"]
    if suite.errors:
        ends.append(count(suite.errors, "error"))
    named = f"{suite.suite}: " if suite.suite else ""
    return f"{named}{count(len(suite.times), 'night')}, {days}; {', '.join(ends)}"


def change_sentences(series: MeasureTrend, digits: int) -> Iterator[str]:
    """Yield a sentence for the last change of a series, and further facts about it."""
    if not series.changes:
        return
    last = series.changes[-1]
    name = f"{series.name} of {series.run}"
    if series.state == "recovered":
        away = series.changes[-2]
        yield (
            f"{name} {_verb(away)} {_where(away)} {_levels(away, digits)}, and recovered "
            f"{_where(last)} {_levels(last, digits)}{_between(last)}."
        )
    else:
        yield (
            f"{name} {_verb(last)} for good {_where(last)} {_levels(last, digits)}"
            f"{_between(last)}{_again(series)}."
        )
    if last.same_commit:
        yield "The commit is that of the night before: something else has changed."
    elif last.commit_before:
        yield f"The commit of the night before was {last.commit_before[:SHORT]}."


def judgments_words(suite: SuiteTrend) -> str:
    """Return the sentence on nights with other judgments; "" without any."""
    if not suite.judged_anew:
        return ""
    days = ", ".join(str(night.date()) for night in suite.judged_anew)
    return f"Judgments changed on {days}: a new level begins, which no commit made."


def _verb(change: LevelChange) -> str:
    return "fell" if change.fell else "rose"


def _where(change: LevelChange) -> str:
    commit = f"at {change.commit[:SHORT]} " if change.commit else ""
    return f"{commit}({change.time.date()})"


def _levels(change: LevelChange, digits: int) -> str:
    return f"from {number(change.before, digits)} to {number(change.after, digits)}"


def _between(change: LevelChange) -> str:
    """Return the nights that a change may have begun on, and when it was noticed."""
    first, last = change.earliest.date(), change.latest.date()
    between = f", on a night from {first} to {last}" if first != last else ""
    return f"{between}; noticed on {change.noticed.date()}"


def _again(series: MeasureTrend) -> str:
    """Tell the change before the last one, if both went the same way."""
    if len(series.changes) > 1 and series.changes[-2].fell == series.changes[-1].fell:
        return f"; it {_verb(series.changes[-2])} before {_where(series.changes[-2])}"
    return ""


def short_words(trend: Trend) -> str:
    """Return the sentence on series that have too few nights for a change; "" if none has."""
    candidates = [series for series in trend.series if series.role == "candidate"]
    few = sum(candidate.most_nights < trend.fewest for candidate in candidates)
    if not few:
        return ""
    return (
        f"{few} of {len(candidates)} series of candidates have fewer than the {trend.fewest} "
        "nights that a change needs to be named."
    )


def method_words(trend: Trend) -> str:
    """Return the sentences on how changes are found."""
    return (
        "Changes: bets on the ranks of the nights and on their sides of the level (e-detectors, "
        "Shin, Ramdas and Rinaldo, 2024), with a false alarm every "
        f"{trend.false_alarm_every:,g} nights or more seldom in all {trend.tested} series "
        "together, if nights depend little on each other; located where the nights lie nearest to "
        f"the medians, with a 95% interval by permutations, seed {trend.seed}."
    )


SPARKLINE = 12
"""Characters of the drawing of a series."""


def trend_printer(*, unicode: bool) -> Printer[Trend]:
    """Return the printer; series are drawn with blocks, or in ASCII.

    LaTeX, whose fonts have no blocks, draws none.
    """
    return Printer[Trend](
        document=lambda trend, style: document(trend, per_night=style.per_topic),
        rows=rows,
        blocks=partial(blocks, unicode=unicode),
        drawings={
            Format.LATEX: lambda trend, style: latex_file(blocks(trend, style, unicode=None), style)
        },
    )


def printer_for(file: str | None) -> Printer[Trend]:
    """Return the printer for a file, or for standard output as far as it takes characters."""
    return trend_printer(unicode=file is not None or prints_unicode(sys.stdout))


def blocks(trend: Trend, style: Style, *, unicode: bool | None) -> Iterator[Block]:
    """Yield a table of each suite, with the changes below it, and how they are found."""
    scales = {
        measure: shared_scale([one.values for one in trend.series if one.measure == measure])
        for measure in dict.fromkeys(one.measure for one in trend.series)
    }
    for suite in trend.suites:
        if style.per_topic:
            for one in suite.series:
                yield _nights(one, style)
        yield _suite(suite, style, scales, unicode=unicode)
        changed = [series for series in suite.series if series.changes]
        if said := judgments_words(suite):
            yield ""
            yield said
        for one in changed:
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
    "pass fail ?: nights on which the rules on a measure were kept or broken, or a test "
    "reached no verdict."
)


def _suite(
    suite: SuiteTrend,
    style: Style,
    scales: Mapping[str, tuple[float, float]],
    *,
    unicode: bool | None,
) -> Table:
    columns = [
        Column("measure", 12),
        Column("run", NAME),
        Column("nights", right=True, spare=True),
        *numbers(["first", "last", "lowest", "highest"]),
        Column("pass fail ?", right=True),
    ]
    rows: list[list[str | Cell]] = []
    for series in suite.series:
        emphasis = Emphasis.ALARM if _became_worse(series) else Emphasis.PLAIN
        last = Cell(number(series.values[-1], style.decimals), emphasis)
        rows.append(
            [
                series.name,
                _run(series),
                str(len(series.values)),
                number(series.values[0], style.decimals),
                last,
                number(min(series.values), style.decimals),
                number(max(series.values), style.decimals),
                _outcomes(series),
            ]
        )
        if unicode is not None:
            scale, digits = scales[series.measure], style.decimals
            rows[-1].append(
                sparkline(series.values, SPARKLINE, scale, unicode=unicode, decimals=digits)
            )
    if unicode is not None:
        columns.append(Column("history"))
    return Table(suite_words(suite), columns, rows)


def _became_worse(series: MeasureTrend) -> bool:
    return bool(series.changes) and series.state == ("rose" if series.loss else "fell")


def _run(series: MeasureTrend) -> str:
    if series.role == "candidate":
        return series.run
    return f"{series.role} {series.run}".rstrip()


def _outcomes(series: MeasureTrend) -> str:
    if not any(series.outcomes):
        return "-"
    return f"{series.passed}/{series.failed}/{series.cannot_tell}"


def _nights(series: MeasureTrend, style: Style) -> Table:
    rows = [
        [f"{time:%Y-%m-%d %H:%M}", commit[:SHORT], number(value, style.decimals), outcome]
        for time, commit, value, outcome in zip(
            series.times, series.commits, series.values, series.outcomes, strict=True
        )
    ]
    columns = [Column("time"), Column("commit"), *numbers(["mean"]), Column("outcome")]
    suite = f"{series.suite}: " if series.suite else ""
    title = f"{suite}{series.name}, {_run(series)}"
    return Table(title, columns, rows, long=True)


NAMED = ("suite", "measure", "collection", "group", "role", "run")
HEADS = (
    *NAMED,
    *("nights", "first", "last", "lowest", "highest", "passed", "failed", "cannot_tell"),
    *("state", "changed", "commit", "before", "after", "earliest", "latest", "noticed"),
)


def rows(trend: Trend, style: Style) -> Iterator[Row]:
    """Yield a row per series with its last change, or one per night if they are wanted."""
    yield [*NAMED, "time", "commit", "mean", "outcome"] if style.per_topic else HEADS
    for series in trend.series:
        named: Row = [getattr(series, name) for name in NAMED]
        if style.per_topic:
            for time, commit, value, outcome in zip(
                series.times, series.commits, series.values, series.outcomes, strict=True
            ):
                yield [*named, time.isoformat(), commit, value, outcome]
            continue
        values = series.values[0], series.values[-1], min(series.values), max(series.values)
        counts = series.passed, series.failed, series.cannot_tell
        yield [*named, len(series.values), *values, *counts, series.state, *_last_change(series)]


def _last_change(series: MeasureTrend) -> Row:
    if not series.changes:
        return [None] * 7
    last = series.changes[-1]
    moments = [night.isoformat() for night in (last.earliest, last.latest, last.noticed)]
    return [last.time.isoformat(), last.commit, last.before, last.after, *moments]


def write_script(trend: Trend, suite: str, path: str | None) -> None:
    """Write the script that finds the commit at which a measure of a suite fell."""
    from rankeval.commands.trend.bisect_script import bisect_script
    from rankeval.output.writing import write_pieces

    script = bisect_script(trend, suite)
    write_pieces(lambda _: [script], path)


MOST_SAID = 4
"""The most sentences on changes at the top of a page; all are below the tables."""


def printer_with_page(file: str | None, command: str) -> Printer[Trend]:
    """Return the printer that also writes a page, which names the command line."""

    def page(trend: Trend, style: Style) -> Iterator[str]:
        return trend_page(trend, style, command)

    found = printer_for(file)
    return replace(found, drawings={**found.drawings, Format.HTML: page})


def trend_page(trend: Trend, style: Style, command: str = "") -> Iterator[str]:
    """Yield the HTML of a history: changes first, then a table of each suite, and a picture.

    There is no picture without matplotlib, nor where a page of paper cannot hold all series.
    """
    from rankeval.output.pages import TablesPage, made_with, page_sections, tables_html

    said = [
        sentence for series in trend.series for sentence in change_sentences(series, style.decimals)
    ]
    suites = [*blocks(trend, style, unicode=True)]
    page = TablesPage(
        title="The history of gates",
        headline=" ".join(said[:MOST_SAID]) or "No change was found.",
        alarm=any(_became_worse(series) for series in trend.series),
        sections=page_sections(
            ("Suites", suites), ("Night by night", _pictures(trend)), warnings=trend.warnings
        ),
        facts=tuple(made_with(command)),
    )
    return tables_html(page)


def _pictures(trend: Trend) -> "list[Markup]":
    if find_spec("matplotlib") is None:
        return []
    from markupsafe import Markup

    from rankeval.plots.inline_svg import inline_svg
    from rankeval.plots.trend_plot import trend_data

    svg = inline_svg("trend", trend_data(trend), "Means of every night", "A")
    return [] if svg is None else [Markup(svg)]  # noqa: S704  our own drawing


def look() -> "Look":
    """Return how a history shows itself: in ASCII, and with blocks in a notebook."""
    from rankeval.output.looks import Look, in_html, nothing

    return Look(trend_printer(unicode=False), in_html(partial(blocks, unicode=True)), runs=nothing)
