"""`rankeval merge`: put saved results of parts of the topics together."""

from dataclasses import replace
from typing import Annotated

import typer

import rankeval
from rankeval.choices import Format, Names
from rankeval.cli.options import file_options as files
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options import output_options as printing
from rankeval.cli.options import panels
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.running_options import WarningOptions
from rankeval.commands.eval.show import RESULTS

DOCUMENTS = (Format.JSON, "yaml")
"""The formats that always have the values of topics."""


@grouped
def merge(
    parts: Annotated[
        list[str],
        typer.Argument(
            metavar="JSON",
            help="Results of parts of the topics, written with 'rankeval eval -q -o FILE.json'.",
        ),
        files.READ,
    ],
    *,
    judgments: Annotated[
        str | None,
        panels.READING(
            "--qrels",
            "QRELS",
            "Judgments of all parts, for the digest. Default: the files that the parts name.",
        ),
        files.READ,
    ] = None,
    plugins: measuring.Plugins = None,
    per_query: printing.PerQuery = False,
    output: printing.ValuesOutput,
    running: WarningOptions,
) -> None:
    """Merge results of parts of the topics into those of one evaluation, to the last bit.

    JSON and YAML always have the values of every topic.
    """
    measuring.load_plugins(plugins)
    page = output.page(RESULTS, per_topic=per_query, names=Names.AS_GIVEN)
    results = rankeval.merge([rankeval.load(path) for path in parts], judgments)
    if page.form in DOCUMENTS:
        page = replace(page, style=replace(page.style, per_topic=True))
    running.write(page, results, running.of_runs(results.runs))
