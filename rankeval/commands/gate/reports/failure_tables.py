"""Reports of a gate that could not judge: the error, and the exit code."""

from collections.abc import Iterator

from rankeval.base.visible import visible
from rankeval.commands.gate.report import GateFailure
from rankeval.commands.gate.reports.gate_words import failure_headline
from rankeval.commands.gate.reports.github import command, titled
from rankeval.output import escape
from rankeval.output.style import Style


def table(failure: GateFailure, _style: Style) -> Iterator[str]:
    """Print the error as it stands on standard error."""
    yield f"ERROR: {chr(10).join(map(visible, failure.lines))}\n"


def markdown(failure: GateFailure, _style: Style) -> Iterator[str]:
    """Print the error for the summary of a step."""
    yield f"### rankeval gate: {escape.markdown_prose(failure_headline(failure))}\n\n"
    yield from details(failure)


def details(failure: GateFailure) -> Iterator[str]:
    """Print the lines of the error, and the exit code."""
    for line in failure.lines[1:]:
        yield f"- {escape.markdown_prose(line.strip())}\n"
    yield f"\nThe gate could not judge (exit code {failure.exit_code}).\n\n"


def annotations(failure: GateFailure, _style: Style) -> Iterator[str]:
    """Print the error as a workflow command."""
    yield command("error", titled(failure.suite), *failure.lines)
