"""The reports on checked files: for each its verdict, its errors, and what it holds."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rankeval.base.wording import count
from rankeval.commands.check.surveys import NAMES
from rankeval.commands.check.task import FileReport
from rankeval.errors import printable
from rankeval.output.declared_columns import count as counts
from rankeval.output.declared_columns import table, text
from rankeval.output.document_form import headed, plain
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block, Heading, Verbatim

WHAT = {"run": "run", "qrels": "judgments"}
SHOWN_TAGS = 5
COMPONENTS = ("platform", "research goal", "implementation", "method", "actor", "data")
"""The parts of an experiment that ir_metadata describes."""
SPREADS = {
    "documents_per_topic": "documents per topic",
    "judged_per_topic": "judged documents per topic",
    "relevant_per_topic": "relevant documents per topic",
}


def blocks(reports: Sequence[FileReport], style: Style) -> Iterator[Block]:
    """Yield for each file its verdict, its errors and warnings, and its content."""
    for number, report in enumerate(reports):
        if number:
            yield ""
        yield Heading(f"{report.path}: {_verdict(report)}")
        lines = [*_errors(report), *(f"warning: {one}" for one in report.warnings)]
        if "lines" in report.facts:
            lines += _content(report.what, report.facts)
        if lines:
            yield Verbatim("\n".join(_folded(printable(line), style) for line in lines))
        across = report.facts.get("topics_with_a_tie_across")
        if style.verbose and across:
            columns = [
                text("first documents", right=True, get=str),
                counts("topics with a tie across", get=across.get),
            ]
            yield ""
            yield table("", columns, across, style)


def _folded(line: str, style: Style) -> str:
    """Fold a line at blanks on a terminal."""
    if style.width is None:
        return line
    return "\n".join(
        textwrap.wrap(
            line,
            max(style.width - 2, 1),
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    )


def _verdict(report: FileReport) -> str:
    """Return `ok`, or the number of errors; and that of warnings."""
    if report.unreadable:
        return "cannot be read"
    n_wrong = sum(report.wrong.values())
    verdict = count(n_wrong, "error") if n_wrong else "ok"
    n_warnings = len(report.warnings)
    return f"{verdict}, {count(n_warnings, 'warning')}" if n_warnings else verdict


def _errors(report: FileReport) -> Iterator[str]:
    yield from report.unreadable.splitlines()
    for kind, times in report.wrong.items():
        yield f"error: {kind}" + (f" ({times:,} times)" if times > 1 else "")
    for error in report.errors:
        yield f"  {error.splitlines()[0]}"
    more = sum(report.wrong.values()) - len(report.errors)
    if report.errors and more > 0:
        yield f"  and {more:,} more: --max-problems {len(report.errors) + more}"


def _content(what: str, facts: Mapping[str, Any]) -> Iterator[str]:
    lines, topics = count(facts["lines"], "line"), count(facts["topics"], "topic")
    form = [facts["format"], *filter(None, [facts.get("compression")])]
    form += [count(facts["parts"], "part")] if "parts" in facts else []
    tags = facts.get("tags") or ()
    more = f" and {len(tags) - SHOWN_TAGS} more" if len(tags) > SHOWN_TAGS else ""
    named = f", tag{'s' * (len(tags) > 1)} {', '.join(tags[:SHOWN_TAGS])}{more}" if tags else ""
    yield f"{WHAT[what]} in {', '.join(form)}: {lines}, {topics}{named}"
    for name, words in SPREADS.items():
        again = name == "documents_per_topic" and facts[name] == facts.get("judged_per_topic")
        if name in facts and not again:
            yield f"{words}: {_spread(facts[name])}"
    if "grades" in facts:
        yield _grades(facts)
    labels = [f"{facts[name]:,} {name}" for name in NAMES.values() if name in facts]
    if labels:
        yield ", ".join(labels)
    yield from _metadata(facts)
    top = facts.get("unjudged_in_the_top", {})
    shares = [f"{value:.1%} at {k}" for k, value in top.items() if value is not None]
    if shares:
        yield f"unjudged: {', '.join(shares)}"


def _grades(facts: Mapping[str, Any]) -> str:
    """List the grades with their numbers of judgments; of many their quartiles, and the first."""
    times = ", ".join(f"{grade} ({n:,})" for grade, n in facts["grades"].items())
    if "distinct_grades" not in facts:
        return f"grades (judgments): {times}"
    least, *quartiles, most = (f"{value:,g}" for value in facts["grade_quartiles"].values())
    return (
        f"{facts['distinct_grades']:,} distinct grades from {least} to {most}, quartiles "
        f"{', '.join(quartiles)}; the most frequent: {times}"
    )


def _metadata(facts: Mapping[str, Any]) -> Iterator[str]:
    """Say which parts of an experiment the header describes."""
    if "metadata_hint" in facts:
        yield facts["metadata_hint"]
    if "metadata" in facts:
        named = [name for name in COMPONENTS if facts["metadata"].get(name)]
        missing = [name for name in COMPONENTS if name not in named]
        yield f"the ir_metadata header describes: {', '.join(named) or 'nothing'}" + (
            f"; it lacks: {', '.join(missing)}" if missing else ""
        )


def _spread(values: Mapping[str, float]) -> str:
    """Return a range and the median: `8 to 100, median 97.5`."""
    least, median, most = values["min"], values["median"], values["max"]
    return f"{most:,}" if least == most else f"{least:,} to {most:,}, median {median:,g}"


PRINTER = Printer[Sequence[FileReport]](
    blocks,
    document=lambda reports, _: headed("rankeval-check/1", {"files": plain(reports)}),
)
