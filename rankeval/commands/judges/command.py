"""`rankeval judges`: compare sets of judgments, and the rankings of systems by each."""

from typing import Annotated

import typer

import rankeval
from rankeval.cli.options import evaluating_options as measuring
from rankeval.cli.options import file_options as files
from rankeval.cli.options.further_options import EvaluatingOptions
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import NumbersOutput, PerTopic


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
    from rankeval.commands.judges.task import MEASURES
    from rankeval.io.blocks import is_rereadable
    from rankeval.io.formats import IRDS
    from rankeval.io.read import begin, kind_of

    page = output.page(PRINTER, per_topic=per_topic, verbose=evaluating.verbose)
    form = evaluating.settings().qrels_form()
    judgments: list[files.RunFile] = []
    runs: list[files.RunFile] = []
    for one in given:  # a pipe, which can be read once only, holds judgments
        known = is_rereadable(one.path) and not one.path.startswith(IRDS)
        is_run = known and kind_of(begin(one.path), one.path, form).what == "run"
        (runs if is_run else judgments).append(one)
    report = rankeval.judges(
        [one.path for one in judgments],
        [one.path for one in runs],
        measures or MEASURES,
        names=[one.name for one in judgments],
        **evaluating.keywords(runs),
    )
    evaluating.write(page, report, [*evaluating.of_runs(report.runs, said=True), *report.warnings])
