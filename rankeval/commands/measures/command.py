"""`rankeval measures`: list and explain the measures."""

from dataclasses import replace
from typing import Annotated

import typer

from rankeval.cli.options import completion_values as values
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options import panels
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import OutputOptions


@grouped
def show_measures(
    text: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TEXT]",
            help="Measure in any tool's spelling, or words to search for.",
            autocompletion=values.measures,
        ),
    ] = None,
    *,
    listed: Annotated[
        bool,
        panels.MEASURES(
            "--list", "List what TEXT finds, even if TEXT is the name of a measure.", common=True
        ),
    ] = False,
    full: Annotated[
        bool,
        panels.MEASURES("--full", "Explain every measure that is found.", common=True),
    ] = False,
    plugins: measuring.Plugins = None,
    output: OutputOptions,
) -> None:
    """List the measures, or explain one: formula, parameters, edge cases, sources, example.

    Examples:
        rankeval measures
            all measures, by group
        rankeval measures nDCG@10
            formula, parameters, sources, an example
        rankeval measures reciprocal rank
            search the names and descriptions
    """
    from rankeval.commands.measures.show import FULL, LISTING
    from rankeval.commands.measures.task import find_measures, search_measures, worked_example

    measuring.load_plugins(plugins)
    words = " ".join(text or [])
    found = search_measures(words) if listed else find_measures(words)
    page = output.page(FULL if full else LISTING)
    in_full = full or (len(found) == 1 and not listed and page.form in FULL.formats())
    described = [(one, worked_example(one) if in_full else None) for one in found]
    replace(page, printer=FULL if in_full else LISTING).write(described)
