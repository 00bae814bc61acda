"""The typer application: the commands, and the options of `rankeval` itself."""

import os
import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from inspect import cleandoc
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from rankeval.cli import COMMANDS, GROUPS, SPECIALISED, print_version
from rankeval.cli.options.panels import SHORT, Command
from rankeval.errors import UsageError

MOST_GUESSES = 4
"""Options that an error suggests at most."""
GENERAL = ("--help", "-h", "--version", "--install-completion", "--show-completion")


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - typer's callback
    if wanted:
        print_version()
        raise typer.Exit


def general(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Print the version and exit.",
        ),
    ] = False,
) -> None:
    """Evaluate rankings against relevance judgments."""


HELP_BY = {"help_option_names": ["-h", "--help"]}


class Commands(TyperGroup):
    """The list of commands: one by one, or for -h by purpose."""

    # Contexts and formatters are click's, which newer typers include: no type names them.
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options; remember which help is asked for."""
        ctx.meta[SHORT] = args[:1] == ["-h"]
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the whole help, or for -h a line for each group of commands."""
        if not ctx.meta.get(SHORT):
            super().format_help(ctx, formatter)
            return
        formatter.write_usage("rankeval", "QRELS RUN...  or  rankeval COMMAND ...")
        formatter.write(f"\n  {self.help}\n")
        with formatter.section("Commands"):
            formatter.write_dl([(group, ", ".join(names)) for group, names in GROUPS.items()])
        with formatter.section("Next steps"):
            formatter.write_dl([*NEXT_STEPS.items()])

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - click's
        """Write what each command does, those that few need apart."""
        told = {name: one.get_short_help_str() for name, one in self.commands.items()}
        apart = {name: told.pop(name) for name in SPECIALISED if name in told}
        for heading, entries in (("Commands", told), ("Specialised commands", apart)):
            with formatter.section(heading):
                formatter.write_dl([*entries.items()])


NEXT_STEPS = {
    "rankeval qrels.txt *.run": "score runs",
    "rankeval COMMAND -h": "the common options, and an example",
    "rankeval COMMAND --help": "all options and examples",
    "rankeval --help": "all commands, each with what it does",
}


def application(commands: Iterable[str] = COMMANDS, *, listed: bool = False) -> typer.Typer:
    """Return the command line with some of the commands; import no others.

    With `listed`, the commands have no options, and are not imported: a list of commands does
    without, and importing all takes longer than all the rest.
    """
    app = typer.Typer(
        name="rankeval",
        cls=Commands,
        help="Evaluate rankings against relevance judgments.",
        epilog="'rankeval QRELS RUN...' is short for 'rankeval eval QRELS RUN...'. "
        "'rankeval COMMAND --help' explains a command.",
        context_settings=HELP_BY,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(general)
    for name in commands:
        if listed:
            app.command(name, cls=Command, help=_documentation(name))(_no_command)
            continue
        settings = {}
        if name == "trec_eval":  # parses its options itself
            settings = {"ignore_unknown_options": True, "allow_extra_args": True}
        add = app.command(
            name, cls=Command, context_settings=settings, add_help_option=not settings
        )
        add(_function(name))
    return app


def _function(name: str) -> Any:
    return getattr(import_module(f"rankeval.commands.{name}.command"), COMMANDS[name])


def _documentation(name: str) -> str:
    """Return the first sentence of a command, from its source."""
    module = find_spec(f"rankeval.commands.{name}.command")
    source = Path(f"{module and module.origin}").read_text("utf-8")
    found = re.search(
        rf'^def {COMMANDS[name]}\(.*?"""(.*?)(?:\n\n|""")', source, re.MULTILINE | re.DOTALL
    )
    return cleandoc(found[1]) if found else ""


def _no_command() -> None:
    """Take the place of a command where commands are only listed."""


@cache
def _built(name: str) -> Any:
    """Return a command as click runs it, or the list of all for ""; it is built once a process."""
    if not name:
        return typer.main.get_command(application(listed=True))
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    app.command(name, cls=Command, context_settings=HELP_BY)(_function(name))
    return typer.main.get_command(app)


USAGE_ERRORS: type[typer.BadParameter] = next(
    c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException"
)
"""The base class of typer's usage errors; click defines it, and newer typers include click."""


def run_app(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code; turn typer's errors into UsageError."""
    program, name = "rankeval", next(iter(arguments), "")
    try:
        if "_RANKEVAL_COMPLETE" in os.environ:  # a shell completes a line, which it hands over in
            line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
            known = [word for word in line.split()[1:2] if word in COMMANDS]
            command = typer.main.get_command(application(known or COMMANDS, listed=not known))
        elif name in COMMANDS:
            command, program, arguments = _built(name), f"rankeval {name}", arguments[1:]
        else:
            command = _built("")
        code = command(list(arguments), prog_name=program, standalone_mode=False)
    except typer.Exit as done:
        return done.exit_code
    except USAGE_ERRORS as error:
        raise _usage_error(error) from None
    except typer.Abort:
        raise KeyboardInterrupt from None
    except SystemExit as leaving:
        # Typer exits with 1 when a pipe is closed, and here 1 means a broken rule.
        if isinstance(leaving.__context__, BrokenPipeError):
            raise leaving.__context__ from None
        return leaving.code if isinstance(leaving.code, int) else 0  # after completion for a shell
    return code or 0


def _usage_error(error: typer.BadParameter) -> UsageError:
    """Return the error, with the usage line if an argument is missing, and a hint at --help."""
    problem = error.format_message().replace("Value error, ", "").rstrip(".")
    context = getattr(error, "ctx", None)  # some errors of the parser have none
    usage = " ".join(context.get_usage().split()).removeprefix("Usage: ") if context else ""
    missing = type(error).__name__ == "MissingParameter"
    expected = usage if missing else ""
    if type(error).__name__ == "NoSuchOption":
        problem = f"there is no option {error.option_name}"  # type: ignore[attr-defined]  # click's
        expected = _like_option(error.option_name, context, usage)  # type: ignore[attr-defined]  # so is this
    return UsageError(
        problem[:1].lower() + problem[1:],
        expected=expected,
        remedy=f"see '{context.command_path if context else 'rankeval'} --help' for the options",
    )


MEANT = {
    **dict.fromkeys(
        ("--metric", "--metrics", "--measures"), ("--measure", "perhaps --measure (-m)")
    ),
    **dict.fromkeys(
        ("--cutoff", "--cutoffs", "-k", "--k", "--top-k", "--top_k"),
        ("--measure", "a cutoff in the name of the measure, as in -m nDCG@10"),
    ),
    "-q": ("--quiet", "perhaps --quiet"),
}
"""Names here for options of other tools: the option that a command has, and the words."""


def _of_other_tools(name: str, known: Collection[str]) -> str:
    """Return the name here of an option of other tools; "" for none."""
    option, words = MEANT.get(name, ("", ""))
    if option in known:
        return words
    form = name.removeprefix("--")
    if "--format" in known and form != name:
        from rankeval.output.output_formats import ALIASES, OUTPUT_FORMATS

        if form in (*OUTPUT_FORMATS, *ALIASES):
            return f"perhaps -f {form}"
    return ""


def _like_option(name: str, context: Any, usage: str) -> str:
    """Return a guess at the option meant: those that begin with the name, or else a close one.

    Where an argument has that name, return the usage line, which shows its place.
    """
    import difflib  # an error may take its time

    parameters = context.command.get_params(context)
    meant = _of_other_tools(name, {opt for one in parameters for opt in one.opts})
    if meant:
        return meant
    if name.lstrip("-") in [one.name for one in parameters if one.param_type_name == "argument"]:
        return usage
    known = [opt for parameter in parameters for opt in parameter.opts if opt.startswith("-")]
    begun = [opt for opt in known if opt.startswith(name) and name.startswith("--")]
    close = begun or difflib.get_close_matches(name, known, n=1, cutoff=0.7)
    return f"perhaps {' or '.join(close)}" if 0 < len(close) <= MOST_GUESSES else ""
