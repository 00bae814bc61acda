"""Names of runs: distinct, and as short as can be. The one place that names runs."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from rankeval.base.frozen import frozen, shown_changes
from rankeval.errors import UsageError
from rankeval.evaluation.results import RunResult
from rankeval.io.formats.formats import all_formats
from rankeval.io.sources.blocks import display_name
from rankeval.io.sources.parts import STDIN, naming_path

IN_MEMORY = "run"
"""The name of a run that has neither a tag nor a path."""

COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".lz4")
"""Endings that say nothing about a run, besides the suffixes of formats."""


RULES = TAG, STEM, PATH = ("tag", "stem", "path")


@frozen
class RunNames:
    """The choice of names for runs; all names of an evaluation are distinct.

    ===== ================================================================================
    rule  tag: the tag in the file or, where tags repeat or are absent, as for stem;
          stem: the name of the file without its endings, with folders where names repeat;
          path: the path
    given names for some of the runs, in their order; None leaves a name to the rule
    ===== ================================================================================

    A run that still has the name of an earlier one gets a number behind it.

    Raises UsageError for a rule that does not exist, and if two runs are given one name.

    Example: `rankeval.evaluate("qrels.txt", ["a.run", "b.run"], run_names=RunNames("stem"))`.
    """

    rule: str = TAG
    given: Sequence[str | None] = ()

    __repr__ = shown_changes

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise UsageError(
                f"there is no rule '{self.rule}' for names of runs",
                expected=f"one of {', '.join(RULES)}",
            )
        for name, times in Counter(name for name in self.given if name is not None).items():
            if times > 1:
                raise UsageError(
                    f"{times} runs are named '{name}'", remedy="give each run a name of its own"
                )

    def given_for(self, number: int) -> list[str | None]:
        """Return the given names of a number of runs, None for a run without one."""
        return [*self.given, *[None] * (number - len(self.given))]

    def name(self, runs: Sequence[RunResult]) -> list[RunResult]:
        """Return the runs with their names; results call a run without a tag by its path."""
        tags = ["" if run.name == display_name(run.path) else run.name for run in runs]
        names = self.names(tags, [run.path for run in runs])
        return [replace(run, name=name) for run, name in zip(runs, names, strict=True)]

    def names(self, tags: Sequence[str], paths: Sequence[str]) -> list[str]:
        """Return the names of runs; an absent tag is "", and so is the path of a run in memory."""
        given = self.given_for(len(tags))
        often = Counter(tags)
        taken = {name for name in given if name is not None}
        names = []
        for name, tag, path, stem in zip(given, tags, paths, _distinct_stems(paths), strict=True):
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


def _distinct_stems(paths: Sequence[str]) -> list[str]:
    """Return the shortest names that differ between files: with the ending, or with folders."""
    distinct = list(dict.fromkeys(paths))
    names = [_names(path) for path in distinct]
    chosen = [0] * len(distinct)
    while True:
        shown = [found[i] for found, i in zip(names, chosen, strict=True)]
        often = Counter(shown)
        longer = [
            i + 1 if often[name] > 1 and i + 1 < len(found) else i
            for found, i, name in zip(names, chosen, shown, strict=True)
        ]
        if longer == chosen:
            stems = dict(zip(distinct, shown, strict=True))
            return [stems[path] for path in paths]
        chosen = longer


def _names(path: str) -> list[str]:
    """Return the names that a file may be called by, shortest first."""
    if path in ("", STDIN):
        return ["stdin" if path else ""]
    from pathlib import PurePath

    *folders, file = PurePath(naming_path(path)).parts or ("",)
    endings = {*COMPRESSED}.union(
        *((*form.suffixes, *form.output_suffixes) for form in all_formats())
    )
    stem = file
    while (ending := PurePath(stem).suffix) and ending.lower() in endings:
        stem = stem[: -len(ending)]
    names = [stem, file]
    for count in range(1, len(folders) + 1):
        inside = PurePath(*folders[-count:])
        names += [str(inside / stem), str(inside / file)]
    return names


BY_TAG = RunNames()
"""The usual names of runs."""
