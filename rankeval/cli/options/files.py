"""The files that commands read and write: no output may overwrite an input."""

import os
import stat
from collections.abc import Hashable, Iterable
from enum import Enum
from typing import Annotated, Any, get_args

import typer

from rankeval.errors import UsageError

STREAM = "-"
"""Standard input among the inputs, standard output among the outputs."""


class Use(Enum):
    """Use of the file that a parameter names, READ or WRITTEN; part of its annotation."""

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
    """An output would overwrite an input, or another output."""


def use_of(annotation: Any) -> Use | None:
    """Return the use of the file that a parameter names; None if it names no file."""
    return next((part for part in get_args(annotation) if isinstance(part, Use)), None)


def refuse_overwriting(*, read: Iterable[str | None], written: Iterable[str | None]) -> None:
    """Raise OverwritingError if an output is also an input or another output, by any name.

    `grouped` calls this before every command, with the files among its options.
    """
    inputs = {_file(path, 0): path for path in read if path and _exists(path)}
    outputs: dict[Hashable, str] = {}
    for path in (path for path in written if path):
        file = _file(path, 1)
        # Two outputs on standard output are refused by the command, which knows their options.
        if file in outputs and (path, outputs[file]) != (STREAM, STREAM):
            raise OverwritingError(
                f"another output goes to the same file, under the name {outputs[file]}",
                place=path,
                remedy="give each output its own file",
            )
        if file is not None:
            outputs[file] = path
    for file in (*outputs, _file(STREAM, 1)):
        if file is not None and file in inputs:
            from rankeval.io.blocks import display_name  # --help does not need it

            raise OverwritingError(
                "the output would overwrite this input",
                place=display_name(inputs[file]),
                remedy="give the output another name",
            )


def _exists(path: str) -> bool:
    return path == STREAM or os.path.exists(path)  # noqa: PTH110  it takes any text; a Path does not


def _file(path: str, stream: int) -> Hashable:
    """Return a key that all names of a file share; None for a device, which cannot be overwritten.

    `-` is the stream of that number.
    """
    try:
        found = os.fstat(stream) if path == STREAM else os.stat(path)  # noqa: PTH116  a Path loses the slash of "results/"
    except FileNotFoundError:
        return os.path.normcase(os.path.realpath(path))
    except (OSError, ValueError):  # opening it will report the error
        return None
    is_file = stat.S_ISREG(found.st_mode) or stat.S_ISFIFO(found.st_mode)
    return (found.st_dev, found.st_ino) if is_file else None
