"""The report on several suites: a short table, and details of each suite."""

from collections.abc import Iterator
from html import escape as quoted

from rankeval.base.visible import visible
from rankeval.commands.gate.report import GateFailure, GateReport, SuitesReport
from rankeval.commands.gate.reports import failure_tables as gate_failure
from rankeval.commands.gate.reports import gate_tables as gate
from rankeval.commands.gate.reports import github
from rankeval.commands.gate.reports.gate_words import (
    failure_headline,
    headline,
    label,
    outcome_word,
    suites_headline,
)
from rankeval.output import escape, markdown
from rankeval.output.style import Style
from rankeval.output.tables import Block, Cell, Column, Emphasis, Table
from rankeval.output.text import bold, paragraph, text

BROKEN_NAMED = 3
"""Broken rules that the table names of a suite."""


def table(report: SuitesReport, style: Style) -> Iterator[str]:
    """Print the verdict, a row for each suite, and the details of those that did not pass."""
    yield bold(paragraph(visible(suites_headline(report)), style), style) + "\n\n"
    yield from text([suites(report)], style)
    for one in report.reports:
        if not one.passed:
            yield "\n" + bold(f"suite {visible(one.suite)}", style) + "\n"
            yield from (
                gate.table(one, style)
                if isinstance(one, GateReport)
                else gate_failure.table(one, style)
            )


def blocks(report: SuitesReport, style: Style) -> Iterator[Block]:
    """Yield the verdict, the table of suites, and the blocks of each suite."""
    yield suites_headline(report)
    yield suites(report)
    for one in report.reports:
        yield from gate.blocks(one, style) if isinstance(one, GateReport) else one.lines


def suites(report: SuitesReport) -> Table:
    """Return a table of the suites: the outcome, the rules kept, and the rules broken."""
    columns = [
        Column("suite", 12),
        Column(""),
        Column("kept", right=True),
        Column("rules", right=True),
        Column("broken", 12),
    ]
    return Table("", columns, [_row(one) for one in report.reports])


def _row(one: GateReport | GateFailure) -> list[Cell | str]:
    word = Cell(outcome_word(one), Emphasis.PLAIN if one.passed else Emphasis.ALARM)
    if isinstance(one, GateFailure):
        return [one.suite, word, "", "", one.lines[0]]
    n_rules, broken = len(one.outcomes), [label(rule, one) for rule in one.broken]
    more = len(broken) - BROKEN_NAMED
    named = "; ".join(broken[:BROKEN_NAMED]) + (f" and {more} more" if more > 0 else "")
    return [one.suite, word, str(n_rules - len(broken)), str(n_rules), named]


def summary(report: SuitesReport, style: Style) -> Iterator[str]:
    """Print Markdown: the verdict, a table of suites, and the details of each, folded."""
    yield from parts(report, style)


def parts(report: SuitesReport, style: Style) -> Iterator[str]:
    """Yield the verdict with the table of suites, and then the details of each suite, folded."""
    title = escape.markdown_prose(suites_headline(report))
    yield "".join([f"### rankeval gate: {title}\n\n", *markdown.table(suites(report))])
    for one in report.reports:
        if isinstance(one, GateReport):
            yield folded(one.suite, headline(one), github.details(one, style))
        else:
            shown = gate_failure.details(one)
            yield folded(one.suite, failure_headline(one), shown)


def folded(name: str, said: str, lines: Iterator[str]) -> str:
    """Return details that GitHub shows when a reader unfolds them."""
    title = quoted(visible(f"{name}: {said}" if name else said)).replace("@", "&#64;")
    return f"\n<details><summary>{title}</summary>\n\n{''.join(lines)}\n</details>\n"


def annotations(report: SuitesReport, style: Style) -> Iterator[str]:
    """Print workflow commands for every suite; their titles name it."""
    for one in report.reports:
        if isinstance(one, GateReport):
            yield from github.annotations(one, style)
        else:
            yield from gate_failure.annotations(one, style)
