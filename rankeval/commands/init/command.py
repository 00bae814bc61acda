"""`rankeval init`: set up a gate from the files at hand."""

import sys
from functools import partial
from typing import Annotated

import typer

from rankeval.cli.options.evaluating_options import WarningOptions
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.panels import READ, RULES
from rankeval.errors import UsageError

COMMON = partial(RULES, common=True)
QRELS = typer.Argument(metavar="QRELS", help="Relevance judgments.")
PRODUCTION = typer.Argument(metavar="PRODUCTION", help="The production run.")
CANDIDATE = typer.Argument(metavar="CANDIDATE", help="The run that a build writes, to judge.")
REQUIREMENT = (
    "What pip installs in the job, such as rankeval-ir==1.0. Default: rankeval in tools/rankeval, "
    "or a wheel of it, in this repository."
)
DROP, CI = "Largest drop of the mean. Default: nDCG@10=5%.", "github (default) or gitlab."


@grouped
def init(
    qrels: Annotated[str | None, QRELS, READ] = None,
    production: Annotated[str | None, PRODUCTION, READ] = None,
    candidate: Annotated[str | None, CANDIDATE] = None,
    *,
    max_drop: Annotated[str, COMMON("--max-drop RULE", DROP)] = "nDCG@10=5%",
    ci: Annotated[str, COMMON("--ci SERVICE", CI, any_of=["github", "gitlab"])] = "github",
    requirement: Annotated[str | None, COMMON("--requirement REQUIREMENT", REQUIREMENT)] = None,
    warning: WarningOptions,
) -> None:
    """Write rankeval.toml with one explained suite, a baseline, and a job that runs the gate.

    No file is replaced. On a terminal, paths that are left out are asked for.

    Examples:
        rankeval init qrels.txt production.run candidate.run
            with the production run, and the run that a build writes
    """
    from rankeval.commands.init.task import init as set_up

    given = {"QRELS": qrels, "PRODUCTION": production, "CANDIDATE": candidate}
    for name in [name for name, path in given.items() if path is None]:
        if not sys.stdin.isatty():
            raise UsageError(f"no {name}", expected=f"rankeval init {' '.join(given)}")
        given[name] = typer.prompt(name, err=True)
    made = set_up(*map(str, given.values()), max_drop=max_drop, ci=ci, requirement=requirement)
    warning.warn(warning.of_runs(made.results.runs))
    typer.echo(repr(made))
