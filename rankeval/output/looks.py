"""Looks of results in a terminal, a notebook and a paper."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from rankeval.base.wording import visible
from rankeval.choices import Format, Names
from rankeval.errors import UsageError
from rankeval.output import html
from rankeval.output.data_rows import records
from rankeval.output.output_formats import format_of
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block
from rankeval.output.writing import write_result

PLAIN = Style(names=Names.AS_GIVEN, colour=False, unicode=False, log=False)
"""The style of a result that prints itself: measures have the names that look them up."""


def nothing(*_result: object) -> tuple[()]:
    """Return no warnings."""
    return ()


class Look(NamedTuple):
    """The look of one class of results: its printer, and its drawing in a notebook.

    `pieces` draws the HTML of a notebook, by default from the printer's blocks. `form` is the
    format that a terminal shows. A printer of several results gets a list of one. `warnings`
    returns the lines that commands print apart.
    """

    printer: Printer[Any]
    pieces: Callable[[Any, Style], Iterable[str]] | None = None
    form: str = Format.TABLE
    several: bool = False
    warnings: Callable[[Any], Sequence[str]] = lambda result: result._doubts()  # noqa: SLF001  of Shown

    def text(self, result: Any) -> str:
        """Return the text that a terminal shows, and the warnings, which commands print apart."""
        printed = self._print(result, self.form, PLAIN).rstrip("\n")
        warnings = (f"warning: {visible(line)}" for line in self.warnings(result))
        return "\n".join([printed, *warnings])

    def html(self, result: Any) -> str:
        """Return the HTML that a notebook shows, and the warnings, which commands print apart."""
        if self.pieces:
            pieces = self.pieces(result, PLAIN)
        else:
            pieces = html.html((self.printer.blocks or nothing)(self._given(result), PLAIN))
        warnings = html.html(f"warning: {line}" for line in self.warnings(result))
        return "".join([*pieces, *warnings])

    def _given(self, result: Any) -> Any:
        return [result] if self.several else result

    def printed(self, result: Any, form: str, **style: Any) -> str:
        """Return the output of the result's command in a format."""
        return self._print(result, form, Style(**style))

    def records(self, result: Any) -> list[dict[str, Any]]:
        """Return the rows that the command prints for programs, by the names of their columns."""
        if self.printer.rows is None:
            raise UsageError("this result has no rows", remedy="call save, for all of it as JSON")
        return [{**row} for row in records(self.printer.rows(self._given(result), PLAIN))]

    def save(self, result: Any, path: str | os.PathLike[str]) -> None:
        """Write the result to a file, in the format of its suffix, whole or not at all."""
        self._write(result, format_of(os.fspath(path), self.printer.formats(), "change the"), path)

    def text_or_file(
        self, result: Any, form: str, path: str | os.PathLike[str] | None
    ) -> str | None:
        """Return the result in a format, or write it to a file and return None."""
        if path is None:
            return self._print(result, form, _whole(form))
        self._write(result, form, path)
        return None

    def _write(self, result: Any, form: str, path: str | os.PathLike[str]) -> None:
        write_result(self.printer, self._given(result), form, os.fspath(path), _whole(form))

    def _print(self, result: Any, form: str, style: Style) -> str:
        return "".join(self.printer.text(self._given(result), form, style))


def _whole(form: str) -> Style:
    """Return the style of files; JSON of an evaluation also has a form without topics' values."""
    return replace(PLAIN, per_topic=form == Format.JSON)


def in_html(
    blocks: Callable[[Any, Style], Iterable[Block]],
) -> Callable[[Any, Style], Iterator[str]]:
    """Return the function that draws the blocks of a result in a notebook."""
    return lambda result, style: html.html(blocks(result, style))
