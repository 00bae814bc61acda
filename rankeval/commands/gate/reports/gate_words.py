"""Sentences on a gate that its document and all its reports share.

Names are as given: the writer of a format shows what does not print.
"""

from rankeval.base.wording import count
from rankeval.commands.gate.report import (
    AnyReport,
    GateFailure,
    GateReport,
    RuleOutcome,
    SuitesReport,
)
from rankeval.commands.gate.rules.all_kinds import kind_of
from rankeval.commands.gate.rules.rule_words import named
from rankeval.output.notice_lines import notice_lines
from rankeval.output.values import topics_of


def headline(report: AnyReport) -> str:
    """Return the verdict in one line, or why there is none."""
    if isinstance(report, GateFailure):
        return f"ERROR: {report.lines[0]}"
    if isinstance(report, SuitesReport):
        return _suites_headline(report)
    who = " and ".join(report.candidates)
    against = f"{who} against {report.baseline} over {_topics_of(report)}"
    if report.collections:
        wholes = {one.part_of or one.name for one in report.collections}
        against += f" of {count(len(wholes), 'collection')}"
    n_rules = len(report.outcomes)
    several = len(report.candidates) > 1
    if report.passed:
        rules = f"all {n_rules} rules" if n_rules > 1 else "the rule"
        return f"PASS: {against} {'keep' if several else 'keeps'} {rules}"
    rules = f"{len(report.broken)} of {n_rules} rules" if n_rules > 1 else "the rule"
    return f"FAIL: {against} {'break' if several else 'breaks'} {rules}"


def _suites_headline(report: SuitesReport) -> str:
    """Return the verdict on several suites, which names those that did not pass."""
    n_suites = len(report.reports)
    failed = [one.suite for one in report.judged if not one.passed]
    unjudged = [one.suite for one in report.reports if isinstance(one, GateFailure)]
    if not failed and not unjudged:
        return f"PASS: {'all ' if n_suites > 1 else ''}{count(n_suites, 'suite')}"
    said = []
    if failed:
        breaks = "break" if len(failed) > 1 else "breaks"
        said.append(f"{len(failed)} of {count(n_suites, 'suite')} {breaks} rules: {named(failed)}")
    if unjudged:
        said.append(f"{len(unjudged)} could not be judged: {named(unjudged)}")
    return f"{'ERROR' if unjudged else 'FAIL'}: {'; '.join(said)}"


def _topics_of(report: GateReport) -> str:
    judged = 0 if report.collections else report.qrels.topics
    return topics_of(report.topics, judged)


def label(one: RuleOutcome, report: GateReport) -> str:
    """Return the name of a rule, with its candidate if there are several."""
    rule = str(one.rule)
    return f"{one.run}, {rule}" if len(report.candidates) > 1 else rule


def sentence(one: RuleOutcome, digits: int) -> str:
    """Return the outcome of a rule: the change, its confidence bound, and the topics."""
    parts = kind_of(one.rule).say(one, digits)
    for topics, side in ((one.lost, "baseline"), (one.gained, "candidate")):
        if topics:
            parts.append(
                f"For {count(len(topics), 'topic')} only the {side} has a value: {named(topics)}"
            )
    if one.doubt:
        parts.append(one.doubt)
    if one.tied:
        parts.append("Another order of equal scores could turn this")
    return ". ".join(parts) + "."


def warning_lines(report: GateReport | SuitesReport, digits: int) -> list[str]:
    """Return the warnings about the runs and the verdicts, each once."""
    judged = report.judged if isinstance(report, SuitesReport) else (report,)
    of_runs = [line for one in judged for line in notice_lines(one.runs, digits)]
    return list(dict.fromkeys([*of_runs, *report.warnings]))
