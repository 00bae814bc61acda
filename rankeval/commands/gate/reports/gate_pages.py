"""Pages of a gate: of its report, of several suites, and of a gate that could not judge."""

from collections.abc import Iterator

from rankeval.base.numbers import number, signed
from rankeval.commands.gate.report import GateFailure, GateReport, RuleOutcome, SuitesReport
from rankeval.commands.gate.reports.gate_tables import blocks as gate_blocks
from rankeval.commands.gate.reports.gate_words import (
    failure_headline,
    headline,
    label,
    suites_headline,
)
from rankeval.commands.gate.reports.suite_tables import suites as suites_table
from rankeval.output.notice_lines import notice_lines
from rankeval.output.pages import PageSection, TablesPage, made_with, page_sections, tables_html
from rankeval.output.style import Style
from rankeval.output.tables import Block, Column, Table, numbers


def gate_page(report: GateReport, style: Style, command: str = "") -> Iterator[str]:
    """Yield the HTML of a gate's report: verdict, rules, and the topics that became worse."""
    page = TablesPage(
        title="rankeval gate" + (f": {report.suite}" if report.suite else ""),
        headline=headline(report),
        alarm=not report.passed,
        sections=_gate_sections(report, style),
        facts=tuple(made_with(command)),
    )
    return tables_html(page)


def _gate_sections(report: GateReport, style: Style, suite: str = "") -> tuple[PageSection, ...]:
    topics: list[Block] = [
        table for one in report.outcomes for table in _topics(one, report, style)
    ]
    warnings = (*notice_lines(report.runs, style.decimals), *report.warnings)
    rules = [*gate_blocks(report, style)]
    named = f"{suite}: " if suite else ""
    return page_sections(
        (f"{named}{'rules' if suite else 'Rules'}", rules if suite else rules[1:]),
        (f"{named}{'topics' if suite else 'Topics'} that became worse", topics),
        (f"{named}{'warnings' if suite else 'Warnings'}", [*warnings]),
    )


def suites_page(report: SuitesReport, style: Style, command: str = "") -> Iterator[str]:
    """Yield the HTML of several suites: a table of suites, and the sections of each."""
    sections = [*page_sections(("Suites", [suites_table(report)]))]
    for one in report.reports:
        if isinstance(one, GateReport):
            sections += _gate_sections(one, style, one.suite)
        else:
            sections += page_sections((f"{one.suite}: no verdict", one.lines))
    page = TablesPage(
        title="rankeval gate",
        headline=suites_headline(report),
        alarm=not report.passed,
        sections=tuple(sections),
        facts=tuple(made_with(command)),
    )
    return tables_html(page)


def _topics(one: RuleOutcome, report: GateReport, style: Style) -> Iterator[Table]:
    if not one.topics:
        return
    heads = ["baseline", "candidate", "drop"]
    yield Table(
        f"{label(one, report)}: the largest drops of {one.measure}",
        [Column("topic", 8), *numbers(heads)],
        [
            [
                topic.topic,
                number(topic.baseline, style.decimals),
                number(topic.candidate, style.decimals),
                signed(topic.drop, style.decimals),
            ]
            for topic in one.topics
        ],
    )


def failure_page(failure: GateFailure, _style: Style) -> Iterator[str]:
    """Yield the HTML of a gate that could not judge."""
    page = TablesPage(
        title="rankeval gate" + (f": {failure.suite}" if failure.suite else ""),
        headline=failure_headline(failure),
        alarm=True,
        sections=page_sections(("No verdict", failure.lines)),
        facts=(("Exit code", str(failure.exit_code)), *made_with("")),
    )
    return tables_html(page)
