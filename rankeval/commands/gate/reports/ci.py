"""A gate's report for machines: JUnit XML, GitHub's annotations and outputs, and a comment."""

import json
import re
import secrets
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from datetime import UTC, datetime

from rankeval.base.endings import harmless
from rankeval.base.libraries import stated_time
from rankeval.base.wording import visible
from rankeval.choices import Format
from rankeval.commands.gate.report import GateFailure, GateReport, JudgedSuite
from rankeval.commands.gate.show import (
    PRINTER,
    below,
    failed_first,
    headline,
    headline_of,
    missing,
    sentence,
)
from rankeval.errors import UsageError
from rankeval.output.style import Style
from rankeval.version import __version__

PACKAGE = "rankeval.gate"
LONGEST = 60_000
"""Characters of a comment; GitHub takes 65,536."""


def junit(report: GateReport, style: Style) -> Iterator[str]:
    """Print JUnit XML, as the schemas of Ant and of Jenkins both allow: a test case per rule.

    A rule that fails is a failure, with its sentence. A gate that could not judge is one test case
    with an error. With SOURCE_DATE_EPOCH the same verdicts give the same document.
    """
    root = ET.Element("testsuites")
    for number, one in enumerate(report.suites):
        _add_suite(root, one, number, style.decimals)
    ET.indent(root)
    yield '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, "unicode") + "\n"


def _add_suite(root: ET.Element, suite: JudgedSuite | GateFailure, id_: int, digits: int) -> None:
    try:
        stated = stated_time()
    except UsageError:  # is what the report is about
        stated = None
    judged = suite if isinstance(suite, JudgedSuite) else None
    outcomes = judged.outcomes if judged else ()
    counts = (len(outcomes) or 1, len(judged.failed) if judged else 0, 0 if judged else 1)
    seconds = 0.0 if stated or not judged else max(judged.seconds, 0.001)
    named = {"name": f"rankeval gate {suite.name}".strip(), "package": PACKAGE, "id": str(id_)}
    now = (stated or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%M:%S")
    numbers = dict(zip(("tests", "failures", "errors"), map(str, counts), strict=True))
    numbers |= {"skipped": "0", "time": f"{seconds:.3f}"}
    element = _added(root, "testsuite", **named, timestamp=now, hostname="localhost", **numbers)
    properties = _added(element, "properties")
    _added(properties, "property", name="rankeval", value=__version__)
    for run in (judged.baseline, *judged.candidates) if judged else ():
        _added(properties, "property", name=f"path of {run.name}", value=run.path)

    def case(name: str, *more: str) -> ET.Element:
        place = ".".join(filter(None, (PACKAGE, suite.name, *more)))
        named = ": ".join(filter(None, (suite.name, name)))
        time = f"{seconds / counts[0]:.3f}"
        return _added(element, "testcase", classname=place, name=named, time=time)

    for outcome in outcomes:
        of_rule = case(str(outcome.rule), outcome.run)
        if not outcome.passed:
            kind = outcome.verdict.verdict if outcome.verdict else outcome.rule.kind
            said = sentence(outcome, digits)
            _added(of_rule, "failure", message=said, type=kind).text = visible(outcome.signature)
    if isinstance(suite, GateFailure):
        error = case("the gate can judge")
        error = _added(error, "error", message=suite.lines[0], type=suite.kind)
        error.text = "\n".join(map(visible, suite.lines))
    lines = [headline_of(suite), *(sentence(outcome, digits) for outcome in outcomes)]
    lines += [*below(judged), *judged.warnings] if judged else []
    _added(element, "system-out").text = "\n".join(map(visible, lines))
    _added(element, "system-err")


def _added(parent: ET.Element, tag: str, **attributes: str) -> ET.Element:
    """Add an element; XML cannot hold all characters of names, so that some show as escapes."""
    return ET.SubElement(parent, tag, {name: visible(text) for name, text in attributes.items()})


def annotations(report: GateReport, style: Style) -> Iterator[str]:
    """Print GitHub's workflow commands: an error for every rule that fails, and doubts.

    A warning says that equal scores could change a rule that passes, or that a run lacks topics,
    and a notice that the topics do not decide.
    """
    for one in report.suites:
        title = ": ".join(filter(None, ("rankeval gate", one.name)))
        if isinstance(one, GateFailure):
            yield _command("error", title, *one.lines)
            continue
        for outcome in failed_first(one.outcomes):
            kind = "warning" if outcome.tied else "notice" if outcome.inconclusive else ""
            kind = kind if outcome.passed else "error"
            run = f"{outcome.run}: " if len(one.candidates) > 1 else ""
            if kind:
                said = sentence(outcome, style.decimals)
                yield _command(kind, f"{title}: {run}{outcome.rule}", said)
        for line in (*missing(one), *one.warnings):
            yield _command("warning", title, line)


def _command(kind: str, title: str, *lines: str) -> str:
    """Return a workflow command: an annotation with a title, and a message of one line or more."""
    safe_title = _data(title).replace(":", "%3A").replace(",", "%2C")
    return f"::{kind} title={safe_title}::{'%0A'.join(map(_data, lines))}\n"


def _data(text: str) -> str:
    return harmless(visible(text).replace("%", "%25"))


def markdown(report: GateReport, style: Style) -> str:
    """Return the report in Markdown, under a heading."""
    return f"### rankeval gate: {''.join(PRINTER.text(report, Format.MARKDOWN, style))}"


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


def outputs(report: GateReport, code: int, json_file: str | None, comment_file: str | None) -> str:
    """Return the outputs of a step on GitHub; names are anybody's text, and add no output."""
    words = {0: "passed", 1: "failed"}
    suites = {one.name: words.get(one.exit_code, "error") for one in report.suites}
    given = {
        "passed": "true" if code == 0 else "false",
        "exit-code": str(code),
        "summary": visible(headline(report)),
        "suites": json.dumps(suites),
        "report": json_file or "",
        "comment": comment_file or "",
    }
    mark = secrets.token_hex(16)
    return "".join(f"{name}<<{mark}\n{value}\n{mark}\n" for name, value in given.items())
