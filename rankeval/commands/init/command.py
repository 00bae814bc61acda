"""`rankeval init`: set up a gate from the files at hand."""

from functools import partial
from typing import Annotated

import typer

from rankeval.cli.options.evaluating_options import WarningOptions
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.panels import READ, RULES

COMMON = partial(RULES, common=True)
QRELS = typer.Argument(metavar="QRELS", help="Relevance judgments.")
PRODUCTION = typer.Argument(metavar="PRODUCTION", help="The production run.")
CANDIDATE = typer.Argument(metavar="CANDIDATE", help="The run that a build writes, to judge.")
REQUIREMENT = (
    "Required: what pip installs in the job, rankeval-ir==1.0 or a path in this repository, "
    "such as ./tools/rankeval."
)
DROP, CI = "Largest drop of the mean. Default: nDCG@10=5%.", "github (default) or gitlab."


@grouped
def init(
    qrels: Annotated[str, QRELS, READ],
    production: Annotated[str, PRODUCTION, READ],
    candidate: Annotated[str, CANDIDATE],
    *,
    max_drop: Annotated[str, COMMON("--max-drop RULE", DROP)] = "nDCG@10=5%",
    ci: Annotated[str, COMMON("--ci SERVICE", CI, any_of=["github", "gitlab"])] = "github",
    requirement: Annotated[str | None, COMMON("--requirement REQUIREMENT", REQUIREMENT)] = None,
    warning: WarningOptions,
) -> None:
    """Write rankeval.toml with one explained suite, a baseline, and a job that runs the gate.

    No file is replaced.

    Examples:
        rankeval init qrels.txt production.run candidate.run --requirement rankeval-ir
            with the production run, and the run that a build writes
    """
    from rankeval.commands.init.task import init as set_up

    given = qrels, production, candidate
    made = set_up(*given, max_drop=max_drop, ci=ci, requirement=requirement)
    warning.warn(warning.of_runs(made.results.runs))
    typer.echo(repr(made))
