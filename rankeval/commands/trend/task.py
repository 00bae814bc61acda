"""Show how measures went from night to night, and the commit after which one fell for good."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import Any, cast

from rankeval.commands.trend.level_changes import LevelChange, MeasureTrend, SuiteTrend, Trend
from rankeval.commands.trend.nights import NightMean, Role, SeriesKey, nights_of, series_of
from rankeval.errors import MeasureError, UsageError
from rankeval.io.formats.history_lines import HistoryLine, lines_of, read_history
from rankeval.measures import parse_measure, parse_measures
from rankeval.ranking.run_source import refuse_stdin_twice
from rankeval.stats.change_points import ChangePoint, can_change, change_points, fewest_values

HistoryLike = (
    str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Iterable[Mapping[str, Any]]
)
"""A history, several of them, or its lines as dictionaries."""


def trend(
    history: HistoryLike,
    measures: str | Iterable[str] | None = None,
    *,
    suites: str | Iterable[str] | None = None,
    since: str | date | None = None,
    last: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
) -> Trend:
    """Show how measures went from night to night, and find where one fell or rose for good.

    `history` is a file that `rankeval gate --append` wrote, several, or their lines as
    dictionaries. Only the `measures` and `suites` that are named are shown, by default all, of the
    nights since a day (ISO 8601) and of the `last` ones of each suite. Nights are in the order of
    time; a gate that was repeated on a day with the same commit and candidates counts once, with
    its last values.

    A night that lies on another level than those before it, as do all after it, has a
    `LevelChange`. `rankeval.stats.change_points` describes the test, which allows for a look every
    night and for noise that changes; its family are the candidates' measures of all suites. A level
    has five nights at least. With nights that are not independent, more changes are named where
    there is none than docs/trend.md says.

    Raises InputError for a file that is no history, and UsageError if it has nothing of what is
    asked for.

    Source: Hawkins and Deng, "A nonparametric change-point control chart", Journal of Quality
    Technology 42(2), 2010.

    >>> def night(day, mean):
    ...     means = {"run": "bm25", "measure": "AP", "baseline": 0.4, "candidate": mean}
    ...     return {
    ...         "schema": "rankeval-gate-history/1", "time": f"2026-01-{day:02}T03:00Z",
    ...         "commit": f"c{day}", "suite": "nightly", "passed": True, "baseline": "bm25",
    ...         "candidates": ["bm25"], "digests": {"qrels": "", "runs": {}}, "rules": [],
    ...         "shown": [means],
    ...     }
    >>> found = trend([night(day, 0.40 if day < 20 else 0.38) for day in range(1, 31)])
    >>> [(one.state, one.changes[0].commit) for one in found.changed]
    [('fell', 'c20')]
    """
    if last is not None and last < 1:
        raise UsageError(f"last is {last}", expected="1 or more")
    lines, warnings = _read(history)
    chosen = _of_suites(lines, suites)
    if since is not None:
        begin = _moment(since)
        chosen = [line for line in chosen if line.time >= begin]
        if not chosen:
            raise UsageError(f"no gate is as late as {begin.date()}", expected="an earlier day")
    by_suite: dict[str, list[HistoryLine]] = {}
    for line in sorted(chosen, key=lambda line: line.time):
        by_suite.setdefault(line.suite, []).append(line)
    nights = {suite: nights_of(some)[-(last or 0) :] for suite, some in by_suite.items()}
    series = {suite: series_of(some) for suite, some in nights.items()}
    wanted = _wanted(measures, {key.measure for some in series.values() for key in some})
    every = [
        (suite, key, means)
        for suite, some in series.items()
        for key, means in some.items()
        if wanted is None or key.measure in wanted
    ]
    tested = [(suite, key) for suite, key, _ in every if key.role is Role.CANDIDATE]
    values = [[one.value for one in series[suite][key]] for suite, key in tested]
    points = change_points(values, alpha=alpha, seed=seed)
    changes = {at: one for at, one in zip(tested, points, strict=True) if one}
    trends: dict[str, list[MeasureTrend]] = {}
    for suite, key, means in every:
        found = _trend(suite, key, means, changes.get((suite, key), ()))
        trends.setdefault(suite, []).append(found)
    family = sum(map(can_change, values))
    return Trend(
        suites=tuple(_suite(name, some, trends.get(name, ())) for name, some in nights.items()),
        alpha=alpha,
        seed=seed,
        tested=family,
        fewest=fewest_values(alpha, family),
        warnings=tuple(warnings),
    )


def _read(history: HistoryLike) -> tuple[list[HistoryLine], list[str]]:
    if isinstance(history, str | os.PathLike):
        history = [history]
    every = list(history)
    if not every:
        raise UsageError("no history is named", expected="a file of rankeval gate --append")
    if all(isinstance(one, str | os.PathLike) for one in every):
        paths = [os.fspath(one) for one in cast("list[str]", every)]
        refuse_stdin_twice(*paths)
        return read_history(paths)
    return lines_of(every), []


def _of_suites(
    lines: Sequence[HistoryLine], suites: str | Iterable[str] | None
) -> Sequence[HistoryLine]:
    if suites is None:
        return lines
    names = [suites] if isinstance(suites, str) else list(suites)
    there = list(dict.fromkeys(line.suite for line in lines))
    for name in names:
        if name not in there:
            raise UsageError(
                f"the history has no suite '{name}'",
                expected=f"one of {', '.join(map(repr, there[:10]))}",
            )
    return [line for line in lines if line.suite in names]


def _moment(since: str | date) -> datetime:
    """Return the moment at which a day begins, in UTC, or the moment itself."""
    if isinstance(since, str):
        try:
            since = datetime.fromisoformat(since)
        except ValueError:
            raise UsageError(
                f"'{since}' is no day", expected="ISO 8601, such as 2026-11-01"
            ) from None
    if not isinstance(since, datetime):
        since = datetime.combine(since, time())
    return since if since.tzinfo else since.replace(tzinfo=UTC)


def _wanted(measures: str | Iterable[str] | None, there: set[str]) -> set[str] | None:
    """Return the measures that are wanted, by the names that they have in the history."""
    if measures is None:
        return None
    words = [measures] if isinstance(measures, str) else list(measures)
    names = {word for text in words for word in text.split() if word in there}
    rest = [word for text in words for word in text.split() if word not in there]
    names |= {str(one.measure) for one in parse_measures(rest)} if rest else set()
    for name in names:
        if name not in there:
            raise UsageError(
                f"the history has no measure '{name}'",
                expected=f"one of {', '.join(sorted(there)[:10])}",
            )
    return names


def _trend(
    suite: str, key: SeriesKey, means: Sequence[NightMean], points: Sequence[ChangePoint]
) -> MeasureTrend:
    ends = [0, *(point.place for point in points), len(means)]
    changes = []
    for i, point in enumerate(points, 1):
        night, before = means[point.place].line, means[point.place - 1].line
        changes.append(
            LevelChange(
                time=night.time,
                commit=night.commit,
                commit_before=before.commit,
                before=point.before,
                after=point.after,
                nights_before=ends[i] - ends[i - 1],
                nights_after=ends[i + 1] - ends[i],
                p_value=point.p_value,
                judgments_changed=night.qrels != before.qrels,
            )
        )
    return MeasureTrend(
        suite=suite,
        measure=key.measure,
        collection=key.collection,
        group=key.group,
        role=key.role.value,
        run=key.run,
        loss=_loss(key.measure),
        times=tuple(one.line.time for one in means),
        commits=tuple(one.line.commit for one in means),
        values=tuple(one.value for one in means),
        outcomes=tuple(one.outcome for one in means),
        changes=tuple(changes),
    )


def _loss(measure: str) -> bool:
    """Return True for a measure of which less is better; one that is not known is none."""
    try:
        return parse_measure(measure).definition.loss
    except MeasureError:
        return False


def _suite(name: str, nights: Sequence[HistoryLine], series: Sequence[MeasureTrend]) -> SuiteTrend:
    return SuiteTrend(
        suite=name,
        times=tuple(night.time for night in nights),
        passed=sum(night.passed for night in nights),
        failed=sum(night.judged and not night.passed for night in nights),
        errors=sum(not night.judged for night in nights),
        series=tuple(series),
    )
