"""The files that commands read, and that none is overwritten by what they write."""

import contextlib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from rankeval.errors import UsageError

QrelsPath = Annotated[
    str,
    typer.Argument(
        metavar="QRELS",
        help="Relevance judgments: lines of topic, iteration, docno, grade, or another format.",
    ),
]
RunPaths = Annotated[
    list[str],
    typer.Argument(
        metavar="RUN",
        help="Rankings to score: lines of topic, Q0, docno, rank, score, tag, or another format.",
    ),
]


def refuse_overwriting(output: str | None, inputs: Iterable[str | None]) -> None:
    """Complain of an output that would take the place of what is read."""
    for path in inputs:
        with contextlib.suppress(OSError):
            if not (output and path) or path == "-":
                continue
            if Path(output).is_file() and Path(output).samefile(path):
                raise UsageError(
                    "this input would be overwritten by the output",
                    place=path,
                    remedy="give the output another name",
                )
