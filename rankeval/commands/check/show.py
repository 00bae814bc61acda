"""The reports of `rankeval check` in every format, and their schema."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from rankeval.base.wording import count
from rankeval.commands.check.findings import FileReport
from rankeval.errors import printable
from rankeval.output.document_form import (
    Document,
    headed,
    plain,
)
from rankeval.output.looks import Look, nothing
from rankeval.output.output_formats import TEXT
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import NAME, Column, Table, numbers
from rankeval.output.text import drawn

SCHEMA = "rankeval-check/1"


def document(reports: Sequence[FileReport]) -> Document:
    """Return the findings in each file."""
    return headed(SCHEMA, {"files": [plain(asdict(report)) for report in reports]})


NEWLINE = "\n"
INDENT = "  "
WHAT = {"run": "run", "qrels": "judgments", "prefs": "preferences"}
SHOWN_TAGS = 5
SHOWN_ENTRIES = 60
LONGEST = 120
"""The first of the entries of a header, and characters of each, that a table shows."""

COMPONENTS = ("platform", "research goal", "implementation", "method", "actor", "data")
"""The parts of an experiment that ir_metadata describes."""


def text(reports: Sequence[FileReport], style: Style) -> Iterator[str]:
    """Print a paragraph for each file, with its tables."""
    for number, report in enumerate(reports):
        title = f"{report.path}: {WHAT[report.what]}{_format(report.facts)}"
        yield ("\n" if number else "") + printable(title) + "\n"
        for sentence in _sentences(report.facts):
            yield f"  {printable(sentence)}\n"
        narrow = replace(style, width=max(1, style.width - len(INDENT))) if style.width else style
        for table in _tables(report.facts):
            yield "\n"
            lines = "".join(drawn(table, narrow)).splitlines()
            yield from (f"{INDENT}{line}\n" if line else "\n" for line in lines)
        if "lines" in report.facts and (report.warnings or report.wrong or report.unreadable):
            yield "\n"
        for warning in report.warnings:
            yield printable(f"  warning: {warning}") + "\n"
        for kind, times in report.wrong.items():
            yield printable(f"  error: {times} × {kind}") + "\n"
        for error in report.errors:
            yield f"  {error.splitlines()[0]}\n"
        if report.unreadable:
            yield f"  error: {report.unreadable.replace(NEWLINE, NEWLINE + '  ')}\n"


def _format(facts: Mapping[str, Any]) -> str:
    """Return the format, the compression if the file has one, and the number of its parts."""
    packed = f", {facts['compression']}" if "compression" in facts else ""
    packed += f", {count(facts['parts'], 'part')}" if "parts" in facts else ""
    return f" (format: {facts['format']}{packed})" if "format" in facts else ""


def _sentences(facts: Mapping[str, Any]) -> Iterator[str]:
    if "lines" not in facts:
        return
    yield f"{count(facts['lines'], 'line')}, {count(facts['topics'], 'topic')}{_tags(facts)}."
    for name, noun in _SPREADS.items():
        once = name != "documents_per_topic" or facts[name] != facts.get("judged_per_topic")
        if name in facts and once:
            yield f"{noun}: {_spread(facts[name])}."
    if "distinct_grades" in facts:
        yield _many_grades(facts["distinct_grades"], facts["grade_quartiles"], facts["grades"])
    held = [f"{facts[name]:,} {name}" for name in _LABELS if name in facts]
    if held:
        yield f"Labels: {', '.join(held)}."
    yield from _metadata(facts)
    if facts.get("tied_documents") == 0:
        yield "No documents of a topic have equal scores."
    if "topics_without_judgments" in facts:
        yield _coverage(facts["topics_without_judgments"], facts["judged_topics_missing"])
        low, high = (f"{value:.4f}" for value in facts["ndcg_at_10_over_tie_orders"])
        either = "whatever the order" if low == high else "depending on the order"
        value = low if low == high else f"{low} to {high}"
        yield f"nDCG@10 is {value}, {either} of equal scores."


def _many_grades(number: int, values: Mapping[str, float], shown: Mapping[str, int]) -> str:
    """Sum up grades that are too many for a table, which has the most frequent ones."""
    least, q1, median, q3, most = (f"{values[n]:,g}" for n in ("min", "q1", "median", "q3", "max"))
    return (
        f"Grades: {number:,} distinct ones from {least} to {most}, quartiles {q1}, {median} and "
        f"{q3}; the {len(shown)} most frequent are below."
    )


def _metadata(facts: Mapping[str, Any]) -> Iterator[str]:
    """Say which parts of an experiment the header describes."""
    if "metadata_hint" in facts:
        yield f"{facts['metadata_hint']}."
    if "metadata" not in facts:
        return
    found = facts["metadata"]
    named = [name for name in COMPONENTS if found.get(name)]
    missing = [name for name in COMPONENTS if not found.get(name)]
    yield f"The ir_metadata header describes: {', '.join(named) or 'nothing'}." + (
        f" It lacks: {', '.join(missing)}." if missing else ""
    )


def _metadata_table(found: Mapping[str, Any]) -> Table:
    entries = [entry for name in found for entry in _entries((name,), found[name])]
    rows = [[path[0], " / ".join(path[1:]), value] for path, value in entries[:SHOWN_ENTRIES]]
    if len(entries) > SHOWN_ENTRIES:
        rows.append(["...", f"{len(entries) - SHOWN_ENTRIES:,} more in -f json", ""])
    columns = [Column("metadata", 12), Column("entry", 12), Column("value", NAME)]
    return Table("", columns, rows)


def _entries(path: tuple[str, ...], value: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each value with the names that lead to it; texts of a list together."""
    if isinstance(value, Mapping):
        for name, one in value.items():
            yield from _entries((*path, str(name)), one)
    elif isinstance(value, list) and any(isinstance(one, Mapping | list) for one in value):
        for number, one in enumerate(value, 1):
            yield from _entries((*path, str(number)), one)
    else:
        text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        yield path, text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def _coverage(without: int, missing: int) -> str:
    """Compare the topics of a run with those of the judgments."""
    if not without and not missing:
        return "The run and the judgments have the same topics."
    run = f"{without:,} of its topics without judgments" if without else "judgments for all topics"
    return f"Beside the judgments: {run}, {count(missing, 'judged topic')} missing."


_SPREADS = {
    "documents_per_topic": "Documents per topic",
    "judged_per_topic": "Judged documents per topic",
    "relevant_per_topic": "Relevant documents per topic",
}
_LABELS = ("subtopics", "strata", "groups", "subgroups")


def _tags(facts: Mapping[str, Any]) -> str:
    """Return the tags of a run, the first few of many."""
    tags = facts.get("tags") or ()
    more = f" and {len(tags) - SHOWN_TAGS} more" if len(tags) > SHOWN_TAGS else ""
    named = ", ".join(tags[:SHOWN_TAGS]) + more
    return f", tag{'s' if len(tags) > 1 else ''} {named}" if tags else ""


def _spread(values: Mapping[str, float]) -> str:
    """Return a range and the median: `8 to 100, median 97.5`."""
    least, median, most = values["min"], values["median"], values["max"]
    return f"{most:,}" if least == most else f"{least:,} to {most:,}, median {median:,g}"


def _tables(facts: Mapping[str, Any]) -> Iterator[Table]:
    if "metadata" in facts:
        yield _metadata_table(facts["metadata"])
    if "grades" in facts:
        rows = [
            [grade, f"{times:,}", *(f"{spread[name]:,g}" for name in ("min", "median", "max"))]
            for grade, times in facts["grades"].items()
            for spread in [facts["grades_per_topic"][grade]]
        ]
        heads = ["grade", "judgments", "least per topic", "median", "most"]
        yield Table("", numbers(heads), rows)
    if "topics_with_a_tie_across" in facts:
        across = facts["topics_with_a_tie_across"]
        unjudged = facts.get("unjudged_in_the_top")
        if unjudged is not None or any(across.values()):
            heads = ["first documents", "topics with a tie across"]
            cells = [[k, f"{times:,}"] for k, times in across.items()]
            if unjudged is not None:
                heads.append("unjudged")
                cells = [[*row, _share(unjudged[row[0]])] for row in cells]
            yield Table("", numbers(heads), cells)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


FILE_REPORTS = Printer[Sequence[FileReport]](
    document=lambda reports, _: document(reports),
    drawings={TEXT: text},
)


def look() -> Look:
    """Return how the report on a file shows itself: as text."""
    from rankeval.output.html import preformatted

    def html(report: FileReport, style: Style) -> Iterator[str]:
        yield preformatted("".join(FILE_REPORTS.text([report], TEXT, style)))

    return Look(FILE_REPORTS, html, form=TEXT, several=True, warnings=nothing)
