"""`rankeval fuse`: make one run of several."""

from functools import partial
from typing import Annotated, Any

import typer

from rankeval.choices import METHOD_NAMES, NORMALISATION_NAMES
from rankeval.cli.options import evaluating_options as measuring
from rankeval.cli.options import file_options as files
from rankeval.cli.options.evaluating_options import ReadingOptions, RunningOptions, reading_progress
from rankeval.cli.options.further_options import TiesOfRuns
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.panels import FUSION, OUTPUT, RANKINGS, READ, WRITTEN
from rankeval.endings import tell
from rankeval.errors import UsageError


@partial(grouped, needs={"--measure": "--tune"})
def fuse_runs(
    runs: Annotated[
        list[files.RunFile],
        typer.Argument(metavar="RUN", help="Runs to fuse, two or more, in any format."),
    ],
    *,
    method: Annotated[
        str,
        FUSION(
            "--method METHOD",
            f"Fusion method, with parameters as in rbc(phi=0.9): {', '.join(METHOD_NAMES)}. "
            "Default: rrf, reciprocal rank fusion, with k=60.",
            any_of=METHOD_NAMES,
            common=True,
        ),
    ] = "rrf",
    norm: Annotated[
        str | None,
        FUSION(
            "--norm RULE",
            "Normalisation of the scores of a topic, for methods that use scores: "
            f"{', '.join(NORMALISATION_NAMES)}. Default: min-max.",
            any_of=NORMALISATION_NAMES,
            common=True,
        ),
    ] = None,
    run_weights: Annotated[
        str | None,
        FUSION("--weights W,W,...", "A weight for each run, for wsum and others.", common=True),
    ] = None,
    tune: Annotated[
        str | None,
        FUSION(
            "--tune QRELS",
            "Tune weights and normalisation on these judgments, with cross-validation: each judged "
            "topic is fused by the settings chosen without it. The held-out scores are printed on "
            "stderr.",
            common=True,
        ),
        READ,
    ] = None,
    tune_measures: Annotated[
        list[str] | None,
        measuring.option("Measure of --tune. Default: nDCG@10."),
    ] = None,
    ties: TiesOfRuns = "docno",
    depth: Annotated[
        int | None,
        RANKINGS("--depth -M K", "Write the first K documents of each topic.", common=True),
    ] = None,
    output: Annotated[
        str,
        OUTPUT(
            "--output -o OUT",
            "Run to write, completely or not at all, in the format of its suffix (convert has "
            "others). Default: standard output, in TREC's format.",
            common=True,
        ),
        WRITTEN,
    ] = files.STREAM,
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
    from rankeval.commands.fuse.task import fusion_plan, lines_by, write_fused
    from rankeval.evaluation.settings import Reading
    from rankeval.fusion.side_by_side import FusionInput

    paths = [run.path for run in runs]
    weights = run_weights and _numbers(run_weights, "--weights")
    settings: Any = {"norm": norm, "weights": weights, **_parameters(method)}
    method = method.partition("(")[0].strip()
    given = FusionInput.of(paths, ties, Reading(**reading.stated()), running.jobs, tune)
    told = ""
    if tune is None:
        plan = fusion_plan(method, len(runs), settings)
        fused: Any = plan.fuse
    else:
        from rankeval.commands.fuse import tune as tuned  # it evaluates

        plans = tuned.plans_to_try(method, len(runs), settings)
        plan, by = plans[0], tune_measures or tuned.MEASURE
        fused, tuning = tuned.choose(given, plans, tune, by, tuned.FOLDS, depth)
        told = f"{tuning}"
    with reading_progress(paths, wanted=not running.quiet) as progress:
        lines = lines_by(fused, plan.method, depth)
        running.warn(write_fused(output, given, lines, progress))
    if not running.quiet:
        tell(told)


def _parameters(method: str) -> dict[str, float]:
    """Return the parameters in the name of a method, such as 60 for k in rrf(k=60)."""
    inside = method.partition("(")[2].removesuffix(")")
    pairs = (part.partition("=") for part in inside.split(",") if part.strip())
    return {name.strip(): _numbers(value, method)[0] for name, _, value in pairs}


def _numbers(text: str, place: str) -> list[float]:
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        problem = f"'{text}' is not a number, in {place}"
        raise UsageError(problem, expected="as in rrf(k=60), or --weights 0.5,0.3,0.2") from None
