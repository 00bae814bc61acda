"""The queries of the topics that a gate's report names."""

from dataclasses import replace

from rankeval.commands.gate.report import GateFailure, GateReport
from rankeval.evaluation.shown_texts import TextsLike, TextSources


def with_queries(
    reports: tuple[GateReport | GateFailure, ...], queries: TextsLike | None
) -> tuple[GateReport | GateFailure, ...]:
    """Add the queries of the topics that became worse; read in one pass for all reports."""
    if queries is None:
        return reports
    topics = dict.fromkeys(
        topic.topic
        for report in reports
        if isinstance(report, GateReport)
        for outcome in report.outcomes
        for topic in outcome.topics
    )
    found = TextSources(queries).of(dict.fromkeys(topics, ())).queries
    return tuple(
        replace(report, queries=found) if isinstance(report, GateReport) else report
        for report in reports
    )
