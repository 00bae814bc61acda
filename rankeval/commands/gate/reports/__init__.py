"""Write the reports of a gate, also when it ends with an error, and its line of the history."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rankeval.base.endings import BAD_INPUT, NOT_REPORTED, discard_unwritten, tell
from rankeval.choices import Format
from rankeval.commands.gate.report import GateFailure, GateReport, JudgedSuite
from rankeval.commands.gate.reports import ci
from rankeval.commands.gate.show import PRINTER, headline, others
from rankeval.errors import RankevalError, ReaderLeftError, UsageError, printable
from rankeval.io.sources.atomic import create_folder, write_errors
from rankeval.io.sources.locks import append_text, require_appendable
from rankeval.output.document_form import Document, fields_of, headed, plain
from rankeval.output.json_text import line
from rankeval.output.style import Style
from rankeval.output.writing import write_pieces

Write = Callable[[], None]
HISTORY = "rankeval-gate-history/1"
BEGINNING = f'{{"schema": "{HISTORY}"'
MARKS = (b'"rankeval-gate/1"', b"rankeval gate", b" vs. baseline ", b"cannot be judged: ")
"""One of them is at the beginning of an earlier report."""
COMMITS = (
    *("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT", "BUILDKITE_COMMIT", "CIRCLE_SHA1"),
    *("BUILD_SOURCEVERSION", "BITBUCKET_COMMIT", "TRAVIS_COMMIT"),
)
"""Variables in which GitHub, GitLab, Jenkins and others name the commit that they build."""


class Reports(NamedTuple):
    """The files of the reports besides the printed one, and whether GitHub gets any."""

    junit: str | None = None
    json: str | None = None
    comment: str | None = None
    append: str | None = None
    github: bool = False

    def files(self) -> tuple[str | None, ...]:
        """Return the files, that of GitHub's summary last."""
        return (*self[:4], os.environ.get("GITHUB_STEP_SUMMARY") if self.github else None)


def require_possible(reports: Reports, form: str, output: str | None) -> None:
    """Raise UsageError for reports that would be mixed, InputError for what is no history."""
    if reports.github and output is None and form != Format.TABLE:
        problem = f"the annotations of --github would be mixed with the report in {form}"
        raise UsageError(problem, remedy="write the report to a file with -o")
    if "-" in reports.files():
        expected = "FILE, or -f json for standard output"
        raise UsageError("a report is written to a file", expected=expected)
    if reports.append:
        require_appendable(reports.append, beginning=BEGINNING)


def write_reports(
    reports: Reports,
    report: GateReport,
    form: str,
    output: str | None,
    style: Style,
    warn: Callable[[], None],
) -> int:
    """Write the printed report and all others, whatever fails, warn, and return the exit code.

    It is 3 where a gate that judged could not write a report, the errors of which come last.
    ReaderLeftError if a reader left, as `| head` does, who must not let a failed gate pass.
    """
    answer: Write = partial(_write, partial(PRINTER.text, report, form), output, style, form)
    errors: list[Exception] = []
    for write in (answer, *_writes(reports, report, style)):
        try:
            write()
        except (RankevalError, OSError) as problem:
            errors.append(problem)
        except Exception as bug:  # noqa: BLE001  it must not take the verdict with it
            errors.append(RankevalError(f"a bug kept a report from being written: {bug!r}"))
    left = next((one for one in errors if isinstance(one, BrokenPipeError)), None)
    unwritten = [one for one in errors if not isinstance(one, BrokenPipeError)]
    code = report.exit_code
    warn()
    if unwritten:
        verdict = printable(headline(report))
        tell(f"rankeval: the gate has judged, but not all could be written: {verdict}\n")
        code = BAD_INPUT if code == BAD_INPUT else NOT_REPORTED
        discard_unwritten()
    for one in unwritten:
        tell(f"rankeval: {one if isinstance(one, RankevalError) else printable(str(one))}\n")
    _give_outputs(reports, report, code)
    if left is not None:
        raise ReaderLeftError(code, left) from left
    return code


def _writes(reports: Reports, report: GateReport, style: Style) -> Iterator[Write]:
    """Yield functions that write the reports for machines."""
    for path, draw, form in (
        (reports.junit, partial(ci.junit, report), Format.TABLE),
        (reports.json, partial(PRINTER.text, report, Format.JSON), Format.JSON),
        (reports.comment, partial(ci.comment, report), Format.MARKDOWN),
    ):
        if path:
            yield partial(_write, draw, path, style, form)
    if reports.github:
        yield partial(_add, "GITHUB_STEP_SUMMARY", ci.markdown(report, style))
        yield partial(_write, partial(ci.annotations, report), None, Style(log=False))
    if reports.append:
        yield partial(append_history, reports.append, report)


def _write(
    printed: Callable[[Style], Iterable[str]], path: str | None, style: Style, form: str = "table"
) -> None:
    """Write a report as `write_pieces` does, in a folder that is created where it is missing."""
    if path is not None and path != "-":
        with write_errors(path):
            create_folder(path)
    write_pieces(printed, path, style, form=form)


def _add(variable: str, text: str) -> None:
    """Append a text to the file that an environment variable names."""
    if path := os.environ.get(variable):
        with write_errors(path), Path(path).open("a", encoding="utf-8") as stream:
            stream.write(text)


def _give_outputs(reports: Reports, report: GateReport, code: int) -> None:
    if reports.github:
        with suppress(RankevalError):
            _add("GITHUB_OUTPUT", ci.outputs(report, code, reports.json, reports.comment))


def write_failure(reports: Reports, failure: GateFailure, form: str, output: str | None) -> None:
    """Write the reason for the missing verdict to every report, so that no old verdict is left.

    Files are overwritten only if they are earlier reports, and so never an input.
    """
    style = Style(colour=False)
    kept = [path for path in (*reports.files()[:3], output) if path and not _may_overwrite(path)]
    chosen = Reports(*(None if one in kept else one for one in reports))  # type: ignore[arg-type]
    report = GateReport((failure,))
    writes = [*_writes(chosen, report, style)]
    if output and output not in kept:
        writes.append(partial(_write, partial(PRINTER.text, report, form), output, style, form))
    for write in writes:
        with suppress(RankevalError, OSError):  # the failure itself matters more
            write()
    _give_outputs(chosen, report, failure.exit_code)


def _may_overwrite(path: str) -> bool:
    """Return True if the path is new, or an earlier report of a gate."""
    place = Path(path)
    try:
        if path == "-" or not place.is_file():
            return path != "-" and not place.exists()
        with place.open("rb") as stream:
            head = stream.read(400)
    except OSError:
        return False
    return any(mark in head for mark in MARKS)


def append_history(path: str, report: GateReport) -> None:
    """Append a line for each suite to the history, with the time and the commit that CI names."""
    time = datetime.now(UTC).isoformat(timespec="seconds")
    commit = next(filter(None, map(os.environ.get, COMMITS)), "")
    lines = [line(history_line(suite, time, commit)) for suite in report.suites]
    append_text(path, "".join(lines), beginning=BEGINNING)


def history_line(suite: JudgedSuite | GateFailure, time: str, commit: str) -> Document:
    """Return the line of a history for a suite at a time, in ISO 8601, and a commit."""
    facts: Document = {"time": time, "commit": commit, "suite": suite.name}
    facts |= fields_of(suite, "passed", "exit_code")
    if isinstance(suite, GateFailure):
        error = {"kind": suite.kind, "message": suite.problem}
        return headed(HISTORY, {**facts, "error": error})
    facts |= {
        "baseline": suite.baseline.name,
        "topics": len(suite.baseline.topics),
        "qrels": suite.qrels.digest,
        "rules": [
            {
                **fields_of(outcome, "run", "passed", "baseline", "candidate", "drop"),
                **fields_of(outcome.rule, "measure", "group"),
                "rule": str(outcome.rule),
                "verdict": outcome.verdict and outcome.verdict.verdict,
            }
            for outcome in suite.outcomes
        ],
        "shown": [*others(suite)],
    }
    return headed(HISTORY, plain(facts))
