"""`rankeval topics`: the hardest topics, and those that carry a comparison."""

from typing import Annotated

import rankeval
from rankeval.cli.options import evaluating_options as measuring
from rankeval.cli.options import file_options as files
from rankeval.cli.options import panels
from rankeval.cli.options.further_options import EvaluatingOptions, Queries
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import NumbersOutput, PerTopic


@grouped
def topics(
    qrels: files.QrelsPath,
    runs: files.RunPaths,
    *,
    measures: Annotated[list[str] | None, measuring.by_default("AP")] = None,
    reference: Annotated[
        str | None,
        panels.STATISTICS(
            "--baseline NAME",
            "Run to compare with, for the influence of topics. Default: the run with the "
            "second best value, with which the best run is compared.",
            common=True,
        ),
    ] = None,
    other: Annotated[
        str | None,
        panels.STATISTICS(
            "--run NAME",
            "Run that is compared with the baseline. Default: the run with the best value.",
            common=True,
        ),
    ] = None,
    queries: Queries = None,
    per_topic: PerTopic = False,
    output: NumbersOutput,
    evaluating: EvaluatingOptions,
) -> None:
    """Show the hardest topics, how much runs differ on them, and what each decides.

    Examples:
        rankeval topics qrels.txt *.run
            the ten hardest topics
        rankeval topics qrels.txt *.run --baseline bm25 --run dense -m nDCG@10
            topics that carry a difference
    """
    from rankeval.commands.topics.task import MEASURES, PRINTER

    page = output.page(PRINTER, per_topic=per_topic, verbose=evaluating.verbose)
    report = rankeval.topics(
        qrels,
        [run.path for run in runs],
        measures or MEASURES,
        baseline=reference,
        other=other,
        queries=queries,
        **evaluating.keywords(runs),
    )
    evaluating.write(page, report, evaluating.of_runs(report.runs, said=True))
