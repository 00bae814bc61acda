"""`rankeval fuse`: make one run of several."""

from typing import Annotated

import typer

from rankeval.cli.completion import values
from rankeval.cli.options import files, panels
from rankeval.cli.options import measures as measuring
from rankeval.cli.options.fusion import MethodOptions, numbers
from rankeval.cli.options.groups import grouped
from rankeval.cli.options.reading import ReadingOptions
from rankeval.cli.options.running import RunningOptions
from rankeval.cli.progress import reading_progress
from rankeval.io.formats import NAMES


@grouped
def fuse_runs(
    runs: Annotated[
        list[files.RunFile],
        typer.Argument(metavar="RUN", help="Runs to fuse, two or more, in any format."),
    ],
    *,
    method: MethodOptions,
    train_qrels: Annotated[
        str | None,
        typer.Option(
            "--train-qrels",
            metavar="QRELS",
            help="Judgments of these runs, from which trained methods learn what each rank of a "
            "run is worth, and others a weight for each run: its mean average precision.",
            rich_help_panel=panels.FUSION,
        ),
        files.READ,
    ] = None,
    ties: Annotated[
        str,
        typer.Option(
            "--ties",
            metavar="RULE",
            autocompletion=values.one_of(("docno", "input", "rank")),
            help="Order of equal scores in the runs, before ranks are taken. docno (default): "
            "docno descending, as in trec_eval; input: as in the file; rank: by the rank column.",
            rich_help_panel=panels.RANKINGS,
        ),
    ] = "docno",
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            "-M",
            metavar="K",
            help="Write only the first K documents of each topic.",
            rich_help_panel=panels.RANKINGS,
        ),
    ] = None,
    tag: Annotated[
        str | None,
        typer.Option(
            "--tag",
            metavar="TAG",
            help="Tag of every line. Default: the name of the method.",
            rich_help_panel=panels.OUTPUT,
        ),
    ] = None,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help="Run to write, completely or not at all, in the format of its suffix. Default: "
            "standard output, in TREC's format.",
            rich_help_panel=panels.OUTPUT,
        ),
        files.WRITTEN,
    ] = files.STREAM,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FORMAT",
            autocompletion=values.one_of(NAMES),
            help=f"Format of OUT: {', '.join(NAMES)}. Default: by its suffix.",
            rich_help_panel=panels.OUTPUT,
        ),
    ] = None,
    plugins: measuring.Plugins = None,
    reading: ReadingOptions,
    running: RunningOptions,
) -> None:
    """Fuse runs into one: by reciprocal ranks, or by any of 25 methods.

    Documents are ordered by fused score, ties by docno descending. A topic that a run lacks is an
    empty ranking.
    """
    from rankeval.tasks.fuse.fuse import FusionInput, fuse_to
    from rankeval.tasks.fuse.plan import fusion_plan

    measuring.load_plugins(plugins)
    paths = [run.path for run in runs]
    plan = fusion_plan(method.method, len(runs), norm=method.norm, **numbers(method))
    given = FusionInput.of(paths, ties, reading.reading(), running.jobs, train_qrels)
    with reading_progress(paths, wanted=not running.quiet) as progress:
        done = fuse_to(
            output, given, plan, train_qrels, to=to, depth=depth, tag=tag, progress=progress
        )
    running.warn(done.warnings)
