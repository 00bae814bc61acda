"""`rankeval judges`: compare sets of judgments, and the rankings of systems by each."""

from typing import Annotated

import typer

import rankeval
from rankeval.cli.options import file_options as files
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options.evaluating_options import EvaluatingOptions
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import NumbersOutput, PerTopic
from rankeval.cli.options.panels import STATISTICS


@grouped
def judges(
    given: Annotated[
        list[files.RunFile],
        typer.Argument(
            metavar="QRELS QRELS [RUN]",
            help="Two sets of judgments or more, and runs to rank by each, in any order. "
            "NAME=FILE names one.",
        ),
    ],
    *,
    measures: Annotated[
        list[str] | None,
        measuring.option(
            'Measures that rank the runs: -m "nDCG@10 AP"; separated by spaces, repeatable. '
            "Default: nDCG@10 and AP."
        ),
    ] = None,
    unjudged_grade: Annotated[
        float,
        STATISTICS(
            "--unjudged-grade GRADE",
            "Grade of documents that are not judged, and left out of the agreement. Default: -1, "
            "which `rankeval pool` writes.",
            common=True,
        ),
    ] = -1,
    per_topic: PerTopic = False,
    output: NumbersOutput,
    evaluating: EvaluatingOptions,
) -> None:
    """Compare sets of judgments: agreement, grades, and the ranking of runs by each.

    Examples:
        rankeval judges people.qrels model.qrels
            agreement of two sets of judgments
        rankeval judges old.qrels new.qrels *.run -m AP
            and how they rank systems
    """
    from rankeval.commands.judges.show import PRINTER
    from rankeval.commands.judges.task import MEASURES, told_apart

    page = output.page(PRINTER, per_topic=per_topic, verbose=evaluating.verbose)
    judgments, runs = told_apart([one.path for one in given], evaluating.settings())
    report = rankeval.judges(
        list(judgments.values()),
        list(runs.values()),
        measures or MEASURES,
        unjudged_grade=unjudged_grade,
        names=[given[place].name for place in judgments],
        **evaluating.keywords([given[place] for place in runs]),
    )
    evaluating.write(page, report, [*evaluating.of_runs(report.runs, said=True), *report.warnings])
