"""The files of a path: one file, a folder of tables, or an address; their states, and runs."""

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import NamedTuple

from rankeval.base.wording import natural
from rankeval.errors import InputError

StrPath = str | os.PathLike[str]
STDIN = "-"
SEED = "{seed}"
"""Stands in the path of several runs of one system, which are averaged."""

SKIPPED = ("_", ".")
"""Beginnings of names of files that are no data, such as _SUCCESS and .crc."""


def is_remote(path: str) -> bool:
    """Return True for an address such as s3://bucket/key."""
    return "://" in path


def is_in_parts(path: str) -> bool:
    """Return True for a folder, a glob or a remote address."""
    # PTH: os.path takes any text, a Path does not.
    is_pattern = "://" in path or any(sign in path for sign in "*?[")
    return os.path.isdir(path) or (is_pattern and not os.path.lexists(path))  # noqa: PTH112  it takes any text; a Path does not


def files_of(path: str) -> list[str]:
    """Return the paths of the files of a path, those of a folder or a glob by their names.

    InputError for a folder that has no file, or that cannot be listed.
    """
    if not is_in_parts(path):
        return [path]
    if is_remote(path):
        from rankeval.io import remote

        return remote.files_of(path)

    def refuse(error: OSError) -> None:
        raise InputError(f"cannot be listed: {error.strerror}", place=str(error.filename))

    found = []
    is_folder = os.path.isdir(path)  # noqa: PTH112  it takes any text; a Path does not
    for one in [path] if is_folder else globbed(path):
        if one != path and one.rpartition("/")[2].startswith(SKIPPED):
            continue
        if os.path.isfile(one):  # noqa: PTH113  as above
            found.append(one)
            continue
        for here, folders, names in os.walk(one, onerror=refuse):
            folders[:] = [name for name in folders if not name.startswith(SKIPPED)]
            found += [f"{here.rstrip('/')}/{n}" for n in names if not n.startswith(SKIPPED)]
    if not found:
        raise InputError(
            "is a folder without any file" if is_folder else "no file has such a name",
            place=path,
            expected="files whose names do not begin with _ or .",
            remedy="check the path and its permissions",
        )
    for pipe in (one for one in found if os.path.exists(one) and not os.path.isfile(one)):  # noqa: PTH110, PTH113  as above
        raise InputError("is neither a file nor a folder", place=pipe)  # it would hang
    return sorted(set(found))


def size_of(path: str) -> int:
    """Return the bytes of the files of a path; 0 for those that are missing or remote."""
    return sum(os.path.getsize(file) for file in files_of(path) if os.path.isfile(file))  # noqa: PTH113, PTH202  see above


def naming_path(path: str) -> str:
    """Return the path by which a run is named: of an address, without its query."""
    return path.partition("?")[0] if is_remote(path) else path


def globbed(pattern: str) -> list[str]:
    """Return the files and folders whose names match a pattern, as they are written, in order."""
    from glob import glob  # most paths are no pattern

    return sorted(glob(pattern, recursive=True))  # noqa: PTH207  it keeps paths as they are written


class ChangedError(InputError):
    """A file was not the same at the end of its reading as at the beginning."""

    def __init__(self, path: str) -> None:
        super().__init__(
            "changed while it was read",
            place=path,
            expected="a file that nothing writes to, replaces or removes meanwhile",
            remedy="try again when nothing writes to it any more, or read a copy",
        )


@contextmanager
def unchanged(path: str) -> Iterator[None]:
    """Raise ChangedError if a file changes before the block ends.

    It comes instead of any other exception, which the change may have brought about.
    """
    before = _state_of(path)
    try:
        yield
    except Exception:
        if _state_of(path) != before:
            raise ChangedError(path) from None
        raise
    if _state_of(path) != before:
        raise ChangedError(path)


def _state_of(path: str) -> tuple[int, int, int, int] | None:
    """Return device, inode, size and time of change of a regular file; None for anything else."""
    try:
        found = os.stat(path)  # noqa: PTH116  it takes any text
    except (OSError, ValueError):
        return None
    is_file = stat.S_ISREG(found.st_mode)
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns) if is_file else None


class RunFile(NamedTuple):
    """A run on the command line: its file, and its name if NAME=FILE gives one."""

    path: str
    name: str | None = None

    @classmethod
    def from_argument(cls, argument: str, located: Callable[[str], str] = str) -> "RunFile":
        """Read FILE or NAME=FILE; a file that exists is one, whatever its name holds.

        `located` returns the path of a file from what is written.
        """
        name, _, path = argument.partition("=")
        if not name or not path or "/" in name or os.path.lexists(located(argument)):
            return cls(located(argument))
        return cls(located(path), name)


def systems_of(patterns: Iterable[str]) -> tuple[str, ...]:
    """Return the systems that match patterns: files, and paths with {seed}.

    A glob gives each file that it matches. If a pattern has {seed}, files that differ there
    only are runs of one system, whose path keeps {seed}. A pattern that matches nothing stays.
    """
    found: dict[str, None] = {}
    for pattern in patterns:
        matching = [*_by_system(pattern)]
        if not matching and is_in_parts(pattern) and not is_remote(pattern):
            matching = globbed(pattern)
        found |= dict.fromkeys(matching or [pattern])
    return tuple(found)


def runs_of_system(path: str) -> tuple[str, ...]:
    """Return the files of the runs of one system, in natural order; the path itself for one run.

    InputError if a path with {seed} matches fewer than two files.
    """
    files = [*chain.from_iterable(_by_system(path).values())]
    if len(files) < 2 and SEED in path and not os.path.lexists(path):
        raise InputError(
            f"matches {len(files)} files",
            place=path,
            expected="two runs or more, one for each seed",
            remedy="check the path, or name the run without {seed}",
        )
    return tuple(sorted(files, key=natural)) or (path,)


def files_of_systems(paths: Iterable[str]) -> list[str]:
    """Return all files that the runs of systems are in, as far as they are there."""
    systems = (_by_system(path) or {path: [path]} for path in systems_of(paths))
    return [file for system in systems for files in system.values() for file in files]


def _by_system(pattern: str) -> dict[str, list[str]]:
    """Return the systems of a pattern with {seed} and their files; {} for any other pattern.

    All {seed} of a pattern stand for the same text.
    """
    if SEED not in pattern or os.path.lexists(pattern):
        return {}
    first, *others = (re.escape(part).replace(r"\*", "[^/]*") for part in pattern.split(SEED))
    expression = re.compile(first + "([^/]+)" + r"(\1)".join(others))
    found: dict[str, list[str]] = {}
    for file in globbed(pattern.replace(SEED, "*")):
        if match := expression.fullmatch(file):
            system = file
            for start, end in reversed(match.regs[1:]):
                system = system[:start] + SEED + system[end:]
            found.setdefault(system, []).append(file)
    return found
