"""`rankeval init`: set up a gate from the files at hand."""

import sys
from typing import Annotated, cast, get_args

import typer

from rankeval.choices import GateHome
from rankeval.cli.options import file_options as files
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.panels import RULES
from rankeval.cli.options.running_options import RunningOptions

HOMES = ", ".join(get_args(GateHome))


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
        RULES("--max-drop", "RULE", "Largest drop of the mean. Default: nDCG@10=5%."),
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
    from rankeval.commands.init.show import tell_written
    from rankeval.commands.init.task import DEFAULT_RULE, FoundFiles, find_files
    from rankeval.commands.init.task import init as set_up

    found = find_files() if qrels is None or run is None else FoundFiles((), ())
    answers = _Answers(asks=_can_ask() and not running.quiet)
    made = set_up(
        qrels or answers.file("Relevance judgments", found.qrels, "judgments"),
        run or answers.file("The run in production", found.runs, "runs"),
        suite=suite,
        max_drop=max_drop or answers.text("Largest drop of the mean", DEFAULT_RULE),
        ci=cast("GateHome", ci or answers.text(f"Where the gate runs ({HOMES})", "github")),
        jobs=running.jobs,
    )
    running.warn(running.of_runs(made.results.runs))
    tell_written(made)


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
