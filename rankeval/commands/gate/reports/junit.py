"""A gate's report as JUnit XML: one test case per rule, a class per suite and candidate.

Elements, attributes and their order are those that the schemas of Ant and of Jenkins both allow.
A test case takes the time of its verdict and an equal share of that of reading and scoring. With
SOURCE_DATE_EPOCH, documents of the same verdicts are the same: it is their time, and nothing takes
any.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from html import escape as quoted

from rankeval.base.libraries import stated_time
from rankeval.base.wording import visible
from rankeval.commands.gate.report import (
    AnyReport,
    GateFailure,
    GateReport,
    RuleOutcome,
    SuitesReport,
)
from rankeval.commands.gate.reports.gate_tables import headline, label, remarks, sentence
from rankeval.errors import UsageError
from rankeval.evaluation.notice_lines import notice_lines
from rankeval.output.style import Style
from rankeval.version import __version__

SUITE = "rankeval gate"
PACKAGE = "rankeval.gate"


def junit(report: AnyReport, style: Style) -> Iterator[str]:
    """Print the XML of a report, with an element for each suite.

    A gate that could not judge is one test case with an error.
    """
    reports = report.reports if isinstance(report, SuitesReport) else [report]
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
    for number, one in enumerate(reports):
        if isinstance(one, GateReport):
            yield from _judged(one, style, number)
        else:
            yield from _unjudged(one, number)
    yield "</testsuites>\n"


def _judged(report: GateReport, style: Style, number: int) -> Iterator[str]:
    """Print a suite; a broken rule is a failure, with the verdict as its type."""
    before, *after = report.paths or ("",)
    properties = [
        ("rankeval", __version__),
        ("suite", report.suite),
        ("baseline", report.baseline),
        ("baseline path", before),
        *((f"candidate path {i}", path) for i, path in enumerate(after, 1)),
        ("qrels", f"{report.qrels.path}, digest {report.qrels.digest}"),
        ("policy", report.decision.policy),
    ]
    said = [
        f"{label(outcome, report)}: {sentence(outcome, style.decimals)}"
        for outcome in report.outcomes
    ]
    lines = [headline(report), *said, *remarks(report), *notice_lines(report.runs, style.decimals)]
    rest = report.seconds - sum(one.seconds for one in report.outcomes)
    share = max(rest, 0.0) / max(len(report.outcomes), 1)
    yield from _suite(
        report.suite,
        number,
        _attributes(tests=len(report.outcomes), failures=len(report.broken), errors=0),
        properties,
        (piece for one in report.outcomes for piece in _case(one, report.suite, share, style)),
        [*lines, *report.warnings],
        report.seconds,
    )


def _unjudged(failure: GateFailure, number: int) -> Iterator[str]:
    facts = _attributes(message=failure.lines[0], type=failure.kind)
    case = f"      <error{facts}>{_text(*failure.lines)}</error>\n"
    yield from _suite(
        failure.suite,
        number,
        _attributes(tests=1, failures=0, errors=1),
        [("rankeval", __version__), ("suite", failure.suite)],
        [
            *_opened(failure.suite, "", "the gate can judge", failure.seconds),
            *(case, "    </testcase>\n"),
        ],
        [f"exit code {failure.exit_code}"],
        failure.seconds,
    )


def _suite(
    suite: str,
    number: int,
    counts: str,
    properties: Iterable[tuple[str, str]],
    cases: Iterable[str],
    lines: Iterable[str],
    seconds: float,
) -> Iterator[str]:
    now = (_stated() or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%M:%S")
    named = _attributes(name=f"{SUITE} {suite}".strip(), package=PACKAGE, id=number, timestamp=now)
    yield f'  <testsuite{named} hostname="localhost"{counts} skipped="0"{_time(seconds)}>\n'
    yield "    <properties>\n"
    for name, value in properties:
        yield f"      <property{_attributes(name=name, value=value)}/>\n"
    yield "    </properties>\n"
    yield from cases
    yield f"    <system-out>{_text(*lines)}</system-out>\n"
    yield "    <system-err></system-err>\n  </testsuite>\n"


def _stated() -> datetime | None:
    """Return the time for documents; None for now, and for a text that is no time.

    What is no time is refused where a gate begins, and the report of that is printed here.
    """
    try:
        return stated_time()
    except UsageError:
        return None


def _time(seconds: float) -> str:
    """Return the attribute of a time; the schema of Jenkins allows three decimals."""
    return _attributes(time="0" if _stated() else f"{max(seconds, 0.001):.3f}")


def _opened(suite: str, run: str, name: str, seconds: float) -> Iterator[str]:
    """Yield the start of a test case, with names that differ between suites and runs."""
    place = ".".join(part for part in (PACKAGE, suite, run) if part)
    full_name = f"{suite}: {name}" if suite else name
    yield f"    <testcase{_attributes(classname=place, name=full_name)}{_time(seconds)}>\n"


def _case(outcome: RuleOutcome, suite: str, share: float, style: Style) -> Iterator[str]:
    yield from _opened(suite, outcome.run, str(outcome.rule), outcome.seconds + share)
    if not outcome.passed:
        message = sentence(outcome, style.decimals)
        verdict = outcome.verdict.verdict if outcome.verdict else outcome.rule.kind
        facts = _attributes(message=message, type=verdict)
        yield f"      <failure{facts}>{_text(message, outcome.signature)}</failure>\n"
    yield "    </testcase>\n"


def _attributes(**values: str | int) -> str:
    return "".join(f' {name}="{_text(str(value))}"' for name, value in values.items())


def _text(*lines: str) -> str:
    """Escape lines for XML, and show characters that XML cannot hold as escapes.

    References keep the log of a workflow, to which the document may be printed, from taking a line
    of it for a command.
    """
    text = quoted("\n".join(map(visible, lines)))
    return text.replace("::", "&#58;:").replace("##[", "#&#35;[")
