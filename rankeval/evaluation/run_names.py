"""Names of runs: distinct, and as short as can be. The one place that names runs.

Several runs, such as one for each random seed, may be one system: their mean, and its spread.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice, takewhile
from typing import Any

import numpy as np

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.choices import NamingRule
from rankeval.errors import UsageError
from rankeval.evaluation.results import GroupResult, RunResult, Score
from rankeval.io.files import SEED, STDIN, naming_path, runs_of_system
from rankeval.io.formats import FORMATS
from rankeval.io.sources.blocks import display_name
from rankeval.measures.declare.facts import BY_VALUES_ALONE
from rankeval.ranking.run_source import RunLike, RunSource, Seeds, file_given

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
            run if run.name == name else _renamed(run, name)
            for run, name in zip(runs, names, strict=True)
        ]

    def systems(self, runs: Sequence[RunResult]) -> list[RunResult]:
        """Return the runs with their names; those of a group as one, instead of the first."""
        named = self.name(runs)
        if self.group is None:
            return named

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
        stems = _stems(paths) if any(paths) else paths
        for name, tag, path, stem in zip(given, tags, paths, stems, strict=True):
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


def _renamed(run: RunResult, name: str) -> RunResult:
    """Return a copy whose warnings are still made when they are read, unlike `replace`."""
    copied = object.__new__(RunResult)
    vars(copied).update(vars(run), name=name)
    return copied


def _unlike(name: str, taken: set[str]) -> str:
    """Return the name, with a number behind it if it is taken."""
    number, distinct = 1, name
    while distinct in taken:
        number += 1
        distinct = f"{name} ({number})"
    return distinct


def _stems(paths: Sequence[str]) -> list[str]:
    """Return the names of files without their endings; those that repeat, with their folders.

    Those that differ in their endings alone are called by their paths.

    Folders that all of these begin with do not tell them apart, and are left out.
    """
    files = {path: _parts(path) for path in paths}
    often = Counter(stem for *_, stem in files.values())
    alike = [parts[:-1] for parts in files.values() if often[parts[-1]] > 1]
    same = [*takewhile(lambda level: len({*level}) == 1, zip(*alike, strict=False))]
    names = {
        path: "/".join(parts[len(same) :]) if often[parts[-1]] > 1 else parts[-1]
        for path, parts in files.items()
    }
    repeated = Counter(names.values())
    return [path if repeated[names[path]] > 1 else names[path] for path in paths]


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


BY_TOPIC = ("mean", "sum")
"""Rules by which the value of topics' means over runs is the mean of the runs' values."""


def members(run: RunLike) -> list[RunLike]:
    """Return the runs of `Seeds` or of a path with {seed}; of any other run, itself."""
    source = RunSource.of(run)
    if isinstance(source.given, Seeds):
        return [*source.given.runs]
    return [*runs_of_system(source.path)] if SEED in source.path and source.is_file else [run]


def shared_path(paths: Sequence[str]) -> str:
    """Return the path of several files, with {seed} where they differ; "" if one has none."""
    if not all(paths):
        return ""
    start = _shared_start(paths)
    end = _shared_start([path[len(start) :][::-1] for path in paths])[::-1]
    return f"{start}{SEED}{end}"


def _shared_start(texts: Sequence[str]) -> str:
    columns = takewhile(lambda letters: len({*letters}) == 1, zip(*texts, strict=False))
    return "".join(letters[0] for letters in columns)


def of_systems(
    found: Sequence[RunResult],
    given: Sequence[RunLike],
    systems: Sequence[Sequence[object]],
    run_names: RunNames,
) -> list[RunResult]:
    """Return a result for each system, from those of its runs; `given` is what names a system."""
    if len(found) == len(given):
        return [*found]
    each = zip(found, replace(run_names, given=()).name(found), strict=True)
    results = []
    for one, runs in zip(given, systems, strict=True):
        plain, named = zip(*islice(each, len(runs)), strict=True)
        path = file_given(one) or shared_path([*map(file_given, runs)])
        single = len(runs) == 1
        results.append(plain[0] if single else replace(averaged(plain, path), seeds=named))
    return results


def averaged(runs: Sequence[RunResult], path: str) -> RunResult:
    """Return the mean by topic over the runs of one system, which are its `seeds`.

    It has their tag if they have one, or else its path as its name. A topic for which one of the
    runs has no value has none. The value over topics is the mean of the runs' values; of a mean or
    a sum over topics, it is that of the topics for which all runs have a value.

    UsageError for runs with different topics.
    """
    first = runs[0]
    if len({run.topics for run in runs}) > 1:
        raise UsageError(
            "the runs of this system have different topics, which cannot be averaged",
            place=path,
            expected="--topics judged",
        )
    scores = tuple(mean_score([run.scores[i] for run in runs]) for i in range(len(first.scores)))
    tags = {"" if run.name == display_name(run.path) else run.name for run in runs}
    return replace(
        first,
        name=(len(tags) == 1 and tags.pop()) or path,
        path=path,
        scores=scores,
        warnings=(),
        groups=tuple(_mean_groups(runs)),
        missing=tuple(dict.fromkeys(topic for run in runs for topic in run.missing)),
        tied=max(run.tied for run in runs),
        seeds=tuple(runs),
    )


def mean_score(scores: Sequence[Score]) -> Score:
    """Return the mean by topic over the scores of the runs of a system."""
    first = scores[0]
    values = np.mean([score.values for score in scores], axis=0)
    whole = float(np.mean([score.aggregate for score in scores]))
    if first.rule in BY_TOPIC:
        whole = over_topics(first, values)
    return replace(first, values=values, aggregate=whole, bounds=None, seeds=tuple(scores))


def _mean_groups(runs: Sequence[RunResult]) -> Iterable[GroupResult]:
    for of_runs in zip(*(run.groups for run in runs), strict=True):
        means = np.mean([group.aggregates for group in of_runs], axis=0)
        yield replace(of_runs[0], aggregates=tuple(means.tolist()))


def over_topics(score: Score, values: Any) -> float:
    """Return the value of a score over topics, from its values of topics alone."""
    rule = BY_VALUES_ALONE.get(score.rule)
    if rule is None:
        raise UsageError(
            f"{score.measure} cannot be taken over other values than those of a run: it is "
            f"aggregated by {score.rule}",
            expected="a measure that is a mean, a sum or a median over topics",
        )
    return rule(values)
