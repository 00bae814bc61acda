"""Names of runs, all distinct, and systems of several runs: their mean, and its spread.

A run is called by the first of its tag, the name of its file and its path that no other run has.
"""

from collections.abc import Sequence
from itertools import chain, count, islice
from typing import Any

import numpy as np

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen, replace
from rankeval.choices import NamingRule
from rankeval.errors import UsageError
from rankeval.evaluation.results import RunResult, Score
from rankeval.io.blocks import COMPRESSED, display_name
from rankeval.io.files import SEED, STDIN, naming_path, runs_of_system
from rankeval.io.formats import FORMATS
from rankeval.measures.facts import BY_VALUES_ALONE
from rankeval.ranking.run_source import RunLike, RunSource, Seeds, file_given

RULES = ("tag", "stem", "path")


@checked
@frozen
class RunNames:
    """The choice of names for runs; all names of an evaluation are distinct.

    ===== ================================================================================
    rule  tag: the tag in the file or, if another run has it or there is none, as for stem;
          stem: the name of the file without its endings or, if another run has it, the path;
          path: the path
    given names for some of the runs, in their order; None leaves a name to the rule
    ===== ================================================================================

    A run that still has the name of an earlier one gets a number behind it.

    Raises UsageError for a rule that does not exist, and if two runs are given one name.

    Example: `rankeval.evaluate("qrels.txt", ["a.run", "b.run"], run_names=RunNames("stem"))`.
    """

    rule: NamingRule = "tag"
    given: Sequence[str | None] = ()

    def __post_init__(self) -> None:
        for name in filter(None, self.given):
            if (times := list(self.given).count(name)) > 1:
                remedy = "give each run a name of its own"
                raise UsageError(f"{times} runs are named '{name}'", remedy=remedy)

    def given_for(self, number: int) -> list[str | None]:
        """Return the given names of a number of runs, None for a run without one."""
        return [*self.given, *[None] * (number - len(self.given))]

    def name(self, runs: Sequence[RunResult]) -> list[RunResult]:
        """Return the runs with their names; results call a run without a tag by its path."""
        tags = ["" if run.name == display_name(run.path) else run.name for run in runs]
        names = self.names(tags, [run.path for run in runs])
        return [*map(_renamed, runs, names)]

    def names(self, tags: Sequence[str], paths: Sequence[str]) -> list[str]:
        """Return the names of runs; an absent tag is "", and so is the path of a run in memory."""
        files = ["stdin" if path == STDIN else path for path in paths]
        levels = [tags, [*map(_stem, paths)], files][RULES.index(self.rule) :]
        names = self.given_for(len(tags))
        taken = {name for name in names if name is not None}
        for i in [i for i, name in enumerate(names) if name is None]:
            own = (level[i] for level in levels if level[i] and level.count(level[i]) == 1)
            name = next(own, files[i] or tags[i] or "run")
            numbered = (f"{name} ({number})" for number in count(2))
            names[i] = name = next(one for one in chain([name], numbered) if one not in taken)
            taken.add(name)
        return [*map(str, names)]


def _renamed(run: RunResult, name: str) -> RunResult:
    """Return a copy whose warnings are still made when they are read, unlike `replace`."""
    copied = object.__new__(RunResult)
    vars(copied).update(vars(run), name=name)
    return copied


def _stem(path: str) -> str:
    """Return the name of a file without the endings of formats and of compression."""
    if path in ("", STDIN):
        return path and "stdin"
    from pathlib import PurePath  # runs in memory have no path

    stem = PurePath(naming_path(path)).name
    endings = {*COMPRESSED}.union(*(form.suffixes for form in FORMATS.values()))
    while (ending := PurePath(stem).suffix) and ending.lower() in endings:
        stem = stem[: -len(ending)]
    return stem


BY_TAG = RunNames()
"""The usual names of runs."""


def own_or(run_names: RunNames, own: Sequence[str | None] | None) -> RunNames:
    """Return the names that come with the runs, if any of them has one, or else `run_names`."""
    return replace(run_names, given=own) if own and any(own) else run_names


def members(run: RunLike) -> list[RunLike]:
    """Return the runs of `Seeds` or of a path with {seed}; of any other run, itself."""
    source = RunSource.of(run)
    if isinstance(source.given, Seeds):
        return [*source.given.runs]
    return [*runs_of_system(source.path)] if SEED in source.path and source.is_file else [run]


def of_systems(
    found: Sequence[RunResult], given: Sequence[RunLike], systems: Sequence[Sequence[object]]
) -> list[RunResult]:
    """Return a result for each system, from those of its runs; `given` is what names a system."""
    each = iter(found)
    return [
        next(each) if len(runs) == 1 else averaged([*islice(each, len(runs))], file_given(one))
        for one, runs in zip(given, systems, strict=True)
    ]


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
    tags = {"" if run.name == display_name(run.path) else run.name for run in runs}
    of_groups = zip(*(run.groups for run in runs), strict=True)
    return replace(
        first,
        name=(len(tags) == 1 and tags.pop()) or path,
        path=path,
        scores=tuple(map(mean_score, zip(*(run.scores for run in runs), strict=True))),
        warnings=(),
        groups=tuple(
            replace(one[0], aggregates=(*np.mean([g.aggregates for g in one], axis=0).tolist(),))
            for one in of_groups
        ),
        missing=tuple(dict.fromkeys(topic for run in runs for topic in run.missing)),
        tied=max(run.tied for run in runs),
        seeds=tuple(_renamed(run, run.path or f"seed {n}") for n, run in enumerate(runs, 1)),
    )


def mean_score(scores: Sequence[Score]) -> Score:
    """Return the mean by topic over the scores of the runs of a system."""
    first = scores[0]
    values = np.mean([score.values for score in scores], axis=0)
    whole = float(np.mean([score.aggregate for score in scores]))
    if first.rule in ("mean", "sum"):  # the value of the means is the mean of the values
        whole = over_topics(first, values)
    return replace(first, values=values, aggregate=whole, bounds=None, seeds=tuple(scores))


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
