"""A gate's report as JUnit XML: one test case per rule, a class per candidate."""

from collections.abc import Iterator
from html import escape as quoted

from rankeval import __version__
from rankeval.gate_report import GateReport, RuleOutcome
from rankeval.render.escape import visible
from rankeval.render.gate import headline, remarks, sentence
from rankeval.render.notices import notice_lines
from rankeval.render.style import Style

SUITE = "rankeval gate"


def junit(report: GateReport, style: Style) -> Iterator[str]:
    """Print the document; a rule that closes the gate is a failure of the type of its verdict."""
    counts = _attributes(
        tests=str(len(report.outcomes)), failures=str(len(report.broken)), errors="0"
    )
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<testsuites name="{SUITE}"{counts} time="0">\n'
    yield f'  <testsuite name="{SUITE}"{counts} skipped="0" time="0">\n'
    yield "    <properties>\n"
    for name, value in (
        ("rankeval", __version__),
        ("baseline", report.baseline),
        ("qrels", f"{report.qrels.path}, digest {report.qrels.digest}"),
        ("policy", report.decision.policy),
    ):
        yield f"      <property{_attributes(name=name, value=value)}/>\n"
    yield "    </properties>\n"
    for one in report.outcomes:
        yield from _case(one, style)
    lines = [headline(report), *remarks(report), *notice_lines(report.runs), *report.warnings]
    yield f"    <system-out>{_text(chr(10).join(lines))}</system-out>\n"
    yield "  </testsuite>\n</testsuites>\n"


def _case(one: RuleOutcome, style: Style) -> Iterator[str]:
    named = _attributes(classname=f"rankeval.gate.{one.run}", name=str(one.rule))
    message = sentence(one, style.digits)
    yield f'    <testcase{named} time="0">\n'
    if one.passed:
        yield f"      <system-out>{_text(message)}</system-out>\n"
    else:
        verdict = one.verdict.verdict if one.verdict else one.rule.kind
        facts = _attributes(message=message, type=verdict)
        yield f"      <failure{facts}>{_text(f'{message}{chr(10)}{one.signature}')}</failure>\n"
    yield "    </testcase>\n"


def _attributes(**values: str) -> str:
    return "".join(f' {name}="{_text(visible(value))}"' for name, value in values.items())


def _text(words: str) -> str:
    """Escape for XML; what XML cannot hold was shown as an escape before.

    References keep the log of a workflow, to which the document may be printed, from taking a line
    of it for a command.
    """
    text = quoted("\n".join(map(visible, words.split("\n"))))
    return text.replace("::", "&#58;:").replace("##[", "#&#35;[")
