"""`rankeval systems`: how measures and topics order the systems, and pool bias."""

from typing import Annotated

import rankeval
from rankeval.cli.options import evaluating_options as measuring
from rankeval.cli.options import file_options as files
from rankeval.cli.options import panels
from rankeval.cli.options.further_options import Alpha, EvaluatingOptions
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import NumbersOutput


@grouped
def systems(
    qrels: files.QrelsPath,
    runs: files.RunPaths,
    *,
    measures: Annotated[list[str] | None, measuring.by_default("nDCG@10, AP, P@10 and RR")] = None,
    pool_depth: Annotated[
        int | None,
        panels.RANKINGS(
            "--pool-depth K",
            "Depth to which each run was pooled. Default: all of its documents.",
            min=1,
            common=True,
        ),
    ] = None,
    alpha: Alpha = None,
    output: NumbersOutput,
    evaluating: EvaluatingOptions,
) -> None:
    """Show how measures and topics order the runs, and what each run adds to the pool.

    Examples:
        rankeval systems qrels.txt *.run
            how measures agree, and what runs add to the pool
        rankeval systems qrels.txt *.run --pool-depth 100 -v
            runs that were pooled to a depth of 100
    """
    from rankeval.commands.systems.task import MEASURES, PRINTER

    page = output.page(PRINTER, verbose=evaluating.verbose)
    report = rankeval.systems(
        qrels,
        [run.path for run in runs],
        measures or MEASURES,
        pool_depth=pool_depth,
        alpha=0.05 if alpha is None else alpha,
        **evaluating.keywords(runs),
    )
    evaluating.write(page, report, evaluating.of_runs(report.runs, said=True))
