"""The document of several suites that were judged together: the schema rankeval-gate-suites/1."""

from rankeval.documents import gate
from rankeval.documents.content import Content
from rankeval.documents.gate_words import suites_headline
from rankeval.documents.plain import Document, headed
from rankeval.tasks.gate.report import GateReport, SuitesReport

SCHEMA = "rankeval-gate-suites/1"


def document(report: SuitesReport, content: Content) -> Document:
    """Return the verdict of all suites, and the document of each."""
    return headed(
        SCHEMA,
        {
            "passed": report.passed,
            "exit_code": report.exit_code,
            "summary": suites_headline(report),
            "suites": [
                gate.document(one, content)
                if isinstance(one, GateReport)
                else gate.failure_document(one)
                for one in report.reports
            ],
        },
    )
