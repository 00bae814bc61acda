"""The document of a gate's report, or of its failure: the schema rankeval-gate/1."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rankeval.choices import Format
from rankeval.commands.gate.report import (
    GateFailure,
    GateReport,
    JudgedCollection,
    RuleOutcome,
    SuitesReport,
)
from rankeval.commands.gate.reports import failure_tables as gate_failure
from rankeval.commands.gate.reports import gate_tables as gate
from rankeval.commands.gate.reports import github
from rankeval.commands.gate.reports import suite_tables as gate_suites
from rankeval.commands.gate.reports.gate_words import (
    failure_headline,
    headline,
    sentence,
    suites_headline,
    warning_lines,
)
from rankeval.output.content import USUAL_DECIMALS, Content
from rankeval.output.document_form import Document, headed, plain
from rankeval.output.notice_lines import notice_lines
from rankeval.output.printer import Printer
from rankeval.output.values import judgments

if TYPE_CHECKING:
    from rankeval.output.looks import Look

SCHEMA = "rankeval-gate/1"


def document(report: GateReport, content: Content) -> Document:
    """Return everything that a gate found."""
    return headed(
        SCHEMA,
        plain(
            {
                "passed": report.passed,
                "exit_code": report.exit_code,
                "summary": headline(report),
                "suite": report.suite,
                "paths": {"baseline": report.paths[0], "candidates": list(report.paths[1:])},
                "golden": report.golden,
                "baseline": report.baseline,
                "candidates": list(report.candidates),
                "topics": report.topics,
                "qrels": judgments(report.qrels),
                "collections": [_collection(one) for one in report.collections],
                "decision": asdict(report.decision),
                "sequence": None if report.sequence is None else asdict(report.sequence),
                "rules": [_outcome(one, content) for one in report.outcomes],
                "shown": [asdict(other) for other in report.shown],
                "missing": {run: list(topics) for run, topics in report.missing.items()},
                "undefined": {run: list(measures) for run, measures in report.undefined.items()},
                "warnings": [*notice_lines(report.runs), *report.warnings],
            }
        ),
    )


def _collection(one: JudgedCollection) -> Document:
    facts = {"name": one.name, "part_of": one.part_of, "topics": one.topics}
    return {**facts, "qrels": judgments(one.qrels)}


def failure_document(failure: GateFailure) -> Document:
    """Return the error of a gate that could not judge, with the keys that every gate's has."""
    return headed(
        SCHEMA,
        {
            "passed": False,
            "exit_code": failure.exit_code,
            "summary": failure_headline(failure),
            "suite": failure.suite,
            "error": {"kind": failure.kind, "message": failure.problem},
        },
    )


def _outcome(one: RuleOutcome, content: Content) -> dict[str, Any]:
    facts = {
        "run": one.run,
        "rule": str(one.rule),
        "kind": one.rule.kind,
        "group": one.rule.group,
        "collection": one.rule.collection,
        "measure": one.measure,
        "loss": one.loss,
        "signature": one.signature,
        "passed": one.passed,
        "limit": one.limit,
        "relative": one.rule.relative,
        "baseline": one.baseline,
        "candidate": one.candidate,
        "drop": one.drop,
        "tied": one.tied,
        "tie_range": None if one.tie_range is None else list(one.tie_range),
        "doubt": one.doubt,
        "seeds": list(one.seeds),
        "baseline_seeds": list(one.baseline_seeds),
        "message": sentence(one, content.decimals),
        "worse_topics": one.n_worse,
        "topics": [asdict(topic) for topic in one.topics],
        "collections": [asdict(found) for found in one.collections],
        "lost_topics": list(one.lost),
        "gained_topics": list(one.gained),
    }
    if one.verdict is not None:
        found = asdict(one.verdict)
        facts["verdict"] = found.pop("verdict")
        facts["statistics"] = found
    return facts


SUITES_SCHEMA = "rankeval-gate-suites/1"


def suites_document(report: SuitesReport, content: Content) -> Document:
    """Return the verdict of all suites, and the suites_document of each."""
    return headed(
        SUITES_SCHEMA,
        {
            "passed": report.passed,
            "exit_code": report.exit_code,
            "summary": suites_headline(report),
            "suites": [
                document(one, content) if isinstance(one, GateReport) else failure_document(one)
                for one in report.reports
            ],
        },
    )


REPORT = Printer[GateReport](
    document=document,
    drawings={Format.TABLE: gate.table, Format.MARKDOWN: github.summary},
)
SUITES = Printer[SuitesReport](
    document=suites_document,
    drawings={Format.TABLE: gate_suites.table, Format.MARKDOWN: gate_suites.summary},
)
FAILURE = Printer[GateFailure](
    document=lambda failure, _: failure_document(failure),
    drawings={Format.TABLE: gate_failure.table, Format.MARKDOWN: gate_failure.markdown},
)


def look() -> "Look":
    """Return how the report of a gate shows itself."""
    from rankeval.output.looks import Look, in_html

    return Look(REPORT, in_html(gate.blocks))


def look_of_suites() -> "Look":
    """Return how the report of several suites shows itself."""
    from rankeval.output.looks import Look, in_html, nothing

    return Look(
        SUITES,
        in_html(gate_suites.blocks),
        runs=nothing,
        warnings=lambda report: warning_lines(report, USUAL_DECIMALS),
    )
