"""Options for runs and judgments in several files, and arguments in the wrong order."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from shlex import join
from typing import Annotated, Any

from rankeval.cli import COMMANDS
from rankeval.cli.options.file_options import READ, STREAM
from rankeval.cli.options.panels import READING
from rankeval.errors import InputError, UsageError

QRELS_PARTS, RUN_PARTS = "--qrels-parts", "--run-parts"

QrelsParts = Annotated[
    list[str] | None,
    READING(
        QRELS_PARTS, "PATH", "Part of the judgments, in the place of QRELS; again for each part."
    ),
    READ,
]
RunParts = Annotated[
    list[str] | None,
    READING(
        RUN_PARTS,
        "PATH",
        "Part of one run, in the place of the last RUN; again for each part. A folder or a "
        "quoted glob is one run in parts by itself.",
    ),
    READ,
]


def with_parts(words: Sequence[str], params: Iterable[Any]) -> list[str]:
    """Return a command line with one argument in the place of all options that name parts.

    `params` are the command's options and arguments, as typer has them.
    """
    if not any(word.startswith((QRELS_PARTS, RUN_PARTS)) for word in words):
        return list(words)
    params = list(params)
    if not any(QRELS_PARTS in param.opts for param in params):  # typer refuses them
        return list(words)
    rest: list[str] = []
    places: list[int] = []
    known = [name for param in params for name in param.opts]
    parts: dict[str, list[str]] = {QRELS_PARTS: [], RUN_PARTS: []}
    for taken, is_argument in _in_groups(words, params):
        name, equals, value = taken[0].partition("=")
        if name in parts and name in known and not is_argument and (equals or len(taken) > 1):
            parts[name].append(value if equals else taken[1])
            continue
        places += [len(rest)] * is_argument
        rest += taken
    from rankeval.io.sources.parts import FileParts  # few command lines have parts

    arguments = [param for param in params if param.param_type_name == "argument"]
    for option, place in _places(arguments).items():
        if parts[option]:
            at = places[place] if 0 <= place < len(places) else len(rest)
            rest.insert(at, os.fspath(FileParts(parts[option])))
            places = sorted([*(p + (p >= at) for p in places), at])
    return rest


def _places(arguments: Sequence[Any]) -> dict[str, int]:
    """Return the place among the arguments for each option, -1 for the end of them."""
    names = [argument.name for argument in arguments]
    found = {QRELS_PARTS: names.index("qrels")}
    last = max(i for i, name in enumerate(names) if name != "topic")
    found[RUN_PARTS] = -1 if arguments[last].nargs < 0 else last
    return found


def _in_groups(words: Sequence[str], params: Iterable[Any]) -> Iterator[tuple[list[str], bool]]:
    """Yield each option with its value, and each argument by itself, marked with True."""
    takes = {
        name
        for param in params
        if param.param_type_name == "option" and not (param.is_flag or param.count)
        for name in param.opts
    }
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            yield [word], False
            yield from (([one], True) for one in rest)
            return
        if not word.startswith("-") or word == "-":
            yield [word], True
        elif word.startswith("--"):
            yield [word, *([rest.pop(0)] if word in takes and rest else [])], False
        else:  # -qm AP: letters of flags, and then perhaps one with a value
            letter = next((i for i, one in enumerate(word) if i and f"-{one}" in takes), 0)
            wants = letter == len(word) - 1 and bool(rest)
            yield [word, *([rest.pop(0)] if wants else [])], False


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
    files = [one for one in given if _is_input(one)]
    if topic not in files or len(files) != 2:
        return
    (other,) = (one for one in given if one not in files)
    raise UsageError(
        f"the topic comes last, and '{other}' is not a file",
        expected="QRELS RUN TOPIC",
        remedy=join(["rankeval", "explain", *files, other]),
    )


def _is_input(argument: str) -> bool:
    return argument == STREAM or argument.startswith("irds:") or os.path.lexists(argument)


def _certain_kind(path: str) -> str:
    """Return what a file holds, "" if that is not certain or it cannot be read again."""
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
