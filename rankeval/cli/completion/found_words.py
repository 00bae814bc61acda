"""Find the words that complete a command line: commands, options and values."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import typer

from rankeval.cli import COMMANDS
from rankeval.cli.app import GENERAL, HELP, application
from rankeval.cli.completion.set_up import INSTALL, SHELLS, SHOW
from rankeval.cli.options.short_help import OLD_NAMES


class Word(NamedTuple):
    """A word that completes the line, and its description."""

    text: str
    help: str = ""


def completions(words: Sequence[str], begun: str) -> list[Word]:
    """Return the words that the begun one can become, after the words before it."""
    if not words and begun.startswith("-"):
        general = [Word(name) for name in GENERAL if name.startswith(begun)]
        return general or _of_command("eval", [], begun)
    if not words:
        return _commands([*COMMANDS, HELP], begun)
    if len(words) == 1 and words[0] in (INSTALL, SHOW):
        return [Word(shell) for shell in SHELLS if shell.startswith(begun)]
    if words == [HELP]:
        return _commands(list(COMMANDS), begun)
    if words[0] in (*GENERAL, HELP):
        return []
    name, rest = (words[0], words[1:]) if words[0] in COMMANDS else ("eval", words)
    return _of_command(name, rest, begun)


def _commands(names: Sequence[str], begun: str) -> list[Word]:
    """Return the commands that begin so, each with its description."""
    fitting = [name for name in names if name.startswith(begun)]
    group: Any = typer.main.get_command(application(set(fitting) - {HELP}))
    known = {name: command.get_short_help_str() for name, command in group.commands.items()}
    return [Word(name, known.get(name, "Show the help of a command.")) for name in fitting]


def _of_command(name: str, words: Sequence[str], begun: str) -> list[Word]:
    group: Any = typer.main.get_command(application([name]))
    command = group.commands[name]
    options = {opt: p for p in command.params for opt in (*p.opts, *p.secondary_opts)}
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    waiting, n_positional, used = _walked(words, options)
    if waiting is None and begun.startswith("--") and "=" in begun:
        option, _, value = begun.partition("=")
        given = options.get(option)
        found = [] if given is None else _values(command, name, words, given, value)
        return [Word(f"{option}={word.text}", word.help) for word in found]
    if waiting is not None:
        return _values(command, name, words, waiting, begun)
    if begun.startswith("-"):
        return list(_options(options, used, begun))
    place = min(n_positional, len(arguments) - 1)
    if place < 0 or (n_positional > place and arguments[place].nargs == 1):
        return []
    return _values(command, name, words, arguments[place], begun)


def _walked(words: Iterable[str], options: dict[str, Any]) -> tuple[Any, int, set[str]]:
    """Return the option that waits for its value, the number of arguments, and options used."""
    waiting, n_positional, used, only_arguments = None, 0, set(), False
    for word in words:
        if waiting is not None:
            waiting = None
        elif only_arguments or not word.startswith("-") or word == "-":
            n_positional += 1
        elif word == "--":
            only_arguments = True
        else:
            name, equals, _ = word.partition("=")
            option = options.get(name)
            if option is not None:
                used.add(option.name)
                waiting = None if option.is_flag or equals else option
    return waiting, n_positional, used


def _options(options: dict[str, Any], used: set[str], begun: str) -> Iterator[Word]:
    """Yield the long options that are not used up; a short one only if it is typed."""
    for name, option in options.items():
        again = option.name not in used or option.multiple
        offered = again and not option.hidden and name not in OLD_NAMES
        if name.startswith(begun) and offered and (name.startswith("--") or name == begun):
            yield Word(name, option.help or "")


def _values(command: Any, name: str, words: Sequence[str], param: Any, begun: str) -> list[Word]:
    context = command.make_context(name, list(words), resilient_parsing=True)
    found = param.shell_complete(context, begun)
    return [Word(str(item.value), item.help or "") for item in found if item.type == "plain"]
