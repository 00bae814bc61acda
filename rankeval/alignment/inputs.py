"""The kinds of runs and judgments: files, mappings, tables and arrays."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from rankeval.alignment.in_memory import (
    NO_NAMES,
    Columnwise,
    DataTable,
    Rows,
    TaggedRun,
    as_table,
    is_lazy,
    is_ranx,
    parts_in_memory,
)
from rankeval.alignment.qrels import Qrels
from rankeval.alignment.topk import TopK
from rankeval.errors import UsageError
from rankeval.io import trec
from rankeval.io.blocks import display_name, is_rereadable
from rankeval.io.columns import Columns
from rankeval.io.file_objects import ReadableFile
from rankeval.io.form import Form
from rankeval.io.mappings import ByDocno, columns_of, described
from rankeval.io.parts import STDIN
from rankeval.io.read import map_blocks
from rankeval.io.rows import is_row
from rankeval.io.topic_stretches import held_whole
from rankeval.support.frozen import frozen

Scores = Mapping[str, Mapping[str, float]]
"""{topic: {docno: score}}."""


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


RunLike = (
    str
    | os.PathLike[str]
    | ReadableFile
    | Scores
    | Columnwise
    | DataTable
    | Rows
    | TaggedRun
    | LoadedRun
    | TopK
)
"""A run: path, open file, {topic: {docno: score}}, table, {column: values}, rows, or ranx's Run."""

RunsLike = RunLike | Sequence[RunLike] | Mapping[str, RunLike]
"""One run, several, or {name: run}."""

QrelsLike = (
    str
    | os.PathLike[str]
    | ReadableFile
    | Mapping[str, ByDocno]
    | Columnwise
    | DataTable
    | Rows
    | TaggedRun
    | Qrels
)
"""Judgments: path, open file, {topic: {docno: grade}}, table, {column: values}, rows, or Qrels."""

PAIR = ("docno", "score")
"""What is meant where a topic has rows of two fields, which are no rows of a run."""

WRITE = "write {'NAME': run} for named runs, and [run] for one run"


def run_list(runs: RunsLike, given: Mapping[str, str] = NO_NAMES) -> list[RunLike]:
    """Return one run or several as a list; `given` are the names of columns by their roles."""
    if _is_single(runs):
        return [runs]
    if not isinstance(runs, Iterable) or getattr(runs, "shape", None) == ():
        raise _no_run(runs)
    together = list(runs)
    if isinstance(runs, Iterator) and not together:
        return [together]  # rows that have ended
    return [together] if together and is_row(together[0], "run", given) else together


def listed_runs(
    runs: RunsLike, given: Mapping[str, str] = NO_NAMES
) -> tuple[list[RunLike], tuple[str, ...] | None]:
    """Return the runs as a list, and the names of {name: run}, or None."""
    refuse_ambiguous(runs)
    named = named_runs(runs, given)
    return (run_list(runs, given), None) if named is None else (list(named.values()), (*named,))


def _is_single(runs: object) -> bool:
    return (
        isinstance(runs, str | os.PathLike | Mapping | DataTable | LoadedRun | TopK)
        or is_ranx(runs)
        or hasattr(runs, "read")
        or hasattr(runs, "__dataframe__")
        or is_lazy(runs)
        or getattr(getattr(runs, "dtype", None), "names", None) is not None
    )


def named_runs(runs: object, given: Mapping[str, str] = NO_NAMES) -> dict[str, RunLike] | None:
    """Return the runs of {name: run}; None for anything else, such as one run by topic.

    UsageError for a mapping that holds runs, and something else.
    """
    if not isinstance(runs, Mapping) or not runs or as_table(runs, "run", given) is not None:
        return None
    are_runs = [_is_run(value, given) for value in runs.values()]
    if not any(are_runs):
        return None
    if not all(are_runs):
        other = next(name for name, is_run in zip(runs, are_runs, strict=True) if not is_run)
        raise UsageError(
            f"the dictionary holds runs, and {described(runs[other])} under {other!r}",
            expected="one run, {topic: {docno: score}}, or named runs, {name: run}",
            remedy=WRITE,
        )
    return {str(name): run for name, run in runs.items()}


def refuse_ambiguous(runs: object) -> None:
    """Raise UsageError for a dictionary of empty ones: of topics, or of named runs."""
    if not isinstance(runs, Mapping) or not runs:
        return
    if all(isinstance(value, Mapping) and not value for value in runs.values()):
        raise UsageError(
            "the dictionary holds empty dictionaries: topics of one run, or named runs",
            expected="one run, {topic: {docno: score}}, or named runs, {name: run}",
            remedy=WRITE,
        )


def _is_run(value: object, given: Mapping[str, str]) -> bool:
    """Return True for a run, False for {docno: score} and for anything else."""
    if isinstance(value, Mapping):
        return (as_table(value, "run", given) is not None and len(value) > 1) or (
            bool(value) and all(isinstance(ranking, Mapping) for ranking in value.values())
        )
    if _is_single(value) or isinstance(value, Iterator):
        return True
    first = value[0] if isinstance(value, Sequence) and value else None
    return is_row(first, "run", given) and len(cast("Sequence[Any]", first)) > len(PAIR)


def path_or_lines(run: RunLike, form: Form) -> str | LoadedRun:
    """Return a run as its path, or as parsed lines if it is in memory."""
    if isinstance(run, str | os.PathLike):
        return os.fspath(run)
    if isinstance(run, LoadedRun):
        return run
    if hasattr(run, "read"):
        return _from_file(run, form)
    return LoadedRun("", _parts(run, form), {})


def _parts(run: Any, form: Form) -> tuple[Columns, ...]:
    """Return a run in memory as parsed lines."""
    if getattr(run, "shape", None) == ():
        raise _no_run(run)
    if isinstance(run, TopK):
        return tuple(run.pieces())
    if is_ranx(run):
        return (_tagged(run),)
    found = parts_in_memory(run, replace(form, what="run"))
    if found is not None:
        return found
    if isinstance(run, Mapping):
        return (columns_of(cast("Scores", run), trec.RUN),)
    raise _no_run(run)


def _no_run(run: object) -> UsageError:
    return UsageError(
        f"{described(run)} is no run",
        expected="a path, an open file, {topic: {docno: score}}, a table, {column: values} or rows "
        "of topic, docno and score",
    )


def _from_file(file: Any, form: Form) -> str | LoadedRun:
    from rankeval.io import file_objects  # most runs are files with a path, or in memory

    path = file_objects.path_of(file)
    if path is not None:
        return path
    name, begun = file_objects.begun(file)
    found = load_run(name, replace(form, begun=begun))
    return replace(found, path="") if name == file_objects.IN_MEMORY else found


def _tagged(run: Any) -> Columns:
    """Return a run of ranx, whose name is its tag."""
    columns = columns_of(run.to_dict(), trec.RUN)
    if run.name:
        tag = str(run.name).encode("utf-8", "surrogateescape")
        columns = replace(columns, tags=frozenset([tag]), last_tag=tag)
    return columns


def taken(run: RunLike, form: Form) -> RunLike:
    """Read what can be read once only, such as an open file or an iterator of rows."""
    once = hasattr(run, "read") or (isinstance(run, Iterator) and not isinstance(run, DataTable))
    return path_or_lines(run, form) if once else run


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
    from pathlib import Path

    try:
        found = os.fstat(0) if path == STDIN else Path(path).stat()
    except (OSError, ValueError):  # opening it will report the error
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISFIFO(found.st_mode) else None
