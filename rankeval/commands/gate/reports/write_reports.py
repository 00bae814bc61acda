"""The reports that a gate writes in files, also when it ends with an error."""

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from rankeval.base.frozen import frozen
from rankeval.choices import Format
from rankeval.errors import RankevalError, UsageError
from rankeval.io.sources.atomic import create_folder, write_errors
from rankeval.output.style import Style
from rankeval.output.writing import STDOUT, write_pieces

if TYPE_CHECKING:
    from collections.abc import Callable

    from rankeval.commands.gate.report import AnyReport, GateFailure, GateReport, SuitesReport

    Drawn = tuple[str, Callable[[Style], Iterable[str]], str]

BEGINNINGS = (b"PASS: ", b"FAIL: ", b"ERROR: ", b"### rankeval gate: ", b"<!-- rankeval gate")
SCHEMAS = b"rankeval-gate/1", b"rankeval-gate-suites/1"
JUNIT = b'name="rankeval gate'
HEAD = 400
"""Bytes at the start of a file that are searched for the marks of a gate's report."""


class Printing(Protocol):
    """The choices about the printed report: its format, its file and its style."""

    @property
    def form(self) -> str | None:
        """The format that is asked for."""

    @property
    def output(self) -> str | None:
        """The file that is asked for; "-" for standard output."""

    @property
    def file(self) -> str | None:
        """The file; None for standard output."""

    def style(self, **more: Any) -> Style:
        """Return the style."""

    def chosen(self, forms: Collection[str]) -> str:
        """Return the format to print in; UsageError if it is not among the formats."""


@frozen
class Reports:
    """Reports for machines, besides the printed one: their files, and whether to annotate.

    A gate judges even where its reports cannot be written, so they are not looked at before.
    """

    junit: str | None = None
    json: str | None = None
    comment: str | None = None
    append: str | None = None
    github: bool = False

    @property
    def summary(self) -> str | None:
        """The file that GitHub shows as a job's summary; None without --github."""
        return os.environ.get("GITHUB_STEP_SUMMARY") if self.github else None

    def files(self) -> tuple[str | None, ...]:
        """Return the files of the reports."""
        return self.junit, self.json, self.comment, self.append

    def on_stdout(self) -> list[str]:
        """Return the options whose report replaces the printed one."""
        named = {"--junit -": self.junit, "--json -": self.json}
        return [option for option, file in named.items() if file == "-"]

    def refuse_what_cannot_be(self, output: Printing) -> None:
        """Raise UsageError if two reports would be mixed on standard output."""
        from rankeval.commands.gate.show import REPORT

        chosen = output.chosen(REPORT.formats())
        if self.github and output.file is None and chosen != Format.TABLE:
            raise UsageError(
                f"the annotations of --github would be mixed with the report in {chosen}",
                remedy="write the report to a file with -o",
            )
        if self.comment == "-":
            raise UsageError("a comment is written to a file", place="--comment", expected="FILE")
        if self.append == "-":
            raise UsageError("a history is kept in a file", place="--append", expected="FILE")
        there = self.on_stdout()
        others = {
            "--github": self.github,
            "--format": output.file is None and output.form,
            "--output -": output.output == "-",
        }
        mixed = [*there, *(option for option, given in others.items() if given)]
        if there and len(mixed) > 1:
            raise UsageError(
                f"{' and '.join(mixed)} would be mixed on standard output",
                expected="only one of them on standard output",
                remedy="write the others to files, the report with -o",
            )

    def writes(
        self,
        report: "GateReport | SuitesReport",
        each: "Sequence[GateReport | GateFailure]",
        output: Printing,
        *,
        verbose: bool = False,
    ) -> "Iterator[Callable[[], None]]":
        """Yield functions that write the reports, the main one in its format, and the history.

        `verbose` is for the printed report; one in a file has every detail.
        """
        from rankeval.commands.gate.show import REPORT

        style = output.style(
            log=True if self.github else None, verbose=verbose or output.file is not None
        )
        if output.file is not None or not self.on_stdout():  # the answer, whatever fails below
            form = output.chosen(REPORT.formats())
            answer = partial(REPORT.text, report, form)
            yield partial(_write, answer, output.output, style, form=form)
        for path, printed, form in self._for_machines(report):
            yield partial(_write, printed, path, style, form=form)
        if self.summary:
            summary = partial(REPORT.text, report, Format.MARKDOWN, style)
            yield partial(_add_summary, self.summary, summary)
        if self.github:
            from rankeval.commands.gate.reports.github import annotations

            yield partial(_write, partial(annotations, report), None, replace(style, log=False))
        if self.append:
            from rankeval.commands.gate.reports.gate_history import append_history

            yield partial(append_history, self.append, each)

    def _for_machines(self, report: "AnyReport") -> "Iterator[Drawn]":
        """Yield the file, the drawing and the format of each report besides the printed one."""
        from rankeval.commands.gate.show import REPORT

        if self.junit:
            from rankeval.commands.gate.reports.junit import junit

            yield self.junit, partial(junit, report), Format.TABLE
        if self.json:
            yield self.json, partial(REPORT.text, report, Format.JSON), Format.JSON
        if self.comment:
            from rankeval.commands.gate.reports.github import comment

            yield self.comment, partial(comment, report), Format.MARKDOWN

    def write_failure(
        self, failure: "GateFailure", output: Printing, inputs: Sequence[str]
    ) -> None:
        """Write the reason for the missing verdict to every report, so that no old verdict is left.

        Overwrite only new files, empty files and earlier reports, and never an input.
        """
        from rankeval.commands.gate.show import REPORT

        style = replace(output.style(), colour=False)
        drawn = [*self._for_machines(failure)]
        with suppress(UsageError):
            self.refuse_what_cannot_be(output)
            if self.github:
                from rankeval.commands.gate.reports.github import annotations

                write_pieces(partial(annotations, failure), None, replace(style, log=False))
            for path, printed, form in drawn:
                if path == STDOUT:
                    write_pieces(printed, None, style, form=form)
        with suppress(UsageError):
            form = output.chosen(REPORT.formats())
            if output.file:
                drawn.append((output.file, partial(REPORT.text, failure, form), form))
        for path, printed, form in drawn:
            if path != STDOUT and _may_overwrite(path, inputs):
                with suppress(RankevalError, OSError):  # the failure itself matters more
                    _write(printed, path, style, form=form)
        if self.append and self.append != STDOUT and not _is_input(self.append, inputs):
            from rankeval.commands.gate.reports.gate_history import append_history

            with suppress(RankevalError, OSError):  # it refuses a file that is no history
                append_history(self.append, (failure,))
        if self.summary and not _is_input(self.summary, inputs):
            with suppress(OSError):
                _add_summary(self.summary, partial(REPORT.text, failure, Format.MARKDOWN, style))


def _write(
    printed: "Callable[[Style], Iterable[str]]",
    path: str | None,
    style: Style,
    *,
    form: str = Format.TABLE,
) -> None:
    """Write a report as `write_pieces` does, in a folder that is created where it is missing."""
    if path is not None and path != STDOUT:
        with write_errors(path):
            create_folder(path)
    write_pieces(printed, path, style, form=form)


def _add_summary(path: str, summary: "Callable[[], Iterable[str]]") -> None:
    with write_errors(path), Path(path).open("a", encoding="utf-8") as stream:
        stream.writelines(summary())


def _may_overwrite(path: str, inputs: Sequence[str]) -> bool:
    """Return True if the path is no input, and is new, empty or an earlier report of a gate."""
    place = Path(path)
    try:
        if not place.exists() or not place.is_file():
            return True
        with place.open("rb") as stream:
            head = stream.read(HEAD)
    except OSError:
        return False
    ours = (
        not head or head.startswith(BEGINNINGS) or any(mark in head for mark in (*SCHEMAS, JUNIT))
    )
    return ours and not _is_input(path, inputs)


def _is_input(path: str, inputs: Sequence[str]) -> bool:
    """Return True if a path is one of the inputs, by any name."""
    for given in inputs:
        with suppress(OSError, ValueError):
            if Path(given).samefile(path):
                return True
    return False
