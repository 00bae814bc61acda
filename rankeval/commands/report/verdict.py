"""The first sentences of a report: the leader, its lead, and the runs without a significant one."""

from collections.abc import Sequence

import numpy as np

from rankeval.base.wording import count
from rankeval.commands.compare.run_pairs import Pair
from rankeval.commands.report.content import MeasureSection, Value
from rankeval.evaluation.results import RunResult, TieNotice

MOST_NAMED = 5
"""The most runs that a sentence names."""


def leader(section: MeasureSection) -> int | None:
    """Return the place of the best run, the first of equals; None if no run has a value."""
    return next((i for i, cell in enumerate(section.summary) if cell.best), None)


def verdict(
    names: Sequence[str],
    section: MeasureSection,
    against_leader: Sequence[Pair],
    alpha: float,
    n_warnings: int,
) -> tuple[str, ...]:
    """Return sentences on the first measure of a report.

    `names` are those of the runs, the baseline first; `against_leader` are the pairs of the leader,
    as their baseline, with every other run.
    """
    first = leader(section)
    if first is None:
        return (f"No run has a value of {section.name}.",)
    return (
        _leads(names, section, first),
        *_indistinct(names[first], names[0], against_leader, alpha),
        *([_doubt(n_warnings)] if n_warnings else []),
    )


def decisive(runs: Sequence[RunResult], section: MeasureSection) -> tuple[str, ...]:
    """Return a warning if other orders of equal scores could change who leads; else none."""
    first = leader(section)
    if first is None:
        return ()
    ends = []
    for run, cell in zip(runs, section.summary, strict=True):
        value = np.nan if cell.value is None else cell.value
        found = [
            (tie.least, tie.greatest)
            for notice in run.warnings
            if isinstance(notice, TieNotice)
            for tie in notice.ranges
            if tie.measure == section.name
        ]
        ends.append(found[0] if found else (value, value))
    low, high = np.array(ends).T
    beaten = high[first] > low if section.loss else low[first] < high
    others = [run.name for i, run in enumerate(runs) if beaten[i] and not section.summary[i].best]
    if not others:
        return ()
    warning = (
        f"Equal scores decide who leads on {section.name}: in other orders of them, "
        f"{runs[first].name} may be behind {_named(others[:MOST_NAMED])}."
    )
    return (warning,)


def _leads(names: Sequence[str], section: MeasureSection, first: int) -> str:
    """Return who has the best value, and by how much it differs from the baseline."""
    cell = section.summary[first]
    value = f"{section.name} {cell.value:.4f}"
    if section.loss:
        value += " (less is better)"
    if len(names) == 1:
        return f"{names[0]}: {value}{_interval(cell.low, cell.high, '')}."
    best = [name for name, other in zip(names, section.summary, strict=True) if other.best]
    if len(best) > 1:
        return f"{_named(best)} share the best value: {value}."
    if first == 0:
        return f"{names[0]}, the baseline, leads: {value}."
    return f"{names[first]} leads: {value}{_over(cell, names[0])}."


def _over(cell: Value, baseline: str) -> str:
    """Return the difference from the baseline with its interval; "" if it is undefined."""
    if cell.difference is None:
        return ""
    ends = cell.ends or (None, None)
    return f", {cell.difference:+z.4f}{_interval(*ends)} over {baseline}"


def _indistinct(
    best: str, baseline: str, against_leader: Sequence[Pair], alpha: float
) -> list[str]:
    """Return a sentence on runs without a significant difference from the leader; none if alone."""
    if not against_leader:
        return []
    close = [pair for pair in against_leader if not pair.is_shown(alpha)]
    if not close:
        return [f"{best} differs significantly from every other run."]
    close.sort(key=lambda pair: abs(pair.summary.difference or 0.0))
    said = [
        pair.run if pair.run == baseline else f"{pair.run}{_ahead(pair)}"
        for pair in close[:MOST_NAMED]
    ]
    more = len(close) - len(said)
    if more:
        said.append(f"{more:,} more")
    return [f"{best} does not differ significantly from {_named(said)}."]


def _ahead(pair: Pair) -> str:
    """Return how far the leader is ahead of a run, in brackets; "" if that is undefined.

    The pair holds the run's difference from the leader.
    """
    if pair.summary.difference is None:
        return ""
    low = None if pair.high is None else -pair.high
    high = None if pair.low is None else -pair.low
    return f" ({-pair.summary.difference:+z.4f}{_interval(low, high)})"


def _doubt(n_warnings: int) -> str:
    return f"{count(n_warnings, 'warning')} below may put this in doubt."


def _interval(low: float | None, high: float | None, sign: str = "+") -> str:
    """Return the ends in brackets after a blank; "" without them."""
    if low is None or high is None:
        return ""
    form = f"{sign}z.4f"
    return f" [{low:{form}}, {high:{form}}]"


def _named(names: Sequence[str]) -> str:
    """Return names as a list in words: "a", "a and b", "a, b and c"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
