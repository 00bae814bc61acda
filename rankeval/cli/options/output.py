"""Where results go, and how they look."""

from collections.abc import Collection
from typing import Annotated, Any

import typer

from rankeval.cli.options.files import WRITTEN
from rankeval.cli.options.panels import OUTPUT
from rankeval.errors import UsageError
from rankeval.render import Format, Names, Style, format_of
from rankeval.support.frozen import frozen

PerQuery = Annotated[
    bool,
    typer.Option("--per-query", "-q", help="Show every topic, too.", rich_help_panel=OUTPUT),
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
        help="canonical, the default: AP for map. as-given: measures in your words.",
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


@frozen
class OutputOptions:
    """The format and the file of the results."""

    form: Annotated[
        Format | None,
        typer.Option(
            "--format",
            "-f",
            metavar="FORMAT",
            help=f"{', '.join(Format)}, as far as the command has them. By default table, or what "
            "the suffix of -o says.",
            rich_help_panel=OUTPUT,
        ),
    ] = None
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write to FILE, whole or not at all, in the format of its suffix.",
            rich_help_panel=OUTPUT,
        ),
        WRITTEN,
    ] = None
    no_color: Annotated[
        bool, typer.Option("--no-color", help="No colours in tables.", rich_help_panel=OUTPUT)
    ] = False

    def style(self, **more: Any) -> Style:
        """The style, with choices that only some commands offer."""
        return Style(colour=False if self.no_color else None, **more)

    @property
    def file(self) -> str | None:
        """The file to write to; None for standard output."""
        return None if self.output == "-" else self.output

    def chosen(self, forms: Collection[Format] = tuple(Format)) -> Format:
        """The format that is asked for, else that of the output's suffix, else a table.

        UsageError where it is not among those that the command can write.
        """
        told = self.form or (Format.TABLE if self.file is None else format_of(self.file))
        if told not in forms:
            by_suffix = "name the format with --format, or change the suffix"
            raise UsageError(
                f"this cannot be written as {told}",
                place="--format" if self.form else self.output or "",
                expected=f"one of {', '.join(forms)}",
                remedy="" if self.form else by_suffix,
            )
        return told


@frozen
class NumbersOutput(OutputOptions):
    """The same where numbers are printed."""

    digits: Annotated[
        int,
        typer.Option(
            "--digits",
            metavar="N",
            min=0,
            max=17,
            help="Decimals, 4 by default. JSON has full precision.",
            rich_help_panel=OUTPUT,
        ),
    ] = 4

    def style(self, **more: Any) -> Style:
        """The style, with choices that only some commands offer."""
        return super().style(digits=self.digits, **more)
