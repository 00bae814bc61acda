"""The documents of a gate's report, of several suites, and of a gate that could not judge."""

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

from rankeval.choices import Format
from rankeval.commands.gate.report import (
    AnyReport,
    GateFailure,
    GateReport,
    RuleOutcome,
    SuitesReport,
)
from rankeval.commands.gate.reports.gate_tables import (
    blocks,
    headline,
    sentence,
    table,
    warning_lines,
)
from rankeval.evaluation.notice_lines import notice_lines
from rankeval.evaluation.shown_values import judgments
from rankeval.output.data_rows import Row
from rankeval.output.document_form import Document, fields_of, headed, plain
from rankeval.output.looks import Look, in_html
from rankeval.output.printer import Printer
from rankeval.output.style import USUAL_DECIMALS, Content, Style

SCHEMA = "rankeval-gate/1"
SUITES_SCHEMA = "rankeval-gate-suites/1"


def document(report: AnyReport, content: Content) -> Document:
    """Return everything that a gate found, the documents of several suites, or the error."""
    facts = {**fields_of(report, "passed", "exit_code"), "summary": headline(report)}
    if isinstance(report, SuitesReport):
        suites = [document(one, content) for one in report.reports]
        return headed(SUITES_SCHEMA, {**facts, "suites": suites})
    facts["suite"] = report.suite
    if isinstance(report, GateFailure):
        error = {"kind": report.kind, "message": report.problem}
        return headed(SCHEMA, {**facts, "error": error})
    return headed(SCHEMA, plain({**facts, **_found(report, content)}))


def _found(report: GateReport, content: Content) -> dict[str, Any]:
    """Return the findings of a gate that could judge."""
    return {
        "paths": {"baseline": report.paths[0], "candidates": list(report.paths[1:])},
        **fields_of(report, "golden", "baseline", "candidates", "topics"),
        "qrels": judgments(report.qrels),
        "decision": asdict(report.decision),
        "rules": [_outcome(outcome, content) for outcome in report.outcomes],
        "shown": [asdict(other) for other in report.shown],
        **fields_of(report, "missing", "undefined"),
        "warnings": [*notice_lines(report.runs), *report.warnings],
    }


def _outcome(outcome: RuleOutcome, content: Content) -> dict[str, Any]:
    facts = {
        "run": outcome.run,
        "rule": str(outcome.rule),
        **fields_of(outcome.rule, "kind", "group"),
        **fields_of(outcome, "measure", "loss", "signature", "passed", "limit"),
        "relative": outcome.rule.relative,
        **fields_of(outcome, "baseline", "candidate", "drop", "tied", "seeds", "baseline_seeds"),
        "message": sentence(outcome, content.decimals),
        "worse_topics": outcome.n_worse,
        "topics": [asdict(topic) for topic in outcome.topics],
        "lost_topics": outcome.lost,
        "gained_topics": outcome.gained,
    }
    if outcome.verdict is not None:
        found = asdict(outcome.verdict)
        facts["verdict"] = found.pop("verdict")
        facts["statistics"] = found
    return facts


def _summary(report: AnyReport, style: Style) -> Iterator[str]:
    from rankeval.commands.gate.reports.github import summary  # Markdown is seldom asked for

    return summary(report, style)


REPORT = Printer[AnyReport](
    document=document, drawings={Format.TABLE: table, Format.MARKDOWN: _summary}
)


HEADS = ("suite", "run", "rule", "measure", "passed", "baseline", "candidate", "drop", "limit")
TESTED = ("verdict", "low", "high", "p_value")


def rows(report: AnyReport, _style: Style) -> Iterator[Row]:
    """Yield a row for each rule and candidate, for frames."""
    yield [*HEADS, *TESTED]
    reports = report.judged if isinstance(report, SuitesReport) else (report,)
    for judged in reports:
        for outcome in judged.outcomes if isinstance(judged, GateReport) else ():
            found = outcome.verdict
            yield [
                *(judged.suite, outcome.run, str(outcome.rule), outcome.measure, outcome.passed),
                *(outcome.baseline, outcome.candidate, outcome.drop, outcome.limit),
                *((getattr(found, name) for name in TESTED) if found else [None] * len(TESTED)),
            ]


IN_FRAMES = replace(REPORT, rows=rows)
"""The printer of frames; the command prints no rows."""


def look() -> Look:
    """Return how the report of a gate shows itself."""
    return Look(IN_FRAMES, in_html(blocks))


def look_of_suites() -> Look:
    """Return how the report of several suites shows itself."""
    return Look(
        IN_FRAMES,
        in_html(blocks),
        warnings=lambda report: warning_lines(report, USUAL_DECIMALS),
    )
