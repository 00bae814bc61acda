"""`rankeval promote`: store judged candidates as the baselines of their suites."""

from typing import Annotated

import typer

from rankeval.cli.options import baseline_options as baselines
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.panels import RULES
from rankeval.cli.options.running_options import RunningOptions


@grouped
def promote(
    suites: Annotated[
        list[str] | None,
        typer.Argument(metavar="SUITE", help="Suites to promote. Default: all of the file."),
    ] = None,
    *,
    config: baselines.Config = None,
    allow_failing: Annotated[
        bool,
        RULES("--allow-failing", "Store candidates that break rules, too."),
    ] = False,
    allow_missing: baselines.AllowMissing = False,
    running: RunningOptions,
) -> int:
    """Judge the candidate of each SUITE, and store its values as the suite's baseline.

    All baselines are written, or none: if a candidate breaks a rule, the exit code is 1. A baseline
    keeps the measures that it holds.
    """
    from rankeval.commands.gate.new_baselines import told_apart
    from rankeval.commands.promote.show import write_promotion
    from rankeval.commands.promote.task import promote as promoted

    found = promoted(
        suites or (),
        config,
        allow_failing=allow_failing,
        allow_missing=allow_missing,
        jobs=running.jobs,
    )
    running.warn(running.of_runs([*told_apart(found.baselines)]))
    write_promotion(found)
    return 0 if found.baselines else 1
