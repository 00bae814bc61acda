"""Options for the format and the file of results."""

from collections.abc import Collection
from typing import Annotated, Any

import typer

from rankeval.cli.options.files import WRITTEN
from rankeval.cli.options.panels import OUTPUT
from rankeval.errors import UsageError
from rankeval.render import Format, Names, Style, format_of
from rankeval.render.output_formats import output_formats
from rankeval.support.frozen import frozen

PerQuery = Annotated[
    bool,
    typer.Option(
        "--per-query", "-q", help="Show the values of each topic as well.", rich_help_panel=OUTPUT
    ),
]
NoSummary = Annotated[
    bool,
    typer.Option(
        "--no-summary", "-n", help="Leave out the values over all topics.", rich_help_panel=OUTPUT
    ),
]
NamesStyle = Annotated[
    Names,
    typer.Option(
        "--names",
        metavar="STYLE",
        help="Names of measures. canonical (default): AP for map; as-given: as you wrote them.",
        rich_help_panel=OUTPUT,
    ),
]
Signature = Annotated[
    bool,
    typer.Option(
        "--signature",
        help="Add the conventions behind each number.",
        rich_help_panel=OUTPUT,
    ),
]


def _beginning_with(text: str) -> list[str]:
    """Return the formats that a shell completes a text to."""
    return [name for name in output_formats() if name.startswith(text)]


def chosen_format(name: str, forms: Collection[str], *, place: str, remedy: str = "") -> str:
    """Return the format's name; UsageError if it is not among those that a command can write."""
    if name not in forms:
        raise UsageError(
            f"this cannot be written as {name}",
            place=place,
            expected=f"one of {', '.join(forms)}",
            remedy=remedy,
        )
    return name


@frozen
class OutputOptions:
    """The format and the file of the results."""

    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="FORMAT",
            help="Output format: table, tsv, csv, json, jsonl, markdown, latex, trec, or the name "
            "of one that a plugin adds. Default: by the suffix of -o, else table. Some commands "
            "write only some of the formats.",
            autocompletion=_beginning_with,
            rich_help_panel=OUTPUT,
        ),
    ] = None
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write to FILE, completely or not at all.",
            rich_help_panel=OUTPUT,
        ),
        WRITTEN,
    ] = None
    no_color: Annotated[
        bool,
        typer.Option("--no-color", help="Print tables without colours.", rich_help_panel=OUTPUT),
    ] = False

    def style(self, **more: Any) -> Style:
        """Return the style, with the choices that only some commands offer."""
        return Style(colour=False if self.no_color else None, **more)

    @property
    def file(self) -> str | None:
        """The file to write; None for standard output."""
        return None if self.output == "-" else self.output

    def chosen(self, forms: Collection[str]) -> str:
        """Return the format given, else the one that the output's suffix names, else table.

        Load plugins before this. Raise UsageError if the command cannot write the format.
        """
        told = self.form or (Format.TABLE if self.file is None else format_of(self.file))
        by_suffix = "" if self.form else "name the format with --format, or change the suffix"
        place = "--format" if self.form else self.output or ""
        return chosen_format(told, forms, place=place, remedy=by_suffix)


@frozen
class NumbersOutput(OutputOptions):
    """The options of commands that print numbers."""

    digits: Annotated[
        int,
        typer.Option(
            "--digits",
            metavar="N",
            min=0,
            max=17,
            help="Number of decimals. Default: 4. JSON always has full precision.",
            rich_help_panel=OUTPUT,
        ),
    ] = 4

    def style(self, **more: Any) -> Style:
        """Return the style, with the choices that only some commands offer."""
        return super().style(digits=self.digits, **more)
