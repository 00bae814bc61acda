"""`rankeval fuse`: make one run of several."""

from typing import Annotated, Any

import typer

from rankeval.cli.options import file_options as files
from rankeval.cli.options.fusion_options import MethodOptions, TiesOfRuns, TuningOptions
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.panels import OUTPUT, RANKINGS
from rankeval.cli.options.reading_options import ReadingOptions
from rankeval.cli.options.running_options import RunningOptions, reading_progress
from rankeval.io.formats.formats import NAMES


@grouped
def fuse_runs(
    runs: Annotated[
        list[files.RunFile],
        typer.Argument(metavar="RUN", help="Runs to fuse, two or more, in any format."),
    ],
    *,
    method: MethodOptions,
    tuning: TuningOptions,
    ties: TiesOfRuns = "docno",
    depth: Annotated[
        int | None,
        RANKINGS("--depth -M K", "Write the first K documents of each topic.", common=True),
    ] = None,
    tag: Annotated[
        str | None,
        OUTPUT("--tag TAG", "Tag of every line. Default: the method.", common=True),
    ] = None,
    output: Annotated[
        str,
        OUTPUT(
            "--output -o OUT",
            "Run to write, completely or not at all, in the format of its suffix. Default: "
            "standard output, in TREC's format.",
            common=True,
        ),
        files.WRITTEN,
    ] = files.STREAM,
    to: Annotated[
        str | None,
        OUTPUT(
            "--to -f FORMAT",
            f"Format of OUT: {', '.join(NAMES)}. Default: by its suffix.",
            any_of=NAMES,
        ),
    ] = None,
    reading: ReadingOptions,
    running: RunningOptions,
) -> None:
    r"""Fuse runs into one: by reciprocal ranks, or by any of 19 methods.

    Documents are ordered by fused score, ties by docno descending. A topic that a run lacks is an
    empty ranking.

    Examples:
        rankeval fuse bm25.run dense.run -o rrf.run
            reciprocal rank fusion
        rankeval fuse *.run --method wsum --weights 0.7,0.3 --norm z-score -o \
          fused.run.gz
            a weighted sum of scores
        rankeval fuse *.run --method wsum --tune qrels.txt -m nDCG@10 -o fused.run
            weights and normalisation by cross-validation
    """
    from rankeval.commands.fuse.fused_inputs import FusionInput
    from rankeval.commands.fuse.plan import fusion_plan
    from rankeval.commands.fuse.task import FusedLines, write_fused

    tuning.refuse_without_tune()
    paths = [run.path for run in runs]
    settings: Any = {"norm": method.norm, **method.numbers()}
    given = FusionInput.of(paths, ties, reading.reading(), running.jobs, tuning.tune)
    found = None
    if tuning.tune is None:
        plan = fusion_plan(method.name, len(runs), **settings)
        function, name = plan.fuse, plan.method.name
    else:
        from rankeval.commands.fuse.tune import FOLDS, MEASURES, choose, plans_to_try

        plans = plans_to_try(method.name, len(runs), **settings)
        measures, folds = tuning.tune_measures or MEASURES, tuning.folds or FOLDS
        found = choose(given, plans, tuning.tune, measures, folds, depth)
        function, name = found.fuse, found.name
    with reading_progress(paths, wanted=not running.quiet) as progress:
        how = FusedLines(function, name if tag is None else tag, depth, progress)
        running.warn(write_fused(output, to, given, how))
    if found is not None:
        from rankeval.commands.fuse.show import write_tuning

        write_tuning(found.tuning, to_stderr=output == files.STREAM, quiet=running.quiet)
