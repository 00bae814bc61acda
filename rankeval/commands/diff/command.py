"""`rankeval diff`: the topics that differ most between two runs, and their documents."""

from typing import Annotated

import typer

import rankeval
from rankeval.choices import Contrast, Format
from rankeval.cli.options import file_options as files
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options import panels
from rankeval.cli.options.convention_options import Conventions
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import NumbersOutput, Printout
from rankeval.cli.options.reading_options import ReadingOptions
from rankeval.cli.options.running_options import RunningOptions
from rankeval.cli.options.text_options import TextOptions
from rankeval.errors import UsageError


@grouped
def diff(
    qrels: files.QrelsPath,
    a: Annotated[files.RunFile, typer.Argument(metavar="A", help="First run. NAME=FILE names it.")],
    b: Annotated[
        files.RunFile, typer.Argument(metavar="B", help="Second run, to compare with the first.")
    ],
    only: Annotated[
        list[str] | None,
        typer.Argument(metavar="TOPIC", help="Show these topics. Default: those that differ most."),
    ] = None,
    *,
    measures: Annotated[
        list[str] | None,
        measuring.option(
            'Measures to compare: -m "AP RR"; separated by spaces, repeatable. Default: nDCG@10.'
        ),
    ] = None,
    plugins: measuring.Plugins = None,
    parts: measuring.CostParts = None,
    conventions: Conventions,
    rows: Annotated[
        int,
        panels.RANKINGS(
            "--rows",
            "K",
            "Compare and show the first K documents of both runs. Default: 10.",
            min=1,
            common=True,
        ),
    ] = 10,
    holes: Annotated[
        bool,
        panels.RANKINGS(
            "--holes",
            "Compare again as if unjudged documents were relevant: all that are among the "
            "first K, or those that one run ranks higher; and once with unjudged documents "
            "removed. TSV and CSV then hold only these cases.",
            common=True,
        ),
    ] = False,
    emit_pool: Annotated[
        int | None,
        panels.OUTPUT(
            "--emit-pool",
            "K",
            "Print only unjudged documents, to judge next: those among the first K of either "
            "run, as lines of topic and docno.",
            min=1,
        ),
    ] = None,
    top: Annotated[
        int,
        panels.OUTPUT(
            "--top", "N", "Show the N topics that differ most. Default: 5.", min=1, common=True
        ),
    ] = 5,
    contrast: Annotated[
        Contrast,
        panels.RANKINGS(
            "--contrast",
            "BY",
            "Choose topics by the difference in the measure (default), or by how little their "
            "first K documents are alike, also without judgments: overlap, or tau-ap, the AP "
            "correlation of their order.",
        ),
    ] = "measure",
    run_names: files.RunNaming = "tag",
    texts: TextOptions,
    output: NumbersOutput,
    reading: ReadingOptions,
    running: RunningOptions,
) -> None:
    """Show the topics that differ most between A and B, and the documents that moved.

    Examples:
        rankeval diff qrels.txt a.run b.run --top 3
            the topics that differ most
        rankeval diff qrels.txt a.run b.run --holes
            if the unjudged were relevant
        rankeval diff qrels.txt a.run b.run --queries topics.tsv --docs docs.jsonl
            with queries and texts
        rankeval diff qrels.txt a.run b.run --emit-pool 10
            what to judge next
    """
    from rankeval.commands.diff.show import POOL, PRINTER

    if emit_pool and output.form is not None:
        raise UsageError("--emit-pool prints lines of topic and docno only", remedy="drop --format")
    measuring.load_plugins(plugins)
    if emit_pool:
        page = Printout(POOL, Format.TREC, output.output, output.style())
    else:
        page = output.page(PRINTER)
    systems = files.systems([a, b])
    if len(systems) != 2:
        raise UsageError(
            f"the two paths match {len(systems)} systems: {', '.join(run.path for run in systems)}",
            expected="one system for A and one for B",
        )
    first, second = systems
    found = rankeval.diff(
        qrels,
        first.path,
        second.path,
        measures or "nDCG@10",
        settings=conventions.settings(),
        top=rows,
        shown=top,
        only=only or (),
        holes=holes,
        pool=emit_pool,
        contrast=contrast,
        **measuring.added(parts),
        **texts.given(),
        reading=reading.reading(),
        run_names=files.run_names(run_names, systems),
        jobs=running.jobs,
    )
    running.write(
        page, found, [*running.of_runs([found.a, found.b], page.decimals), *found.texts.notices()]
    )
