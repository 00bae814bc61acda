"""`rankeval explain`: the value of one topic, rank by rank."""

from typing import Annotated

import typer

import rankeval
from rankeval.cli.options import evaluating_options as measuring
from rankeval.cli.options import file_options as files
from rankeval.cli.options.evaluating_options import Conventions, ReadingOptions, RunningOptions
from rankeval.cli.options.further_options import TextOptions
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import NumbersOutput
from rankeval.cli.options.panels import OUTPUT


@grouped
def explain_topic(
    qrels: files.QrelsPath,
    run: Annotated[
        files.RunFile,
        typer.Argument(metavar="RUN", help="Run to explain, in any format. NAME=FILE names it."),
    ],
    topic: Annotated[
        str,
        typer.Argument(metavar="TOPIC", help="Topic to explain."),
    ],
    *,
    measures: Annotated[
        list[str] | None,
        measuring.option('Measures to explain: -m "AP RR"; repeatable. Default: nDCG@10.'),
    ] = None,
    parts: measuring.CostParts = None,
    conventions: Conventions,
    rows: Annotated[
        int | None,
        OUTPUT("--rows K", "Show the first K ranks, and relevant ones.", min=1, common=True),
    ] = None,
    run_names: files.RunNaming = "tag",
    texts: TextOptions,
    output: NumbersOutput,
    reading: ReadingOptions,
    running: RunningOptions,
) -> None:
    """Explain the value of TOPIC: what each rank adds, and which documents are missing.

    Examples:
        rankeval explain qrels.txt bm25.run 301
            nDCG@10, rank by rank
        rankeval explain qrels.txt bm25.run 301 -m "AP RR" --rows 5
            other measures
    """
    from rankeval.commands.explain.show import PRINTER, SCREEN
    from rankeval.commands.explain.task import SHOWN

    page = output.page(PRINTER, verbose=running.verbose or (rows or 0) > SCREEN)
    explanations = rankeval.explain(
        qrels,
        run.path,
        topic,
        measures,
        settings=conventions.settings(**reading.stated()),
        **measuring.added(parts),
        **texts.given(),
        run_names=files.run_names(run_names, [run]),
        shown=rows or SHOWN,
        jobs=running.jobs,
    )
    first = explanations[0]
    running.write(page, explanations, [*first.warnings, *first.texts.notices()])
