"""Patterns of runs: globs, and {seed} in the paths of several runs of one system."""

import os
import re
from collections.abc import Iterable

from rankeval.base.wording import natural
from rankeval.errors import InputError
from rankeval.io.sources.parts import SEED, has_wildcards, is_remote


def systems_of(patterns: Iterable[str]) -> tuple[str, ...]:
    """Return the systems that match patterns: files, and paths with {seed}.

    A glob gives each file that it matches. If a pattern has {seed}, files that differ there
    only are runs of one system, whose path keeps {seed}. A pattern that matches nothing stays.
    """
    found: dict[str, None] = {}
    for pattern in patterns:
        if os.path.lexists(pattern) or is_remote(pattern) or not _varies(pattern):
            matching = [pattern]
        elif SEED in pattern:
            matching = [system for system, _ in _matches(pattern)]
        else:
            matching = _files(pattern)
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


def _varies(pattern: str) -> bool:
    return SEED in pattern or has_wildcards(pattern)


def _files(pattern: str) -> list[str]:
    """Return the files that a glob matches, in order."""
    from glob import glob  # most paths are no pattern

    return sorted(glob(pattern, recursive=True))  # noqa: PTH207  it keeps paths as they are written


def _matches(pattern: str) -> list[tuple[str, str]]:
    """Return the systems of a pattern with {seed}, each with one of its files."""
    expression = _expression(pattern)
    found = []
    for file in _files(pattern.replace(SEED, "*")):
        if match := expression.fullmatch(file):
            spans = [match.span(f"seed{again or ''}") for again in range(pattern.count(SEED))]
            system = file
            for start, end in reversed(spans):
                system = system[:start] + SEED + system[end:]
            found.append((system, file))
    return found


def _expression(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern; every {seed} in it is the same text."""
    parts, seeds = [], 0
    for piece in re.findall(r"\{seed\}|\*\*/|\*|\?|\[[^\]]+\]|.", pattern, re.DOTALL):
        if piece == SEED:
            parts.append(f"(?P<seed{seeds}>(?P=seed))" if seeds else "(?P<seed>[^/]+)")
            seeds += 1
        elif piece == "**/":
            parts.append("(?:.*/)?")
        elif piece in "*?":
            parts.append("[^/]*" if piece == "*" else "[^/]")
        elif piece.startswith("[") and len(piece) > 2:
            inside = piece[1:-1].replace("\\", r"\\")
            parts.append(f"[{'^' + inside[1:] if inside.startswith('!') else inside}]")
        else:
            parts.append(re.escape(piece))
    return re.compile("".join(parts), re.DOTALL)
