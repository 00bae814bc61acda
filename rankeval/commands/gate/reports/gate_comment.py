"""A gate's report as one comment on a pull request, which a later report replaces."""

import re
from collections.abc import Iterator, Sequence

from rankeval.base.wording import count
from rankeval.commands.gate.report import GateFailure, GateReport, SuitesReport
from rankeval.commands.gate.reports import failure_tables as gate_failure
from rankeval.commands.gate.reports import github
from rankeval.commands.gate.reports import suite_tables as gate_suites
from rankeval.commands.gate.reports.gate_tables import rules
from rankeval.commands.gate.reports.gate_words import headline
from rankeval.output import escape, markdown
from rankeval.output.style import Style

LONGEST = 60_000
"""Characters of a comment; GitHub takes 65,536."""
TOO_LONG = "are too long for a comment; the other reports have them.\n"


def comment(report: GateReport | SuitesReport | GateFailure, style: Style) -> Iterator[str]:
    """Print a marker, the verdict and a short table, and the details folded.

    The marker is the same for every report of a suite, so that a bot finds its comment again.
    Details that make the comment too long for GitHub are left out, those of suites that pass first.
    """
    suite = "" if isinstance(report, SuitesReport) else report.suite
    short, details = _parts(report, style)
    brief = "".join([marker(suite), *short])
    if len(brief) > LONGEST:
        yield brief[:LONGEST].rpartition("\n")[0] + f"\n\nThe details {TOO_LONG}"
        return
    yield brief
    chosen = _fitting(report, details, LONGEST - len(brief))
    yield from (details[place] for place in chosen)
    if len(chosen) < len(details):
        others = f"of {count(len(details) - len(chosen), 'suite')} " if chosen else ""
        yield f"\nThe details {others}{TOO_LONG}"


def _fitting(
    report: GateReport | SuitesReport | GateFailure, details: Sequence[str], room: int
) -> list[int]:
    """Return the places of the details that fit, in order; those of broken gates fit first."""
    passed = [one.passed for one in report.reports] if isinstance(report, SuitesReport) else [False]
    chosen = []
    for place in sorted(range(len(details)), key=lambda at: passed[at]):
        if len(details[place]) <= room:
            room -= len(details[place])
            chosen.append(place)
    return sorted(chosen)


def marker(suite: str) -> str:
    """Return the line by which a comment is found again; Markdown does not show it."""
    name = re.sub(r"[^\w.]+", "-", suite).strip("-")
    return f"<!-- rankeval gate{f': {name}' if name else ''} -->\n"


def _parts(
    report: GateReport | SuitesReport | GateFailure, style: Style
) -> tuple[list[str], list[str]]:
    """Return the short part of a comment, and its details."""
    if isinstance(report, SuitesReport):
        first, *details = gate_suites.parts(report, style)
        return [first], details
    if isinstance(report, GateFailure):
        return list(gate_failure.markdown(report, style)), []
    suite = f"{report.suite}: " if report.suite else ""
    title = escape.markdown_prose(f"{suite}{headline(report)}")
    short = [f"### rankeval gate: {title}\n\n", *markdown.table(rules(report, style))]
    return short, [gate_suites.folded("", "details", github.details(report, style))]
