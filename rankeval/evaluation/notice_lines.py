"""Notices for a terminal: a notice that several runs share is printed once."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from rankeval.evaluation.results import Notice, RunResult, TieNotice
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

Kinds = Mapping[str, Sequence[tuple[str, Notice]]]
"""The notices of each kind, with the labels of their runs."""


def notice_lines(
    runs: Sequence[RunResult], digits: int | None = None, hidden: Collection[str] = ()
) -> Iterator[str]:
    """Yield each notice, and name its runs unless it holds for all.

    Of many runs, only the one of a kind that has most of it is shown; the document of each run has
    its own. Where numbers are printed with `digits` decimals, equal scores that change none of
    these are left out, and so are changes of the `hidden` measures. Names are as given: the writer
    of a format shows unprintable characters.
    """
    runs = single_runs(runs)
    for found in _kinds(runs, digits, hidden).values():
        alike: dict[str, list[str]] = {}
        for label, notice in found:
            alike.setdefault(notice, []).append(label)
        if len(runs) > MANY and len(alike) > 1:
            label, most = max(found, key=_size)
            yield f"{label}: {most} (the most of {len(found)} runs)"
            continue
        for text, labels in alike.items():
            yield text if len(labels) == len(runs) else f"{_names(labels)}: {text}"


def brief_lines(
    runs: Sequence[RunResult], digits: int | None = None, hidden: Collection[str] = ()
) -> Iterator[str]:
    """Yield one line for each kind of doubt, about the run that has most of it.

    Names, decimals and hidden measures are as in `notice_lines`.
    """
    runs = single_runs(runs)
    for found in _kinds(runs, digits, hidden).values():
        label, most = max(found, key=_size)
        if len(found) == len(runs) and {notice.alone for _, notice in found} == {most.alone}:
            yield most.alone
        elif most.of:
            yield most.of.replace("{}", label)
        else:
            yield f"{_names([label for label, _ in found])}: {most}"


def _kinds(runs: Sequence[RunResult], digits: int | None, hidden: Collection[str]) -> Kinds:
    """Return the notices of runs by their kind; those of no kind by their text."""
    found: dict[str, list[tuple[str, Notice]]] = {}
    for label, run in zip(run_labels(runs), runs, strict=True):
        for notice in run.warnings:
            shown = notice.told(digits, hidden) if isinstance(notice, TieNotice) else notice
            if shown is not None:
                found.setdefault(shown.kind or shown, []).append((label, shown))
    return found


def _size(labelled: tuple[str, Notice]) -> float:
    return labelled[1].size


def _names(labels: Sequence[str]) -> str:
    """Return the names of runs; of many, the first few."""
    if len(labels) <= MANY:
        return ", ".join(labels)
    return f"{', '.join(labels[:FEW])} and {len(labels) - FEW} more runs"
