"""Make runs comparable: the same judgments, measures, definitions and topics.

InputError names the difference between two evaluations.
"""

import os
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, cast

import numpy as np

from rankeval.base.wording import count, listed
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.conventions import changes
from rankeval.evaluation.prepared import asked_measures, facts_of, judgments_of, require_topics
from rankeval.evaluation.results import Notice, QrelsFacts, Results, RunResult, Score
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.saved_results import production_of, results_of
from rankeval.evaluation.settings import Settings
from rankeval.measures import MeasuresLike, measure_names
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import (
    RunLike,
    RunsLike,
    name_given,
    refuse_stdin_twice,
    run_sources,
)

RunsOrResults = RunLike | Results | Sequence[RunLike | Results] | Mapping[str, RunLike | Results]
"""One run or saved results, several, or {name: run or results}."""

COMPARED_MEASURES = "nDCG@10 AP"
"""Default measures, for a baseline that holds no values."""


class _Side(NamedTuple):
    """An evaluated run, and its name in messages."""

    run: RunResult
    called: str


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
        raise UsageError(f"found {count(len(first), 'baseline')}", expected="one run")
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
) -> list[RunResult]:
    """Return the runs of all files, in their order, with the same measures and topics.

    Saved results are taken as they are; `evaluate` evaluates the other files. InputError if
    some results cannot be compared with the others.
    """
    refuse_stdin_twice(qrels, *files)
    loaded = [results_of(file) for file in files]
    saved = [run for run in loaded if isinstance(run, Results)]
    to_evaluate: list[RunLike] = [one for one in loaded if not isinstance(one, Results)]
    of_baseline = (
        list(dict.fromkeys(score.measure for score in loaded[0].runs[0].scores if score.has_topics))
        if measures is None and isinstance(loaded[0], Results)
        else []
    )
    given = of_baseline or measure_names(COMPARED_MEASURES if measures is None else measures)
    judgments = judgments_of(qrels, given, settings)
    asked = asked_measures(given, judgments, settings)
    require_topics(asked)
    # Without a run to evaluate, saved values are compared as they are.
    in_settings = [str(named.measure) for named in asked]
    names = in_settings if to_evaluate or not of_baseline else of_baseline
    now = facts_of(judgments)
    for one in saved:
        require_same_judgments(one, now, "evaluate the run again with these judgments")
    evaluated = iter(evaluate(judgments, to_evaluate, given).runs if to_evaluate else ())
    runs = [
        run
        for one in loaded
        for run in (one.runs if isinstance(one, Results) else (next(evaluated),))
    ]
    named: list[str | None] = [
        name
        for name, one in zip(run_names.given_for(len(loaded)), loaded, strict=True)
        for _ in (one.runs if isinstance(one, Results) else [one])
    ]
    if settings.topics == "both":
        runs = over_common_topics(runs)
    remedy = "evaluate the run again with -m and the same options, or name other measures"
    first, *others = (with_measures(run, names, remedy) for run in runs)
    alike = [first, *(_beside(first, run) for run in others)]
    return replace(run_names, given=named).systems(alike)


def comparable_run(
    saved: Results, qrels: QrelsFacts, beside: RunResult, called: str, candidates: Iterable[str]
) -> RunResult:
    """Return the run of a saved evaluation, with the topics and measures of a gate's other run.

    `candidates` are the files of runs that are judged.
    InputError names the change since: judgments, topics, or the definition of a measure.
    """
    is_baseline = called == "the baseline"
    names = [score.measure for score in beside.scores]
    remedy = "evaluate the run again, in the same way"
    if is_baseline:
        remedy = renewal(saved, qrels, candidates, names)
    if len(saved.runs) != 1:
        raise InputError(
            f"holds {len(saved.runs)} runs",
            place=saved.runs[0].path,
            expected=f"the one run that is {called}",
        )
    require_same_judgments(saved, qrels, remedy)
    found = with_measures(
        saved.runs[0],
        names,
        renewal(saved, qrels, candidates, names, "drop the rule")
        if is_baseline
        else "evaluate the run again with -m, or drop the rule",
    )
    _require_same_definitions_and_topics(
        _Side(found, called), _Side(beside, "this gate"), place=found.path, remedies=(remedy,) * 2
    )
    # Saved values do not say what range they are from.
    spans = {score.measure: score.span for score in beside.scores}
    scores = tuple(replace(score, span=spans[score.measure]) for score in found.scores)
    return _over(replace(found, scores=scores), beside.topics)


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


def _beside(first: RunResult, run: RunResult) -> RunResult:
    """Return the run with topics in the order of the first; InputError if it is not comparable."""
    same = way_to_test([*first.scores, *run.scores]) or "evaluate both in the same way"
    _require_same_definitions_and_topics(
        _Side(first, first.name),
        _Side(run, run.name),
        place=run.path,
        remedies=(same, "evaluate both over the same topics"),
    )
    return _over(run, first.topics)


def require_same_judgments(saved: Results, now: QrelsFacts, remedy: str) -> None:
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
    saved: Results,
    qrels: QrelsFacts,
    candidates: Iterable[str],
    measures: Sequence[str],
    otherwise: str = "restore what has changed",
) -> str:
    """Return the advice to make a saved baseline anew of the run in production.

    It is to hold its measures and these. A candidate must not become the baseline unjudged, which
    would be the run that the baseline names where an accepted one has its name.
    """
    (run, *_) = saved.runs
    path = qrels.path if os.path.exists(qrels.path) else "NEW.qrels"  # noqa: PTH110  any text
    names = " ".join(dict.fromkeys([*(score.measure for score in run.scores), *measures]))
    production = production_of(run.path)
    if not production or os.path.realpath(production) in map(os.path.realpath, candidates):
        production = "PRODUCTION.run"
    words = ["rankeval", "eval", path, production, "-q", "-o", run.path, "-m", names]
    return f"{otherwise}, or evaluate the run in production again: {shlex.join(words)}"


def _described(qrels: QrelsFacts) -> str:
    numbers = f"{count(qrels.topics, 'topic')}, {count(qrels.judgments, 'judgment')}"
    return f"{numbers}, digest {qrels.digest}"


def _require_same_definitions_and_topics(
    first: _Side, second: _Side, *, place: str, remedies: tuple[str, str]
) -> None:
    """Raise InputError at `place`; the remedies are for other definitions and for other topics."""
    for one, other in zip(first.run.scores, second.run.scores, strict=True):
        differences = [
            f"{change.name} is {change.before} for {first.called} and {change.after} for "
            f"{second.called}"
            for change in changes(one.signature, other.signature)
        ]
        if not differences and one.rule != other.rule:
            differences = [
                f"aggregated by {one.rule} for {first.called} and {other.rule} for {second.called}"
            ]
        if differences:
            raise InputError(
                f"{one.measure} is not defined in the same way: {'; '.join(differences)}",
                place=place,
                remedy=remedies[0],
            )
    differences = [
        f"only {one.called} has {_listed(topics)}"
        for one, other in ((first, second), (second, first))
        if (topics := set(one.run.topics) - set(other.run.topics))
    ]
    if differences:
        raise InputError(
            f"the topics differ: {'; '.join(differences)}", place=place, remedy=remedies[1]
        )


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
    scores = tuple(_of_topics(score, order, fewer=fewer) for score in run.scores)
    return replace(run, topics=tuple(topics), scores=scores)


def _of_topics(score: Score, order: Sequence[int], *, fewer: bool) -> Score:
    values = score.values[order]
    seeds = tuple(_of_topics(seed, order, fewer=fewer) for seed in score.seeds)
    if not fewer:
        return replace(score, values=values, seeds=seeds)
    aggregate = np.nansum(values) if score.rule == "sum" else np.nanmean(values)
    return replace(score, values=values, aggregate=float(aggregate), seeds=seeds)
