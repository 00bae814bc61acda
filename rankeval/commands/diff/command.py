"""`rankeval diff`: the topics that differ most between two runs, and their documents."""

from typing import Annotated

import typer

import rankeval
from rankeval.cli.options import evaluating_options as measuring
from rankeval.cli.options import file_options as files
from rankeval.cli.options.evaluating_options import Conventions, ReadingOptions, RunningOptions
from rankeval.cli.options.further_options import TextOptions
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import NumbersOutput
from rankeval.cli.options.panels import OUTPUT, RANKINGS
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
        measuring.option('Measures to compare: -m "AP RR"; repeatable. Default: nDCG@10.'),
    ] = None,
    parts: measuring.CostParts = None,
    conventions: Conventions,
    rows: Annotated[
        int,
        RANKINGS("--rows K", "Compare the first K documents. Default: 10.", min=1, common=True),
    ] = 10,
    top: Annotated[int, OUTPUT("--top N", "Show N topics. Default: 2.", min=1, common=True)] = 2,
    run_names: files.RunNaming = "tag",
    texts: TextOptions,
    output: NumbersOutput,
    reading: ReadingOptions,
    running: RunningOptions,
) -> None:
    """Show the topics that differ most between A and B, and the documents that moved.

    Examples:
        rankeval diff qrels.txt a.run b.run
            the topics that differ most
        rankeval diff qrels.txt a.run b.run 14
            topic 14
        rankeval diff qrels.txt a.run b.run --queries topics.tsv --docs docs.jsonl
            with queries and texts
    """
    from rankeval.commands.diff.show import PRINTER

    page = output.page(PRINTER, verbose=running.verbose)
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
        settings=conventions.settings(**reading.stated()),
        top=rows,
        shown=top,
        only=only or (),
        **measuring.added(parts),
        **texts.given(),
        run_names=files.run_names(run_names, systems),
        jobs=running.jobs,
    )
    running.write(
        page, found, [*running.of_runs([found.a, found.b], page.decimals), *found.texts.notices()]
    )
