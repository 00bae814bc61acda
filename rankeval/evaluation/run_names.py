"""Names of runs: distinct, and as short as can be. The one place that names runs."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from rankeval.base.checked import checked
from rankeval.base.frozen import changed, frozen, shown_changes
from rankeval.choices import NamingRule
from rankeval.errors import UsageError
from rankeval.evaluation.results import RunResult
from rankeval.io.formats.formats import FORMATS
from rankeval.io.sources.blocks import display_name
from rankeval.io.sources.parts import STDIN, naming_path

IN_MEMORY = "run"
"""The name of a run that has neither a tag nor a path."""

Parts = tuple[str, ...]
"""The end of a path: folders, if any, and the name of a file."""

COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".lz4")
"""Endings that say nothing about a run, besides the suffixes of formats."""


RULES = TAG, STEM, PATH = ("tag", "stem", "path")


@checked
@frozen
class RunNames:
    """The choice of names for runs; all names of an evaluation are distinct.

    ===== ================================================================================
    rule  tag: the tag in the file or, where tags repeat or are absent, as for stem;
          stem: the name of the file without its endings, with folders where names repeat;
          path: the path
    given names for some of the runs, in their order; None leaves a name to the rule
    group regular expression: runs are one system whose names are the same without what matches it,
          or else have the same first group
    ===== ================================================================================

    A run that still has the name of an earlier one gets a number behind it.

    Raises UsageError for a rule that does not exist, if two runs are given one name, and for a
    wrong expression.

    Example: `rankeval.evaluate("qrels.txt", ["a.run", "b.run"], run_names=RunNames("stem"))`.
    """

    rule: NamingRule = "tag"
    given: Sequence[str | None] = ()
    group: str | None = None

    __repr__ = shown_changes

    def __post_init__(self) -> None:
        for name, times in Counter(name for name in self.given if name is not None).items():
            if times > 1:
                raise UsageError(
                    f"{times} runs are named '{name}'", remedy="give each run a name of its own"
                )

        if self.group is not None:
            try:
                re.compile(self.group)
            except re.error as error:
                raise UsageError(
                    f"'{self.group}' is not a regular expression: {error}",
                    expected=r"what tells the runs of a system apart in their names, as -seed\d+",
                ) from error

    def given_for(self, number: int) -> list[str | None]:
        """Return the given names of a number of runs, None for a run without one."""
        return [*self.given, *[None] * (number - len(self.given))]

    def name(self, runs: Sequence[RunResult]) -> list[RunResult]:
        """Return the runs with their names; results call a run without a tag by its path."""
        tags = ["" if run.name == display_name(run.path) else run.name for run in runs]
        names = self.names(tags, [run.path for run in runs])
        return [
            run if run.name == name else changed(run, name=name)
            for run, name in zip(runs, names, strict=True)
        ]

    def systems(self, runs: Sequence[RunResult]) -> list[RunResult]:
        """Return the runs with their names; those of a group as one, instead of the first."""
        named = self.name(runs)
        if self.group is None:
            return named
        from rankeval.evaluation.seeds import averaged, shared_path  # --help needs no numpy

        groups: dict[str, list[RunResult]] = {}
        for run in named:
            groups.setdefault(self._system(run.name), []).extend(run.seeds or [run])
        return [
            replace(averaged(of_group, shared_path([run.path for run in of_group])), name=name)
            if len(of_group) > 1
            else replace(of_group[0], name=name)
            for name, of_group in groups.items()
        ]

    def _system(self, name: str) -> str:
        """Return the name of the system of a run: the first group, or what does not match."""
        expression = re.compile(self.group or "")
        if not expression.groups:
            return expression.sub("", name)
        match = expression.search(name)
        return name if match is None else match[1] or ""

    def names(self, tags: Sequence[str], paths: Sequence[str]) -> list[str]:
        """Return the names of runs; an absent tag is "", and so is the path of a run in memory."""
        given = self.given_for(len(tags))
        often = Counter(tags)
        taken = {name for name in given if name is not None}
        names = []
        for name, tag, path, stem in zip(given, tags, paths, _stems(paths), strict=True):
            if name is not None:
                names.append(name)
                continue
            if not path or (self.rule == TAG and tag and often[tag] == 1):
                wanted = tag or IN_MEMORY
            else:
                wanted = path if self.rule == PATH and path != STDIN else stem
            names.append(_unlike(wanted, taken))
            taken.add(names[-1])
        return names


def _unlike(name: str, taken: set[str]) -> str:
    """Return the name, with a number behind it if it is taken."""
    number, distinct = 1, name
    while distinct in taken:
        number += 1
        distinct = f"{name} ({number})"
    return distinct


def _stems(paths: Sequence[str]) -> list[str]:
    """Return the names of files without their endings; those that repeat, with their folders.

    Folders that files share do not tell them apart, nor do names that all have: the runs
    seed0/bm25/run.txt and seed1/bm25/run.txt are seed0 and seed1.
    """
    files = {path: _parts(path) for path in dict.fromkeys(paths)}
    often = Counter(stem for *_, stem in files.values())
    alike = {path: parts for path, parts in files.items() if often[parts[-1]] > 1}
    if len({*alike.values()}) < len(alike):  # bm25.run and bm25.json
        alike = {path: (*parts[:-1], path.rpartition("/")[2]) for path, parts in alike.items()}
    ends = [*alike.values()]
    start = _shared(ends)
    stop = _shared([end[start:][::-1] for end in ends]) if len(alike) == len(files) else 0
    names = {path: parts[-1] for path, parts in files.items()}
    names |= {path: "/".join(end[start : len(end) - stop]) for path, end in alike.items()}
    return [names[path] for path in paths]


def _shared(ends: Sequence[Parts]) -> int:
    """Return how many parts all begin with, but not all parts of any."""
    alike = takewhile(lambda parts: len({*parts}) == 1, zip(*ends, strict=False))
    return min(len([*alike]), min(map(len, ends), default=1) - 1)


def _parts(path: str) -> Parts:
    """Return the folders of a file, and its name without endings."""
    if path in ("", STDIN):
        return ("stdin" if path else "",)
    from pathlib import PurePath  # runs in memory have no path

    pure = PurePath(naming_path(path))
    *folders, stem = pure.parts[bool(pure.anchor) :] or ("",)
    endings = {*COMPRESSED}.union(*((*form.suffixes, *form.written) for form in FORMATS.values()))
    while (ending := PurePath(stem).suffix) and ending.lower() in endings:
        stem = stem[: -len(ending)]
    return (*folders, stem)


BY_TAG = RunNames()
"""The usual names of runs."""
