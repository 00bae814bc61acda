"""Recognise arguments in the wrong order: judgments come first, and the topic last."""

import os
from collections.abc import Sequence
from contextlib import suppress
from shlex import join

from rankeval.cli import COMMANDS
from rankeval.cli.options.files import STREAM
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
    from rankeval.io.blocks import is_rereadable
    from rankeval.io.detect_format import begin
    from rankeval.io.detect_kind import kind_of
    from rankeval.io.form import Form
    from rankeval.io.parts import first_file

    with suppress(InputError):
        if is_rereadable(path):
            file = first_file(path)
            guess = kind_of(begin(file), file, Form("run"))
            return guess.what if guess.certain else ""
    return ""
