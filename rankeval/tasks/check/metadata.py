"""The metadata of a run, from its ir_metadata header."""

from rankeval.errors import InputError
from rankeval.io.form import Beginning
from rankeval.io.run_metadata import HINT, NoYAMLError, header_of, metadata_of
from rankeval.tasks.check.report import FileReport


def add_metadata(report: FileReport, begun: Beginning) -> None:
    """Add what the header says to the facts, or a warning if it cannot be read."""
    try:
        header = header_of(begun, report.path)
        if header:
            report.facts["metadata"] = metadata_of(header, report.path)
    except NoYAMLError:
        report.facts["metadata_hint"] = HINT
    except InputError as error:
        report.warnings.append(error.problem)


def compare_tags(report: FileReport) -> None:
    """Add a warning if the header gives the run another tag than its lines."""
    named = report.facts.get("metadata", {}).get("tag", "")
    tags = report.facts.get("tags", [])
    if isinstance(named, str) and named and tags and named not in tags:
        report.warnings.append(f"the ir_metadata header has the tag {named}, the lines {tags[0]}")
