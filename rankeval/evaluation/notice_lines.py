"""Notices for a terminal: a notice that several runs share is printed once."""

from collections.abc import Collection, Iterator, Sequence

from rankeval.evaluation.results import Notice, RunResult
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


def notice_lines(
    runs: Sequence[RunResult],
    digits: int | None = None,
    hidden: Collection[str] = (),
    *,
    brief: bool = False,
) -> Iterator[str]:
    """Yield each notice, and name its runs unless it holds for all.

    In brief, and of many runs, only the one of a kind that has most of it is shown; the document
    of each run has its own. Where numbers are printed with `digits` decimals, equal scores that
    change none of these are left out, and so are changes of the `hidden` measures. Names are as
    given: the writer of a format shows unprintable characters.
    """
    runs = single_runs(runs)
    kinds: dict[str, list[tuple[str, Notice]]] = {}
    for label, run in zip(run_labels(runs), runs, strict=True):
        for notice in run.warnings:
            if _shows(notice, digits, hidden):
                kinds.setdefault(notice.kind or notice, []).append((label, notice))
    for found in kinds.values():
        alike: dict[str, list[str]] = {}
        for label, notice in found:
            alike.setdefault(notice, []).append(label)
        if len(alike) > 1 and (brief or len(runs) > MANY):
            label, most = max(found, key=lambda labelled: labelled[1].size)
            alike = {most: [label]}
        for text, labels in alike.items():
            yield text if len(labels) == len(runs) else f"{_names(labels)}: {text}"


def _shows(notice: Notice, digits: int | None, hidden: Collection[str]) -> bool:
    """Return True unless the widest of the ranges is hidden, or shows with no decimal."""
    if not notice.ranges:
        return True
    widest, (least, greatest) = next(iter(notice.ranges.items()))
    return widest not in hidden and (
        digits is None or f"{least:.{digits}f}" != f"{greatest:.{digits}f}"
    )


def _names(labels: Sequence[str]) -> str:
    """Return the names of runs; of many, the first few."""
    if len(labels) <= MANY:
        return ", ".join(labels)
    return f"{', '.join(labels[:FEW])} and {len(labels) - FEW} more runs"
