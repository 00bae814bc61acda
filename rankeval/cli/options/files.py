"""The files that commands read and write: none is overwritten by what is written."""

import os
import stat
from collections.abc import Hashable, Iterable
from enum import Enum
from typing import Annotated, Any, get_args

import typer

from rankeval.errors import UsageError

STREAM = "-"
"""Standard input among what is read, standard output among what is written."""


class Use(Enum):
    """What a command does with the file that a parameter names, as a part of its annotation."""

    READ = "read"
    WRITTEN = "written"


READ, WRITTEN = Use.READ, Use.WRITTEN

QrelsPath = Annotated[
    str,
    typer.Argument(
        metavar="QRELS",
        help="Relevance judgments: lines of topic, iteration, docno, grade, or another format.",
    ),
    READ,
]
RunPaths = Annotated[
    list[str],
    typer.Argument(
        metavar="RUN",
        help="Runs to score: lines of topic, Q0, docno, rank, score, tag, or another format.",
    ),
    READ,
]


class OverwritingError(UsageError):
    """What a command writes would take the place of what it reads, or of what it writes, too."""


def use_of(annotation: Any) -> Use | None:
    """What is done with the file that a parameter names; None for one that names no file."""
    return next((part for part in get_args(annotation) if isinstance(part, Use)), None)


def refuse_overwriting(*, read: Iterable[str | None], written: Iterable[str | None]) -> None:
    """OverwritingError where an output is an input or another output, under whatever name.

    `grouped` asks this of every command, for the files among its options.
    """
    inputs = {_file(path, 0): path for path in read if path and _exists(path)}
    outputs: dict[Hashable, str] = {}
    for path in (path for path in written if path):
        file = _file(path, 1)
        # Two that name standard output are told of by the command, which knows their options.
        if file in outputs and (path, outputs[file]) != (STREAM, STREAM):
            raise OverwritingError(
                f"two outputs would be written to this file, the other one as {outputs[file]}",
                place=path,
                remedy="give each a file of its own",
            )
        if file is not None:
            outputs[file] = path
    for file in (*outputs, _file(STREAM, 1)):
        if file is not None and file in inputs:
            from rankeval.io.blocks import display_name  # --help does without

            raise OverwritingError(
                "this input would be overwritten by the output",
                place=display_name(inputs[file]),
                remedy="give the output another name",
            )


def _exists(path: str) -> bool:
    return path == STREAM or os.path.exists(path)  # noqa: PTH110  which takes any text, as a Path does not


def _file(path: str, stream: int) -> Hashable:
    """What all names of a file have in common; None for a device, which nothing overwrites.

    `-` is the stream of that number.
    """
    try:
        found = os.fstat(stream) if path == STREAM else os.stat(path)  # noqa: PTH116  a Path loses the slash of "results/"
    except FileNotFoundError:
        return os.path.normcase(os.path.realpath(path))
    except (OSError, ValueError):  # whoever opens it says what is wrong
        return None
    is_file = stat.S_ISREG(found.st_mode) or stat.S_ISFIFO(found.st_mode)
    return (found.st_dev, found.st_ino) if is_file else None
