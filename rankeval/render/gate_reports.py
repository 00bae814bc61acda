"""The printers of a gate's report and of its failure."""

from rankeval.choices import Format
from rankeval.documents import gate_suites as suites_documents
from rankeval.documents.gate import document, failure_document
from rankeval.render import gate, gate_failure, gate_suites, github
from rankeval.render.printer import Printer
from rankeval.tasks.gate.report import GateFailure, GateReport, SuitesReport

REPORT = Printer[GateReport](
    document=document,
    records=None,
    drawings={Format.TABLE: gate.table, Format.MARKDOWN: github.summary},
)
SUITES = Printer[SuitesReport](
    document=suites_documents.document,
    records=None,
    drawings={Format.TABLE: gate_suites.table, Format.MARKDOWN: gate_suites.summary},
)
FAILURE = Printer[GateFailure](
    document=lambda failure, _: failure_document(failure),
    records=None,
    drawings={Format.TABLE: gate_failure.table, Format.MARKDOWN: gate_failure.markdown},
)
