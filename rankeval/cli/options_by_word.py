"""`rankeval help WORD`: the options of all commands that a word is about."""

import shutil
import textwrap
from collections.abc import Iterator
from typing import Any

import typer

from rankeval.base.endings import DONE
from rankeval.cli import COMMANDS
from rankeval.cli.app import application
from rankeval.cli.options.short_help import entry_of
from rankeval.errors import UsageError

Found = dict[tuple[str, str], list[str]]
"""Commands by the names and the help text of an option that they share."""


def show_options(word: str) -> int:
    """Print the options whose names, or else whose texts, have a word; UsageError for none."""
    found = options_about(word)
    if not found:
        raise UsageError(
            f"there is no command '{word}', and no option is about it",
            expected=f"one of {', '.join(COMMANDS)}, or a word such as ties",
            remedy="'rankeval --help' lists the commands",
        )
    width = min(shutil.get_terminal_size().columns, 100)
    for (names, text), commands in found.items():
        everywhere = len(commands) > len(COMMANDS) // 2
        where = "most commands" if everywhere else ", ".join(commands)
        typer.echo(f"{names}  ({where})")
        typer.echo(textwrap.fill(text, width, initial_indent="    ", subsequent_indent="    "))
    return DONE


def options_about(word: str) -> Found:
    """Return the options whose names contain a word, or if there are none, whose texts do."""
    options = [*_options()]
    wanted = word.casefold()
    of_names = [option for option in options if wanted in option[1].casefold().replace("=", " ")]
    found: Found = {}
    for command, names, text in of_names or [o for o in options if wanted in o[2].casefold()]:
        found.setdefault((names, text), []).append(command)
    return found


def _options() -> Iterator[tuple[str, str, str]]:
    """Yield each option of each command: the command, its names and value, and its text."""
    group: Any = typer.main.get_command(application())
    for name, command in group.commands.items():
        for param in command.params:
            if param.param_type_name == "option" and not param.hidden:
                names, text = entry_of(param)
                yield name, names, " ".join(text.split())
