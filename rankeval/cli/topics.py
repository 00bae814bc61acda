"""`rankeval topics`: hard and easy topics, and those that carry a comparison."""

from typing import Annotated

import typer

import rankeval
from rankeval.cli.options import files, panels
from rankeval.cli.options import measures as measuring
from rankeval.cli.options.conventions import Conventions
from rankeval.cli.options.groups import grouped
from rankeval.cli.options.output import NumbersOutput, PerQuery
from rankeval.cli.options.reading import ReadingOptions
from rankeval.cli.options.running import RunningOptions
from rankeval.render import notice_lines, write_result


@grouped
def topics(
    qrels: files.QrelsPath,
    runs: files.RunPaths,
    *,
    measures: Annotated[
        list[str] | None,
        measuring.option(
            'Measures, separated by spaces: -m "nDCG@10 AP". Repeatable. Default: AP.'
        ),
    ] = None,
    plugins: measuring.Plugins = None,
    costs: measuring.Costs = None,
    conventions: Conventions,
    reference: Annotated[
        str | None,
        typer.Option(
            "--baseline",
            metavar="NAME",
            help="Run to compare with, for the influence of topics. Default: the run with the "
            "second best value, with which the best run is compared.",
            rich_help_panel=panels.STATISTICS,
        ),
    ] = None,
    other: Annotated[
        str | None,
        typer.Option(
            "--with",
            metavar="NAME",
            help="Run that is compared with the baseline. Default: the run with the best value.",
            rich_help_panel=panels.STATISTICS,
        ),
    ] = None,
    run_names: files.RunNaming = "tag",
    per_topic: PerQuery = False,
    output: NumbersOutput,
    reading: ReadingOptions,
    running: RunningOptions,
) -> None:
    """Show hard and easy topics, those on which runs differ, and those that carry a comparison."""
    from rankeval.render.topics import TOPICS
    from rankeval.tasks.topics import MEASURES

    measuring.load_plugins(plugins)
    form = output.chosen(TOPICS.formats())
    report = rankeval.topics(
        qrels,
        [run.path for run in runs],
        measures or MEASURES,
        conventions.settings(),
        baseline=reference,
        other=other,
        costs=costs,
        reading=reading.reading(),
        run_names=files.run_names(run_names, runs),
        jobs=running.jobs,
    )
    running.warn(notice_lines(report.runs))
    write_result(TOPICS, report, form, output.output, output.style(per_topic=per_topic))
