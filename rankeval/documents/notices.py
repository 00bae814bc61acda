"""Notices for a terminal: a notice that several runs share is printed once."""

from collections.abc import Iterator, Sequence

from rankeval.documents.values import run_labels
from rankeval.evaluation.results import Notice, RunResult
from rankeval.support.visible import visible


def notice_lines(runs: Sequence[RunResult]) -> Iterator[str]:
    """Yield one line for each kind of notice, and name its runs unless it holds for all.

    Notices that differ only in what was found become one: "12.0% (bm25), 3.5% (lsa) of
    the documents in the top 10 are unjudged".
    """
    alike: dict[tuple[str, str], list[tuple[str, Notice]]] = {}
    for label, run in zip(run_labels(runs), runs, strict=True):
        for notice in run.warnings:
            alike.setdefault((notice.before, notice.after), []).append((visible(label), notice))
    for (before, after), told in alike.items():
        first = told[0][1]
        if any(notice != first for _, notice in told):
            found = ", ".join(f"{notice.found} ({label})" for label, notice in told)
            yield f"{before}{found}{after}"
        elif len(told) == len(runs):
            yield first
        else:
            yield f"{', '.join(label for label, _ in told)}: {first}"
