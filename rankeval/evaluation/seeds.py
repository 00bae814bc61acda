"""Systems of several runs, such as one for each random seed: their mean, and its spread."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, takewhile
from typing import Any

import numpy as np

from rankeval.errors import UsageError
from rankeval.evaluation.results import FailedRun, GroupResult, RunResult, Score
from rankeval.io.sources.blocks import display_name
from rankeval.io.sources.parts import SEED
from rankeval.io.sources.seed_files import runs_of_system
from rankeval.measures.declare.facts import BY_VALUES_ALONE
from rankeval.ranking.run_source import RunLike, RunSource, Seeds, file_given

BY_TOPIC = ("mean", "sum")
"""Rules by which the value of topics' means over runs is the mean of the runs' values."""


def members(run: RunLike) -> list[RunLike]:
    """Return the runs of `Seeds` or of a path with {seed}; of any other run, itself."""
    source = RunSource.of(run)
    if isinstance(source.given, Seeds):
        return [*source.given.runs]
    return [*runs_of_system(source.path)] if SEED in source.path and source.is_file else [run]


def system_path(run: RunLike) -> str:
    """Return the path of a system: as given, or the one that its files share."""
    return file_given(run) or shared_path([*map(file_given, members(run))])


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
    found: Sequence[RunResult | FailedRun],
    runs: Sequence[RunLike],
    sizes: Sequence[int],
    named: Callable[[Sequence[RunResult]], Sequence[RunResult]],
) -> list[RunResult | FailedRun]:
    """Return a result for each system, from those of its runs; the first error of a failed one.

    `sizes` are the numbers of runs of the systems, and `named` returns all runs with their names.
    """
    if len(found) == len(runs):
        return [*found]
    names = iter(named([result for result in found if isinstance(result, RunResult)]))
    labelled = [next(names) if isinstance(result, RunResult) else result for result in found]
    systems: list[RunResult | FailedRun] = []
    for run, size, end in zip(runs, sizes, accumulate(sizes), strict=True):
        part = slice(end - size, end)
        failed = [result for result in found[part] if isinstance(result, FailedRun)]
        if size == 1 or failed:
            systems.append(failed[0] if failed else found[end - 1])
            continue
        results = [result for result in found[part] if isinstance(result, RunResult)]
        seeds = [result for result in labelled[part] if isinstance(result, RunResult)]
        systems.append(replace(averaged(results, system_path(run)), seeds=tuple(seeds)))
    return systems


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
