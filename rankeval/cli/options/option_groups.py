"""Groups of options: dataclasses whose fields are options of a command."""

import inspect
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import fields, is_dataclass
from shlex import join
from types import MappingProxyType
from typing import Any, get_type_hints

from typer.models import ArgumentInfo, OptionInfo, ParameterInfo

from rankeval.base.threads import computing_bar
from rankeval.cli import COMMANDS
from rankeval.cli.options.file_options import (
    STREAM,
    RunFile,
    Use,
    parts_of,
    refuse_missing_folders,
    refuse_overwriting,
    use_of,
)
from rankeval.cli.options.measure_options import Plugins, load_plugins
from rankeval.cli.options.panels import COLLECTIONS
from rankeval.errors import InputError, UsageError


def refuse_swapped(
    function: str, before: Sequence[str], qrels: str, runs: Sequence[str], error: InputError
) -> None:
    """Raise UsageError if a command's function failed because judgments do not come first.

    `before` are the arguments that come before the qrels, such as the kind of a plot.
    The readers of lines recognise the other kind of file themselves, and say so in the error.
    """
    if "name the qrels first" in error.remedy:
        return
    judgments = [run for run in runs if _certain_kind(run) == "qrels"]
    if len(judgments) != 1 or _certain_kind(qrels) == "qrels":
        return
    others = [path for path in (qrels, *runs) if path != judgments[0]]
    raise UsageError(
        "this file holds judgments, which come first",
        place=judgments[0],
        remedy=join(["rankeval", _name_of(function), *before, judgments[0], *others]),
    ) from error


def refuse_topic_among_files(qrels: str, run: str, topic: str) -> None:
    """Raise UsageError if the last of the arguments is a file, and one before it is none."""
    given = [qrels, run, topic]
    files = [one for one in given if is_input(one)]
    if topic not in files or len(files) != 2:
        return
    (other,) = (one for one in given if one not in files)
    raise UsageError(
        f"the topic comes last, and '{other}' is not a file",
        expected="QRELS RUN TOPIC",
        remedy=join(["rankeval", "explain", *files, other]),
    )


def is_input(argument: str) -> bool:
    """Return True if an argument names a file, the standard input or a data set."""
    return argument == STREAM or argument.startswith("irds:") or os.path.lexists(argument)


def _name_of(function: str) -> str:
    """Return the command that a function carries out."""
    return next((name for name, called in COMMANDS.items() if called == function), function)


def _certain_kind(path: str) -> str:
    """Return the kind of a file, "" if that is not certain or it cannot be read again."""
    from rankeval.io.files import files_of
    from rankeval.io.formats import Form
    from rankeval.io.read import begin, kind_of
    from rankeval.io.sources.blocks import is_rereadable

    with suppress(InputError):
        if is_rereadable(path):
            file = files_of(path)[0]
            guess = kind_of(begin(file), file, Form("run"))
            return guess.what if guess.certain else ""
    return ""


Stated = dict[str, Any]
Table = Mapping[str, str]
"""By the first name of an option, or the word of an argument: another, or several in one text."""
NOTHING: Table = MappingProxyType({})
EMPTY = inspect.Parameter.empty
PATIENCE = 1.0
"""Seconds before a command shows how far it is."""


def grouped(
    command: Callable[..., Any], *, needs: Table = NOTHING, not_with: Table = NOTHING
) -> Callable[..., Any]:
    """Give a command --plugin, and an option for each field of the dataclasses it takes.

    What typer sees takes those options one by one; the command takes them as one value. Options
    that need others, or do not go with them, are refused; outputs that would overwrite an input,
    or that are in a folder that does not exist, unless a group MAKES_FOLDERS, too. Plugins are
    loaded before the command is called, and its progress is shown.
    """
    hints = get_type_hints(command, include_extras=True)
    given = inspect.signature(command).parameters
    groups = {name: hints[name] for name in given if is_dataclass(hints[name])}
    parameters = [*_parameters(given, hints)]
    if "plugins" not in given:
        parameters.append(_parameter("plugins", Plugins, None))
    infos = {one.name: _info(one) for one in parameters}
    names = {word_of(info): name for name, info in infos.items()}
    usual = {one.name: one.default for one in parameters}
    uses = {one.name: use_of(one.annotation) for one in parameters}
    arguments = [name for name, info in infos.items() if isinstance(info, ArgumentInfo)]
    inputs = [name for name in arguments if uses[name] is Use.READ]
    leading = arguments[: arguments.index("qrels")] if "qrels" in arguments else []
    start = f"rankeval {_name_of(command.__name__)}"
    # A file of collections names what these would.
    replaced = [name for name in inputs if COLLECTIONS in names and usual[name] is EMPTY]

    def call(**options: Any) -> Any:
        stated = [w for w, name in names.items() if options[name] and options[name] != usual[name]]
        if missing := [] if COLLECTIONS in stated else [n for n in replaced if not options[n]]:
            raise UsageError(
                f"missing argument '{word_of(infos[missing[0]])}'",
                expected=f"{start} [OPTIONS] {' '.join(word_of(infos[n]) for n in arguments)}...",
                remedy=f"see '{start} --help' for the options",
            )
        refuse_together(stated, needs, not_with)
        written = [*_paths(options, uses, Use.WRITTEN)]
        refuse_overwriting(read=_paths(options, uses, Use.READ), written=written)
        if not any(getattr(group, "MAKES_FOLDERS", False) for group in groups.values()):
            refuse_missing_folders(written)
        load_plugins(options["plugins"] if "plugins" in given else options.pop("plugins"))
        quiet = options.get("quiet") or not sys.stderr.isatty()
        read = {name: options[name] for name in inputs}
        for name, group in groups.items():
            own = {field.name: options.pop(field.name) for field in fields(group)}
            options[name] = group(**own)
        try:
            with nullcontext() if quiet else computing_bar(wait=PATIENCE):
                return command(**options)
        except InputError as error:
            if inputs[:1] == ["qrels"]:
                qrels, *runs = _paths(read, uses, Use.READ)
                before = [str(options[name]) for name in leading]
                refuse_swapped(command.__name__, before, qrels or "", [*filter(None, runs)], error)
            raise

    typed = [one.replace(default=None) if one.name in replaced else one for one in parameters]
    call.__signature__ = inspect.Signature(typed)  # type: ignore[attr-defined]  # what typer reads
    call.__annotations__ = {one.name: one.annotation for one in typed}
    call.__doc__ = command.__doc__
    call.__name__ = command.__name__
    return call


def word_of(info: ParameterInfo) -> str:
    """Return the first name of an option, or the word of an argument."""
    # Among annotations, typer has the first name of an option instead of a default.
    return f"{info.default if isinstance(info, OptionInfo) else info.metavar}"


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


def _parameters(
    given: Mapping[str, inspect.Parameter], hints: Mapping[str, Any]
) -> Iterator[inspect.Parameter]:
    """Yield the parameters of a command, with the fields of dataclasses in their places."""
    for name, parameter in given.items():
        if is_dataclass(group := hints[name]):
            options = get_type_hints(group, include_extras=True)
            for field in fields(group):
                yield _parameter(field.name, options[field.name], field.default)
        else:
            yield _parameter(name, hints[name], parameter.default)


def _info(parameter: inspect.Parameter) -> ParameterInfo:
    """Return what typer is told of a parameter; a run is read from FILE or NAME=FILE."""
    parts = [*parts_of(parameter.annotation)]
    info: ParameterInfo = next(part for part in parts if isinstance(part, ParameterInfo))
    if RunFile in parts:
        info.parser = RunFile.from_argument
    return info


def _paths(
    options: Mapping[str, Any], uses: Mapping[str, Use | None], use: Use
) -> Iterator[str | None]:
    """Return the files with that use; an option may name several."""
    for name, given in options.items():
        if uses[name] is use:
            several = isinstance(given, list | tuple) and not isinstance(given, RunFile)
            for one in given if several else [given]:
                yield one.path if isinstance(one, RunFile) else one


def _parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )


def stated(options: Stated) -> Stated:
    """Return the options that were given, by name; None and False mean not given."""
    return {
        name: getattr(value, "value", value)
        for name, value in options.items()
        if value is not None and value is not False
    }
