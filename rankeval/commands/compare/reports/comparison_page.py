"""The page of a comparison: tables and sentences."""

from collections.abc import Iterator

from rankeval.commands.compare.reports.comparison_words import columns_words
from rankeval.commands.compare.reports.difference_tables import Parts, differences
from rankeval.commands.compare.reports.papers import blocks as paper_blocks
from rankeval.commands.compare.task import Comparison
from rankeval.output.notice_lines import notice_lines
from rankeval.output.pages import TablesPage, made_with, page_sections, tables_html
from rankeval.output.style import Style
from rankeval.output.tables import Block, Table


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
        sections=page_sections(
            ("Means", shown), ("Differences", details), ("Warnings", [*warnings])
        ),
        facts=(
            *(((f"Run {run.name}"), run.path or "in memory") for run in comparison.runs),
            ("Digest of the judgments", comparison.digest),
            *made_with(command),
        ),
    )
    return tables_html(page)


def _heads(table: Table) -> list[str]:
    return [column.head for column in table.columns]
