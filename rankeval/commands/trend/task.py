"""Show how measures went from night to night, and the commit after which one fell for good."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from rankeval.base.frozen import frozen
from rankeval.base.shown import InPapers, LookOfResults, polars
from rankeval.commands.gate.suites.read_suites import earlier_names
from rankeval.commands.trend.series_names import renamed, replaced
from rankeval.errors import MeasureError, UsageError
from rankeval.io.formats.history_lines import HistoryLine, HistoryMeans, lines_of, read_history
from rankeval.measures import parse_measure, parse_measures
from rankeval.ranking.run_source import refuse_stdin_twice
from rankeval.stats.change_points import USUAL_NIGHTS, ChangePoint, change_points, fewest_values

if TYPE_CHECKING:
    from pandas import DataFrame

HistoryLike = (
    str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Iterable[Mapping[str, Any]]
)
"""A history, several of them, or its lines as dictionaries."""
CANNOT_TELL = "cannot tell"
CHANGING = "(changing name)"
"""The name of runs that have another one every night, such as one with a date."""


@frozen
class LevelChange:
    """A change of the level of a measure between two nights.

    The judgments are the same on all nights of both levels.

    ================= ==================================================================
    time, commit      of the first night after it; the commit is "" if none is known
    commit_before     commit of the night before it
    before, after     median of the nights since the change before, and until the next one
    nights_before     number of these nights
    nights_after      likewise
    earliest, latest  times of the first and the last night that it may have begun on
    noticed           time of the night with which it was noticed
    ================= ==================================================================
    """

    time: datetime
    commit: str
    commit_before: str
    before: float
    after: float
    nights_before: int
    nights_after: int
    earliest: datetime
    latest: datetime
    noticed: datetime

    @property
    def fell(self) -> bool:
        """Return True if the measure is lower after it."""
        return self.after < self.before

    @property
    def same_commit(self) -> bool:
        """Return True if both nights are known to have the same commit."""
        return bool(self.commit) and self.commit == self.commit_before


NIGHT = [
    *("suite", "measure", "collection", "group", "role", "run"),
    *("time", "commit", "value", "outcome"),
]
"""The columns of a frame with a row for each series and night."""


@frozen
class RunRename:
    """A night whose gate has another run in a series than the night before.

    ====== ========================================================================
    time   time of the night
    before name of the run until then
    after  name of the run since then
    ====== ========================================================================
    """

    time: datetime
    before: str
    after: str


@frozen
class MeasureTrend:
    """The means of one run in one measure, from night to night.

    =========== ========================================================================
    suite       name of the suite; "" for none
    measure     name of the measure
    collection  the collection, "macro mean" or "worst collection"; "" for a suite over none
    group       group of topics; "" for all topics
    role        "candidate", "baseline" or "golden"
    run         name of the run, "(changing name)" if it has another one every night
    loss        True when smaller is better
    times       of the nights, in UTC
    commits     "" for none
    values      means, one a night
    outcomes    "passed", "failed" or "cannot tell", by night; "" without a rule
    changes     of the level, in the order of time; only candidates are tested
    judged_anew the first nights with other judgments, each of which begins a new level
    names       name of the run in the gate of each night: of a candidate the one that it had then,
                of a baseline the run that was it
    =========== ========================================================================
    """

    suite: str
    measure: str
    collection: str
    group: str
    role: str
    run: str
    loss: bool
    times: tuple[datetime, ...]
    commits: tuple[str, ...]
    values: tuple[float, ...]
    outcomes: tuple[str, ...]
    changes: tuple[LevelChange, ...] = ()
    judged_anew: tuple[datetime, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return measure, collection and group as rules name them: nDCG@10 on scifact in hard."""
        on = f" on {self.collection}" if self.collection else ""
        return f"{self.measure}{on}" + (f" in {self.group}" if self.group else "")

    @property
    def renames(self) -> tuple[RunRename, ...]:
        """The nights on which a candidate has a new name, or another run is the baseline."""
        nights = zip(self.times[1:], pairwise(self.names), strict=False)
        return tuple(
            RunRename(time, before, after) for time, (before, after) in nights if before != after
        )

    @property
    def passed(self) -> int:
        """The number of nights on which all rules on it were kept, and tests reached a verdict."""
        return self.outcomes.count("passed")

    @property
    def failed(self) -> int:
        """The number of nights on which a rule on it was broken."""
        return self.outcomes.count("failed")

    @property
    def cannot_tell(self) -> int:
        """The number of nights on which a test reached no verdict."""
        return self.outcomes.count(CANNOT_TELL)

    @property
    def state(self) -> str:
        """Return "fell" or "rose" for good, "recovered" for a change that was made good, or "".

        The last change decides: it is for good if its level has not been left since. One for the
        better right behind one for the worse is a recovery.
        """
        if not self.changes:
            return ""
        *_, last = self.changes
        before = self.changes[-2] if len(self.changes) > 1 else None
        if before is not None and any(
            before.time < night <= last.time for night in self.judged_anew
        ):
            before = None
        if before is not None and before.fell != last.fell and last.fell == self.loss:
            return "recovered"
        return "fell" if last.fell else "rose"

    @property
    def most_nights(self) -> int:
        """The number of nights with the same judgments, one after the other, the most there are."""
        ends = [self.times.index(night) for night in self.judged_anew] + [len(self.times)]
        return max(end - begin for begin, end in zip([0, *ends], ends, strict=False))


@frozen
class SuiteTrend:
    """The nights of one suite.

    ====== =============================================================================
    suite  name; "" for none
    times  of the nights, in UTC; a gate that was repeated on a day counts once
    passed number of nights on which the gate passed
    failed number of nights on which a rule was broken
    errors number of nights on which the gate could not judge
    judged_anew first nights with other judgments
    series the measures of the candidates, each with those of the baselines behind it
    ====== =============================================================================
    """

    suite: str
    times: tuple[datetime, ...]
    passed: int
    failed: int
    errors: int
    judged_anew: tuple[datetime, ...]
    series: tuple[MeasureTrend, ...]


@frozen
class Trend(InPapers):
    """The history of some suites, and the changes in it.

    ================= ==================================================================
    suites            in the order of their first nights
    false_alarm_every the mean number of nights until some series has a false alarm, or more
    seed              of the draws for equal means, and of the permutations for intervals
    tested            number of candidates' series, which have false alarms together
    fewest            number of nights that a series needs for a change to be named among all tested
    warnings          about the history
    ================= ==================================================================
    """

    suites: tuple[SuiteTrend, ...]
    false_alarm_every: float
    seed: int
    tested: int
    fewest: int
    warnings: tuple[str, ...]

    __repr__ = InPapers.__repr__

    def _look(self) -> LookOfResults:
        from rankeval.commands.trend.show import look

        return look()

    @property
    def series(self) -> tuple[MeasureTrend, ...]:
        """Return the series of all suites."""
        return tuple(series for suite in self.suites for series in suite.series)

    @property
    def changed(self) -> tuple[MeasureTrend, ...]:
        """Return the series that have changed."""
        return tuple(series for series in self.series if series.changes)

    def to_frame(self) -> DataFrame:
        """Return a pandas DataFrame with a row for each series and night."""
        import pandas as pd  # slow to import

        return pd.DataFrame(self._nights(), columns=NIGHT)

    def to_polars(self) -> Any:
        """Return the same as a Polars DataFrame; UsageError where Polars is not installed."""
        return polars().DataFrame(self._nights(), schema=NIGHT, orient="row")

    def _nights(self) -> list[tuple[Any, ...]]:
        return [
            (
                series.suite,
                series.measure,
                series.collection,
                series.group,
                series.role,
                series.run,
                *night,
            )
            for series in self.series
            for night in zip(
                series.times, series.commits, series.values, series.outcomes, strict=True
            )
        ]


def trend(
    history: HistoryLike,
    measures: str | Iterable[str] | None = None,
    *,
    suites: str | Iterable[str] | None = None,
    since: str | date | None = None,
    last: int | None = None,
    config: str | os.PathLike[str] | None = None,
    join: Mapping[str, str] | None = None,
    false_alarm_every: float = USUAL_NIGHTS,
    seed: int = 0,
) -> Trend:
    """Show how measures went from night to night, and find where one fell or rose for good.

    ================= ======================================================================
    history           a file that `rankeval gate --append` wrote, several, or their lines as
                      dictionaries
    measures, suites  those to show; all by default
    since             the first day to show (ISO 8601)
    last              number of the last nights to show of each suite
    config            file of suites, whose `aliases` of a run are the same series
    join              earlier names of runs: {old: new}
    false_alarm_every nights between false alarms in the mean, as long as nothing changes, of
                      the candidates' measures of all suites together
    seed              of what is drawn at random
    ================= ======================================================================

    Nights are in the order of time; a gate that was repeated on a day with the same commit and
    candidates counts once, with its last values. New judgments begin a new level. A night after
    which the nights lie on another level than those before it has a `LevelChange`.
    `rankeval.stats.change_points` describes how it is noticed; docs/trend.md has figures.

    Raises InputError for a file that is no history, and UsageError if it has nothing of what is
    asked for.

    Source: Shin, Ramdas and Rinaldo, "E-detectors: a nonparametric framework for sequential change
    detection", New England Journal of Statistics in Data Science 2(2), 2024.

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
    aliases = {} if config is None else earlier_names(config)
    given = _of_suites(lines, suites)
    chosen = renamed(given, aliases, join or {})
    earlier = {id(line): old for line, old in zip(chosen, given, strict=True)}
    if since is not None:
        first = _moment(since)
        chosen = [line for line in chosen if line.time >= first]
        if not chosen:
            raise UsageError(f"no gate is as late as {first.date()}", expected="an earlier day")
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
    levels = [
        (at, begin, end) for at in tested for begin, end in _judged_alike(series[at[0]][at[1]])
    ]
    values = [
        [one.value for one in series[suite][key][begin:end]] for (suite, key), begin, end in levels
    ]
    changes: dict[tuple[str, SeriesKey], list[ChangePoint]] = {}
    for (at, begin, _), points in zip(
        levels, change_points(values, false_alarm_every=false_alarm_every, seed=seed), strict=True
    ):
        changes.setdefault(at, []).extend(point.after_first(begin) for point in points)
    trends: dict[str, list[MeasureTrend]] = {}
    for suite, key, means in every:
        found = _trend(suite, key, means, changes.get((suite, key), ()))
        names = tuple(_name_then(key, mean.line, earlier[id(mean.line)]) for mean in means)
        trends.setdefault(suite, []).append(replace(found, names=names))
    for suite, some in nights.items():
        warnings += replaced(suite, some)
    return Trend(
        suites=tuple(_suite(name, some, trends.get(name, ())) for name, some in nights.items()),
        false_alarm_every=false_alarm_every,
        seed=seed,
        tested=len(values),
        fewest=fewest_values(false_alarm_every, len(values)),
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
    names |= {str(measure.measure) for measure in parse_measures(rest)} if rest else set()
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
    anew = [begin for begin, _ in _judged_alike(means)][1:]
    ends = sorted({0, *(point.place for point in points), *anew, len(means)})
    changes = []
    for point in points:
        i = ends.index(point.place)
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
                earliest=means[point.first].line.time,
                latest=means[point.last].line.time,
                noticed=means[point.noticed].line.time,
            )
        )
    return MeasureTrend(
        suite=suite,
        measure=key.measure,
        collection=key.collection,
        group=key.group,
        role=key.role.value,
        run=key.run,
        loss=_loss(key.measure) or any(_is_cost(mean.line, key.measure) for mean in means),
        times=tuple(mean.line.time for mean in means),
        commits=tuple(one.line.commit for one in means),
        values=tuple(one.value for one in means),
        outcomes=tuple(one.outcome for one in means),
        changes=tuple(changes),
        judged_anew=tuple(means[place].line.time for place in anew),
    )


def _name_then(key: SeriesKey, line: HistoryLine, earlier: HistoryLine) -> str:
    """Return the name of a run in a gate; `earlier` is the gate before its runs were renamed."""
    if key.role is Role.BASELINE:
        return line.baseline
    if key.run in line.candidates:
        return earlier.candidates[line.candidates.index(key.run)]
    return key.run


def _judged_alike(means: Sequence[NightMean]) -> list[tuple[int, int]]:
    """Return beginning and end of the stretches of nights with the same judgments."""
    begins = [
        place
        for place, mean in enumerate(means)
        if not place or mean.line.qrels != means[place - 1].line.qrels
    ]
    return [*zip(begins, [*begins[1:], len(means)], strict=True)]


def _is_cost(line: HistoryLine, measure: str) -> bool:
    return any(mean.cost and mean.measure == measure for mean in line.means)


def _loss(measure: str) -> bool:
    """Return True for a measure of which less is better; one that is not known is none."""
    try:
        return parse_measure(measure).definition.loss
    except MeasureError:
        return False


def _suite(name: str, nights: Sequence[HistoryLine], series: Sequence[MeasureTrend]) -> SuiteTrend:
    judged = [night for night in nights if night.judged]
    return SuiteTrend(
        suite=name,
        times=tuple(night.time for night in nights),
        passed=sum(night.passed for night in nights),
        failed=sum(night.judged and not night.passed for night in nights),
        errors=sum(not night.judged for night in nights),
        judged_anew=tuple(
            night.time for before, night in pairwise(judged) if night.qrels != before.qrels
        ),
        series=tuple(series),
    )


class Role(StrEnum):
    """The sides of a gate."""

    CANDIDATE = "candidate"
    BASELINE = "baseline"
    GOLDEN = "golden"


class SeriesKey(NamedTuple):
    """The things that make means of several nights a series of one suite."""

    measure: str
    collection: str
    group: str
    role: Role
    run: str


@frozen
class NightMean:
    """The mean of a series in one night.

    ======== ===========================================================================
    line     the gate
    value    the mean
    outcome  "passed", "failed" or "cannot tell" of the rules on it; "" without one
    ======== ===========================================================================
    """

    line: HistoryLine
    value: float
    outcome: str


def nights_of(lines: Iterable[HistoryLine]) -> list[HistoryLine]:
    """Return the gates of one suite in the order of time, the last of those that were repeated.

    A gate is repeated by one on the same day with the same commit and candidates; without a commit,
    if all values are the same. One that could not judge does not count if another of the same
    day and commit could.
    """
    ordered = sorted(lines, key=lambda line: line.time)
    last = {_identity(line): line for line in ordered}
    judged = {(line.time.date(), line.commit) for line in last.values() if line.judged}
    found = [
        line
        for line in last.values()
        if line.judged or (line.time.date(), line.commit) not in judged
    ]
    return sorted(found, key=lambda line: line.time)


def _identity(line: HistoryLine) -> tuple[object, ...]:
    values = "" if line.commit else (line.qrels, tuple(sorted(line.runs.items())))
    return line.time.date(), line.commit, line.candidates, values


def series_of(nights: Sequence[HistoryLine]) -> dict[SeriesKey, list[NightMean]]:
    """Return the means of each series, in the order of time; nights without one are left out.

    Candidates come before the baseline of their measure. Where every night has a run of another
    name, such as one with its date, these are one series. The baseline is one series across its
    promotions, called as it is on the last night.
    """
    judged = [night for night in nights if night.judged]
    candidate = _namer(judged, lambda night: night.candidates)
    baseline = _namer_of_baselines(judged)
    found: dict[SeriesKey, list[NightMean]] = {}
    for night in judged:
        for (measure, collection, group, run), means in _by_candidate(night).items():
            known = [mean for mean in means if not mean.golden] or means
            sides = [
                (Role.CANDIDATE, candidate(run), [one.candidate for one in known]),
                (Role.BASELINE, baseline(night.baseline), _baselines(means, golden=False)),
                (Role.GOLDEN, "", _baselines(means, golden=True)),
            ]
            for role, name, values in sides:
                value = next((one for one in values if one is not None), None)
                series = found.setdefault(SeriesKey(measure, collection, group, role, name), [])
                # The baseline of several candidates is the same one.
                if value is not None and (not series or series[-1].line is not night):
                    outcome = _outcome(means) if role is Role.CANDIDATE else ""
                    series.append(NightMean(night, value, outcome))
    order = {role: place for place, role in enumerate(Role)}
    first = {key[:3]: place for place, key in reversed([*enumerate(found)])}
    ordered = sorted(found, key=lambda key: (first[key[:3]], order[key.role]))
    return {key: found[key] for key in ordered if found[key]}


def _by_candidate(night: HistoryLine) -> dict[tuple[str, str, str, str], list[HistoryMeans]]:
    found: dict[tuple[str, str, str, str], list[HistoryMeans]] = {}
    for mean in night.means:
        found.setdefault((mean.measure, mean.collection, mean.group, mean.run), []).append(mean)
    return found


def _baselines(means: Iterable[HistoryMeans], *, golden: bool) -> list[float | None]:
    return [mean.baseline for mean in means if mean.golden == golden]


def _outcome(means: Sequence[HistoryMeans]) -> str:
    """Return the outcome of all rules on a measure: one that failed counts most."""
    rules = [mean for mean in means if mean.passed is not None]
    if not rules:
        return ""
    if any(not rule.passed and rule.verdict != CANNOT_TELL for rule in rules):
        return "failed"
    return CANNOT_TELL if any(one.verdict == CANNOT_TELL for one in rules) else "passed"


def _namer(
    nights: Sequence[HistoryLine], runs: Callable[[HistoryLine], Sequence[str]]
) -> Callable[[str], str]:
    """Return the function that names the series of a run.

    Runs have one name for all where there is one in each night, and no name is there on two days.
    """
    days: dict[str, set[date]] = {}
    at_once: dict[tuple[date, str], set[str]] = {}
    for night in nights:
        for run in runs(night):
            days.setdefault(run, set()).add(night.time.date())
            at_once.setdefault((night.time.date(), night.commit), set()).add(run)
    one_each = all(len(one) == 1 for one in at_once.values())
    changing = len(days) > 1 and one_each and all(len(day) == 1 for day in days.values())
    return lambda run: CHANGING if changing else run


def _namer_of_baselines(nights: Sequence[HistoryLine]) -> Callable[[str], str]:
    """Return the function that names the series of a baseline: one, where each gate has one."""
    at_once: dict[tuple[date, str], set[str]] = {}
    for night in nights:
        at_once.setdefault((night.time.date(), night.commit), set()).add(night.baseline)
    if any(len(names) > 1 for names in at_once.values()):
        return str
    return lambda _: nights[-1].baseline
