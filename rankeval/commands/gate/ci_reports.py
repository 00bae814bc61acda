"""A gate's reports: JUnit XML, JSON, Markdown, GitHub's annotations and outputs, and the history.

They are also written when the gate ends with an error, so that no old verdict is left.
"""

import errno
import os
import re
import secrets
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rankeval.commands.gate import show
from rankeval.commands.gate.report import GateFailure, GateReport, JudgedSuite, RuleOutcome
from rankeval.endings import BAD_INPUT, NOT_REPORTED, discard_unwritten, harmless, tell
from rankeval.errors import (
    InputError,
    RankevalError,
    ReaderLeftError,
    UsageError,
    printable,
    visible,
)
from rankeval.io.atomic import create_folder, write_errors
from rankeval.output.declared_columns import json_line
from rankeval.output.document_form import Document, fields_of, headed, plain
from rankeval.output.style import Style
from rankeval.output.writing import RAW, write_pieces

Write = Callable[[], None]
HISTORY = "rankeval-gate-history/1"
BEGINNING = f'{{"schema": "{HISTORY}"'
COMMITS = ("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT", "BUILD_SOURCEVERSION")
"""Variables in which GitHub, GitLab, Jenkins and Azure name the commit that they build."""
SUMMARY, OUTPUTS = "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"
"""Variables that name the files of a step on GitHub."""
LONGEST = 60_000
"""Characters of a comment; GitHub takes 65,536."""


class Reports(NamedTuple):
    """The files of reports, and True for GitHub's."""

    junit: str | None
    json: str | None
    comment: str | None
    append: str | None
    github: bool


def require_possible(reports: Reports, form: str, output: str | None) -> None:
    """Raise UsageError for reports that would be mixed, InputError for what is no history."""
    if reports.github and output is None and form != "table":
        problem = f"the annotations of --github would be mixed with the report in {form}"
        raise UsageError(problem, remedy="write the report to a file with -o")
    if "-" in reports:
        raise UsageError("a report is written to a file", expected="FILE, or -f json for stdout")
    if reports.append:
        _require_history(reports.append)


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
    answer: Write = partial(_write, partial(show.PRINTER.text, report, form), output, style, form)
    every = [_error_of(write) for write in (answer, *_writes(reports, report, style))]
    errors = [one for one in every if one is not None]
    left = next((one for one in errors if isinstance(one, BrokenPipeError)), None)
    unwritten = [one for one in errors if not isinstance(one, BrokenPipeError)]
    code = report.exit_code
    warn()
    if unwritten:
        verdict = printable(show.headline(report))
        tell(f"rankeval: the gate has judged, but not all could be written: {verdict}\n")
        code = BAD_INPUT if code == BAD_INPUT else NOT_REPORTED
        discard_unwritten()
    for one in unwritten:
        tell(f"rankeval: {one if isinstance(one, RankevalError) else printable(str(one))}\n")
    _give_outputs(reports, report, code)
    if left is not None:
        raise ReaderLeftError(code, left) from left
    return code


def write_failure(reports: Reports, report: GateReport) -> None:
    """Write the reason for the missing verdict to every report, so that no old verdict is left.

    Files are overwritten only if they are earlier reports, and so never an input.
    """
    junit, json, comment = (path and _may_overwrite(path) for path in reports[:3])
    reports = reports._replace(junit=junit, json=json, comment=comment)
    for write in _writes(reports, report, Style(colour=False)):
        _error_of(write)  # the failure itself matters more
    _give_outputs(reports, report, report.exit_code)


def _error_of(write: Write) -> Exception | None:
    """Write a report; return the error that kept it from being written."""
    try:
        write()
    except (RankevalError, OSError) as problem:
        return problem
    return None


def _writes(reports: Reports, report: GateReport, style: Style) -> Iterator[Write]:
    """Yield functions that write the reports for machines."""
    for path, draw, form in (
        (reports.junit, partial(junit, report), "table"),
        (reports.json, partial(show.PRINTER.text, report, "json"), "json"),
        (reports.comment, partial(comment, report), "markdown"),
    ):
        if path:
            yield partial(_write, draw, path, style, form)
    if reports.github:
        yield partial(_add, SUMMARY, markdown(report, style))
        yield partial(_write, partial(commands, report), None, style, RAW)
    if reports.append:
        yield partial(append_history, reports.append, report)


def _write(
    printed: Callable[[Style], Iterable[str]], path: str | None, style: Style, form: str = "table"
) -> None:
    """Write a report as `write_pieces` does, in a folder that is created where it is missing."""
    if path is not None and path != "-":
        create_folder(path)
    write_pieces(printed, path, style, form=form)


def _add(variable: str, text: str) -> None:
    """Append a text to the file that an environment variable names."""
    if path := os.environ.get(variable):
        with write_errors(path), Path(path).open("a", encoding="utf-8") as stream:
            stream.write(text)


def _may_overwrite(path: str) -> str | None:
    """Return the path if it is new, or an earlier report of a gate, which says so first."""
    if not os.path.lexists(path):
        return path
    with suppress(OSError), Path(path).open("rb") as stream:
        return path if re.search(rb"rankeval.gate", stream.read(400)) else None
    return None


def junit(report: GateReport, style: Style) -> Iterator[str]:
    """Print JUnit XML: a test case per rule.

    A rule that fails is a failure, with its sentence. A gate that could not judge is one test case
    with an error. The same verdicts give the same document.
    """
    root = ET.Element("testsuites")
    for one in report.suites:
        _add_suite(root, one, style.decimals)
    ET.indent(root)
    yield '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, "unicode") + "\n"


def _add_suite(root: ET.Element, suite: JudgedSuite | GateFailure, digits: int) -> None:
    judged = suite if isinstance(suite, JudgedSuite) else None
    outcomes = judged.outcomes if judged else ()
    failures = len(judged.failed) if judged else 0
    counts = {"tests": len(outcomes) or 1, "failures": failures, "errors": 0 if judged else 1}
    element = _added(root, "testsuite", name=f"rankeval gate {suite.name}".strip(), **counts)

    def case(name: str, *more: str) -> ET.Element:
        place = ".".join(filter(None, ("rankeval.gate", suite.name, *more)))
        named = ": ".join(filter(None, (suite.name, name)))
        return _added(element, "testcase", classname=place, name=named)

    lines = [show.headline_of(suite)]
    for outcome in outcomes:
        of_rule, said = case(str(outcome.rule), outcome.run), show.sentence(outcome, digits)
        lines.append(said)
        if not outcome.passed:
            kind = outcome.verdict.verdict if outcome.verdict else outcome.rule.kind
            _added(of_rule, "failure", message=said, type=kind).text = visible(outcome.signature)
    if isinstance(suite, GateFailure):
        error = _added(case("the gate can judge"), "error", message=suite.lines[0], type=suite.kind)
        error.text = "\n".join(map(visible, suite.lines))
    lines += [*show.below(judged)] if judged else []
    _added(element, "system-out").text = "\n".join(map(visible, lines))


def _added(parent: ET.Element, tag: str, **attributes: object) -> ET.Element:
    """Add an element; XML cannot hold all characters of names, so that some show as escapes."""
    texts = {name: visible(str(value)) for name, value in attributes.items()}
    return ET.SubElement(parent, tag, texts)


def commands(report: GateReport, style: Style) -> Iterator[str]:
    """Print GitHub's workflow commands: an error for every rule that fails, and doubts.

    A warning says that equal scores could change a rule that passes, and a notice that the topics
    do not decide.
    """
    for one in report.suites:
        title = ": ".join(filter(None, ("rankeval gate", one.name)))
        if isinstance(one, GateFailure):
            yield _command("error", title, *one.lines)
            continue
        for outcome in show.failed_first(one.outcomes):
            kind = "warning" if outcome.tied else "notice" if outcome.inconclusive else ""
            kind = kind if outcome.passed else "error"
            run = f"{outcome.run}: " if len(one.candidates) > 1 else ""
            if kind:
                said = show.sentence(outcome, style.decimals)
                yield _command(kind, f"{title}: {run}{outcome.rule}", said)


def _command(kind: str, title: str, *lines: str) -> str:
    """Return a workflow command: an annotation with a title, and a message of one line or more."""
    safe_title = _data(title).replace(":", "%3A").replace(",", "%2C")
    return f"::{kind} title={safe_title}::{'%0A'.join(map(_data, lines))}\n"


def _data(text: str) -> str:
    return harmless(visible(text).replace("%", "%25"))


def markdown(report: GateReport, style: Style) -> str:
    """Return the report in Markdown, under a heading."""
    return f"### rankeval gate: {''.join(show.PRINTER.text(report, 'markdown', style))}"


def comment(report: GateReport, style: Style) -> Iterator[str]:
    """Print Markdown for a comment, as long as GitHub takes it.

    The first line is the same for every report of a suite, so that a bot finds its comment again.
    """
    suite = report.suites[0].name if len(report.suites) == 1 else ""
    name = re.sub(r"[^\w.]+", "-", suite).strip("-")
    text = f"<!-- rankeval gate{f': {name}' if name else ''} -->\n{markdown(report, style)}"
    if len(text) > LONGEST:
        text = text[:LONGEST].rpartition("\n")[0] + "\n\nThe rest is in the other reports.\n"
    yield text


def _give_outputs(reports: Reports, report: GateReport, code: int) -> None:
    """Write the outputs of a step on GitHub; names are anybody's text, and add no output."""
    if not reports.github:
        return
    given = {
        "passed": "true" if code == 0 else "false",
        "exit-code": code,
        "summary": visible(show.headline(report)),
    }
    mark = secrets.token_hex(16)
    with suppress(RankevalError):
        _add(OUTPUTS, "".join(f"{name}<<{mark}\n{one}\n{mark}\n" for name, one in given.items()))


def append_history(path: str, report: GateReport) -> None:
    """Append a line for each suite to the history, with the time and the commit that CI names."""
    time = datetime.now(UTC).isoformat(timespec="seconds")
    commit = next(filter(None, map(os.environ.get, COMMITS)), "")
    lines = [json_line(history_line(suite, time, commit)) for suite in report.suites]
    append_text(path, "".join(lines))


def append_text(path: str, text: str) -> None:
    r"""Append lines in one write at the end of a history, behind those of others that append.

    Missing folders are created, and a last line without \n gets one. After a failed write the file
    is as it was. InputError for a file that is no history, or that cannot be written.
    """
    _require_history(path)
    create_folder(path)
    with write_errors(path), Path(path).open("a+b", buffering=0) as stream:
        data = text.encode("utf-8", "surrogateescape")
        if size := os.fstat(stream.fileno()).st_size:
            stream.seek(-1, os.SEEK_END)
            data = data if stream.read(1) == b"\n" else b"\n" + data
        try:
            if os.write(stream.fileno(), data) != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # noqa: TRY301  as the system raises it
        except OSError:
            with suppress(OSError):  # a device has no length
                stream.truncate(size)
            raise


def _require_history(path: str) -> None:
    """Raise InputError for a file that has content, but begins otherwise."""
    if Path(path).is_file():
        with write_errors(path), Path(path).open("rb") as stream:
            if stream.read(len(BEGINNING)) not in (b"", BEGINNING.encode()):
                raise InputError(
                    "is another kind of file, to which nothing is appended",
                    place=path,
                    expected=f"a new file, or one that begins with {BEGINNING}",
                )


def history_line(suite: JudgedSuite | GateFailure, time: str, commit: str) -> Document:
    """Return the line of a history for a suite at a time, in ISO 8601, and a commit.

    It has all keys but `error`, or only that behind the first five.

    ========= ================================================== ===================================
    time      str                                                when the gate ended, in UTC
    commit    str                                                that CI names; "" for none
    suite     str                                                "" for none
    passed    bool                                               True if every rule is kept
    exit_code int                                                1 if a rule fails, 2 on errors
    baseline  NotRequired[str]                                   name of the baseline
    topics    NotRequired[int]                                   number of topics
    qrels     NotRequired[str]                                   digest of the judgments
    rules     NotRequired[list[_rule]]                           one for each candidate and rule
    error     NotRequired[dict[Literal["kind", "message"], str]] why it could not be judged
    ========= ================================================== ===================================
    """
    facts: Document = {"time": time, "commit": commit, "suite": suite.name}
    facts |= fields_of(suite, "passed", "exit_code")
    if isinstance(suite, GateFailure):
        return headed(HISTORY, {**facts, "error": show.error(suite)})
    rules = [_rule(outcome) for outcome in suite.outcomes]
    facts |= {"baseline": suite.baseline.name, "topics": len(suite.baseline.topics)}
    facts |= {"qrels": suite.qrels.digest, "rules": rules}
    return headed(HISTORY, plain(facts))


def _rule(outcome: RuleOutcome) -> Document:
    """Return the outcome of a rule for a candidate, in brief.

    ========= ================== ===================================================================
    run       str                name of the candidate
    passed    bool               True if the candidate keeps the rule
    baseline  float | None       mean of the baseline
    candidate float | None       mean of the candidate
    drop      float | None       difference by which the candidate is worse
    measure   str                canonical name
    group     str                group of topics; "" for all
    rule      str                the rule, as on the command line
    verdict   VerdictText | None None for rules without a test
    ========= ================== ===================================================================
    """
    return {
        **fields_of(outcome, "run", "passed", "baseline", "candidate", "drop"),
        **fields_of(outcome.rule, "measure", "group"),
        "rule": str(outcome.rule),
        "verdict": outcome.verdict and outcome.verdict.verdict,
    }
