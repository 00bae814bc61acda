"""Pages of tables and sentences: a comparison, a gate's report, and a gate that could not judge."""

from collections.abc import Iterator, Sequence

from rankeval.base.frozen import frozen
from rankeval.base.numbers import number, signed
from rankeval.commands.compare.reports.comparison_words import columns_words
from rankeval.commands.compare.reports.difference_tables import Parts, differences
from rankeval.commands.compare.reports.papers import blocks as paper_blocks
from rankeval.commands.compare.task import Comparison
from rankeval.commands.compare_collections.show import blocks as collection_blocks
from rankeval.commands.compare_collections.task import CollectionComparison
from rankeval.commands.gate.report import GateFailure, GateReport, RuleOutcome, SuitesReport
from rankeval.commands.gate.reports.gate_tables import blocks as gate_blocks
from rankeval.commands.gate.reports.gate_words import (
    failure_headline,
    headline,
    label,
    suites_headline,
)
from rankeval.commands.gate.reports.suite_tables import suites as suites_table
from rankeval.commands.report.reports.page import rendered
from rankeval.commands.report.reports.versions import versions
from rankeval.output.notice_lines import notice_lines
from rankeval.output.style import Style
from rankeval.output.tables import Block, Column, Table, numbers


@frozen
class PageSection:
    """A heading, and the tables and sentences below it."""

    title: str
    blocks: tuple[Block, ...]


@frozen
class TablesPage:
    """A page of tables: title, a line below it, sections, and facts on how it was made.

    `alarm` is True if the headline tells of a failure.
    """

    title: str
    headline: str
    sections: tuple[PageSection, ...]
    facts: tuple[tuple[str, str], ...]
    alarm: bool = False


def comparison_page(
    comparison: Comparison, style: Style, parts: Parts, command: str = ""
) -> Iterator[str]:
    """Yield the HTML of a comparison: means with letters, and the tables of differences."""
    warnings = (*notice_lines(comparison.runs, style.decimals), *comparison.warnings)
    shown: list[Block] = [*paper_blocks(comparison, style, parts)]
    details: list[Block] = []
    if not any(isinstance(block, Table) and "diff" in _heads(block) for block in shown):
        details += differences(comparison, style, parts)
        details.append(columns_words(parts.effect_of(comparison)))
    first = comparison.runs[0]
    page = TablesPage(
        title=f"Comparison with {first.name}",
        headline="",
        sections=_sections(("Means", shown), ("Differences", details), ("Warnings", [*warnings])),
        facts=(
            *(((f"Run {run.name}"), run.path or "in memory") for run in comparison.runs),
            ("Digest of the judgments", comparison.digest),
            *_made(command),
        ),
    )
    return rendered("tables.html.j2", page=page)


def collections_page(
    comparison: CollectionComparison, style: Style, command: str = ""
) -> Iterator[str]:
    """Yield the HTML of a comparison over collections: mean ranks, tests, and pairs."""
    systems = ", ".join(comparison.systems)
    collections = [one.collection for one in comparison.results]
    page = TablesPage(
        title="Comparison over collections",
        headline="",
        sections=_sections(
            ("Systems", [*collection_blocks(comparison, style)]),
            ("Warnings", [*comparison.warnings]),
        ),
        facts=(
            ("Systems", systems),
            *((f"Collection {one.name}", one.qrels) for one in collections),
            *_made(command),
        ),
    )
    return rendered("tables.html.j2", page=page)


def _heads(table: Table) -> list[str]:
    return [column.head for column in table.columns]


def gate_page(report: GateReport, style: Style, command: str = "") -> Iterator[str]:
    """Yield the HTML of a gate's report: verdict, rules, and the topics that became worse."""
    page = TablesPage(
        title="rankeval gate" + (f": {report.suite}" if report.suite else ""),
        headline=headline(report),
        alarm=not report.passed,
        sections=_gate_sections(report, style),
        facts=tuple(_made(command)),
    )
    return rendered("tables.html.j2", page=page)


def _gate_sections(report: GateReport, style: Style, suite: str = "") -> tuple[PageSection, ...]:
    topics: list[Block] = [
        table for one in report.outcomes for table in _topics(one, report, style)
    ]
    warnings = (*notice_lines(report.runs, style.decimals), *report.warnings)
    rules = [*gate_blocks(report, style)]
    named = f"{suite}: " if suite else ""
    return _sections(
        (f"{named}{'rules' if suite else 'Rules'}", rules if suite else rules[1:]),
        (f"{named}{'topics' if suite else 'Topics'} that became worse", topics),
        (f"{named}{'warnings' if suite else 'Warnings'}", [*warnings]),
    )


def suites_page(report: SuitesReport, style: Style, command: str = "") -> Iterator[str]:
    """Yield the HTML of several suites: a table of suites, and the sections of each."""
    sections = [*_sections(("Suites", [suites_table(report)]))]
    for one in report.reports:
        if isinstance(one, GateReport):
            sections += _gate_sections(one, style, one.suite)
        else:
            sections += _sections((f"{one.suite}: no verdict", one.lines))
    page = TablesPage(
        title="rankeval gate",
        headline=suites_headline(report),
        alarm=not report.passed,
        sections=tuple(sections),
        facts=tuple(_made(command)),
    )
    return rendered("tables.html.j2", page=page)


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
        sections=_sections(("No verdict", failure.lines)),
        facts=(("Exit code", str(failure.exit_code)), *_made("")),
    )
    return rendered("tables.html.j2", page=page)


def _sections(*titled: tuple[str, Sequence[Block]]) -> tuple[PageSection, ...]:
    """Return sections of the blocks; those without any are left out."""
    return tuple(PageSection(title, tuple(blocks)) for title, blocks in titled if blocks)


def _made(command: str) -> Iterator[tuple[str, str]]:
    if command:
        yield "Command", command
    yield from versions().items()
