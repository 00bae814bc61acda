"""The files that commands read and write: no output may overwrite an input."""

import os
import stat
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from rankeval.choices import NamingRule
from rankeval.cli.options.panels import OUTPUT, READ
from rankeval.errors import InputError, UsageError
from rankeval.io.files import RunFile as RunFile  # noqa: PLC0414  commands take it from here

if TYPE_CHECKING:  # --help must not wait for numpy
    from rankeval.evaluation.run_names import RunNames


STREAM = "-"
"""Standard input among the inputs, standard output among the outputs."""


QrelsPath = Annotated[
    str,
    typer.Argument(
        metavar="QRELS",
        help="Relevance judgments: lines of topic, iteration, docno, grade, or another format.",
    ),
    READ,
]
RunPaths = Annotated[
    list[RunFile],
    typer.Argument(
        metavar="RUN",
        help="Runs to score: lines of topic, Q0, docno, rank, score, tag, or another format. "
        "NAME=FILE names a run.",
    ),
]
RunNaming = Annotated[
    NamingRule,
    OUTPUT(
        "--run-names RULE",
        "Names of runs. tag (default): the tag in the file or, where it repeats or is absent, "
        "the file name; stem: the file name or, where it repeats, the path; path: the path. "
        "NAME=FILE names one run. Files whose paths differ in {seed} are one system: "
        "'runs/{seed}/a.run'.",
    ),
]


def run_names(rule: NamingRule, runs: Iterable[RunFile]) -> "RunNames":
    """Return the names of runs as the library takes them."""
    from rankeval.evaluation.run_names import RunNames

    return RunNames(rule, [run.name for run in runs])


def systems(runs: Iterable[RunFile]) -> list[RunFile]:
    """Return a run for each system that matches paths with {seed} and wildcards."""
    return [
        RunFile(path, run.name)
        for run in runs
        for path in (_systems_of(run.path) if "{seed}" in run.path and not run.name else [run.path])
    ]


def _systems_of(pattern: str) -> Iterable[str]:
    from rankeval.io.files import systems_of

    return systems_of([pattern])


def baseline_first(baseline: RunFile | None, runs: Sequence[RunFile]) -> list[RunFile]:
    """Return all runs with the baseline first, and once; it may be the name of one of them."""
    if baseline is None:
        return list(runs)
    baseline = named_among(runs, baseline) or baseline
    same = [run for run in runs if _same_file(run.path, baseline.path)]
    name = next((run.name for run in (baseline, *same) if run.name), None)
    return [RunFile(baseline.path, name), *(run for run in runs if run not in same)]


def named_among(runs: Sequence[RunFile], wanted: RunFile) -> RunFile | None:
    """Return the only run with the wanted name; None if there is none, or a file has the name.

    NAME=FILE gives a run its name, or else its file, or else the tag in the file does.
    """
    if wanted.name or wanted.path == STREAM or os.path.lexists(wanted.path):
        return None
    from rankeval.io.blocks import is_rereadable
    from rankeval.io.text_formats import first_tag

    names = run_names("stem", runs).names([""] * len(runs), [run.path for run in runs])
    found = [run for run, name in zip(runs, names, strict=True) if name == wanted.path]
    found = found or [
        run for run in runs if is_rereadable(run.path) and first_tag(run.path) == wanted.path
    ]
    return found[0] if len(found) == 1 else None


def _same_file(one: str, other: str) -> bool:
    if one == other:
        return True
    try:
        return os.path.samefile(one, other)  # noqa: PTH121  it takes any text; a Path does not
    except (OSError, ValueError):  # reading it will report the error
        return False


def refuse_overwriting(*, read: Iterable[str | None], written: Iterable[str | None]) -> None:
    """Raise UsageError if an output is also an input or another output, by any name.

    `grouped` calls this before every command, with the files among its options.
    """
    inputs = {_file(path, 0): path for path in _with_parts(read) if _exists(path)}
    outputs: dict[Hashable, str] = {}
    for path in (path for path in written if path):
        file = _file(path, 1)
        # Two outputs on standard output are refused by the command, which knows their options.
        if file in outputs and (path, outputs[file]) != (STREAM, STREAM):
            raise UsageError(
                f"another output goes to the same file, under the name {outputs[file]}",
                place=path,
                remedy="give each output its own file",
            )
        if file is not None:
            outputs[file] = path
        if path != STREAM:
            _refuse_within(inputs.values(), path)
    for file in (*outputs, _file(STREAM, 1)):
        if file is not None and file in inputs:
            from rankeval.io.blocks import display_name  # --help does not need it

            raise UsageError(
                "the output would overwrite this input",
                place=display_name(inputs[file]),
                remedy="give the output another name",
            )


def refuse_missing_folders(written: Iterable[str | None]) -> None:
    """Raise InputError for an output that cannot be made, before the work that it is to hold."""
    for path in written:
        if path and path != STREAM:
            from rankeval.io.atomic import require_place  # --help does not need it

            require_place(path)


def _with_parts(paths: Iterable[str | None]) -> Iterator[str]:
    """Yield the files among paths, and those of folders, globs and several paths."""
    for path in filter(None, paths):
        yield path
        if "{seed}" in path:
            from rankeval.io.files import files_of_systems

            yield from files_of_systems([path])
        if path != STREAM and not os.path.isfile(path):  # noqa: PTH113  it takes any text; a Path does not
            from rankeval.io.files import files_of, is_in_parts, is_remote

            if is_in_parts(path) and not is_remote(path):
                with suppress(InputError):  # reading it will report the error
                    yield from files_of(path)


def _refuse_within(inputs: Iterable[str], output: str) -> None:
    """Raise UsageError if an output would be a part of a folder that is read."""
    folder = os.path.realpath(f"{output}/..")
    for path in filter(os.path.isdir, inputs):
        if f"{folder}/".startswith(f"{os.path.realpath(path)}/"):
            raise UsageError(
                f"the output would become a part of the input {path}",
                place=output,
                remedy="write it outside this folder",
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
