"""`rankeval init`: set up a gate from the files at hand."""

import sys
from typing import Annotated, cast, get_args

import typer

from rankeval.choices import GateHome
from rankeval.cli.options import file_options as files
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.panels import RULES
from rankeval.cli.options.running_options import RunningOptions
from rankeval.errors import UsageError

HOMES = ", ".join(get_args(GateHome))
DEFAULT_RULE = "nDCG@10=5%"


@grouped
def init(
    qrels: Annotated[
        str | None,
        typer.Argument(metavar="QRELS", help="Relevance judgments. Default: those found here."),
        files.READ,
    ] = None,
    run: Annotated[
        str | None,
        typer.Argument(metavar="RUN", help="The run in production. Default: the one found here."),
        files.READ,
    ] = None,
    *,
    max_drop: Annotated[
        str | None,
        RULES("--max-drop", "RULE", f"Largest drop of the mean. Default: {DEFAULT_RULE}."),
    ] = None,
    suite: Annotated[str, RULES("--suite", "NAME", "Name of the suite. Default: main.")] = "main",
    ci: Annotated[
        GateHome | None,
        RULES(
            "--ci",
            "CI",
            "Where the gate runs: github (default), gitlab, or make.",
        ),
    ] = None,
    running: RunningOptions,
) -> None:
    """Write rankeval.toml with one explained suite, a baseline, and a workflow that runs the gate.

    Judgments and the run in production are found here, or asked for on a terminal, as are the rule
    and the place where the gate runs. No file is replaced.
    """
    from rankeval.commands.gate.rules.all_kinds import parse_rule
    from rankeval.commands.gate.suites.suite import Suite
    from rankeval.commands.gate.task import renewed_baseline
    from rankeval.commands.init.show import write_setup
    from rankeval.commands.init.task import FoundFiles, find_files, setup
    from rankeval.evaluation.run_names import RunNames

    found = find_files() if qrels is None or run is None else FoundFiles((), ())
    answers = _Answers(asks=_can_ask() and not running.quiet)
    planned = setup(
        qrels or answers.file("Relevance judgments", found.qrels, "judgments"),
        run or answers.file("The run in production", found.runs, "runs"),
        suite=suite,
        rule=max_drop or answers.text("Largest drop of the mean", DEFAULT_RULE),
        ci=_known(ci or answers.text(f"Where the gate runs ({HOMES})", "github")),
    )
    of_production = Suite(
        qrels=planned.qrels,
        baseline=planned.baseline,
        runs=(planned.run,),
        rules=(parse_rule(planned.rule, "max-drop"),),
    )
    baseline = renewed_baseline(
        of_production, run_names=RunNames(given=(planned.name,)), jobs=running.jobs
    )
    running.warn(running.of_runs(baseline.runs))
    write_setup(planned, baseline)


def _can_ask() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


class _Answers:
    """Answers to the questions, or their defaults where nobody can be asked."""

    def __init__(self, *, asks: bool) -> None:
        self.asks = asks

    def file(self, question: str, found: tuple[str, ...], what: str) -> str:
        """Ask for a file; without an answer, it is the only one found."""
        if self.asks:
            return str(typer.prompt(question, default=found[0] if found else None, err=True))
        from rankeval.commands.init.task import one_of

        return one_of(found, what)

    def text(self, question: str, default: str) -> str:
        """Ask for a text."""
        return str(typer.prompt(question, default=default, err=True)) if self.asks else default


def _known(ci: str) -> GateHome:
    if ci not in get_args(GateHome):
        raise UsageError(f"a gate does not run in '{ci}'", expected=f"one of {HOMES}")
    return cast("GateHome", ci)
