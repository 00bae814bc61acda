"""`rankeval merge`: put saved results of parts of the topics together."""

from dataclasses import replace
from typing import Annotated

import typer

import rankeval
from rankeval.choices import Format, Names
from rankeval.cli.options import files, panels
from rankeval.cli.options import measures as measuring
from rankeval.cli.options import output as printing
from rankeval.cli.options.groups import grouped
from rankeval.cli.options.running import WarningOptions
from rankeval.render import RESULTS, notice_lines, write_result

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
        typer.Option(
            "--qrels",
            metavar="QRELS",
            help="Judgments of all parts, for the digest. Default: the files that the parts name.",
            rich_help_panel=panels.READING,
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
    form = output.chosen(RESULTS.formats())
    results = rankeval.Results.merge([rankeval.read_results(path) for path in parts], judgments)
    running.warn(notice_lines(results.runs))
    style = output.style(per_topic=per_query, names=Names.AS_GIVEN)
    if form in DOCUMENTS:
        style = replace(style, per_topic=True)
    write_result(RESULTS, results, form, output.output, style)
