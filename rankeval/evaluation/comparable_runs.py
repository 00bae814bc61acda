"""Make runs comparable: the same judgments, measures, definitions and topics.

InputError names the difference between two evaluations. The values and ranks of several systems are
made from such runs.
"""

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence, ValuesView
from typing import Any

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import replace
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
    file_given,
    name_given,
    refuse_stdin_twice,
    run_sources,
)

RunsOrResults = RunLike | Results | Sequence[RunLike | Results] | Mapping[str, RunLike | Results]
"""One run or saved results, several, or {name: run or results}."""

COMPARED_MEASURES = "nDCG@10 AP"
"""Default measures, for a baseline that holds no values."""


TESTED = ("mean", "sum")
"""Rules of aggregation whose values over topics can be tested in pairs."""


def runs_or_results(
    given: Any, columns: Mapping[str, str]
) -> tuple[list[RunLike | Results], Sequence[str | None] | None]:
    """Return runs and saved results as a list, and the names of {name: run}, or None."""
    one = isinstance(given, Results)
    named = isinstance(given, Mapping) and not one
    each = [given] if one else given.values() if named else given
    if isinstance(each, Sequence | ValuesView) and any(isinstance(run, Results) for run in each):
        names = [*map(str if named else name_given, given if named else each)]
        return [*each], names if any(names) else None
    runs, of_runs = run_sources(given, columns)
    return [run if run.given is None else run.given for run in runs], of_runs


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


ALIKE = "evaluate all with the same judgments, measures and options"


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
    baseline = loaded[0] if isinstance(loaded[0], Results) else None
    of_baseline: list[str] = []
    if measures is None and baseline:
        of_baseline = [score.measure for score in baseline.runs[0].scores if score.has_topics]
    given = of_baseline or measure_names(COMPARED_MEASURES if measures is None else measures)
    judgments = judgments_of(qrels, given, settings)
    asked = asked_measures(given, judgments, settings)
    require_topics(asked)
    names, now = [str(named.measure) for named in asked], facts_of(judgments)
    to_evaluate = [one for one in loaded if not isinstance(one, Results)]
    if of_baseline and not to_evaluate:
        names = of_baseline  # saved values are compared as they are
    names = [*dict.fromkeys(names)]
    candidates = [*map(file_given, to_evaluate)]
    remedy = renewal(baseline, now, names, candidates) if baseline and of_gate else ALIKE
    evaluated = iter(evaluate(judgments, to_evaluate, given).runs if to_evaluate else ())
    parts = []
    for one in loaded:
        if isinstance(one, Results):
            if of_gate and len(one.runs) != 1:
                problem = f"holds {len(one.runs)} runs"
                raise InputError(problem, place=one.runs[0].path, expected="one run")
            _require_same_judgments(one, now, remedy)
        parts.append(one.runs if isinstance(one, Results) else (next(evaluated),))
    each = zip(run_names.given_for(len(parts)), parts, strict=True)
    run_names = replace(run_names, given=[name for name, part in each for _ in part])
    runs = run_names.name([run for part in parts for run in part])
    if settings.topics == "both":
        runs = over_common_topics(runs)
    first, *others = (with_measures(run, names, remedy) for run in runs)
    return [first, *(_beside(first, run, remedy) for run in others)]


TESTABLE = (
    "weighted means have no test, nor what --aggregate makes: name measures that are averaged over "
    "topics, such as AP or nDCG@10"
)


def way_to_test(scores: Iterable[Score]) -> str:
    """Return how to get scores that have a test; "" if all are plain means or sums."""
    return "" if all(score.rule in TESTED for score in scores) else TESTABLE


def _beside(first: RunResult, run: RunResult, remedy: str) -> RunResult:
    """Return the run with topics in the order of the first; InputError if it is not comparable."""
    place = first.path if is_results_path(first.path) else run.path
    for one, other in zip(first.scores, run.scores, strict=True):
        differences = [
            f"{name} is {before} for {first.name} and {after} for {run.name}"
            for name, before, after in changes(one.signature, other.signature)
        ]
        if differences:
            raise InputError(
                f"{one.measure} is not defined in the same way: {'; '.join(differences)}",
                place=place,
                remedy=way_to_test([*first.scores, *run.scores]) or remedy,
            )
    if odd := set(first.topics) ^ set(run.topics):
        problem = (
            f"the topics differ: {first.name} and {run.name} do not both have {listed(sorted(odd))}"
        )
        raise InputError(problem, place=place, remedy=remedy)
    return _over(run, first.topics)


def _require_same_judgments(saved: Results, now: QrelsFacts, remedy: str) -> None:
    """Raise InputError if saved results are of other judgments; it counts the topics, if it can."""
    if saved.qrels.digest != now.digest:
        changed = saved.qrels.changed_topics(now)
        counted = f"; {count(len(changed), 'topic')} changed: {listed(changed)}" if changed else ""
        before, after = (
            f"{count(one.topics, 'topic')}, {count(one.judgments, 'judgment')}, digest {one.digest}"
            for one in (saved.qrels, now)
        )
        raise InputError(
            f"was evaluated with other judgments: {before}; now they are {after}{counted}",
            place=saved.runs[0].path,
            remedy=remedy,
        )


def renewal(
    saved: Results, qrels: QrelsFacts, measures: Sequence[str], candidates: Sequence[str]
) -> str:
    """Return the advice to make a saved baseline anew of the run in production.

    It is to hold its measures and these. No candidate may become the baseline unjudged.
    """
    (run, *_) = saved.runs
    production = production_of(run.path)
    production = "" if production in candidates else production
    names = " ".join(dict.fromkeys([*(score.measure for score in run.scores), *measures]))
    files = qrels.path or "NEW.qrels", production or "PRODUCTION.run"
    words = ["rankeval", "eval", *files, "-q", "-o", run.path, "-m", names]
    again = f"evaluate the run in production again: {shlex.join(words)}"
    return f"restore what has changed, or {again}"


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
    notice = Notice(
        f"{left_out} that not all runs have, left out: {listed(sorted(every - common))}"
    )
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


def score_of(run: RunResult, measure: str) -> Score:
    """Return the score of a measure that the run has, by canonical name."""
    return next(score for score in run.scores if score.measure == measure)


def values_by_system(runs: Sequence[RunResult], place: int) -> Floats:
    """Return the values of the runs in one of their measures, more being better, (topics, runs).

    UsageError if the runs have different topics.
    """
    if len({run.topics for run in runs}) > 1:
        raise UsageError(
            "the runs have different topics, which cannot be compared", expected="--topics judged"
        )
    scores = [run.scores[place] for run in runs]
    found = np.stack([score.values for score in scores], axis=1)
    return -found if scores[0].loss else found


def rank_of(system: int, gains: Floats) -> int | None:
    """Return the rank of a system, equal ones being at the same rank; None for NaN."""
    gain = gains[system]
    return None if np.isnan(gain) else 1 + int((gains > gain).sum())


def aggregates(runs: Sequence[RunResult], place: int) -> Floats:
    """Return the value over all topics of each run in one measure, more being better."""
    scores = [run.scores[place] for run in runs]
    return np.array([-score.aggregate if score.loss else score.aggregate for score in scores])
