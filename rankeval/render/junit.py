"""A gate's report as JUnit XML: one test case per rule, a class per suite and candidate.

Elements, attributes and their order are those that the schemas of Ant and of Jenkins both allow.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from html import escape as quoted

from rankeval.documents.gate_words import headline, label, sentence
from rankeval.documents.notices import notice_lines
from rankeval.render.gate import remarks
from rankeval.render.style import Style
from rankeval.support.visible import visible
from rankeval.tasks.gate.report import GateFailure, GateReport, RuleOutcome
from rankeval.version import __version__

SUITE = "rankeval gate"
PACKAGE = "rankeval.gate"


def junit(report: GateReport, style: Style) -> Iterator[str]:
    """Print the XML of a report; a broken rule is a failure, with the verdict as its type."""
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
    said = [f"{label(one, report)}: {sentence(one, style.decimals)}" for one in report.outcomes]
    lines = [headline(report), *said, *remarks(report), *notice_lines(report.runs, style.decimals)]
    yield from _document(
        report.suite,
        _attributes(tests=len(report.outcomes), failures=len(report.broken), errors=0),
        properties,
        (piece for one in report.outcomes for piece in _case(one, report.suite, style)),
        [*lines, *report.warnings],
    )


def junit_error(failure: GateFailure, _style: Style) -> Iterator[str]:
    """Print the XML of a gate that could not judge: one test case with an error."""
    first = failure.problem.partition("\n")[0]
    facts = _attributes(message=first, type=failure.kind)
    case = f"      <error{facts}>{_text(failure.problem)}</error>\n"
    yield from _document(
        failure.suite,
        _attributes(tests=1, failures=0, errors=1),
        [("rankeval", __version__), ("suite", failure.suite)],
        [*_opened(failure.suite, "", "the gate can judge"), case, "    </testcase>\n"],
        [f"exit code {failure.exit_code}"],
    )


def _document(
    suite: str,
    counts: str,
    properties: Iterable[tuple[str, str]],
    cases: Iterable[str],
    lines: Iterable[str],
) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S")
    named = _attributes(name=f"{SUITE} {suite}".strip(), package=PACKAGE, id=0, timestamp=now)
    yield f'  <testsuite{named} hostname="localhost"{counts} skipped="0" time="0">\n'
    yield "    <properties>\n"
    for name, value in properties:
        yield f"      <property{_attributes(name=name, value=value)}/>\n"
    yield "    </properties>\n"
    yield from cases
    yield f"    <system-out>{_text(chr(10).join(lines))}</system-out>\n"
    yield "    <system-err></system-err>\n  </testsuite>\n</testsuites>\n"


def _opened(suite: str, run: str, name: str) -> Iterator[str]:
    """Yield the start of a test case, with names that differ between suites and runs."""
    place = ".".join(part for part in (PACKAGE, suite, run) if part)
    told = f"{suite}: {name}" if suite else name
    yield f'    <testcase{_attributes(classname=place, name=told)} time="0">\n'


def _case(one: RuleOutcome, suite: str, style: Style) -> Iterator[str]:
    yield from _opened(suite, one.run, str(one.rule))
    if not one.passed:
        message = sentence(one, style.decimals)
        verdict = one.verdict.verdict if one.verdict else one.rule.kind
        facts = _attributes(message=message, type=verdict)
        yield f"      <failure{facts}>{_text(f'{message}{chr(10)}{one.signature}')}</failure>\n"
    yield "    </testcase>\n"


def _attributes(**values: str | int) -> str:
    return "".join(f' {name}="{_text(visible(str(value)))}"' for name, value in values.items())


def _text(words: str) -> str:
    """Escape for XML; what XML cannot hold was shown as an escape before.

    References keep the log of a workflow, to which the document may be printed, from taking a line
    of it for a command.
    """
    text = quoted("\n".join(map(visible, words.split("\n"))))
    return text.replace("::", "&#58;:").replace("##[", "#&#35;[")
