"""Groups of options: dataclasses whose fields are options of a command."""

import inspect
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from types import MappingProxyType
from typing import Annotated, Any, get_args

import typer
from typer.models import ArgumentInfo

import rankeval
from rankeval.base.frozen import declared
from rankeval.choices import known_word
from rankeval.cli import COMMANDS
from rankeval.cli.options.file_options import (
    STREAM,
    RunFile,
    refuse_missing_folders,
    refuse_overwriting,
)
from rankeval.cli.options.panels import (
    COLLECTIONS,
    COMMON,
    MEASURES,
    READ,
    WRITTEN,
    Option,
    Use,
    one_of,
)
from rankeval.errors import UsageError
from rankeval.output.progress import showing_progress


def is_input(argument: str) -> bool:
    """Return True if an argument names a file, the standard input or a data set."""
    return argument == STREAM or argument.startswith("irds:") or os.path.lexists(argument)


Stated = dict[str, Any]
Table = Mapping[str, str]
"""By the first name of an option, or the word of an argument: another, or several in one text."""
NOTHING: Table = MappingProxyType({})
EMPTY, KEYWORD_ONLY = inspect.Parameter.empty, inspect.Parameter.KEYWORD_ONLY
DECLARES = Option | ArgumentInfo
"""What an annotation holds of a parameter."""
PATIENCE = 1.0
"""Seconds before a command shows how far it is."""


Plugins = Annotated[
    list[str] | None,
    MEASURES(
        "--plugin FILE.py",
        "Python file that defines measures; it is executed. Repeatable.",
    ),
    READ,
]


def _declared(given: Mapping[str, inspect.Parameter]) -> tuple[Any, ...]:
    """Return what the parameters of a command declare, with the fields of dataclasses in their
    places, and --plugin; typer's options are made here.

    By names of parameters: the first names of options, or the words of arguments; these of
    arguments alone; the use of a file that one names; the words that an option takes in any case.
    And the parameters as typer reads them.
    """
    each: list[tuple[str, Any, Any]] = []
    for parameter in given.values():
        if group := declared(parameter.annotation):
            each += [(name, field.type, field["default"]) for name, field in group.items()]
        else:
            each.append((parameter.name, parameter.annotation, parameter.default))
    if "plugins" not in given:
        each.append(("plugins", Plugins, None))
    first_names: dict[str, str] = {}
    arguments: dict[str, str] = {}
    uses: dict[str, Use | None] = {}
    choices: dict[str, Sequence[str]] = {}
    parameters: list[inspect.Parameter] = []
    is_completing = "_RANKEVAL_COMPLETE" in os.environ
    for name, annotation, default in each:
        kind, *marks = get_args(annotation)
        info = next(mark for mark in marks if isinstance(mark, DECLARES))
        uses[name] = next((mark for mark in marks if isinstance(mark, Use)), None)
        if isinstance(info, Option):
            option, words = info, info.declared.split()
            flags = [word for word in words if word.startswith("-")]
            first_names[name], completes = flags[0], None
            if option.any_of:
                choices[name] = option.any_of
            if is_completing:  # typer inspects the function
                completes = one_of(option.any_of) if option.any_of else option.autocompletion
            info = typer.Option(
                *flags,
                metavar=" ".join(words[len(flags) :]) or None,
                help=option.text,
                rich_help_panel=COMMON if option.common else option.panel,
                case_sensitive=False,
                callback=option.callback,
                min=option.min,
                max=option.max,
                autocompletion=completes,
            )
        else:
            first_names[name] = arguments[name] = f"{info.metavar}"
        parts = [kind]
        for part in parts:
            parts += get_args(part)
        if RunFile in parts:
            uses[name], info.parser = READ, RunFile.from_argument
        typed: Any = Annotated[kind, info, uses[name]]
        parameters.append(inspect.Parameter(name, KEYWORD_ONLY, default=default, annotation=typed))
    return first_names, arguments, uses, choices, parameters


def grouped(
    command: Callable[..., Any], *, needs: Table = NOTHING, not_with: Table = NOTHING
) -> Callable[..., Any]:
    """Give a command --plugin, and an option for each field of the dataclasses it takes.

    What typer sees takes those options one by one; the command takes them as one value. Options
    that need others, or do not go with them, are refused; outputs that would overwrite an input,
    or that are in a folder that does not exist, unless a group MAKES_FOLDERS, too. Plugins are
    loaded before the command is called, and its progress is shown.
    """
    given = inspect.signature(command).parameters
    groups: dict[str, Any] = {n: p.annotation for n, p in given.items() if declared(p.annotation)}
    words, arguments, uses, choices, parameters = _declared(given)
    usual = {one.name: one.default for one in parameters}
    inputs = [name for name in arguments if uses[name] is READ]
    called = command.__name__
    start = f"rankeval {next((n for n, one in COMMANDS.items() if one == called), called)}"
    # A file of collections names what these would.
    replaced = [n for n in inputs if COLLECTIONS in words.values() and usual[n] is EMPTY]

    def call(**options: Any) -> Any:
        for name in choices.keys() & {name for name, value in options.items() if value}:
            options[name] = known_word(options[name], choices[name])
        stated = [w for name, w in words.items() if options[name] and options[name] != usual[name]]
        if missing := [] if COLLECTIONS in stated else [n for n in replaced if not options[n]]:
            raise UsageError(
                f"missing argument '{words[missing[0]]}'",
                expected=f"{start} [OPTIONS] {' '.join(arguments.values())}...",
                remedy=f"see '{start} --help' for the options",
            )
        refuse_together(stated, needs, not_with)
        read, written = _paths(options, uses, READ), _paths(options, uses, WRITTEN)
        refuse_overwriting(read=read, written=written)
        if not any(getattr(group, "MAKES_FOLDERS", False) for group in groups.values()):
            refuse_missing_folders(written)
        for path in (options["plugins"] if "plugins" in given else options.pop("plugins")) or ():
            rankeval.load_plugin(path)
        quiet = options.get("quiet") or not sys.stderr.isatty()
        for name, group in groups.items():
            options[name] = group(**{name: options.pop(name) for name in declared(group)})
        import numpy as np  # noqa: F401  within the import of other modules it takes 15 ms more

        with nullcontext() if quiet else showing_progress(wait=PATIENCE):
            return command(**options)

    typed = [one.replace(default=None) if one.name in replaced else one for one in parameters]
    call.__signature__ = inspect.Signature(typed)  # type: ignore[attr-defined]  # what typer reads
    call.__annotations__ = {one.name: one.annotation for one in typed}
    call.__doc__ = command.__doc__
    call.__name__ = command.__name__
    return call


def refuse_together(stated: Sequence[str], needs: Table, not_with: Table) -> None:
    """Raise UsageError for an option without one that it needs, or with one that it excludes."""
    for word, other in needs.items():
        if word in stated and other not in stated:
            raise UsageError(f"{word} needs {other}", remedy=f"add {other}, or drop {word}")
    for word, others in not_with.items():
        for other in others.split():
            if word in stated and other in stated:
                raise UsageError(
                    f"{word} and {other} do not go together", remedy=f"drop {other} or {word}"
                )


def _paths(
    options: Mapping[str, Any], uses: Mapping[str, Use | None], use: Use
) -> list[str | None]:
    """Return the files with that use; an option may name several."""
    found: list[str | None] = []
    for name, given in options.items():
        if uses[name] is use:
            several = isinstance(given, list | tuple) and not isinstance(given, RunFile)
            every = given if several else [given]
            found += [one.path if isinstance(one, RunFile) else one for one in every]
    return found


def stated(options: Stated) -> Stated:
    """Return the options that were given, by name; None and False mean not given."""
    return {
        name: getattr(value, "value", value)
        for name, value in options.items()
        if value is not None and value is not False
    }
