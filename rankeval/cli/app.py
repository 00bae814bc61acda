"""The typer application: which commands there are, and the options of `rankeval` itself."""

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

import rankeval
from rankeval.cli import COMMANDS

INTERRUPTED = 130

app = typer.Typer(
    name="rankeval",
    help="Evaluate rankings against relevance judgments.",
    epilog="'rankeval QRELS RUN...' is short for 'rankeval eval QRELS RUN...'. "
    "'rankeval COMMAND --help' tells the options of a command.",
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _register(arguments: Sequence[str]) -> None:
    """Import the command that is called; all of them only where they are to be listed."""
    called = [name for name in arguments[:1] if name in COMMANDS]
    known = {command.name for command in app.registered_commands}
    for name in [name for name in called or COMMANDS if name not in known]:
        module = import_module(f"rankeval.cli.{name}")
        app.command(name)(getattr(module, COMMANDS[name]))


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - typer's callback
    if wanted:
        typer.echo(f"rankeval {rankeval.__version__}")
        raise typer.Exit


@app.callback()
def general(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Evaluate rankings against relevance judgments."""


USAGE_ERRORS: type[typer.BadParameter] = next(
    c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException"
)
"""The base of typer's usage errors. Its home is click, which newer typers carry inside."""


def run_app(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code; usage errors are told on stderr."""
    _register(arguments)
    try:
        code = app(list(arguments), prog_name="rankeval", standalone_mode=False)
    except typer.Exit as done:
        return done.exit_code
    except USAGE_ERRORS as error:
        error.show()
        return int(error.exit_code)
    except typer.Abort:
        return INTERRUPTED
    return code or 0
