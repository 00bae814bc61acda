"""`rankeval measures`: which measures there are, and what each of them is."""

from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

import rankeval
from rankeval.cli import options
from rankeval.render import Style, write_pieces


class Form(StrEnum):
    """The formats of the catalogue."""

    TABLE = "table"
    MARKDOWN = "markdown"
    JSON = "json"


def show_measures(
    text: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TEXT]", help="A measure in any tool's words, or words to find."),
    ] = None,
    listed: Annotated[
        bool,
        typer.Option(
            "--list",
            help="List what TEXT finds, also where it is a measure's name.",
            rich_help_panel=options.MEASURES,
        ),
    ] = False,
    full: Annotated[
        bool,
        typer.Option(
            "--full", help="Explain every measure that is found.", rich_help_panel=options.MEASURES
        ),
    ] = False,
    plugins: options.Plugins = None,
    form: Annotated[
        Form | None,
        typer.Option(
            "--format",
            "-f",
            metavar="FORMAT",
            help=f"{', '.join(Form)}. By default table, or what the suffix of -o says.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    output: options.Output = None,
    no_color: options.NoColor = False,
) -> None:
    """List the measures, or explain one: formula, parameters, edge cases, sources, an example."""
    from rankeval.render import catalogue as printed

    for plugin in plugins or ():
        rankeval.load_plugin(plugin)

    words = " ".join(text or [])
    found = rankeval.search_measures(words) if listed else rankeval.find_measures(words)
    in_full = full or (len(found) == 1 and not listed)
    forms = {
        Form.TABLE: printed.full if in_full else printed.listing,
        Form.MARKDOWN: printed.full_markdown if in_full else printed.listing_markdown,
        Form.JSON: printed.json_document,
    }
    chosen = forms[options.form_for(Form, form, output)]
    described = [(one, rankeval.worked_example(one) if in_full else None) for one in found]
    write_pieces(partial(chosen, described), output, Style(colour=False if no_color else None))
