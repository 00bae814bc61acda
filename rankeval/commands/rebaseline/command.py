"""`rankeval rebaseline`: evaluate the runs in production again after a change of judgments."""

from typing import Annotated

import typer

from rankeval.cli.options import baseline_options as baselines
from rankeval.cli.options import file_options as files
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import PerQuery
from rankeval.cli.options.panels import RULES
from rankeval.cli.options.running_options import RunningOptions


@grouped
def rebaseline(
    suites: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SUITE",
            help="Suites whose baselines are made anew, of the run that they were made of; "
            "SUITE=RUN names another one. Default: all suites of the file.",
        ),
    ] = None,
    *,
    qrels: Annotated[
        str | None,
        RULES("--qrels", "NEW", "New judgments. Default: those that the suites name."),
        files.READ,
    ] = None,
    config: baselines.Config = None,
    allow_missing: baselines.AllowMissing = False,
    per_topic: PerQuery = False,
    running: RunningOptions,
) -> None:
    """Evaluate the runs in production again after a change of judgments, and say what changed.

    Each suite's baseline then holds their values under the new judgments. The candidates, which
    nothing has judged under these, play no part.
    """
    from rankeval.commands.gate.new_baselines import told_apart
    from rankeval.commands.rebaseline.show import write_rebaselined
    from rankeval.commands.rebaseline.task import rebaseline as rebaselined

    pairs = (word.partition("=") for word in suites or ())
    found = rebaselined(
        {suite: run if equals else None for suite, equals, run in pairs},
        config,
        qrels=qrels,
        allow_missing=allow_missing,
        jobs=running.jobs,
    )
    running.warn(running.of_runs([*told_apart(found)]))
    write_rebaselined(found, every=per_topic)
