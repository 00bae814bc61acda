"""Check files one after the other: report their contents, and errors of reading them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from rankeval.base.checked import checked
from rankeval.base.threads import usable_threads
from rankeval.commands.check.checked_runs import RunSurvey
from rankeval.commands.check.findings import FileReport, add_metadata, compare_tags
from rankeval.commands.check.judged_files import survey_judgments
from rankeval.commands.check.oddities import OdditiesOfParts
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.notices import score_warnings
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.io.formats.detect_format import IRDS, begin, kind_of, with_name
from rankeval.io.formats.file_format import Beginning, Form
from rankeval.io.formats.formats import format_named
from rankeval.io.parsers.column_names import ContentGuess
from rankeval.io.parsers.columns import Columns
from rankeval.io.parsers.line_errors import Problems, is_cut_off
from rankeval.io.read import map_blocks
from rankeval.io.sources.blocks import compression, display_name, is_rereadable
from rankeval.io.sources.parts import files_of, first_file, is_in_parts, one_state, unchanged
from rankeval.io.topic_order import gathered, held_whole, itself, stream_or_hold
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.run_source import refuse_stdin_twice

StrPath: TypeAlias = str | os.PathLike[str]


@checked
@one_state()
def check(
    paths: StrPath | Sequence[StrPath], *, max_problems: int = 20, reading: Reading = AS_FOUND
) -> list[FileReport]:
    r"""Describe files; the first may hold judgments, which the others are then compared with.

    ============ ===========================================================================
    paths        files, or a single one
    max_problems errors and warnings that are described of each file
    reading      as in `evaluate`; only formats and names of columns count
    ============ ===========================================================================

    Errors are reported, not raised, also where a file cannot be read. A run is surveyed topic by
    topic, so that memory grows with the number of its topics and by some bytes for each distinct
    docno; the lines of a pipe, and of a file in which topics are scattered, are held.

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
    refuse_stdin_twice(*names)
    reports: list[FileReport] = []
    qrels: Qrels | None = None
    unlike_judgments = False
    for number, path in enumerate(names):
        place = "alone" if len(names) == 1 else "first" if number == 0 else "later"
        if number and unlike_judgments and not reports[0].unreadable:
            place = "after a run"
        found = _checked(path, place, qrels, Problems(max_problems), reading)
        if place == "first" and found.looks_like_scores and is_rereadable(path):
            found = _checked(path, "run", None, Problems(max_problems), reading)
        unlike_judgments |= number == 0 and not found.certain_judgments
        qrels = qrels or found.judgments
        reports.append(found.report)
    return reports


class _Checked(NamedTuple):
    """The report on a file, and the judgments if it holds some.

    `certain_judgments` is True where it can hold nothing else.
    """

    report: FileReport
    judgments: Qrels | None
    certain_judgments: bool

    @property
    def looks_like_scores(self) -> bool:
        """Return True for judgments that may be a run, and whose grades look like scores."""
        found = self.judgments
        if found is None or self.certain_judgments:
            return False
        grades, highest = found.grade, found.highest_grade
        return bool(
            score_warnings(len(grades), found.fractions, highest, lambda: len(np.unique(grades)))
        )


def _checked(
    path: str, place: str, qrels: Qrels | None, problems: Problems, reading: Reading
) -> _Checked:
    """Check one file; `place` is that among the others, or "run" for one that holds a run."""
    oddities = OdditiesOfParts()
    report = FileReport(display_name(path), "qrels" if place == "first" else "run")
    judgments = None
    unreadable = ""
    begun = kind = None
    try:
        with unchanged(path):
            sample = first_file(path)
            begun = None if path.startswith(IRDS) else begin(sample)
            kind = kind_of(begun, sample, reading.run())
            form = _form(path, sample, place, begun, kind, oddities, reading)
            form = replace(form, problems=problems)
            report = replace(report, what=form.what)
            report.facts.update(_of_whole(path, sample, form))
            if begun is not None and form.what == "run":
                add_metadata(report, begun)
            if is_in_parts(path):
                form = replace(form, name=reading.format_of(form.what))
            judgments = _surveyed(path, form, report, problems, qrels)
    except InputError as error:
        unreadable = str(error)
    if begun is not None and is_rereadable(path):
        with suppress(InputError):  # again the same line
            oddities.inspect_rest()
    report.warnings[:0] = oddities.warnings()
    compare_tags(report)
    if any(map(is_cut_off, problems.first)):
        report.warnings.append("the last line is cut off: is the file complete?")
    report = replace(
        report,
        errors=[str(error) for error in problems.first],
        wrong={**problems.counts, **report.wrong},
        unreadable=unreadable,
    )
    certain = kind is not None and kind.certain and kind.what != "run"
    return _Checked(report, judgments, certain)


def _form(
    path: str,
    sample: str,
    place: str,
    begun: Beginning | None,
    kind: ContentGuess,
    oddities: OdditiesOfParts,
    reading: Reading,
) -> Form:
    """Return the form in which to read a file; `place` is that among the other files.

    `sample` is the file itself or its first part, whose beginning was read; it says the `kind`.
    """
    if place == "after a run" and kind == ContentGuess("qrels", certain=True):
        raise UsageError(
            "judgments come first, and this file holds judgments",
            place=display_name(path),
            expected="rankeval check QRELS RUN...",
        )
    if place in ("later", "after a run", "run"):
        what = "run"
    elif place == "first" and not kind.certain and kind.what == "run":
        what = "qrels"
    else:
        what = kind.what
    form = replace(reading.run() if what == "run" else reading.qrels(), what=what, keep=True)
    if begun is None:
        return form
    if is_in_parts(path):
        form = with_name(form, begun, sample)
        look = None if format_named(str(form.name)).magic else oddities.passing
        return replace(form, passing=look)
    form = with_name(form, begun, path)
    if not format_named(str(form.name)).magic:
        begun = replace(begun, head=(), data=oddities.passing(begun.whole, ""))
    return replace(form, begun=begun)


def _of_whole(path: str, sample: str, form: Form) -> dict[str, Any]:
    """Return the format of a file, its compression, and the number of the files of a folder."""
    facts: dict[str, Any] = {"format": form.name or "irds"}
    packed = compression(sample)
    if packed is not None:
        facts["compression"] = packed
    files = files_of(path) if is_in_parts(path) else []
    if len(files) > 1:
        facts["parts"] = len(files)
    return facts


def _surveyed(
    path: str, form: Form, report: FileReport, problems: Problems, qrels: Qrels | None
) -> Qrels | None:
    """Read a file into its report; return the judgments if it holds some."""
    if form.what == "run":
        _survey_run(path, form, report, problems, qrels)
        return None
    with closing(map_blocks(path, form, itself, jobs=usable_threads(None))) as parts:
        held = held_whole(parts, path)
    if not held:
        _no_line(report, problems)
        return None
    columns = gathered(held)
    return survey_judgments(columns, form.what, report, problems, lambda: [columns])


def _survey_run(
    path: str, form: Form, report: FileReport, problems: Problems, qrels: Qrels | None
) -> None:
    """Read a run into its report."""
    read = partial(map_blocks, path, jobs=usable_threads(None))
    rereadable = is_rereadable(path)
    held: list[Columns] = []

    def survey(parts: Iterator[Columns]) -> RunSurvey:
        found = RunSurvey(report.path, qrels, problems)
        for columns in parts:
            found.add(columns)
            if not rereadable:
                held.append(columns)
        return found

    anew = replace(form, begun=None)
    forms = chain([form], repeat(anew))  # the beginning of a file that is open is read once
    found = stream_or_hold(path, lambda function: read(next(forms), function), itself, survey)
    if found.empty:
        _no_line(report, problems)
        return
    # What is read once more has been reported already.
    names = partial(read, replace(anew, problems=Problems(0)), itself)
    found.complete(report, names if rereadable else lambda: held)


def _no_line(report: FileReport, problems: Problems) -> None:
    """Report a file without usable lines, unless errors of its lines are reported already."""
    if not problems.counts:
        report.wrong["no line of data"] = 1
