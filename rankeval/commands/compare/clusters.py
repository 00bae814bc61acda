"""Topics in clusters, such as variants of one question: compare the means of clusters."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from rankeval.base.arrays import Integers
from rankeval.errors import UsageError
from rankeval.evaluation.aggregation import GroupsLike, aggregation
from rankeval.evaluation.results import RunResult, Score
from rankeval.measures.declare.facts import mean


def over_clusters(runs: Sequence[RunResult], clusters: GroupsLike) -> list[RunResult]:
    """Return runs whose topics are clusters, with the means of their topics' values.

    Topics of a cluster depend on each other, and count as more evidence than they are; means of
    clusters are independent. A topic without a cluster is one by itself. UsageError for runs of
    several seeds, and if there is one cluster only.
    """
    table = aggregation(None, None, clusters)
    topics = [topic.encode("utf-8", "surrogateescape") for topic in runs[0].topics]
    table.require_groups(topics)
    cluster: Mapping[bytes, str] = table.groups.by_topic if table.groups else {}
    named = zip(topics, runs[0].topics, strict=True)
    keys = [(topic in cluster, cluster.get(topic, name)) for topic, name in named]
    number = {key: i for i, key in enumerate(dict.fromkeys(keys))}
    if len(number) < 2:
        raise UsageError("all topics are in one cluster", expected="two clusters or more")
    if seeded := [run.name for run in runs if run.seeds]:
        raise UsageError(
            f"{seeded[0]} is a system of several runs, whose topics cannot be in clusters",
            expected="one run of each system",
        )
    of = np.array([number[key] for key in keys])
    names = tuple(name for _, name in number)
    return [
        replace(
            run,
            topics=names,
            judged=len(names),
            scores=tuple(_means(score, of, names) for score in run.scores),
        )
        for run in runs
    ]


def _means(score: Score, of: Integers, names: tuple[str, ...]) -> Score:
    """Return a score by cluster; NaN where it is undefined for all topics of one."""
    known = ~np.isnan(score.values)
    n = np.bincount(of[known], minlength=len(names))
    total = np.bincount(of[known], weights=score.values[known], minlength=len(names))
    values = np.where(n > 0, total / np.maximum(n, 1), np.nan)
    return replace(score, values=values, aggregate=mean(values), topics=names)
