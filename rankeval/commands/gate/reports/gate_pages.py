"""Pages of a gate: of its report, of several suites, and of a gate that could not judge."""

from collections.abc import Iterator

from rankeval.base.wording import number, signed
from rankeval.commands.gate.report import (
    AnyReport,
    GateFailure,
    GateReport,
    RuleOutcome,
    SuitesReport,
)
from rankeval.commands.gate.reports.gate_tables import blocks, headline, label, suites
from rankeval.output.notice_lines import notice_lines
from rankeval.output.pages import PageSection, TablesPage, made_with, page_sections, tables_html
from rankeval.output.style import Style
from rankeval.output.tables import Block, Column, Table, numbers
from rankeval.output.text_cells import topic_title


def gate_page(report: AnyReport, style: Style, command: str = "") -> Iterator[str]:
    """Yield the HTML of a report: verdict, rules, and the topics that became worse.

    Of several suites, yield a table of these and the sections of each.
    """
    suite = "" if isinstance(report, SuitesReport) else report.suite
    code = (("Exit code", str(report.exit_code)),) if isinstance(report, GateFailure) else ()
    page = TablesPage(
        title="rankeval gate" + (f": {suite}" if suite else ""),
        headline=headline(report),
        alarm=not report.passed,
        sections=tuple(_sections(report, style)),
        facts=(*code, *made_with(command)),
    )
    return tables_html(page)


def _sections(report: AnyReport, style: Style) -> Iterator[PageSection]:
    if isinstance(report, GateReport):
        yield from _gate_sections(report, style)
    elif isinstance(report, GateFailure):
        yield from page_sections(("No verdict", report.lines))
    else:
        yield from page_sections(("Suites", [suites(report)]))
        for one in report.reports:
            if isinstance(one, GateReport):
                yield from _gate_sections(one, style, one.suite)
            else:
                yield from page_sections((f"{one.suite}: no verdict", one.lines))


def _gate_sections(report: GateReport, style: Style, suite: str = "") -> tuple[PageSection, ...]:
    topics: list[Block] = [
        table for outcome in report.outcomes for table in _topics(outcome, report, style)
    ]
    warnings = (*notice_lines(report.runs, style.decimals), *report.warnings)
    rules = [*blocks(report, style)]
    named = f"{suite}: " if suite else ""
    return page_sections(
        (f"{named}{'rules' if suite else 'Rules'}", rules if suite else rules[1:]),
        (f"{named}{'topics' if suite else 'Topics'} that became worse", topics),
        warnings=warnings,
        of=suite,
    )


def _topics(outcome: RuleOutcome, report: GateReport, style: Style) -> Iterator[Table]:
    if not outcome.topics:
        return
    heads = ["baseline", "candidate", "drop"]
    yield Table(
        f"{label(outcome, report)}: the largest drops of {outcome.measure}",
        [Column("topic", 8), *numbers(heads)],
        [
            [
                topic_title(topic.topic, report.queries),
                number(topic.baseline, style.decimals),
                number(topic.candidate, style.decimals),
                signed(topic.drop, style.decimals),
            ]
            for topic in outcome.topics
        ],
    )
