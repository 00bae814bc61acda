"""Evaluate the runs in production again, and report the changes by new judgments."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.commands.gate.new_baselines import (
    NewBaseline,
    chosen_suites,
    new_baseline,
    saved_run,
)
from rankeval.commands.gate.rules.rule import ROUNDING
from rankeval.commands.gate.suites.judged_suites import with_baselines
from rankeval.commands.gate.suites.suite import Suite
from rankeval.commands.gate.task import renewed_baseline
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.results import RunResult
from rankeval.evaluation.run_names import RunNames
from rankeval.evaluation.saved_results import load
from rankeval.io.sources.parts import is_remote, one_state
from rankeval.io.sources.seed_files import files_of_systems


@frozen
class RejudgedTopic:
    """The value of a topic before and after a change of judgments; None for a topic without one."""

    topic: str
    before: float | None
    after: float | None

    @property
    def size(self) -> float:
        """The distance of the values; infinite for a topic that came or went."""
        if self.before is None or self.after is None:
            return np.inf
        return abs(self.after - self.before)


@one_state()
def rebaseline(
    runs: Mapping[str, str | None] | None = None,
    config: str | None = None,
    *,
    qrels: str | None = None,
    allow_missing: bool = False,
    jobs: int | None = None,
) -> tuple[NewBaseline, ...]:
    r"""Evaluate the runs in production again after a change of judgments; write nothing.

    ============= ==========================================================================
    runs          {suite: run}, or {suite: None} for the run that its baseline was made of; by
                  default all suites of the file
    config        file of suites; by default the nearest one
    qrels         judgments in the place of those that the suites name
    allow_missing make new baselines of runs that lack judged topics, too
    jobs          threads; all processors by default
    ============= ==========================================================================

    InputError if a run is not there any more.

    >>> from pathlib import Path
    >>> from rankeval import evaluate, rebaseline
    >>> _ = Path("qrels.txt").write_text("q1 0 d1 1\n")
    >>> _ = Path("old.run").write_text("q1 Q0 d7 1 0.7 old\nq1 Q0 d1 2 0.5 old\n")
    >>> _ = evaluate("qrels.txt", "old.run", "RR").save("old.json")
    >>> _ = Path("qrels.txt").write_text("q1 0 d7 1\n")
    >>> _ = Path("rankeval.toml").write_text(
    ...     "qrels = 'qrels.txt'\nbaseline = 'old.json'\nruns = 'new.run'\n"
    ...     "rules.max-drop = {'RR' = 0.1}\n"
    ... )
    >>> [(new.before["RR"].aggregate, new.run["RR"].aggregate) for new in rebaseline()]
    [(0.5, 1.0)]
    """
    given = dict(runs or {})
    suites = chosen_suites(list(given), config)
    if qrels is not None:
        _require_one_collection(suites)
    return tuple(
        _renewed(single, given.get(suite.name), qrels, allow_missing=allow_missing, jobs=jobs)
        for suite in suites
        for single in with_baselines(suite)
    )


def _renewed(
    suite: Suite, run: str | None, qrels: str | None, *, allow_missing: bool, jobs: int | None
) -> NewBaseline:
    """Evaluate the run in production of a suite with one file of judgments."""
    held = saved_run(suite.files().baseline)
    path = run if run is not None else _production(suite, known=held is not None)
    of_production = replace(suite, runs=(path,), qrels=qrels or suite.qrels)
    name = held.name if held is not None and run is None else None
    results = renewed_baseline(
        of_production,
        run_names=RunNames(given=(name,)),
        jobs=jobs,
        allow_missing=allow_missing,
        new_judgments=True,
    )
    baseline = new_baseline(of_production, results)
    if run is None:
        _require_same_run(suite, path, baseline)
    return baseline


def _require_same_run(suite: Suite, path: str, baseline: NewBaseline) -> None:
    """Raise InputError if a run is not the one that a baseline was made of.

    A build may have written a candidate over it. Topics with the judgments that they had must have
    their values, too.
    """
    changed = baseline.results.qrels.changed_topics(load(baseline.path).qrels)
    if changed is None:  # a baseline of an earlier version, which has no digests of topics
        return
    differing = {*changed}
    for score in baseline.run.scores:
        for change in topic_changes(baseline, score.measure):
            both = change.before is not None and change.after is not None
            if change.topic not in differing and both and change.size > ROUNDING:
                raise InputError(
                    f"is not the run that {baseline.path} was made of: topic {change.topic} has "
                    f"the same judgments, and another {score.measure}",
                    place=path,
                    expected="the run in production, and not a candidate in its place",
                    remedy=f"name it: rankeval rebaseline {suite.name or 'SUITE'}=RUN",
                )


def _require_one_collection(suites: tuple[Suite, ...]) -> None:
    """Raise UsageError where new judgments would be those of several collections."""
    named = dict.fromkeys(suite.collections or suite.qrels for suite in suites)
    if any(suite.collections for suite in suites) or len(named) > 1:
        raise UsageError(
            f"one file cannot hold the judgments of {', '.join(map(str, named))}",
            place="--qrels",
            expected="suites that share their judgments, such as: rankeval rebaseline --qrels NEW "
            f"{suites[0].name}",
            remedy="or change qrels in the file of suites, and drop --qrels",
        )


def _production(suite: Suite, *, known: bool) -> str:
    """Return the path of the run that a baseline was made of; InputError where it is not there.

    `known` is True if the baseline holds values. The path is relative to the working directory, or
    else to the folder of the file of suites.
    """
    if not known:
        raise InputError(
            "holds no values of a run",
            place=suite.files().baseline,
            expected="a baseline that rankeval saved",
            remedy=f"name the run in production: rankeval rebaseline {suite.name or 'SUITE'}=RUN",
        )
    with Path(suite.files().baseline).open("rb") as stream:
        saved = str(json.load(stream)["runs"][0].get("path", ""))
    folder = Path(suite.source).parent
    for path in (saved, str(folder / saved)):
        if is_remote(path) or any(map(os.path.exists, files_of_systems([path]))):
            return path
    raise InputError(
        f"the run that the baseline was made of, {saved}, is not there",
        place=suite.files().baseline,
        remedy=f"name it: rankeval rebaseline {suite.name or 'SUITE'}=RUN",
    )


def topic_changes(baseline: NewBaseline, measure: str) -> Iterator[RejudgedTopic]:
    """Yield the topics whose value changed: new and removed topics, then the largest changes."""
    before = {} if baseline.before is None else _by_topic(baseline.before, measure)
    after = _by_topic(baseline.run, measure)
    changed = [
        RejudgedTopic(topic, before.get(topic), after.get(topic))
        for topic in dict.fromkeys([*before, *after])
        if before.get(topic) != after.get(topic)
    ]
    yield from sorted(changed, key=lambda change: -change.size)


def _by_topic(run: RunResult, measure: str) -> dict[str, float]:
    """Return the values of the topics that have one."""
    score = next((score for score in run.scores if score.measure == measure), None)
    if score is None:
        return {}
    values = zip(run.topics, score.values.tolist(), strict=True)
    return {topic: value for topic, value in values if not np.isnan(value)}
