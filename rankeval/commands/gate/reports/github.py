"""A gate's report for GitHub: annotations in the log, and Markdown.

Markdown is for the step's summary, and for one comment on a pull request, which a later report
replaces.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from html import escape as quoted

from rankeval.base.endings import harmless
from rankeval.base.wording import count, visible
from rankeval.commands.gate.report import AnyReport, GateFailure, GateReport, SuitesReport
from rankeval.commands.gate.reports.gate_tables import (
    headline,
    label,
    missing,
    remarks,
    rules,
    sentence,
    suites,
)
from rankeval.evaluation.notice_lines import notice_lines
from rankeval.output import escape
from rankeval.output.markdown import table
from rankeval.output.style import Style
from rankeval.output.tables import Table
from rankeval.stats import Verdict

SHOWN = 5
"""Rules or suites in the table of a comment, of which 12 lines show before its details."""
LONGEST = 60_000
"""Characters of a comment; GitHub takes 65,536."""
TOO_LONG = "are too long for a comment; the other reports have them.\n"


def annotations(report: AnyReport, style: Style) -> Iterator[str]:
    """Print workflow commands: an error for every broken rule, and warnings and notices.

    A warning says that equal scores or the policy let a rule pass, a notice that there are too
    few topics for a verdict. Titles name the suite.
    """
    if isinstance(report, SuitesReport):
        for judged in report.reports:
            yield from annotations(judged, style)
        return
    if isinstance(report, GateFailure):
        yield command("error", titled(report.suite), *report.lines)
        return
    title = titled(report.suite)
    for outcome in report.outcomes:
        message = sentence(outcome, style.decimals)
        named = f"{title}: {label(outcome, report)}"
        if not outcome.passed:
            yield command("error", named, message)
        elif outcome.tied or outcome.lost or (outcome.verdict and outcome.verdict.exceeds):
            yield command("warning", named, message)
        elif outcome.verdict and outcome.verdict.verdict is Verdict.CANNOT_TELL:
            yield command("notice", named, message)
    for line in (*missing(report), *report.warnings):
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


def summary(report: AnyReport, style: Style) -> Iterator[str]:
    """Print Markdown: the verdict, a table of rules, and a sentence on each.

    Of several suites, print a table of these, and the details of each, folded.
    """
    yield f"### rankeval gate: {escape.markdown_prose(headline(report))}\n\n"
    if isinstance(report, SuitesReport):
        yield from table(suites(report))
        yield from _folded_suites(report, style)
    else:
        yield from _details(report, style)


def _details(
    report: GateReport | GateFailure, style: Style, shown: Collection[int] = ()
) -> Iterator[str]:
    """Print a table of rules, a sentence on each, the remarks and the warnings, or the error.

    The table leaves out the rows that are shown already, by number.
    """
    if isinstance(report, GateFailure):
        for line in report.lines[1:]:
            yield f"- {escape.markdown_prose(line.strip())}\n"
        yield f"\nThe gate could not judge (exit code {report.exit_code}).\n\n"
        return
    if rest := _without(rules(report, style), shown):
        yield from table(rest)
        yield "\n"
    for outcome in report.outcomes:
        said = escape.markdown_prose(sentence(outcome, style.decimals))
        yield f"- {escape.markdown(label(outcome, report))}: {said}\n"
    yield "\n"
    for line in remarks(report, paths=False):
        yield f"{escape.markdown_prose(line)}\n\n"
    for line in (*notice_lines(report.runs, style.decimals), *report.warnings):
        yield f"> warning: {escape.markdown_prose(line)}\n\n"


def _without(whole: Table, places: Collection[int]) -> Table | None:
    """Return a table without some rows; None if none are left."""
    rows = [row for place, row in enumerate(whole.rows) if place not in places]
    return replace(whole, rows=rows) if rows else None


def _first(report: GateReport | SuitesReport) -> list[int]:
    """Return the rows of the short table: broken rules, or failing suites, and then others."""
    kept = (
        [one.passed for one in report.reports]
        if isinstance(report, SuitesReport)
        else [*(one.passed for one in report.outcomes), *(True for _ in report.shown)]
    )
    return sorted(sorted(range(len(kept)), key=kept.__getitem__)[:SHOWN])


def _folded_suites(report: SuitesReport, style: Style) -> list[str]:
    """Return the details of each suite, folded."""
    return [folded(one.suite, headline(one), _details(one, style)) for one in report.reports]


def folded(name: str, said: str, lines: Iterator[str]) -> str:
    """Return details that GitHub shows when a reader unfolds them."""
    title = quoted(visible(f"{name}: {said}" if name else said)).replace("@", "&#64;")
    return f"\n<details><summary>{title}</summary>\n\n{''.join(lines)}\n</details>\n"


def comment(report: AnyReport, style: Style) -> Iterator[str]:
    """Print a marker, the verdict and a short table, and all else folded: 12 lines in sight.

    The marker is the same for every report of a suite, so that a bot finds its comment again.
    Details that make the comment too long for GitHub are left out, those of suites that pass first.
    """
    suite = "" if isinstance(report, SuitesReport) else report.suite
    short, details = _parts(report, style)
    brief = "".join([marker(suite), *short])
    if len(brief) > LONGEST:
        yield brief[:LONGEST].rpartition("\n")[0] + f"\n\nThe details {TOO_LONG}"
        return
    yield brief
    around = len(folded("", _more(report), iter(())))
    chosen = _fitting(report, details, LONGEST - len(brief) - around)
    inside = [details[place] for place in chosen]
    if len(chosen) < len(details):
        others = f"of {count(len(details) - len(chosen), 'suite')} " if chosen else ""
        inside.append(f"\nThe details {others}{TOO_LONG}")
    if not chosen:
        yield from inside
    else:
        yield folded("", _more(report), iter(inside))


def _more(report: AnyReport) -> str:
    """Return the title of the details, which has the number of their rows."""
    if isinstance(report, SuitesReport):
        n_rows, what = len(report.reports), "suite"
    else:
        n_rows, what = len(report.outcomes) if isinstance(report, GateReport) else 0, "rule"
    more = n_rows - SHOWN
    return f"{count(more, f'more {what}')}, and details" if more > 0 else "details"


def _fitting(report: AnyReport, details: Sequence[str], room: int) -> list[int]:
    """Return the places of the details that fit, in order; those of broken gates fit first."""
    passed = [one.passed for one in report.reports] if isinstance(report, SuitesReport) else []
    passed = [False] * (len(details) - len(passed)) + passed  # a table of others comes first
    chosen = []
    for place in sorted(range(len(details)), key=lambda at: passed[at]):
        if len(details[place]) <= room:
            room -= len(details[place])
            chosen.append(place)
    return sorted(chosen)


def marker(suite: str) -> str:
    """Return the line by which a comment is found again; Markdown does not show it."""
    name = re.sub(r"[^\w.]+", "-", suite).strip("-")
    return f"<!-- rankeval gate{f': {name}' if name else ''} -->\n"


def _parts(report: AnyReport, style: Style) -> tuple[list[str], list[str]]:
    """Return the short part of a comment, and its details."""
    if isinstance(report, GateFailure):
        return list(summary(report, style)), []
    suite = f"{report.suite}: " if isinstance(report, GateReport) and report.suite else ""
    title = escape.markdown_prose(f"{suite}{headline(report)}")
    whole = rules(report, style) if isinstance(report, GateReport) else suites(report)
    first = _first(report)
    others = {*range(len(whole.rows))} - {*first}
    short = [f"### rankeval gate: {title}\n\n", *table(_without(whole, others) or whole)]
    if isinstance(report, SuitesReport):
        rest = _without(whole, first)
        return short, [
            *([] if rest is None else ["".join(table(rest))]),
            *_folded_suites(report, style),
        ]
    return short, ["".join(_details(report, style, first))]
