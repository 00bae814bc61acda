"""`rankeval measures`: which measures there are, and what each of them is."""

from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

from rankeval.catalogue import find_measures, look_up, worked_example
from rankeval.cli import options
from rankeval.render import Style, write_pieces
from rankeval.render import catalogue as printed


class Form(StrEnum):
    """The formats of the catalogue."""

    TABLE = "table"
    MARKDOWN = "markdown"
    JSON = "json"


LIST = {
    Form.TABLE: printed.listing,
    Form.MARKDOWN: printed.listing_markdown,
    Form.JSON: printed.json_document,
}
FULL = {
    Form.TABLE: printed.full,
    Form.MARKDOWN: printed.full_markdown,
    Form.JSON: printed.json_document,
}


def show_measures(
    text: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT", help="A measure in any tool's words, or words to find."),
    ] = None,
    listed: Annotated[
        bool,
        typer.Option("--list", help="List what TEXT finds, also where it is a measure's name."),
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Explain every measure that is found.")
    ] = False,
    form: Annotated[
        Form | None, typer.Option("--format", "-f", help="How to print; a table by default.")
    ] = None,
    output: options.OutputFile = None,
    no_color: options.NoColor = False,
) -> None:
    """List the measures, or explain one: formula, parameters, edge cases, sources, an example."""
    words = " ".join(text or [])
    found = find_measures(words) if listed else look_up(words)
    explained = full or (len(found) == 1 and not listed)
    rows = [(one, worked_example(one) if explained else None) for one in found]
    write_pieces(
        partial((FULL if explained else LIST)[options.form_for(Form, form, output)], rows),
        output,
        Style(colour=False if no_color else None),
    )
