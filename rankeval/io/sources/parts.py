"""The files of a path: one file, a folder of tables, a glob, or an address; and their states."""

import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from rankeval.base.wording import natural
from rankeval.errors import InputError

STDIN = "-"
SEED = "{seed}"
"""Stands in the path of several runs of one system, which are averaged."""

SKIPPED = ("_", ".")
"""Beginnings of names of files that are no data, such as _SUCCESS and .crc."""

REMOTE = "://"


def no_such_file(path: str, name: str) -> InputError:
    """Return the error of a path without a file; it says where a path with {seed} works."""
    if SEED not in path:
        return InputError("no such file", place=name, remedy="check the path")
    return InputError(
        f"no such file: {SEED} stands for several runs of one system, which are averaged",
        place=name,
        expected="here the path of one file; eval, compare, diff, plot, report and gate average",
        remedy=f"name each run, with a glob such as {path.replace(SEED, '*')}, outside quotes",
    )


def is_remote(path: str) -> bool:
    """Return True for an address such as s3://bucket/key."""
    return REMOTE in path


def has_wildcards(path: str) -> bool:
    """Return True for a path with * or ?, or with characters in brackets."""
    return "*" in path or "?" in path or "]" in path.partition("[")[2]


def is_in_parts(path: str) -> bool:
    """Return True for a folder, a glob or a remote address."""
    if os.path.isdir(path):  # noqa: PTH112  it takes any text; a Path does not
        return True
    if not has_wildcards(path) and not is_remote(path):
        return False
    return not os.path.lexists(path)


def files_of(path: str) -> list[str]:
    """Return the paths of the files of a path."""
    if not is_in_parts(path):
        return [path]
    if is_remote(path):
        from rankeval.io.sources import remote

        return remote.files_of(path)
    if not os.path.isdir(path):  # noqa: PTH112  see above
        return _matching(path)
    qrels = beir_qrels(path)
    found = [qrels] if qrels else _inside(path)
    if not found:
        raise InputError(
            "is a folder without any file",
            place=path,
            expected="files whose names do not begin with _ or .",
            remedy="check the path",
        )
    return found


def beir_qrels(path: str) -> str:
    """Return the judgments of a folder that is a BEIR collection, "" for another folder."""
    from pathlib import Path

    qrels = os.path.join(path, "qrels", "test.tsv")  # noqa: PTH118  see above
    corpus = any((Path(path) / f"corpus.jsonl{end}").is_file() for end in ("", ".gz"))
    return qrels if corpus and os.path.isfile(qrels) else ""  # noqa: PTH113  see above


def first_file(path: str) -> str:
    """Return the first file of a path, one with data if there is one."""
    files = files_of(path)
    return next((file for file in files if is_remote(file) or size_of(file)), files[0])


def size_of(path: str) -> int:
    """Return the bytes of the file, or files, of a path; 0 for missing files."""
    return sum(size for _, size in sizes_of(path))


def sizes_of(path: str) -> list[tuple[str, int]]:
    """Return the files of a path, and the bytes of each, 0 for missing files.

    Those of an address may be some seconds old.
    """
    if is_remote(path) and is_in_parts(path):
        from rankeval.io.sources import remote

        return remote.sizes_of(path)
    return [
        (file, os.path.getsize(file) if os.path.isfile(file) else 0)  # noqa: PTH113, PTH202  see above
        for file in files_of(path)
    ]


def naming_path(path: str) -> str:
    """Return the path whose last name is that of the parts: their folder, or the one file.

    An address has no secrets in it, and no query.
    """
    if is_remote(path) and is_in_parts(path):
        path = path.partition("?")[0]
    if not is_in_parts(path):
        return path
    from pathlib import PurePath

    kept = []
    for name in PurePath(path).parts:
        if has_wildcards(name):
            break
        kept.append(name)
    return str(PurePath(*kept)) if kept else path


def globbed(pattern: str) -> list[str]:
    """Return the files and folders whose names match a pattern, as they are written, in order."""
    from glob import glob  # most paths are no pattern

    return sorted(glob(pattern, recursive=True))  # noqa: PTH207  it keeps paths as they are written


def _matching(pattern: str) -> list[str]:
    found: list[str] = []
    for path in globbed(pattern):
        if not path.rpartition("/")[2].startswith(SKIPPED):
            found += [path] if os.path.isfile(path) else _inside(path)  # noqa: PTH113  see above
    if not found:
        if SEED in pattern:
            raise no_such_file(pattern, pattern)
        raise InputError(
            "no file has a name like this", place=pattern, remedy="check the path and its wildcards"
        )
    return list(dict.fromkeys(found))


def _inside(folder: str) -> list[str]:
    """Return the files of a folder and of those in it, each folder once; links are followed."""
    found, seen = [], set()
    for here, folders, names in os.walk(folder, onerror=_refuse_folder, followlinks=True):
        if (real := os.path.realpath(here)) in seen:
            folders.clear()
            continue
        seen.add(real)
        folders[:] = [name for name in folders if not name.startswith(SKIPPED)]
        found += [os.path.join(here, n) for n in names if not n.startswith(SKIPPED)]  # noqa: PTH118  see above
    for path in found:
        if os.path.exists(path) and not os.path.isfile(path):  # noqa: PTH110, PTH113  see above
            raise InputError("is neither a file nor a folder", place=path)  # a pipe would hang
    return sorted(found)


def _refuse_folder(error: OSError) -> None:
    raise InputError(
        f"cannot be listed: {error.strerror}",
        place=str(error.filename),
        remedy="check the path and its permissions",
    )


State = tuple[int, int, int, int] | None
"""Device, inode, bytes and time of the last change of a regular file; None for anything else."""

_first_states: ContextVar[dict[str, State] | None] = ContextVar("first_states", default=None)


class ChangedError(InputError):
    """A file was not the same at the end of its reading as at the beginning."""

    def __init__(self, path: str) -> None:
        super().__init__(
            "changed while it was read",
            place="standard input" if path == STDIN else path,
            expected="a file that nothing writes to, replaces or removes meanwhile",
            remedy="try again when nothing writes to it any more, or read a copy",
        )


@contextmanager
def one_state(paths: Iterable[str] = ()) -> Iterator[None]:
    """Hold every file that is read within to its state when it was first looked at.

    The paths are looked at now. Within another `one_state`, its first look counts.
    """
    known = _first_states.get()
    token = None if known is not None else _first_states.set({})
    try:
        for path in paths:
            _first_state(path)
        yield
    finally:
        if token is not None:
            _first_states.reset(token)


@contextmanager
def unchanged(*paths: str) -> Iterator[None]:
    """Raise ChangedError if a file, or a part of one, changes before the block ends.

    It comes instead of any other exception, which the change may have brought about.
    """
    before = {path: {file: _first_state(file) for file in _files(path)} for path in paths}
    try:
        yield
    except Exception:
        _refuse_changed(before)
        raise
    _refuse_changed(before)


def _refuse_changed(before: Mapping[str, Mapping[str, State]]) -> None:
    for path, files in before.items():
        for file in {**files, **dict.fromkeys(_files(path))}:
            # What is no regular file has no state; a part that was not there before has come.
            if file not in files or (files[file] is not None and state_of(file) != files[file]):
                raise ChangedError(file) from None


def _first_state(path: str) -> State:
    """Return the state of a file, as it was when `one_state` first looked at it."""
    known = _first_states.get()
    if known is None or path == STDIN:
        return state_of(path)
    if known.get(path) is None:
        known[path] = state_of(path)
    return known[path]


def _files(path: str) -> list[str]:
    """Return the files of a path on this machine."""
    if is_remote(path):
        return [] if is_in_parts(path) else [path]
    try:
        return files_of(path)
    except InputError:  # all of its parts may be gone; whoever reads it says so
        return []


def state_of(path: str) -> State:
    """Return the state of a file; None for a pipe, and for a missing file."""
    try:
        found = os.fstat(sys.stdin.fileno()) if path == STDIN else os.stat(path)  # noqa: PTH116  it takes any text
    except (OSError, ValueError, AttributeError):  # standard input may be closed, or a substitute
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


class RunFile(NamedTuple):
    """A run on the command line: its file, and its name if NAME=FILE gives one."""

    path: str
    name: str | None = None

    @classmethod
    def from_argument(cls, argument: str, located: Callable[[str], str] = str) -> "RunFile":
        """Read FILE or NAME=FILE; a file that exists is one, whatever its name holds.

        Names and paths may hold further = signs: the name ends where an existing file follows.
        `located` returns the path of a file from what is written.
        """
        if is_there(located(argument)):
            return cls(located(argument))
        for place in places_of_equals(argument):
            if place and is_there(path := located(argument[place + 1 :])):
                return cls(path, argument[:place])
        name, equals, path = argument.partition("=")
        if not equals or not name or not path or "/" in name:
            return cls(located(argument))
        return cls(located(path), name)


def places_of_equals(argument: str) -> list[int]:
    """Return the places of = signs in an argument."""
    return [place for place, letter in enumerate(argument) if letter == "="]


def is_there(path: str) -> bool:
    """Return True for a file that exists, runs of seeds that do, standard input, and an address."""
    if is_remote(path):
        return path.partition(REMOTE)[0].isalnum()  # and no name before it
    if path == STDIN or os.path.lexists(path):
        return True
    return (has_wildcards(path) or SEED in path) and bool(globbed(path.replace(SEED, "*")))


def systems_of(patterns: Iterable[str]) -> tuple[str, ...]:
    """Return the systems that match patterns: files, and paths with {seed}.

    A glob gives each file that it matches. If a pattern has {seed}, files that differ there
    only are runs of one system, whose path keeps {seed}. A pattern that matches nothing stays.
    """
    found: dict[str, None] = {}
    for pattern in patterns:
        matching = [pattern]
        if os.path.lexists(pattern) or is_remote(pattern):
            pass  # a file, whatever its name
        elif SEED in pattern:
            matching = [system for system, _ in _matches(pattern)]
        elif has_wildcards(pattern):
            matching = globbed(pattern)
        found |= dict.fromkeys(matching or [pattern])
    return tuple(found)


def runs_of_system(path: str) -> tuple[str, ...]:
    """Return the files of the runs of one system, in natural order; the path itself for one run.

    InputError if a path with {seed} matches fewer than two files.
    """
    if SEED not in path or os.path.lexists(path) or is_remote(path):
        return (path,)
    files = [file for _, file in _matches(path)]
    if len(files) < 2:
        raise InputError(
            f"matches {len(files)} files" if files else "matches no file",
            place=path,
            expected="two runs or more, one for each seed",
            remedy="check the path, or name the run without {seed}",
        )
    return tuple(sorted(files, key=natural))


def files_of_systems(paths: Iterable[str]) -> list[str]:
    """Return all files that the runs of systems are in, as far as they are there."""
    found = []
    for path in systems_of(paths):
        matching = [file for _, file in _matches(path)] if SEED in path else []
        found += matching or [path]
    return found


def _matches(pattern: str) -> list[tuple[str, str]]:
    """Return the systems of a pattern with {seed}, each with one of its files."""
    expression = _expression(pattern)
    found = []
    for file in globbed(pattern.replace(SEED, "*")):
        if match := expression.fullmatch(file):
            system = file
            for start, end in reversed(match.regs[1:]):
                system = system[:start] + SEED + system[end:]
            found.append((system, file))
    return found


def _expression(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern, with a group for each {seed}, all of one text.

    Its wildcards are those of a shell; the files are known to match it but for the seeds.
    """
    from fnmatch import translate  # few paths have seeds

    first, *others = (translate(part)[4:-3] for part in pattern.split(SEED))
    groups = ["([^/]+)", *[r"(\1)"] * len(others)]
    return re.compile("".join([first, *map(str.__add__, groups, others)]), re.DOTALL)
