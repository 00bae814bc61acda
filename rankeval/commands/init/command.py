"""`rankeval init`: set up a gate from the files at hand."""

import sys
from functools import partial
from typing import Annotated

import typer

from rankeval.cli.options import file_options as files
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.panels import RULES
from rankeval.cli.options.running_options import WarningOptions
from rankeval.errors import UsageError

COMMON = partial(RULES, common=True)
PATHS = {"QRELS": "Relevance judgments", "PRODUCTION": "The production run"}
PATHS["CANDIDATE"] = "The run that a build writes, to judge"
QRELS, PRODUCTION, CANDIDATE = (
    typer.Argument(metavar=name, help=f"{words}. Asked for on a terminal if left out.")
    for name, words in PATHS.items()
)
REQUIREMENT = (
    "What pip installs in the job, such as rankeval-ir==1.0. Default: rankeval in tools/rankeval, "
    "or a wheel of it, in this repository."
)


@grouped
def init(
    qrels: Annotated[str | None, QRELS, files.READ] = None,
    production: Annotated[str | None, PRODUCTION, files.READ] = None,
    candidate: Annotated[str | None, CANDIDATE] = None,
    *,
    max_drop: Annotated[
        str,
        COMMON("--max-drop", "RULE", "Largest drop of the mean. Default: nDCG@10=5%."),
    ] = "nDCG@10=5%",
    ci: Annotated[
        str,
        RULES(
            "--ci",
            "SERVICE",
            "github (default) or gitlab.",
            any_of=["github", "gitlab"],
            common=True,
        ),
    ] = "github",
    requirement: Annotated[str | None, COMMON("--requirement", "REQUIREMENT", REQUIREMENT)] = None,
    warning: WarningOptions,
) -> None:
    """Write rankeval.toml with one explained suite, a baseline, and a job that runs the gate.

    No file is replaced.

    Examples:
        rankeval init qrels.txt production.run candidate.run
            with the production run, and the run that a build writes
    """
    from rankeval.commands.init.task import init as set_up

    given = dict(zip(PATHS, (qrels, production, candidate), strict=True))
    for name in [name for name, path in given.items() if path is None]:
        if not sys.stdin.isatty():
            raise UsageError(f"no {name}", expected=f"rankeval init {' '.join(PATHS)}")
        given[name] = typer.prompt(PATHS[name], err=True)
    made = set_up(*map(str, given.values()), max_drop=max_drop, ci=ci, requirement=requirement)
    warning.warn(warning.of_runs(made.results.runs))
    typer.echo(repr(made))
