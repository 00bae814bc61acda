"""Write the new baselines, and print the changes by new judgments, by topic."""

from collections.abc import Iterator, Sequence

from rankeval.base.wording import count, number
from rankeval.commands.gate.new_baselines import NewBaseline
from rankeval.commands.gate.reports.written_baselines import (
    DECIMALS,
    changes,
    held,
    print_lines,
    write_baselines,
)
from rankeval.commands.rebaseline.task import RejudgedTopic, topic_changes
from rankeval.errors import printable

NAMED = 5
"""Topics that a line names."""


def write_rebaselined(baselines: Sequence[NewBaseline], *, every: bool) -> None:
    """Write the baselines of all suites, and print the changes, on the worst topics or on all."""
    write_baselines(baselines)
    print_lines(lines(baselines, every=every))


def lines(baselines: Sequence[NewBaseline], *, every: bool) -> Iterator[str]:
    """Yield the content of each baseline, and by measure the means and the topics that changed."""
    for baseline in baselines:
        yield held(baseline)
        for measure, change in changes(baseline):
            yield f"{printable(measure)}: {change}"
            if baseline.before is not None:
                yield from _topics([*topic_changes(baseline, measure)], every=every)


def _topics(changed: Sequence[RejudgedTopic], *, every: bool) -> Iterator[str]:
    if not changed:
        yield "  no topic changed"
        return
    shown = changed if every else changed[:NAMED]
    more = f" and {len(changed) - len(shown)} more" if len(changed) > len(shown) else ""
    named = ", ".join(f"{printable(one.topic)} ({_values(one)})" for one in shown)
    yield f"  {count(len(changed), 'topic')} changed: {named}{more}"


def _values(change: RejudgedTopic) -> str:
    if change.before is None:
        return f"new, {number(change.after, DECIMALS)}"
    if change.after is None:
        return f"gone, {number(change.before, DECIMALS)}"
    return f"{number(change.before, DECIMALS)} to {number(change.after, DECIMALS)}"
