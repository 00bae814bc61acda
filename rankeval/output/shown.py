"""Results that print, draw and save themselves as their commands do."""

import os
from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rankeval.base.checked import checked
from rankeval.base.frozen import replace
from rankeval.errors import UsageError, visible
from rankeval.io.files import StrPath
from rankeval.other_words import Hinting
from rankeval.output.style import PLAIN, Style

if TYPE_CHECKING:
    from pandas import DataFrame

    from rankeval.output.output_formats import Printer


class Shown(Hinting):
    """A result that a terminal and a notebook show as its command prints it.

    By convention, the module of the result's class, or `show` beside it, holds its `PRINTER`, and
    `doubts`, where its warnings are not a field.
    """

    def _show(self) -> ModuleType:
        """Import how the command prints the result."""
        own = next(one for one in type(self).__mro__ if one.__module__.startswith("rankeval."))
        module = import_module(own.__module__)
        if hasattr(module, "PRINTER"):
            return module
        return import_module(f"{own.__module__.rpartition('.')[0]}.show")

    def _printer(self) -> "Printer[Any]":
        printer: Printer[Any] = self._show().PRINTER
        return printer

    def _printable(self) -> Any:
        """Return what the printer takes: the result, or a list of it alone."""
        return self

    def _doubts(self) -> Sequence[str]:
        """Return the warnings, which commands print apart."""
        doubts: Callable[[Any], Sequence[str]] | None = getattr(self._show(), "doubts", None)
        return doubts(self) if doubts else getattr(self, "warnings", ())

    def _printed(self, form: str, style: Style) -> str:
        """Return the output of the command in a format."""
        if style.digits is not None and style.digits < 0:
            raise UsageError(f"digits is {style.digits}", expected="0 or more")
        return "".join(self._printer().text(self._printable(), form, style))

    def __repr__(self) -> str:
        printed = self._printed("table", PLAIN).rstrip("\n")
        return "\n".join([printed, *(f"warning: {visible(line)}" for line in self._doubts())])

    def _repr_html_(self) -> str:
        from rankeval.output.html import html

        blocks = self._printer().blocks
        drawn = blocks(self._printable(), PLAIN) if blocks else ()
        return "".join(html([*drawn, *(f"warning: {line}" for line in self._doubts())]))

    def _records(self) -> list[dict[str, Any]]:
        """Return the rows that the command prints for programs, by the names of their columns."""
        from rankeval.output.declared_columns import records

        rows = self._printer().rows
        if rows is None:
            raise UsageError("this result has no rows", remedy="call save, for all of it as JSON")
        return [{**row} for row in records(rows(self._printable(), PLAIN))]

    def to_frame(self) -> "DataFrame":
        """Return a pandas DataFrame of the rows that the command prints with `-f tsv`."""
        import pandas as pd  # slow to import

        return pd.DataFrame(self._records())

    @checked
    def to_csv(self, path: StrPath | None = None) -> str | None:
        """Return the output of the command with `-f csv`, or write it to a file."""
        return self._text_or_file("csv", path)

    @checked
    def to_json(self, path: StrPath | None = None) -> str | None:
        """Return all of the result as JSON, or write it to a file."""
        return self._text_or_file("json", path)

    @checked
    def save(self, path: StrPath) -> None:
        """Write the result to a file, whole or not at all.

        The suffix names the format: .json, .tsv, .csv, .jsonl, .md, .tex or .html.
        """
        from rankeval.output.output_formats import format_of

        form = format_of(os.fspath(path), self._printer().formats(), "change the")
        self._text_or_file(form, path)

    def _text_or_file(self, form: str, path: StrPath | None) -> str | None:
        # Only the JSON of an evaluation has a shorter form, without the values of topics.
        style = replace(PLAIN, per_topic=form == "json")
        if path is None:
            return self._printed(form, style)
        from rankeval.output.writing import write_result

        write_result(self._printer(), self._printable(), form, path, style)
        return None


class InPapers(Shown):
    """A result that is printed as Markdown and LaTeX, too."""

    @checked
    def to_markdown(self, *, digits: int | None = None) -> str:
        """Return the output of the command with `-f markdown`, with `digits` decimals."""
        return self._printed("markdown", Style(digits=digits))

    @checked
    def to_latex(self, *, digits: int | None = None, caption: str = "", label: str = "") -> str:
        """Return the output of the command with `-f latex`, with `digits` decimals."""
        return self._printed("latex", Style(digits=digits, caption=caption, label=label))
