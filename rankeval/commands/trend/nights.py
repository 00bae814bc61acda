"""The nights of a suite, from the lines of a history, and the means that each series had."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from rankeval.base.frozen import frozen
from rankeval.io.formats.history_lines import HistoryLine, HistoryMeans

CANNOT_TELL = "cannot tell"
CHANGING = "(changing name)"
"""The name of runs that have another one every night, such as one with a date."""


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
    if all values are the same. One that could not judge does not count beside one of the same day
    and commit that could.
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
    name, such as one with its date, these are one series.
    """
    judged = [night for night in nights if night.judged]
    candidate = _namer(judged, lambda night: night.candidates)
    baseline = _namer(judged, lambda night: (night.baseline,))
    found: dict[SeriesKey, list[NightMean]] = {}
    for night in judged:
        for (measure, collection, group, run), means in _by_candidate(night).items():
            known = [one for one in means if not one.golden] or means
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
    for one in night.means:
        found.setdefault((one.measure, one.collection, one.group, one.run), []).append(one)
    return found


def _baselines(means: Iterable[HistoryMeans], *, golden: bool) -> list[float | None]:
    return [one.baseline for one in means if one.golden == golden]


def _outcome(means: Sequence[HistoryMeans]) -> str:
    """Return the outcome of all rules on a measure: one that failed counts most."""
    rules = [one for one in means if one.passed is not None]
    if not rules:
        return ""
    if any(not one.passed and one.verdict != CANNOT_TELL for one in rules):
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
    changing = len(days) > 1 and one_each and all(len(one) == 1 for one in days.values())
    return lambda run: CHANGING if changing else run
