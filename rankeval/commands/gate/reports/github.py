"""A gate's report for GitHub: annotations in the log, and Markdown for the step's summary."""

from collections.abc import Iterator

from rankeval.base.visible import visible
from rankeval.base.workflow import harmless
from rankeval.commands.gate.report import GateReport
from rankeval.commands.gate.reports.gate_tables import missing, remarks, rules
from rankeval.commands.gate.reports.gate_words import headline, label, sentence
from rankeval.output import escape
from rankeval.output.markdown import table
from rankeval.output.notice_lines import notice_lines
from rankeval.output.style import Style
from rankeval.stats import Verdict


def annotations(report: GateReport, style: Style) -> Iterator[str]:
    """Print workflow commands: an error for every broken rule, and warnings and notices.

    A warning says that equal scores or the policy let a rule pass, a notice that there are too
    few topics to tell.
    """
    title = titled(report.suite)
    for one in report.outcomes:
        message = sentence(one, style.decimals)
        named = f"{title}: {label(one, report)}"
        if not one.passed:
            yield command("error", named, message)
        elif one.tied or one.lost or (one.verdict and one.verdict.exceeds):
            yield command("warning", named, message)
        elif one.verdict and one.verdict.verdict is Verdict.CANNOT_TELL:
            yield command("notice", named, message)
    for line in missing(report):
        yield command("warning", title, line)
    for line in report.warnings:
        yield command("warning", title, line)


def titled(suite: str) -> str:
    """Return the beginning of an annotation's title, with the suite if there is one."""
    return f"rankeval gate: {suite}" if suite else "rankeval gate"


def command(kind: str, title: str, *lines: str) -> str:
    """Return a workflow command: an annotation with a title, and a message of one line or more."""
    safe_title = _data(title).replace(":", "%3A").replace(",", "%2C")
    return f"::{kind} title={safe_title}::{'%0A'.join(map(_data, lines))}\n"


def _data(text: str) -> str:
    return harmless(visible(text).replace("%", "%25"))


def summary(report: GateReport, style: Style) -> Iterator[str]:
    """Print Markdown: the verdict, a table of rules, and a sentence on each."""
    yield f"### rankeval gate: {escape.markdown_prose(headline(report))}\n\n"
    yield from details(report, style)


def details(report: GateReport, style: Style) -> Iterator[str]:
    """Print a table of rules, a sentence on each, the remarks and the warnings."""
    yield from table(rules(report, style))
    yield "\n"
    for one in report.outcomes:
        said = escape.markdown_prose(sentence(one, style.decimals))
        yield f"- {escape.markdown(label(one, report))}: {said}\n"
    yield "\n"
    for line in remarks(report, paths=False):
        yield f"{escape.markdown_prose(line)}\n\n"
    for line in (*notice_lines(report.runs, style.decimals), *report.warnings):
        yield f"> warning: {escape.markdown_prose(line)}\n\n"
