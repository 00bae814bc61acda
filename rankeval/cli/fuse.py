"""`rankeval fuse`: make one run of several."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankeval.cli.completion import values
from rankeval.cli.options import files, panels
from rankeval.cli.options import measures as measuring
from rankeval.cli.options.fusion import MethodOptions, TiesOfRuns, TuningOptions, numbers
from rankeval.cli.options.groups import grouped
from rankeval.cli.options.reading import ReadingOptions
from rankeval.cli.options.running import RunningOptions
from rankeval.cli.options.words import in_any_case
from rankeval.cli.progress import reading_progress
from rankeval.io.formats import NAMES
from rankeval.support.stderr import tell

if TYPE_CHECKING:  # --help must not wait for numpy
    from rankeval.tasks.fuse.tune import Tuning


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
    tuning: TuningOptions,
    ties: TiesOfRuns = "docno",
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
            callback=in_any_case(NAMES),
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
    from rankeval.tasks.fuse.fuse import fuse_to
    from rankeval.tasks.fuse.grid import plans_to_try
    from rankeval.tasks.fuse.inputs import FusionInput
    from rankeval.tasks.fuse.plan import fusion_plan
    from rankeval.tasks.fuse.tune import FOLDS, MEASURES, tune_to

    measuring.load_plugins(plugins)
    tuning.refuse_without_tune()
    paths = [run.path for run in runs]
    asked = {"norm": method.norm, **numbers(method)}
    if tuning.tune is None:
        plans = [fusion_plan(method.method, len(runs), **asked)]
    else:
        plans = plans_to_try(method.method, len(runs), learned=train_qrels is not None, **asked)
    given = FusionInput.of(paths, ties, reading.reading(), running.jobs, train_qrels, tuning.tune)
    with reading_progress(paths, wanted=not running.quiet) as progress:
        how: dict[str, Any] = {"to": to, "depth": depth, "tag": tag, "progress": progress}
        if tuning.tune is None:
            done = fuse_to(output, given, plans[0], train_qrels, **how)
            found = None
        else:
            found, done = tune_to(
                output,
                given,
                plans,
                tuning.tune,
                tuning.tune_measures or MEASURES,
                folds=tuning.folds or FOLDS,
                train_qrels=train_qrels,
                **how,
            )
    running.warn(done.warnings)
    if found is not None:
        _report(found, to_stderr=output == files.STREAM, quiet=running.quiet)


def _report(found: "Tuning", *, to_stderr: bool, quiet: bool) -> None:
    """Print the report of a tuning, on stderr if standard output has the run."""
    from rankeval.render import Style, write_pieces
    from rankeval.render.tuning import tuning_text

    if not to_stderr:
        write_pieces(lambda style: tuning_text(found, style), None, Style())
    elif not quiet:
        tell("".join(tuning_text(found, Style(colour=False))))
