"""`rankeval measures`: list and explain the measures."""

from typing import Annotated

import typer

from rankeval.cli.options import panels
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import OutputOptions
from rankeval.cli.options.panels import complete_measures


@grouped
def show_measures(
    text: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TEXT]",
            help="Measure in any tool's spelling, or words to search for.",
            autocompletion=complete_measures,
        ),
    ] = None,
    *,
    every: Annotated[
        bool,
        panels.MEASURES(
            "--all", "List all measures by subject, or all that TEXT finds.", common=True
        ),
    ] = False,
    full: Annotated[
        bool, panels.MEASURES("--full", "Explain every measure that is found.", common=True)
    ] = False,
    output: OutputOptions,
) -> None:
    """Show the common measures, or explain one: formula, parameters, sources, example.

    Examples:
        rankeval measures
            twelve common measures, and when to use each
        rankeval measures --all
            the whole catalogue, by subject
        rankeval measures nDCG@10
            formula, parameters, sources, an example
        rankeval measures reciprocal rank
            search the names and descriptions
    """
    from rankeval.commands.measures.task import (
        COMMON,
        IN_FULL,
        LISTING,
        find_measures,
        search_measures,
        worked_example,
    )

    words = " ".join(text or [])
    choosing = words in ("", "choose") and not (every or full)
    found = search_measures(words) if every else find_measures("" if choosing else words)
    explained = full or len(found) == 1
    page = output.page(COMMON if choosing else IN_FULL if explained else LISTING)
    page.write([(one, worked_example(one) if explained else None) for one in found])
