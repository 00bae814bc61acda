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
from rankeval.commands.gate.reports.history_file import append_history
from rankeval.errors import RankevalError, UsageError
from rankeval.io.sources.atomic import create_folder, write_errors
from rankeval.output.style import Style
from rankeval.output.writing import STDOUT, write_pieces, write_result

if TYPE_CHECKING:
    from collections.abc import Callable

    from rankeval.commands.gate.report import GateFailure, GateReport, SuitesReport

BEGINNINGS = (b"PASS: ", b"FAIL: ", b"ERROR: ", b"### rankeval gate: ", b"<!-- rankeval gate")
SCHEMAS = b"rankeval-gate/1", b"rankeval-gate-suites/1"
JUNIT = b'name="rankeval gate'
PAGE = b"<title>rankeval gate"
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
    html: str | None = None
    comment: str | None = None
    append: str | None = None
    github: bool = False

    @property
    def summary(self) -> str | None:
        """The file that GitHub shows as a job's summary; None without --github."""
        return os.environ.get("GITHUB_STEP_SUMMARY") if self.github else None

    def files(self) -> tuple[str | None, ...]:
        """Return the files of the reports."""
        return self.junit, self.json, self.html, self.comment, self.append

    def on_stdout(self) -> list[str]:
        """Return the options whose report replaces the printed one."""
        named = {"--junit -": self.junit, "--json -": self.json, "--html -": self.html}
        return [option for option, file in named.items() if file == "-"]

    def refuse_what_cannot_be(self, output: Printing) -> None:
        """Raise UsageError for reports that would be mixed, and for a page without its library."""
        self._refuse_mixed(output)
        if self.html:
            from rankeval.output.pages import require_jinja

            require_jinja()

    def _refuse_mixed(self, output: Printing) -> None:
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
        command: str,
    ) -> "Iterator[Callable[[], None]]":
        """Yield what writes each report, the main one in the format asked for, and the history.

        `command` is the command line that pages name.
        """
        from rankeval.commands.gate.report import SuitesReport
        from rankeval.commands.gate.reports import junit as xml

        several = isinstance(report, SuitesReport)
        printer, github = _printers(several=several)
        style = output.style(log=True) if self.github else output.style()
        if self.junit:
            yield partial(_write, partial(xml.junit, report), self.junit, style)
        if self.json:
            text = partial(printer.text, report, Format.JSON)
            yield partial(_write, text, self.json, style, form=Format.JSON)
        if self.html:
            from rankeval.commands.gate.reports.gate_pages import gate_page, suites_page

            page: Any = suites_page if several else gate_page
            drawn = partial(page, report, command=command)
            yield partial(_write, drawn, self.html, style, form=Format.HTML)
        if self.comment:
            from rankeval.commands.gate.reports.gate_comment import comment

            yield partial(
                _write, partial(comment, report), self.comment, style, form=Format.MARKDOWN
            )
        if path := self.summary:
            yield partial(_add_summary, path, partial(github.summary, report, style))
        if output.file is not None or not self.on_stdout():
            form = output.chosen(printer.formats())
            yield partial(
                _write, partial(printer.text, report, form), output.output, style, form=form
            )
        if self.github:
            commands = replace(style, log=False)
            yield partial(_write, partial(github.annotations, report), None, commands)
        if self.append:
            yield partial(append_history, self.append, each)

    def write_failure(
        self, failure: "GateFailure", output: Printing, inputs: Sequence[str]
    ) -> None:
        """Write the reason for the missing verdict to every report, so that no old verdict is left.

        Overwrite only new files, empty files and earlier reports, and never an input.
        """
        from rankeval.commands.gate.reports import failure_tables as gate_failure
        from rankeval.commands.gate.reports import gate_comment, junit
        from rankeval.commands.gate.show import FAILURE

        style = replace(output.style(), colour=False)
        with suppress(UsageError):
            self._refuse_mixed(output)
            if self.github:
                write_pieces(
                    partial(gate_failure.annotations, failure), None, replace(style, log=False)
                )
            self._print_failure(failure, style)
        written: list[tuple[str | None, Callable[[Style], Iterator[str]]]] = [
            (self.junit, partial(junit.junit_error, failure)),
            (self.json, partial(FAILURE.text, failure, Format.JSON)),
            (self.html, partial(_failure_page, failure)),
            (self.comment, partial(gate_comment.comment, failure)),
        ]
        with suppress(UsageError):
            form = output.chosen(FAILURE.formats())
            written.append((output.file, partial(FAILURE.text, failure, form)))
        for path, printed in written:
            if path and path != "-" and _may_overwrite(path, inputs):
                with suppress(RankevalError, OSError):  # the failure itself matters more
                    _write(printed, path, style)
        if self.append and self.append != "-" and not _is_input(self.append, inputs):
            with suppress(RankevalError, OSError):  # it refuses a file that is no history
                append_history(self.append, (failure,))
        if self.summary and not _is_input(self.summary, inputs):
            with suppress(OSError), Path(self.summary).open("a", encoding="utf-8") as stream:
                stream.writelines(gate_failure.markdown(failure, style))

    def _print_failure(self, failure: "GateFailure", style: Style) -> None:
        from rankeval.commands.gate.reports import junit
        from rankeval.commands.gate.show import FAILURE

        if self.junit == "-":
            write_pieces(partial(junit.junit_error, failure), None, style)
        if self.json == "-":
            write_result(FAILURE, failure, Format.JSON, None, style)
        if self.html == "-":
            write_pieces(partial(_failure_page, failure), None, style, form=Format.HTML)


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


def _printers(*, several: bool) -> tuple[Any, Any]:
    """Return the printer of a report, and the module of its annotations and its summary."""
    from rankeval.commands.gate.reports import github
    from rankeval.commands.gate.reports import suite_tables as gate_suites
    from rankeval.commands.gate.show import REPORT, SUITES

    return (SUITES, gate_suites) if several else (REPORT, github)


def _failure_page(failure: "GateFailure", style: Style) -> Iterator[str]:
    from rankeval.commands.gate.reports.gate_pages import failure_page

    return failure_page(failure, style)


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
        not head
        or head.startswith(BEGINNINGS)
        or any(mark in head for mark in (*SCHEMAS, JUNIT, PAGE))
    )
    return ours and not _is_input(path, inputs)


def _is_input(path: str, inputs: Sequence[str]) -> bool:
    """Return True if a path is one of the inputs, by any name."""
    for one in inputs:
        with suppress(OSError, ValueError):
            if Path(one).samefile(path):
                return True
    return False
