"""The first sentences of a report: the leader, its lead, and the runs without a significant one."""

from collections.abc import Sequence

from rankeval.base.wording import count
from rankeval.commands.compare.run_pairs import Pair
from rankeval.commands.report.page import MeasureSection
from rankeval.evaluation.results import RunResult

MOST_NAMED = 5
"""The most runs that a sentence names."""


def leader(section: MeasureSection) -> int | None:
    """Return the place of the best run, the first of equals; None if no run has a value."""
    return next((i for i, cell in enumerate(section.cells) if cell.best), None)


def verdict(
    runs: Sequence[RunResult],
    section: MeasureSection,
    against_leader: Sequence[Pair],
    alpha: float,
    n_warnings: int,
) -> tuple[str, ...]:
    """Return sentences on the first measure of a report.

    The baseline is the first of the runs; `against_leader` are the pairs of the leader, as their
    baseline, with every other run.
    """
    first = leader(section)
    if first is None:
        return (f"No run has a value of {section.name}.",)
    best, baseline = runs[first].name, runs[0].name
    said = [_leads([run.name for run in runs], section, first)]
    close = [pair for pair in against_leader if not pair.is_shown(alpha)]
    if close:
        close.sort(key=lambda pair: abs(pair.summary.difference or 0.0))
        named = [
            pair.run if pair.run == baseline else pair.run + _ahead(pair)
            for pair in close[:MOST_NAMED]
        ]
        more = [f"{len(close) - MOST_NAMED:,} more"] if len(close) > MOST_NAMED else []
        said.append(f"{best} does not differ significantly from {_named([*named, *more])}.")
    elif against_leader:
        said.append(f"{best} differs significantly from every other run.")
    if n_warnings:
        said.append(f"{count(n_warnings, 'warning')} below may affect this.")
    return tuple(said)


def _leads(names: Sequence[str], section: MeasureSection, first: int) -> str:
    """Return who has the best value, and by how much it differs from the baseline."""
    cell = section.cells[first]
    value = f"{section.name} {cell.value:.4f}{' (less is better)' if section.loss else ''}"
    if len(names) == 1:
        return f"{names[0]}: {value}{_interval(cell.low, cell.high, '')}."
    best = [name for name, other in zip(names, section.cells, strict=True) if other.best]
    if len(best) > 1:
        return f"{_named(best)} share the best value: {value}."
    if cell.pair is None:
        return f"{names[0]}, the baseline, leads: {value}."
    pair, over = cell.pair, ""
    if pair.summary.difference is not None:
        ends = _interval(pair.low, pair.high)
        over = f", {pair.summary.difference:+z.4f}{ends} over {names[0]}"
    return f"{names[first]} leads: {value}{over}."


def _ahead(pair: Pair) -> str:
    """Return how far the leader is ahead of a run, in brackets; "" if that is undefined.

    The pair holds the run's difference from the leader.
    """
    if pair.summary.difference is None:
        return ""
    low, high = (None if end is None else -end for end in (pair.high, pair.low))
    return f" ({-pair.summary.difference:+z.4f}{_interval(low, high)})"


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
