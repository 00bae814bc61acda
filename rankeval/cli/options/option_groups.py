"""Groups of options: dataclasses whose fields are options of a command."""

import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from shlex import join
from typing import Annotated, Any, Literal, get_args, get_type_hints

from typer.models import ArgumentInfo

from rankeval.cli import COMMANDS
from rankeval.cli.options.file_options import (
    STREAM,
    TYPED,
    RunFile,
    Use,
    refuse_missing_folders,
    refuse_overwriting,
    use_of,
)
from rankeval.cli.options.panels import Words
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
    command = next(name for name, called in COMMANDS.items() if called == function)
    others = [path for path in (qrels, *runs) if path != judgments[0]]
    raise UsageError(
        "judgments come first, and this file holds judgments",
        place=judgments[0],
        remedy=join(["rankeval", command, *before, judgments[0], *others]),
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


def _certain_kind(path: str) -> str:
    """Return the kind of a file, "" if that is not certain or it cannot be read again."""
    from rankeval.io.formats.detect_format import begin, kind_of
    from rankeval.io.formats.file_format import Form
    from rankeval.io.sources.blocks import is_rereadable
    from rankeval.io.sources.parts import first_file

    with suppress(InputError):
        if is_rereadable(path):
            file = first_file(path)
            guess = kind_of(begin(file), file, Form("run"))
            return guess.what if guess.certain else ""
    return ""


Stated = dict[str, Any]


def grouped(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command an option for each field of the dataclasses among its parameters.

    What typer sees takes those options one by one; the command takes them as one value, and a run
    as a RunFile. Before it is called, what it would write is compared with what it would read, and
    an output in a folder that does not exist is refused, unless a group MAKES_FOLDERS.
    """
    hints = get_type_hints(command, include_extras=True)
    given = inspect.signature(command).parameters
    groups = {name: hints[name] for name in given if is_dataclass(hints[name])}

    def call(**options: Any) -> Any:
        for name in named:
            given = options[name]
            if given is None:
                continue
            several = isinstance(given, list | tuple)
            options[name] = (
                [*map(RunFile.from_argument, given)] if several else RunFile.from_argument(given)
            )
        _refuse_outputs(options, uses, groups.values())
        for name, group in groups.items():
            options[name] = group(
                **{field.name: options.pop(field.name) for field in fields(group)}
            )
        try:
            return command(**options)
        except InputError as error:
            if inputs[:1] == ["qrels"]:
                qrels, *runs = _paths({name: options[name] for name in inputs}, uses, Use.READ)
                before = [str(options[name]) for name in leading]
                refuse_swapped(command.__name__, before, qrels or "", [*filter(None, runs)], error)
            raise

    parameters = []
    for name, parameter in given.items():
        if name in groups:
            options = get_type_hints(groups[name], include_extras=True)
            parameters += [
                _parameter(field.name, options[field.name], field.default)
                for field in fields(groups[name])
            ]
        else:
            parameters.append(_parameter(name, hints[name], parameter.default))
    uses = {one.name: use_of(one.annotation) for one in parameters}
    typed = [one.replace(annotation=_typed(one.annotation)) for one in parameters]
    named = [one.name for one in parameters if {*get_args(one.annotation)[:1]} & TYPED.keys()]
    arguments = [one.name for one in parameters if _is_argument(one.annotation)]
    inputs = [name for name in arguments if uses[name] is Use.READ]
    leading = arguments[: arguments.index("qrels")] if "qrels" in arguments else []
    call.__signature__ = inspect.Signature(typed)  # type: ignore[attr-defined]  # what typer reads
    call.__annotations__ = {one.name: one.annotation for one in typed}
    call.__doc__ = command.__doc__
    call.__name__ = command.__name__
    return call


def _refuse_outputs(
    options: Mapping[str, Any], uses: Mapping[str, Use | None], groups: Iterable[type]
) -> None:
    """Refuse outputs that would overwrite an input, or that cannot be made."""
    written = [*_paths(options, uses, Use.WRITTEN)]
    refuse_overwriting(read=_paths(options, uses, Use.READ), written=written)
    if not any(getattr(group, "MAKES_FOLDERS", False) for group in groups):
        refuse_missing_folders(written)


def _paths(
    options: Mapping[str, Any], uses: Mapping[str, Use | None], use: Use
) -> Iterator[str | None]:
    """Return the files with that use; an option may name several."""
    for name, given in options.items():
        if uses[name] is use:
            several = isinstance(given, list | tuple) and not isinstance(given, RunFile)
            for one in given if several else [given]:
                yield one.path if isinstance(one, RunFile) else one


def _is_argument(annotation: Any) -> bool:
    return any(isinstance(part, ArgumentInfo) for part in get_args(annotation))


def _typed(annotation: Any) -> Any:
    """Return the annotation for typer, to which a run is text, and some words are a choice."""
    kind, *parts = get_args(annotation) or (annotation,)
    for words in [part for part in parts if isinstance(part, Words)]:
        kind = Literal[tuple(words)] if kind is str else Literal[tuple(words)] | None
        return Annotated[(kind, *parts)]
    return Annotated[(TYPED[kind], *parts, Use.READ)] if kind in TYPED else annotation


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
