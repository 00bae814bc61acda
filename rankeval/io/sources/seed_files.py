"""Patterns of runs: globs, and {seed} in the paths of several runs of one system."""

import os
import re
from collections.abc import Iterable
from fnmatch import translate

from rankeval.base.wording import natural
from rankeval.errors import InputError
from rankeval.io.sources.parts import SEED, globbed, has_wildcards, is_remote


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
    first, *others = (translate(part)[4:-3] for part in pattern.split(SEED))
    groups = ["([^/]+)", *[r"(\1)"] * len(others)]
    return re.compile("".join([first, *map(str.__add__, groups, others)]), re.DOTALL)
