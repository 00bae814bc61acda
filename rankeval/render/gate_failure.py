"""What the reports of a gate say where it could not judge: an error, and the exit code."""

from collections.abc import Iterator

from rankeval.render import escape, json_text
from rankeval.render.gate_json import SCHEMA
from rankeval.render.github import command
from rankeval.render.style import Style
from rankeval.tasks.gate.report import GateFailure
from rankeval.version import __version__


def _headline(failure: GateFailure) -> str:
    return f"ERROR: {escape.visible(failure.problem.partition(chr(10))[0])}"


def table(failure: GateFailure, _style: Style) -> Iterator[str]:
    """Print the error as it stands on standard error."""
    yield f"ERROR: {chr(10).join(map(escape.visible, failure.problem.splitlines()))}\n"


def markdown(failure: GateFailure, _style: Style) -> Iterator[str]:
    """Print the error for the summary of a step."""
    yield f"### rankeval gate: {escape.markdown_prose(_headline(failure))}\n\n"
    for line in failure.problem.splitlines()[1:]:
        yield f"- {escape.markdown_prose(line.strip())}\n"
    yield f"\nThe gate could not judge (exit code {failure.exit_code}).\n\n"


def json_document(failure: GateFailure, _style: Style) -> Iterator[str]:
    """Print one object with the keys that every gate's document has, and the error."""
    yield from json_text.document(
        {
            "schema": SCHEMA,
            "rankeval": __version__,
            "passed": False,
            "exit_code": failure.exit_code,
            "summary": _headline(failure),
            "suite": failure.suite,
            "error": {"kind": failure.kind, "message": failure.problem},
        }
    )


def annotations(failure: GateFailure, _style: Style) -> Iterator[str]:
    """Print the error as a workflow command."""
    yield command("error", "rankeval gate", failure.problem)
