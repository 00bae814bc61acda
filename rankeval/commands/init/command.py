"""`rankeval init`: set up a gate from the files at hand."""

from typing import Annotated

import typer

from rankeval.cli.options import file_options as files
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.panels import RULES
from rankeval.cli.options.running_options import RunningOptions


@grouped
def init(
    qrels: Annotated[str, typer.Argument(metavar="QRELS", help="Relevance judgments."), files.READ],
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run in production."), files.READ],
    *,
    max_drop: Annotated[
        str,
        RULES("--max-drop", "RULE", "Largest drop of the mean. Default: nDCG@10=5%.", common=True),
    ] = "nDCG@10=5%",
    suite: Annotated[
        str, RULES("--suite", "NAME", "Name of the suite. Default: main.", common=True)
    ] = "main",
    install: Annotated[
        str | None,
        RULES(
            "--install",
            "REQUIREMENT",
            "What pip installs in the workflow, such as rankeval-ir==1.0. Default: a copy in "
            "tools/rankeval if there is one, else rankeval-ir.",
            common=True,
        ),
    ] = None,
    running: RunningOptions,
) -> None:
    """Write rankeval.toml with one explained suite, a baseline, and a workflow that runs the gate.

    No file is replaced.

    Examples:
        rankeval init qrels.txt bm25.run
            with the run in production
    """
    from rankeval.commands.init.show import tell_written
    from rankeval.commands.init.task import init as set_up

    made = set_up(qrels, run, suite=suite, max_drop=max_drop, install=install, jobs=running.jobs)
    running.warn(running.of_runs(made.results.runs))
    tell_written(made)
