"""Options for runs and judgments in several files, which stand in the place of arguments."""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any

import typer

from rankeval.cli.options.files import READ
from rankeval.cli.options.panels import READING

QRELS_PARTS, RUN_PARTS = "--qrels-parts", "--run-parts"

QrelsParts = Annotated[
    list[str] | None,
    typer.Option(
        QRELS_PARTS,
        metavar="PATH",
        help="Part of the judgments, in the place of QRELS; again for each part.",
        rich_help_panel=READING,
    ),
    READ,
]
RunParts = Annotated[
    list[str] | None,
    typer.Option(
        RUN_PARTS,
        metavar="PATH",
        help="Part of one run, in the place of the last RUN; again for each part. A folder or a "
        "quoted glob is one run in parts by itself.",
        rich_help_panel=READING,
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
    from rankeval.io.file_parts import FileParts  # few command lines have parts

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
