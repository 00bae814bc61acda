"""`rankeval diff`: the topics that differ most between two runs, and their documents."""

from functools import partial
from typing import Annotated

import typer

import rankeval
from rankeval.choices import Format
from rankeval.cli.options import file_options as files
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options import panels
from rankeval.cli.options.convention_options import Conventions
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import NumbersOutput
from rankeval.cli.options.reading_options import ReadingOptions
from rankeval.cli.options.running_options import RunningOptions
from rankeval.errors import UsageError
from rankeval.output.notice_lines import notice_lines
from rankeval.output.writing import write_pieces, write_result


@grouped
def diff(
    qrels: files.QrelsPath,
    a: Annotated[files.RunFile, typer.Argument(metavar="A", help="First run. NAME=FILE names it.")],
    b: Annotated[
        files.RunFile, typer.Argument(metavar="B", help="Second run, to compare with the first.")
    ],
    *,
    measures: Annotated[
        list[str] | None,
        measuring.option("Measures to compare, separated by spaces. Repeatable. Default: nDCG@10."),
    ] = None,
    plugins: measuring.Plugins = None,
    costs: measuring.Costs = None,
    conventions: Conventions,
    rows: Annotated[
        int,
        typer.Option(
            "--rows",
            metavar="K",
            min=1,
            help="Compare and show the first K documents of both runs. Default: 10.",
            rich_help_panel=panels.RANKINGS,
        ),
    ] = 10,
    holes: Annotated[
        bool,
        typer.Option(
            "--holes",
            help="Repeat the comparison as if unjudged documents among the first K were "
            "relevant: all of them, or those that one run ranks higher; and once with "
            "unjudged documents removed. TSV and CSV then hold only these cases.",
            rich_help_panel=panels.RANKINGS,
        ),
    ] = False,
    emit_pool: Annotated[
        int | None,
        typer.Option(
            "--emit-pool",
            metavar="K",
            min=1,
            help="Print only the unjudged documents among the first K of either run, as lines of "
            "topic and docno, to judge next.",
            rich_help_panel=panels.OUTPUT,
        ),
    ] = None,
    top: Annotated[
        int,
        typer.Option(
            "--top",
            metavar="N",
            min=1,
            help="Show the N topics that differ most. Default: 5.",
            rich_help_panel=panels.OUTPUT,
        ),
    ] = 5,
    run_names: files.RunNaming = "tag",
    output: NumbersOutput,
    reading: ReadingOptions,
    running: RunningOptions,
) -> None:
    """Show the topics that differ most between A and B, and the documents that moved."""
    from rankeval.commands.diff.show import DIFFERENCE, pool

    if emit_pool and output.form is not None:
        raise UsageError("--emit-pool prints lines of topic and docno only", remedy="drop --format")
    measuring.load_plugins(plugins)
    form = Format.TREC if emit_pool else output.chosen(DIFFERENCE.formats())
    found = rankeval.diff(
        qrels,
        a.path,
        b.path,
        measures or "nDCG@10",
        conventions.settings(),
        top=rows,
        shown=top,
        holes=holes,
        pool=emit_pool,
        costs=costs,
        reading=reading.reading(),
        run_names=files.run_names(run_names, [a, b]),
        jobs=running.jobs,
    )
    running.warn(notice_lines([found.a, found.b], output.decimals(form)))
    if emit_pool:
        write_pieces(partial(pool, found), output.output, output.style(), form=form)
    else:
        write_result(DIFFERENCE, found, form, output.output, output.style())
