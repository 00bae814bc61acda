"""`rankeval help WORD`: the options of all commands that a word is about."""

import shutil
import textwrap
from collections.abc import Iterator
from typing import Any, NamedTuple

import typer

from rankeval.base.endings import DONE
from rankeval.cli import COMMANDS
from rankeval.cli.app import application
from rankeval.cli.options.short_help import entry_of
from rankeval.errors import UsageError

Found = dict[tuple[str, str], list[str]]
"""Commands by the names and the help text of an option that they share."""


def show_options(word: str) -> int:
    """Print the options that a word is about, each with its commands; UsageError for none."""
    found = options_about(word)
    if not found:
        raise UsageError(
            f"there is no command '{word}', and no option is about it",
            expected=f"one of {', '.join(COMMANDS)}, or a word such as ties",
            remedy="'rankeval --help' lists the commands",
        )
    width = min(shutil.get_terminal_size().columns, 100)
    for (names, text), commands in found.items():
        everywhere = 5 * len(commands) > 2 * len(COMMANDS)
        where = "most commands" if everywhere else ", ".join(commands)
        for line, indent in ((f"{names}  ({where})", ""), (text, "    ")):
            typer.echo(
                textwrap.fill(
                    line,
                    width,
                    initial_indent=indent,
                    subsequent_indent="    ",
                    break_on_hyphens=False,
                )
            )
    return DONE


def options_about(word: str) -> Found:
    """Return the option of this name, also an old or a hidden one; or those with the word.

    These have it in their names, or if there are none, in their texts.
    """
    options = [*_options()]
    wanted = word.casefold()
    named = [option for option in options if word in option.names]
    shown = [option for option in options if not option.hidden]
    of_names = [option for option in shown if wanted in option.shown.casefold()]
    of_texts = [option for option in shown if wanted in option.text.casefold()]
    found: Found = {}
    for option in named or of_names or of_texts:
        found.setdefault((option.shown, option.text), []).append(option.command)
    return found


class Option(NamedTuple):
    """An option of a command: all its names; names and value as help shows them; its text."""

    command: str
    names: list[str]
    shown: str
    text: str
    hidden: bool


def _options() -> Iterator[Option]:
    """Yield each option of each command."""
    group: Any = typer.main.get_command(application())
    for name, command in group.commands.items():
        for param in command.params:
            if param.param_type_name == "option":
                shown, text = entry_of(param)
                yield Option(name, param.opts, shown, " ".join(text.split()), param.hidden)
