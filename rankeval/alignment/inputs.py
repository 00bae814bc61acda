"""The kinds of runs and judgments: files, mappings, tables and arrays."""

import os
import stat
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from rankeval.alignment.qrels import Qrels
from rankeval.alignment.topk import TopK
from rankeval.errors import UsageError
from rankeval.io import trec
from rankeval.io.blocks import STDIN, display_name, is_rereadable
from rankeval.io.columns import Columns
from rankeval.io.form import Form
from rankeval.io.mappings import ByDocno, columns_of
from rankeval.io.read import map_blocks
from rankeval.io.topic_stretches import held_whole
from rankeval.support.frozen import frozen


@runtime_checkable
class DataTable(Protocol):
    """A table that gives its columns through Arrow's stream interface: pandas, Polars, pyarrow."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


Scores = Mapping[str, Mapping[str, float]]
"""{topic: {docno: score}}."""

Arrays = Mapping[str, NDArray[Any]]
"""Arrays of equal lengths by the names of their columns, such as topic, docno and score."""


@frozen(eq=False)
class LoadedRun:
    """A run whose lines are in memory.

    path    the file it was read from; "" for none
    parts   its lines, block by block
    dropped lines that are wrong and were left out, counted by kind
    """

    path: str
    parts: tuple[Columns, ...]
    dropped: Mapping[str, int]


RunLike = str | os.PathLike[str] | Scores | Arrays | DataTable | LoadedRun | TopK
QrelsLike = str | os.PathLike[str] | Mapping[str, ByDocno] | Arrays | DataTable | Qrels


def run_list(
    runs: RunLike | Sequence[RunLike] | Mapping[str, RunLike],
) -> list[RunLike]:
    """Return one run or several as a list."""
    single = isinstance(runs, str | os.PathLike | Mapping | DataTable | LoadedRun | TopK)
    return [runs] if single else list(runs)  # type: ignore[list-item, arg-type]  # `single` narrows the type


def named_runs(runs: object) -> dict[str, RunLike] | None:
    """Return the runs of {name: run}; None for anything else, such as one run by topic.

    UsageError for a mapping that holds both runs and rankings.
    """
    if not isinstance(runs, Mapping) or not runs or as_table(runs) is not None:
        return None
    are_runs = [_is_run(value) for value in runs.values()]
    if not any(are_runs):
        return None
    if not all(are_runs):
        raise UsageError(
            "the dictionary holds a run and a ranking",
            expected="one run, {topic: {docno: score}}, or named runs, {name: run}",
        )
    return {str(name): run for name, run in runs.items()}


def _is_run(value: object) -> bool:
    """Return True for a run, False for {docno: score}."""
    if isinstance(value, Mapping):
        return (as_table(value) is not None and len(value) > 1) or (
            bool(value) and all(isinstance(ranking, Mapping) for ranking in value.values())
        )
    return isinstance(value, str | os.PathLike | DataTable | LoadedRun | TopK)


def path_or_lines(run: RunLike, form: Form) -> str | LoadedRun:
    """Return a run as its path, or as parsed lines if it is in memory."""
    if isinstance(run, LoadedRun):
        return run
    if isinstance(run, TopK):
        return LoadedRun("", (run.columns,), {})
    table = as_table(run)
    if table is not None:
        from rankeval.io import tables

        asked = Form("run", columns=form.columns, ranks=form.ranks)
        return LoadedRun("", tuple(tables.columns_in_memory(table, asked)), {})
    if isinstance(run, Mapping):
        return LoadedRun("", (columns_of(cast("Scores", run), trec.RUN),), {})
    return os.fspath(run)  # type: ignore[arg-type]  # the other types are handled above


def as_table(given: object) -> DataTable | Arrays | None:
    """Return a table or arrays unchanged, None for anything else."""
    if isinstance(given, Mapping):
        values = given.values()
        return given if given and all(isinstance(v, np.ndarray) for v in values) else None
    return given if isinstance(given, DataTable) else None


def readable_again(run: RunLike, form: Form, *, jobs: int = 1) -> str | LoadedRun:
    """Return the run in a form that can be read again: a file's path, or a pipe's lines."""
    run = path_or_lines(run, form)
    if isinstance(run, LoadedRun) or is_rereadable(run):
        return run
    return load_run(run, form, jobs=jobs)


def load_run(
    path: str, form: Form, *, jobs: int = 1, progress: Callable[[int], None] | None = None
) -> LoadedRun:
    """Read a run and keep all of its lines."""
    parts = map_blocks(path, form, _whole, jobs=jobs, progress=progress)
    return LoadedRun(
        path, tuple(held_whole(parts, path)), dict(form.problems.counts) if form.problems else {}
    )


def _whole(columns: Columns) -> Columns:
    return columns


def refuse_stdin_twice(*inputs: object) -> None:
    """Raise UsageError if standard input, or a pipe, is more than one of the inputs."""
    if sum(isinstance(one, str) and one == STDIN for one in inputs) > 1:
        raise UsageError(
            "standard input (-) is named more than once, but can be read only once",
            remedy="write it to a file first",
        )
    pipes = set()
    for path in (os.fspath(one) for one in inputs if isinstance(one, str | os.PathLike)):
        pipe = _pipe(path)
        if pipe is not None and pipe in pipes:
            raise UsageError(
                "this pipe is named more than once, but can be read only once",
                place=display_name(path),
                remedy="write it to a file first",
            )
        pipes.add(pipe)


def _pipe(path: str) -> tuple[int, int] | None:
    """Return a key that all names of a pipe share; None for other files."""
    try:
        found = os.fstat(0) if path == STDIN else Path(path).stat()
    except (OSError, ValueError):  # opening it will report the error
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISFIFO(found.st_mode) else None
