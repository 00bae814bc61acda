"""The document of checked files, the schema rankeval-check/1."""

from collections.abc import Sequence
from dataclasses import asdict

from rankeval.documents.plain import Document, headed, plain
from rankeval.tasks.check import FileReport

SCHEMA = "rankeval-check/1"


def document(reports: Sequence[FileReport]) -> Document:
    """Return what was found in each file."""
    return headed(SCHEMA, {"files": [plain(asdict(report)) for report in reports]})
