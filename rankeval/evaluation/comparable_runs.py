"""Make runs comparable: the same judgments, measures, definitions and topics.

InputError names the difference between two evaluations. The values and ranks of several systems are
made from such runs.
"""

import os
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.wording import count, listed
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.prepared import asked_measures, facts_of, judgments_of, require_topics
from rankeval.evaluation.results import Notice, QrelsFacts, Results, RunResult, Score
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.saved_results import is_results_path, production_of, results_of
from rankeval.evaluation.settings import Settings, changes
from rankeval.measures import MeasuresLike, measure_names
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import (
    RunLike,
    RunsLike,
    file_given,
    name_given,
    refuse_stdin_twice,
    run_sources,
)

RunsOrResults = RunLike | Results | Sequence[RunLike | Results] | Mapping[str, RunLike | Results]
"""One run or saved results, several, or {name: run or results}."""

COMPARED_MEASURES = "nDCG@10 AP"
"""Default measures, for a baseline that holds no values."""


def runs_or_results(
    given: object, columns: Mapping[str, str]
) -> tuple[list[RunLike | Results], tuple[str | None, ...] | None]:
    """Return runs and saved results as a list, and the names of {name: run}, or None."""
    if isinstance(given, Results):
        return [given], None
    if isinstance(given, Mapping) and any(isinstance(one, Results) for one in given.values()):
        return list(given.values()), tuple(map(str, given))
    if isinstance(given, Sequence) and any(isinstance(one, Results) for one in given):
        return list(given), tuple(map(name_given, given))
    runs, names = run_sources(cast("RunsLike", given), columns)
    return [run if run.given is None else run.given for run in runs], names


def baseline_and_runs(
    baseline: object, runs: object, columns: Mapping[str, str], run_names: RunNames
) -> tuple[list[RunLike | Results], RunNames]:
    """Return the baseline and the runs or saved results, with the names of {name: run}.

    UsageError for no baseline, and for several.
    """
    first, of_first = runs_or_results(baseline, columns)
    rest, of_rest = runs_or_results(runs, columns)
    if len(first) != 1:
        raise UsageError(
            f"found {count(len(first), 'baseline')}",
            expected="one run",
            remedy="rankeval.evaluate(qrels, runs, measures).compare() compares several runs",
        )
    if of_first or of_rest:
        given = of_first or run_names.given_for(1)[:1]
        run_names = replace(run_names, given=[*given, *(of_rest or run_names.given[1:])])
    return [*first, *rest], run_names


def comparable_runs(
    qrels: QrelsLike,
    files: Sequence[RunLike | Results],
    measures: MeasuresLike | None,
    settings: Settings,
    evaluate: Callable[..., Results],
    run_names: RunNames = BY_TAG,
    *,
    of_gate: bool = False,
) -> list[RunResult]:
    """Return the runs of all files, in their order, with the same measures and topics.

    Saved results are taken as they are, of a gate only those of one run; `evaluate` evaluates the
    other files. InputError if some results cannot be compared with the others; that of a gate
    says how to make its baseline anew.
    """
    refuse_stdin_twice(qrels, *files)
    loaded = [results_of(file) for file in files]
    to_evaluate: list[RunLike] = [one for one in loaded if not isinstance(one, Results)]
    baseline = loaded[0] if isinstance(loaded[0], Results) else None
    of_baseline: list[str] = []
    if measures is None and baseline:
        held = [score.measure for score in baseline.runs[0].scores if score.has_topics]
        of_baseline = list(dict.fromkeys(held))
    given = of_baseline or measure_names(COMPARED_MEASURES if measures is None else measures)
    judgments = judgments_of(qrels, given, settings)
    asked = asked_measures(given, judgments, settings)
    require_topics(asked)
    # Without a run to evaluate, saved values are compared as they are.
    in_settings = [*dict.fromkeys(str(named.measure) for named in asked)]
    names = in_settings if to_evaluate or not of_baseline else of_baseline
    now = facts_of(judgments)
    advice = renewal(baseline, now, to_evaluate, names) if baseline and of_gate else ""
    for one in loaded:
        if isinstance(one, Results):
            own = advice if one is baseline else ""
            if of_gate and len(one.runs) != 1:
                problem = f"holds {len(one.runs)} runs"
                raise InputError(problem, place=one.runs[0].path, expected="one run")
            _require_same_judgments(one, now, own or "evaluate the run again with these judgments")
    evaluated = evaluate(judgments, to_evaluate, given).runs if to_evaluate else ()
    each = iter(evaluated)
    parts = [one.runs if isinstance(one, Results) else (next(each),) for one in loaded]
    given_names = zip(run_names.given_for(len(loaded)), parts, strict=True)
    run_names = replace(run_names, given=[name for name, part in given_names for _ in part])
    runs = run_names.name([run for part in parts for run in part])
    if settings.topics == "both":
        runs = over_common_topics(runs)
    remedy = advice or "evaluate the run again with -m and the same options, or name other measures"
    first, *others = (with_measures(run, names, remedy) for run in runs)
    alike = [first, *(_beside(first, run, advice) for run in others)]
    return alike


def way_to_test(scores: Iterable[Score]) -> str:
    """Return how to get scores that have a test; "" if all are plain means or sums."""
    for score in scores:
        if score.rule not in ("mean", "sum"):
            if "|weights:" in score.signature:
                return "evaluate the runs without weights: weighted means have no test"
            if "|aggregate:" in score.signature:
                return "evaluate the runs without --aggregate"
            return "name a measure that is averaged over topics, such as AP or nDCG@10"
    return ""


def _beside(first: RunResult, run: RunResult, advice: str) -> RunResult:
    """Return the run with topics in the order of the first; InputError if it is not comparable."""
    place = next((one.path for one in (run, first) if is_results_path(one.path)), run.path)
    for one, other in zip(first.scores, run.scores, strict=True):
        differences = [
            f"{name} is {before} for {first.name} and {after} for {run.name}"
            for name, before, after in changes(one.signature, other.signature)
        ]
        if differences:
            same = way_to_test([*first.scores, *run.scores]) or "evaluate both in the same way"
            raise InputError(
                f"{one.measure} is not defined in the same way: {'; '.join(differences)}",
                place=place,
                remedy=advice or same,
            )
    differences = [
        f"only {one.name} has {_listed(topics)}"
        for one, other in ((first, run), (run, first))
        if (topics := set(one.topics) - set(other.topics))
    ]
    if differences:
        raise InputError(
            f"the topics differ: {'; '.join(differences)}",
            place=place,
            remedy=advice or "evaluate both over the same topics",
        )
    return _over(run, first.topics)


def _require_same_judgments(saved: Results, now: QrelsFacts, remedy: str) -> None:
    """Raise InputError if saved results are of other judgments; it counts the topics, if it can."""
    if saved.qrels.digest != now.digest:
        changed = saved.qrels.changed_topics(now)
        counted = f"; {count(len(changed), 'topic')} changed: {_listed(changed)}" if changed else ""
        raise InputError(
            f"was evaluated with other judgments: {_described(saved.qrels)}; "
            f"now they are {_described(now)}{counted}",
            place=saved.runs[0].path,
            remedy=remedy,
        )


def renewal(
    saved: Results, qrels: QrelsFacts, candidates: Iterable[RunLike], measures: Sequence[str]
) -> str:
    """Return the advice to make a saved baseline anew of the run in production.

    It is to hold its measures and these. A candidate must not become the baseline unjudged, which
    would be the run that the baseline names where an accepted one has its name.
    """
    (run, *_) = saved.runs
    path = qrels.path if os.path.exists(qrels.path) else "NEW.qrels"  # noqa: PTH110  any text
    names = " ".join(dict.fromkeys([*(score.measure for score in run.scores), *measures]))
    production = production_of(run.path)
    judged = {os.path.realpath(path) for path in map(file_given, candidates) if path}
    if not production or os.path.realpath(production) in judged:
        production = "PRODUCTION.run"
    words = ["rankeval", "eval", path, production, "-q", "-o", run.path, "-m", names]
    otherwise = "restore what has changed"
    return f"{otherwise}, or evaluate the run in production again: {shlex.join(words)}"


def _described(qrels: QrelsFacts) -> str:
    numbers = f"{count(qrels.topics, 'topic')}, {count(qrels.judgments, 'judgment')}"
    return f"{numbers}, digest {qrels.digest}"


def _listed(topics: Iterable[str]) -> str:
    return listed([topic.encode("utf-8", "surrogateescape") for topic in sorted(topics)])


def with_measures(run: RunResult, names: Sequence[str], remedy: str) -> RunResult:
    """Return the run with some of its scores; InputError if it lacks one."""
    scores = {score.measure: score for score in run.scores}
    for name in names:
        if name not in scores:
            raise InputError(
                f"has no values of {name}",
                place=run.path,
                expected=f"one of {', '.join(scores)}",
                remedy=remedy,
            )
    return replace(run, scores=tuple(scores[name] for name in names))


def over_common_topics(runs: Sequence[RunResult]) -> list[RunResult]:
    """Return the runs over the topics that all have, with a notice that counts the others."""
    common = set(runs[0].topics).intersection(*(run.topics for run in runs[1:]))
    every = set().union(*(run.topics for run in runs))
    if not common:
        raise InputError("no topic that all runs have", place=runs[0].path)
    if len(common) == len(every):
        return list(runs)
    left_out = count(len(every - common), "topic")
    notice = Notice(f"{left_out} that not all runs have, left out: {_listed(every - common)}")
    return [
        replace(
            _over(run, [t for t in run.topics if t in common]), warnings=(*run.warnings, notice)
        )
        for run in runs
    ]


def _over(run: RunResult, topics: Sequence[str]) -> RunResult:
    """Return the run over these topics, in this order."""
    place = {topic: i for i, topic in enumerate(run.topics)}
    order = [place[topic] for topic in topics]
    fewer = len(order) < len(place)
    there = tuple(topics)
    scores = tuple(_of_topics(score, there, order, fewer=fewer) for score in run.scores)
    return replace(run, topics=there, scores=scores)


def _of_topics(
    score: Score, topics: tuple[str, ...], order: Sequence[int], *, fewer: bool
) -> Score:
    values = score.values[order]
    seeds = tuple(_of_topics(seed, topics, order, fewer=fewer) for seed in score.seeds)
    found = replace(score, values=values, topics=topics, seeds=seeds)
    if not fewer:
        return found
    aggregate = np.nansum(values) if score.rule == "sum" else np.nanmean(values)
    return replace(found, aggregate=float(aggregate))


TESTED = ("mean", "sum")
"""Rules of aggregation whose values over topics can be tested in pairs."""


def values_by_system(runs: Sequence[RunResult], place: int) -> Floats:
    """Return the values of the runs in one of their measures, more being better, (topics, runs).

    UsageError if the runs have different topics.
    """
    if len({run.topics for run in runs}) > 1:
        raise UsageError(
            "the runs have different topics, which cannot be compared",
            expected="--topics judged",
        )
    scores = [run.scores[place] for run in runs]
    found = np.stack([score.values for score in scores], axis=1)
    return -found if scores[0].loss else found


def rank_of(system: int, gains: Floats) -> int | None:
    """Return the rank of a system, equal ones being at the same rank; None for NaN."""
    gain = gains[system]
    return None if np.isnan(gain) else 1 + int((gains > gain).sum())


def ranks_of(gains: Floats) -> list[int | None]:
    """Return the rank of each system, as `rank_of` does."""
    return [rank_of(system, gains) for system in range(len(gains))]


def aggregates(runs: Sequence[RunResult], place: int) -> Floats:
    """Return the value over all topics of each run in one measure, more being better."""
    scores = [run.scores[place] for run in runs]
    return np.array([-score.aggregate if score.loss else score.aggregate for score in scores])
