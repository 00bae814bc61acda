"""Check files one after the other: a verdict on each, its errors, and what it holds."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import chain, repeat
from typing import Any, Unpack

from rankeval.base.checked import checked
from rankeval.base.frozen import field, frozen, replace
from rankeval.base.threads import usable_threads
from rankeval.base.wording import count, listed
from rankeval.commands.check.surveys import (
    NAMES,
    Oddities,
    Survey,
    survey_judgments,
    survey_run,
)
from rankeval.errors import InputError, UsageError, printable
from rankeval.evaluation.settings import Reading, ReadingFields
from rankeval.io.blocks import display_name
from rankeval.io.files import StrPath, files_of, is_in_parts, unchanged
from rankeval.io.formats import FORMATS, IRDS, Form
from rankeval.io.lines_parser import Problems
from rankeval.io.read import begin, detect, kind_of, map_blocks
from rankeval.io.topic_order import gathered, held_whole, itself, stream_or_hold
from rankeval.output.document_form import headed, plain
from rankeval.output.output_formats import Printer
from rankeval.output.shown import Shown
from rankeval.output.style import Style
from rankeval.output.tables import Block, Heading, Verbatim
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.run_source import refuse_stdin_twice


@frozen
class FileReport(Shown):
    """The report on a file.

    ========== ==========================================================================
    path       the file
    what       "run" or "qrels"
    facts      what it holds, by name
    warnings   doubts that a reader of its numbers should know
    errors     messages about the first wrong lines
    wrong      what is wrong, counted by kind: no command evaluates such a file
    unreadable why the file could not be read to its end; "" for one that was
    ========== ==========================================================================
    """

    path: str
    what: str
    facts: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    wrong: dict[str, int] = field(default_factory=dict)
    unreadable: str = ""

    def _printable(self) -> list[FileReport]:
        return [self]

    def _doubts(self) -> Sequence[str]:
        return ()  # the report shows its warnings itself


@checked
def check(
    paths: StrPath | Sequence[StrPath], *, max_problems: int = 5, **reading: Unpack[ReadingFields]
) -> list[FileReport]:
    r"""Describe files; the first may hold judgments, which the others are then compared with.

    ============ ===========================================================================
    paths        files, or a single one
    max_problems wrong lines of each file that are described
    reading      columns, qrels_format and run_format, as in `evaluate`
    ============ ===========================================================================

    Errors are reported, not raised, also where a file cannot be read. A run is surveyed topic by
    topic, so that memory does not grow with the file; the lines of a pipe, and of a file in which
    topics are scattered, are held.

    >>> from pathlib import Path
    >>> from rankeval import check
    >>> _ = Path("bm25.run").write_text("q1 Q0 d1 1 0.5 bm25\nq1 Q0 d1 2 0.4 bm25\n")
    >>> (report,) = check("bm25.run")
    >>> report.what, report.facts["topics"]
    ('run', 1)
    """
    if not paths:
        raise UsageError("no file to check", expected="one file or more")
    given = [paths] if isinstance(paths, str | os.PathLike) else paths
    names = [os.fspath(path) for path in given]
    how = Reading(**reading)
    refuse_stdin_twice(*names)

    usual = "qrels" if len(names) > 1 else ""
    first, judgments, certain = _look(names[0], usual, None, how, max_problems)
    reports = [first]
    for path in names[1:]:
        report, _, judged = _look(path, "run", judgments, how, max_problems)
        if judged and not (certain or first.unreadable):
            raise UsageError(
                "this file holds judgments, which come first",
                place=report.path,
                expected="rankeval check QRELS RUN...",
            )
        reports.append(report)
    return reports


def _look(
    path: str,
    usual: str,
    qrels: Qrels | None,
    reading: Reading,
    max_problems: int,
) -> tuple[FileReport, Qrels | None, bool]:
    """Return the report on a file, its judgments if any, and True if it can hold nothing else.

    A file that may hold judgments or a run is read as the usual one; others come as runs.
    """
    name, problems, oddities = display_name(path), Problems(max_problems), Oddities()
    what, certain, unreadable = "run", False, ""
    facts: dict[str, Any] = {}
    found = None
    try:
        with unchanged(path):
            sample = files_of(path)[0]
            begun = None if path.startswith(IRDS) else begin(sample)
            asked = reading.run_form() if usual == "run" else reading.qrels_form()
            kind = kind_of(begun, sample, asked)
            certain = kind.certain and kind.what != "run"
            what = usual if usual == "run" or (not kind.certain and usual) else kind.what
            form = reading.run_form() if what == "run" else reading.qrels_form()
            form = replace(form, what=what, keep=True, problems=problems, begun=begun)
            if begun is not None:
                form = replace(form, name=form.name or detect(begun, sample, form))
                if not FORMATS[str(form.name)].magic:
                    form = replace(form, passing=oddities.passing)
            facts["format"] = form.name or "irds"
            form = replace(form, name=reading.format_of(what))
            if is_in_parts(path):
                form = replace(form, begun=None)
            found = _surveyed(path, form, qrels, problems)
    except InputError as error:
        unreadable = str(error)
    wrong = dict(problems.counts)
    if found is not None:
        facts |= found.facts
        wrong |= found.wrong
    elif not wrong and not unreadable:
        wrong = {"the file has no data lines": 1}
    warnings = [*oddities.warnings(), *(found.warnings if found else ())]
    errors = [str(error) for error in problems.first]
    report = FileReport(name, what, facts, warnings, errors, wrong, unreadable)
    return report, found.judgments if found else None, certain


def _surveyed(path: str, form: Form, qrels: Qrels | None, problems: Problems) -> Survey | None:
    """Read a file; None for one without usable lines."""
    name, jobs = display_name(path), usable_threads(None)
    if form.what != "run":
        with closing(map_blocks(path, form, itself, jobs=jobs)) as parts:
            held = held_whole(parts, path)
        return survey_judgments(gathered(held), name, problems) if held else None
    forms = chain([form], repeat(replace(form, begun=None)))  # its beginning can be read once
    return stream_or_hold(
        path,
        lambda function: map_blocks(path, next(forms), function, jobs=jobs),
        itself,
        lambda parts: survey_run(parts, name, qrels, problems),
    )


WHAT = {"run": "run", "qrels": "judgments"}
MOST_GRADES = 20
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


def _folded(line: str, style: Style) -> str:
    """Fold a line at blanks on a terminal."""
    if style.width is None:
        return line
    fold = partial(textwrap.wrap, break_long_words=False, break_on_hyphens=False)
    return "\n".join(fold(line, max(style.width - 2, 1), subsequent_indent="  "))


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
    tags = facts.get("tags", ())
    told = f", tag{'s' if len(tags) > 1 else ''} {listed(tags)}" if tags else ""
    yield f"{WHAT[what]} ({facts['format']}): {lines}, {topics}{told}"
    for name, words in SPREADS.items():
        if name in facts:
            yield f"{words}: {_spread(facts[name])}"
    if "grades" in facts:
        times = [f"{grade} ({n:,})" for grade, n in facts["grades"].items()]
        more = len(times) - MOST_GRADES
        shown = ", ".join(times[:MOST_GRADES])
        yield f"grades: {shown}" + (f" and {more:,} more" if more > 0 else "")
    labels = [f"{facts[name]:,} {name}" for name in NAMES.values() if name in facts]
    if labels:
        yield ", ".join(labels)
    top = facts.get("unjudged_in_the_top", {})
    shares = [f"{value:.1%} at {k}" for k, value in top.items() if value is not None]
    if shares:
        yield f"unjudged: {', '.join(shares)}"


def _spread(values: Mapping[str, float]) -> str:
    """Return a range and the median: `8 to 100, median 97.5`."""
    least, median, most = values["min"], values["median"], values["max"]
    return f"{most:,}" if least == most else f"{least:,} to {most:,}, median {median:,g}"


PRINTER = Printer[Sequence[FileReport]](
    blocks,
    document=lambda reports, _: headed("rankeval-check/1", {"files": plain(reports)}),
    drawings={"latex": None},
)
