"""Options for the reports of a gate."""

from functools import partial
from typing import Annotated, ClassVar

from rankeval.base.frozen import frozen
from rankeval.cli.options import file_options as files
from rankeval.cli.options.panels import REPORTS

COMMON = partial(REPORTS, common=True)
JUNIT = "Write JUnit XML with a test case per rule."
JSON = "Write the full report as JSON."
COMMENT = "Write Markdown for one comment on a pull request."
APPEND = "Append means and verdicts to a history, as a line of JSON with the commit."
GITHUB = "Print annotations for GitHub Actions, and add a summary and outputs to the step."


@frozen
class ReportOptions:
    """Options for the reports for machines; folders of their files are created."""

    MAKES_FOLDERS: ClassVar[bool] = True
    junit: Annotated[str | None, COMMON("--junit", "FILE", JUNIT), files.WRITTEN] = None
    json: Annotated[str | None, REPORTS("--json", "FILE", JSON), files.WRITTEN] = None
    comment: Annotated[str | None, REPORTS("--comment", "FILE", COMMENT), files.WRITTEN] = None
    append: Annotated[str | None, REPORTS("--append", "FILE", APPEND), files.WRITTEN] = None
    github: Annotated[bool, REPORTS("--github", GITHUB)] = False
