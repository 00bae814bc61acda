"""The first sentences of a report: the leader, its lead, and the runs without a significant one."""

from collections.abc import Iterator, Sequence

from rankeval.commands.compare.run_pairs import Pair
from rankeval.commands.report.page import MeasureSection
from rankeval.evaluation.results import Results
from rankeval.plots.selection import with_measures

MOST_NAMED = 5
"""The most runs that a sentence names."""


def verdict(results: Results, section: MeasureSection, alpha: float) -> Iterator[str]:
    """Yield sentences on the first measure of a report; the baseline is the first of the runs."""
    names = [run.name for run in results.runs]
    best = [place for place, cell in enumerate(section.cells) if cell.best]
    if not best:
        yield f"No run has a value of {section.name}."
        return
    leader, cell = names[best[0]], section.cells[best[0]]
    value = f"{section.name} {cell.value:.4f}{' (less is better)' if section.loss else ''}"
    if len(names) == 1:
        yield f"{leader}: {value}{_ends(cell.low, cell.high, '')}."
        return
    if len(best) > 1:
        yield f"{_named([names[place] for place in best])} share the best value: {value}."
    elif cell.pair is None:
        yield f"{leader}, the baseline, leads: {value}."
    else:
        yield f"{leader} leads: {value}{_lead(cell.pair, ', ', 1)} over {names[0]}."
    pairs = with_measures(results, [section.name]).compare(leader, alpha=alpha).pairs
    # The test of the leader and the baseline is that of the table.
    tested = {names[0]: cell.pair} if cell.pair else {}
    close = [pair for pair in pairs if not tested.get(pair.run, pair).is_shown(alpha)]
    close.sort(key=lambda pair: abs(pair.summary.difference or 0.0))
    if not close:
        yield f"{leader} differs significantly from every other run."
        return
    said = [
        pair.run if pair.run == names[0] else f"{pair.run} ({_lead(pair, '', -1)})"
        for pair in close[:MOST_NAMED]
    ]
    more = [f"{len(close) - MOST_NAMED:,} more"] if len(close) > MOST_NAMED else []
    yield f"{leader} does not differ significantly from {_named([*said, *more])}."


def _lead(pair: Pair, start: str, sign: int) -> str:
    """Return the difference of a pair with its interval; those of the other run with sign -1."""
    difference = pair.summary.difference
    if difference is None:
        return f"{start}undefined"
    low, high = (None if end is None else sign * end for end in (pair.low, pair.high)[::sign])
    return f"{start}{sign * difference:+z.4f}{_ends(low, high)}"


def _ends(low: float | None, high: float | None, sign: str = "+") -> str:
    """Return the ends in brackets after a blank; "" without them."""
    if low is None or high is None:
        return ""
    return f" [{low:{sign}z.4f}, {high:{sign}z.4f}]"


def _named(names: Sequence[str]) -> str:
    """Return names as a list in words: "a", "a and b", "a, b and c"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
