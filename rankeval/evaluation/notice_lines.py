"""Notices for a terminal: a notice that several runs share is printed once."""

import re
from collections.abc import Collection, Iterator, Sequence

from rankeval.evaluation.results import Brief, Notice, RunResult, TieNotice
from rankeval.evaluation.shown_values import run_labels, single_runs
from rankeval.output.shown import Shown
from rankeval.output.style import USUAL_DECIMALS


class OfRuns(Shown):
    """A result of runs, whose notices are among its warnings."""

    def _runs(self) -> "Sequence[RunResult]":
        runs: Sequence[RunResult] = self.runs  # type: ignore[attr-defined]
        return runs

    def _doubts(self) -> Sequence[str]:
        return [*notice_lines(self._runs(), USUAL_DECIMALS), *super()._doubts()]


MANY, FEW = 6, 3
"""The most runs that a line names all of, and how many it names of more."""
NUMBER = re.compile(r"[\d,]+(\.\d+)?")


def notice_lines(
    runs: Sequence[RunResult], digits: int | None = None, hidden: Collection[str] = ()
) -> Iterator[str]:
    """Yield one line for each kind of notice, and name its runs unless it holds for all.

    Notices that differ only in what was found become one: "12.0% (bm25), 3.5% (lsa) of
    the documents in the top 10 are unjudged". Of many runs, the line has the largest number; the
    document of each run has its own. Where numbers are printed with `digits` decimals, equal scores
    that change none of these are left out, and so are changes of the `hidden` measures. Names are
    as given: the writer of a format shows unprintable characters.
    """
    alike: dict[tuple[str, str], list[tuple[str, Notice]]] = {}
    runs = single_runs(runs)
    for label, run in zip(run_labels(runs), runs, strict=True):
        for notice in _told(run, digits, hidden):
            alike.setdefault((notice.before, notice.after), []).append((label, notice))
    for (before, after), similar in alike.items():
        first = similar[0][1]
        if any(notice != first for _, notice in similar):
            yield f"{before}{_found(similar)}{after}"
        elif len(similar) == len(runs):
            yield first
        else:
            yield f"{_names([label for label, _ in similar])}: {first}"


def brief_lines(
    runs: Sequence[RunResult], digits: int | None = None, hidden: Collection[str] = ()
) -> Iterator[str]:
    """Yield one line for each kind of doubt, about the run that has most of it.

    Names, decimals and hidden measures are as in `notice_lines`.
    """
    kinds: dict[str, list[tuple[str, Brief]]] = {}
    runs = single_runs(runs)
    for label, run in zip(run_labels(runs), runs, strict=True):
        for notice in _told(run, digits, hidden):
            brief = notice.brief or Brief(notice, 0.0, notice)
            kinds.setdefault(brief.kind, []).append((label, brief))
    for found in kinds.values():
        label, most = max(found, key=lambda labelled: labelled[1].size)
        labels = [label for label, _ in found]
        if len(found) == len(runs) and {brief for _, brief in found} == {most}:
            yield most.alone
        elif most.kind == most.alone:
            yield f"{_names(labels)}: {most.alone}"
        else:
            yield f"{most.before}{label}{most.after}"


def _told(run: RunResult, digits: int | None, hidden: Collection[str]) -> Iterator[Notice]:
    """Yield the notices of a run; leave out those of equal scores that change no number shown."""
    for notice in run.warnings:
        shown = notice.told(digits, hidden) if isinstance(notice, TieNotice) else notice
        if shown is not None:
            yield shown


def _found(similar: Sequence[tuple[str, Notice]]) -> str:
    """Return the finding in each run; of many runs, the largest number only."""
    if len(similar) <= MANY:
        return ", ".join(f"{notice.found} ({label})" for label, notice in similar)
    label, most = max(similar, key=lambda one: _size(one[1]))
    up_to = "" if isinstance(most, TieNotice) else "up to "
    return f"{up_to}{most.found} ({label}, the most of {len(similar)} runs)"


def _size(notice: Notice) -> float:
    if isinstance(notice, TieNotice):
        return notice.width
    number = NUMBER.match(notice.found)
    return float(number[0].replace(",", "")) if number else 0.0


def _names(labels: Sequence[str]) -> str:
    """Return the names of runs; of many, the first few."""
    if len(labels) <= MANY:
        return ", ".join(labels)
    return f"{', '.join(labels[:FEW])} and {len(labels) - FEW} more runs"
