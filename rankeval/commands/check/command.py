"""`rankeval check`: validate and describe files."""

from typing import Annotated

import typer

from rankeval.cli.options import panels
from rankeval.cli.options.evaluating_options import Columns, QrelsFormat, RunFormat
from rankeval.cli.options.option_groups import grouped, stated
from rankeval.cli.options.output_options import OutputOptions
from rankeval.cli.options.panels import READ
from rankeval.errors import ReaderLeftError


@grouped
def check_files(
    files: Annotated[
        list[str],
        typer.Argument(metavar="[QRELS] RUN", help="Files to check: qrels first, then runs."),
        READ,
    ],
    *,
    form: Annotated[
        str,
        panels.OUTPUT(
            "--format -f FORMAT",
            "Output format: table (default), json, markdown, html, or one that a plugin adds.",
            common=True,
        ),
    ] = "table",
    strict: Annotated[
        bool, panels.OUTPUT("--strict", "Exit with 1 for warnings as well.", common=True)
    ] = False,
    max_problems: Annotated[
        int,
        panels.OUTPUT(
            "--max-problems N",
            "Show at most N wrong lines of each file; all of them are counted. Default: 5.",
            min=0,
            common=True,
        ),
    ] = 5,
    columns: Columns = None,
    qrels_format: QrelsFormat = None,
    run_format: RunFormat = None,
) -> None:
    """Say whether files can be evaluated, and describe them.

    Exits with 2 if a file cannot be read, with 1 if 'rankeval eval' would refuse a file, and with
    --strict also with 1 for any warning.

    Examples:
        rankeval check qrels.txt *.run
            check judgments and runs
        rankeval check runs/*.run --strict
            exit with 1 for any warning
    """
    from rankeval.commands.check.task import PRINTER, check

    page = OutputOptions(form).page(PRINTER)
    reading = stated({"columns": columns, "qrels_format": qrels_format, "run_format": run_format})
    reports = check(files, max_problems=max_problems, **reading)
    code = 0
    if any(report.unreadable for report in reports):
        code = 2
    elif any(report.wrong or (strict and report.warnings) for report in reports):
        code = 1
    try:
        page.write(reports)
    except BrokenPipeError as closed:  # `| head` must not hide errors
        raise ReaderLeftError(code, closed) from closed
    raise typer.Exit(code)
