"""A gate's report as a table for the terminal, and the words that all its reports share."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from rankeval.base.wording import confidence, count, number, visible
from rankeval.choices import Bound
from rankeval.commands.gate.decision import Decision
from rankeval.commands.gate.report import (
    AnyReport,
    GateFailure,
    GateReport,
    RuleOutcome,
    ShownMeasure,
    SuitesReport,
)
from rankeval.commands.gate.rules.all_kinds import kind_of
from rankeval.commands.gate.rules.rule_kind import named
from rankeval.evaluation.conventions import topics_of
from rankeval.evaluation.notice_lines import notice_lines
from rankeval.evaluation.results import RunResult
from rankeval.evaluation.shown_values import conventions_sentence
from rankeval.evaluation.text_cells import topic_title
from rankeval.output.style import Style
from rankeval.output.tables import Block, Cell, Column, Emphasis, Table, numbers
from rankeval.output.text import MORE, bold, note, paragraph, text
from rankeval.stats.judging import Verdict


def headline(report: AnyReport) -> str:
    """Return the verdict in one line, or why there is none."""
    if isinstance(report, GateFailure):
        return f"ERROR: {report.lines[0]}"
    if isinstance(report, SuitesReport):
        return _suites_headline(report)
    who = " and ".join(report.candidates)
    against = (
        f"{who} against {report.baseline} over {topics_of(report.topics, report.qrels.topics)}"
    )
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


def label(outcome: RuleOutcome, report: GateReport) -> str:
    """Return the name of a rule, with its candidate if there are several."""
    rule = str(outcome.rule)
    return f"{outcome.run}, {rule}" if len(report.candidates) > 1 else rule


def sentence(outcome: RuleOutcome, digits: int) -> str:
    """Return the outcome of a rule: the change, its confidence bound, and the topics."""
    parts = kind_of(outcome.rule).say(outcome, digits)
    for topics, side in ((outcome.lost, "baseline"), (outcome.gained, "candidate")):
        if topics:
            parts.append(
                f"For {count(len(topics), 'topic')} only the {side} has a value: {named(topics)}"
            )
    if outcome.tied:
        parts.append("Another order of equal scores could turn this")
    return ". ".join(parts) + "."


def warning_lines(
    report: GateReport | SuitesReport,
    digits: int,
    lines_of: Callable[[Sequence[RunResult], int], Iterable[str]] = notice_lines,
) -> list[str]:
    """Return the warnings about the runs, in the words of `lines_of`, and about the verdicts."""
    judged = report.judged if isinstance(report, SuitesReport) else (report,)
    of_runs = [line for one in judged for line in lines_of(one.runs, digits)]
    return list(dict.fromkeys([*of_runs, *report.warnings]))


BOUNDS = {Bound.STUDENT_T: "Student's t", Bound.BETTING: "betting"}

BROKEN_NAMED = 3
"""Broken rules that the table names of a suite."""


def table(report: AnyReport, style: Style) -> Iterator[str]:
    """Print the verdict, and a line for each rule; in a verbose style a paragraph, too.

    Of several suites, print a row for each, and the details of those that did not pass; of a gate
    that could not judge, the error as on standard error.
    """
    if isinstance(report, GateFailure):
        yield f"ERROR: {chr(10).join(map(visible, report.lines))}\n"
        return
    yield bold(paragraph(visible(headline(report)), style), style) + "\n\n"
    if isinstance(report, SuitesReport):
        yield from text([suites(report)], style)
        for judged in report.reports:
            if not judged.passed:
                yield "\n" + bold(f"suite {visible(judged.suite)}", style) + "\n"
                yield from table(judged, style)
        return
    if not style.verbose:
        yield from text([glance(report, style)], style)
        yield "\n"
        yield from (note(visible(line), style) + "\n" for line in _beneath(report))
        return
    yield from text([rules(report, style)], style)
    for outcome in report.outcomes:
        said = f"{label(outcome, report)}: {sentence(outcome, style.decimals)}"
        yield "\n" + paragraph(visible(said), style) + "\n"
    for line in remarks(report):
        yield "\n" + paragraph(visible(line), style) + "\n"


def glance(report: GateReport, style: Style) -> Table:
    """Return a line for each rule: the verdict, the means, their change, and the bound."""
    several = len(report.candidates) > 1

    def line(row: RuleOutcome | ShownMeasure, name: str, word: Cell | str, *said: str) -> list[Any]:
        means = [number(value, style.decimals) for value in (row.baseline, row.candidate)]
        relative = isinstance(row, RuleOutcome) and row.rule.relative
        changed = _change(row.baseline, row.candidate, style.decimals, relative=relative)
        return [word, *([row.run] if several else []), name, *means, changed, *said]

    judged = [
        line(
            outcome,
            str(outcome.rule),
            Cell("pass", Emphasis.GOOD) if outcome.passed else Cell("FAIL", Emphasis.ALARM),
            kind_of(outcome.rule).glance(outcome, style.decimals),
        )
        for outcome in report.outcomes
    ]
    others = [line(other, other.measure, "", "no rule") for other in report.shown]
    columns = [Column("rule", 12), *numbers(["baseline", "candidate", "change"])]
    bound = f"{confidence(report.decision.alpha)} bound"
    return Table(
        "",
        [Column(""), *([Column("run", 8)] if several else []), *columns, Column(bound, 12)],
        [*judged, *others],
    )


def _change(before: float | None, after: float | None, digits: int, *, relative: bool) -> str:
    """Return a change with its sign, as a share of the baseline's mean where limits are."""
    if before is None or after is None:
        return ""
    if relative and before:
        return f"{(after - before) / abs(before):+.1%}"
    return f"{after - before:+.{digits}f}"


WORST_NAMED = 5


def _beneath(report: GateReport) -> Iterator[str]:
    """Yield the number of topics needed, the worst topics, and settings that are not default."""
    unclear = [one.verdict for one in report.outcomes if one.verdict]
    needed = sorted(
        found.topics_needed
        for found in unclear
        if found.verdict is Verdict.CANNOT_TELL and found.topics_needed is not None
    )
    said = []
    if needed:
        topics = f"{needed[0]:,}" + (f" to {needed[-1]:,}" if needed[-1] > needed[0] else "")
        said.append(
            f"cannot tell: about {topics} topics would show an equal candidate to be not worse"
        )
    broken = next((one for one in report.broken if one.topics), None)
    if broken is not None:
        worst = ", ".join(
            topic_title(drop.topic, report.queries) for drop in broken.topics[:WORST_NAMED]
        )
        said.append(f"worst topics of {label(broken, report)}: {worst}")
    decision = replace(report.decision, power=Decision.power)
    said += [*method(report)] if decision != Decision() else []
    said += conventions_sentence(words for run in report.runs for words in run.conventions)
    yield from said[:-1]
    yield f"{said[-1].rstrip('.')}; {MORE}" if said else MORE


def blocks(report: AnyReport, style: Style) -> Iterator[Block]:
    """Yield the verdict, the table of rules, a sentence on each, and the remarks.

    Of several suites, yield a table of these and the blocks of each.
    """
    if isinstance(report, GateFailure):
        yield from report.lines
        return
    yield headline(report)
    if isinstance(report, SuitesReport):
        yield suites(report)
        for judged in report.reports:
            yield from blocks(judged, style)
        return
    yield rules(report, style)
    for outcome in report.outcomes:
        yield f"{label(outcome, report)}: {sentence(outcome, style.decimals)}"
    yield from remarks(report)


def rules(report: GateReport, style: Style) -> Table:
    """Return a table of the rules, and of the measures without a rule."""
    several = len(report.candidates) > 1

    def values(row: RuleOutcome | ShownMeasure) -> list[str]:
        return [number(value, style.decimals) for value in (row.baseline, row.candidate, row.drop)]

    judged = [
        [
            *([outcome.run] if several else []),
            str(outcome.rule),
            Cell("pass") if outcome.passed else Cell("FAIL", Emphasis.ALARM),
            *values(outcome),
            outcome.verdict.verdict if outcome.verdict else "",
        ]
        for outcome in report.outcomes
    ]
    others = [
        [*([other.run] if several else []), other.measure, "", *values(other), "no rule"]
        for other in report.shown
    ]
    columns = [Column("rule", 12), Column(""), *numbers(["baseline", "candidate", "drop"])]
    return Table(
        "",
        [*([Column("run", 8)] if several else []), *columns, Column("verdict")],
        [*judged, *others],
    )


def suites(report: SuitesReport) -> Table:
    """Return a table of the suites: the outcome, the rules kept, and the rules broken."""
    counts = numbers(["kept", "rules"])
    columns = [Column("suite", 12), Column(""), *counts, Column("broken", 12)]
    return Table("", columns, [_row(one) for one in report.reports])


def _row(report: GateReport | GateFailure) -> list[Cell | str]:
    said = "ERROR" if isinstance(report, GateFailure) else "pass" if report.passed else "FAIL"
    word = Cell(said, Emphasis.PLAIN if report.passed else Emphasis.ALARM)
    if isinstance(report, GateFailure):
        return [report.suite, word, "", "", report.lines[0]]
    n_rules, broken = len(report.outcomes), [label(rule, report) for rule in report.broken]
    more = len(broken) - BROKEN_NAMED
    named = "; ".join(broken[:BROKEN_NAMED]) + (f" and {more} more" if more > 0 else "")
    return [report.suite, word, str(n_rules - len(broken)), str(n_rules), named]


def missing(report: GateReport) -> Iterator[str]:
    """Say which topics each candidate lacks, and that they score 0 or have no value."""
    measures = {score.measure for run in report.runs for score in run.scores}
    for run, topics in report.missing.items():
        undefined = report.undefined.get(run, ())
        lacking = f"{' and '.join(undefined)} has no value"
        effect = f", scored 0, but {lacking} there" if undefined else ", scored 0"
        if len(undefined) == len(measures):
            effect = f", where {lacking}"
        yield f"{run} lacks {count(len(topics), 'topic')}{effect}: {named(topics)}"


def method(report: GateReport) -> Iterator[str]:
    """Yield the policy and the tests behind the verdicts, if there are any."""
    decision = report.decision
    used = {outcome.verdict.bound for outcome in report.outcomes if outcome.verdict}
    if used:
        bounds = " or ".join(BOUNDS[bound] for bound in Bound if bound in used)
        how = f"one-sided, alpha {decision.alpha:.4g}{_correction(report)}"
        yield f"Policy {decision.policy}; tests and bounds by {bounds}, {how}."


def remarks(report: GateReport, *, paths: bool = True) -> Iterator[str]:
    """Yield the method, the missing topics, and the basis of the verdicts.

    Without `paths`, runs have their names only, and the judgments that of their file.
    """
    yield from method(report)
    if any((one.seeds or one.baseline_seeds) and one.verdict for one in report.outcomes):
        yield (
            "The mean over several runs of a system is judged by Student's t, with the variance "
            "over topics and that over the runs."
        )
    for line in missing(report):
        yield f"{line}."
    yield from conventions_sentence(words for run in report.runs for words in run.conventions)
    if report.suite:
        yield f"suite: {report.suite}"
    if paths and any(report.paths):
        before, *after = [path or "in memory" for path in report.paths]
        golden = f"; golden baseline: {report.golden}" if report.golden else ""
        yield f"baseline: {before}{golden}; candidate: {', '.join(after)}"
    facts = report.qrels
    file = facts.path if paths else PurePath(facts.path).name
    counts = f"{count(facts.topics, 'topic')}, {count(facts.judgments, 'judgment')}"
    yield f"qrels: {file} ({counts}, digest {facts.digest})"


def _correction(report: GateReport) -> str:
    """Return the correction of p-values, and what it covers."""
    decision = report.decision
    if decision.correction == "none":
        return ""
    n_drops = sum(outcome.verdict is not None for outcome in report.outcomes)
    n_runs = len(report.candidates)
    each = " of each candidate" if n_runs > 1 else ""
    family = "" if n_drops == n_runs else f"the {n_drops // n_runs} limited drops{each}"
    return f", correction {decision.correction}" + (f" over {family}" if family else "")
