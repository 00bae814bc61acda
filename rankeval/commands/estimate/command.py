"""`rankeval estimate`: means from few human judgments and many of a machine."""

from typing import Annotated

import rankeval
from rankeval.cli.options import evaluating_options as measuring
from rankeval.cli.options import file_options as files
from rankeval.cli.options.further_options import Alpha, EvaluatingOptions
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import NumbersOutput
from rankeval.cli.options.panels import READ, STATISTICS


@grouped
def estimate(
    qrels: files.QrelsPath,
    runs: files.RunPaths,
    *,
    machine: Annotated[
        str,
        STATISTICS(
            "--machine FILE",
            "Judgments of a machine, such as a language model, of all topics: those of QRELS, "
            "which people judged, and more.",
            common=True,
        ),
        READ,
    ],
    alpha: Alpha = None,
    measures: Annotated[list[str] | None, measuring.by_default("nDCG@10, AP and P@10")] = None,
    output: NumbersOutput,
    evaluating: EvaluatingOptions,
) -> None:
    """Estimate means over topics of which people judged some, and a machine judged all.

    Examples:
        rankeval estimate people.qrels *.run --machine model.qrels
            30 topics judged by people
        rankeval estimate people.qrels *.run --machine model.qrels -v
            with the differences between runs
    """
    from rankeval.commands.estimate.task import PRINTER

    page = output.page(PRINTER, verbose=evaluating.verbose)
    report = rankeval.estimate(
        qrels,
        [run.path for run in runs],
        measures,
        machine=machine,
        alpha=0.05 if alpha is None else alpha,
        **evaluating.keywords(runs),
    )
    evaluating.write(
        page, report, [*evaluating.of_runs(report.results, said=True), *report.warnings]
    )
