"""The sides of a gate: a baseline, a golden baseline and candidates, with their values."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.commands.gate.run_patterns import runs_of_system
from rankeval.commands.gate.tie_extremes import Extremes
from rankeval.errors import UsageError
from rankeval.evaluation.aggregation import aggregation
from rankeval.evaluation.comparable_runs import comparable_run
from rankeval.evaluation.evaluate import evaluate, results_of_runs
from rankeval.evaluation.prepared import Prepared, asked_measures
from rankeval.evaluation.reading import Reading
from rankeval.evaluation.results import Results, RunResult, Score
from rankeval.evaluation.run_names import RunNames
from rankeval.evaluation.saved_results import results_of
from rankeval.evaluation.settings import Settings
from rankeval.evaluation.signature import signature_of
from rankeval.measures.declare.aggregates import BY_VALUES_ALONE
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.run_source import RunLike, RunSource, file_given

Source = RunLike | Results
Orders = Callable[..., Extremes]
"""Scores a run with its ties broken for it and against it."""


@frozen(eq=False)
class System:
    """The result of a run, or the mean over several runs of one system, which are its `seeds`."""

    run: RunResult
    seeds: tuple[RunResult, ...] = ()


@frozen(eq=False)
class Side:
    """A system with its values under other orders of equal scores.

    system       its values in the order that was asked for
    favourable   with ties broken in its favour
    unfavourable with ties broken against it
    all_equal    True if the scores of one of its runs tell no two documents of a topic apart
    saved        True for saved results, which do not tell what other orders give
    """

    system: System
    favourable: System
    unfavourable: System
    all_equal: bool = False
    saved: bool = False


@frozen(eq=False)
class Sides:
    """All sides of a gate.

    `runs` are the runs that were evaluated or loaded, with their warnings, and `results` the
    evaluation, of no run where all values were saved.
    """

    baseline: Side
    candidates: tuple[Side, ...]
    golden: Side | None
    runs: tuple[RunResult, ...]
    results: Results


def loaded_sides(
    qrels: Qrels,
    baseline: Source,
    candidates: Sequence[Source],
    golden: Source | None,
    measures: str,
    drifting: str,
    settings: Settings,
    run_names: RunNames,
    orders: Orders,
    how: dict[str, Any],
) -> Sides:
    """Evaluate or load the runs of a gate, and make them comparable.

    `drifting` are the measures of the golden baseline, and `orders` scores a run with its ties
    broken. InputError if saved values are not of these judgments, topics, measures or conventions.
    """
    given = run_names.given_for(len(candidates) + 1)
    systems = [
        _sources([baseline], settings, how, seeds=True),
        *(_sources([c], settings, how, seeds=True) for c in candidates),
    ]
    flat = [
        (source, name if len(sources) == 1 else None)
        for sources, name in zip(systems, given, strict=True)
        for source in sources
        if not isinstance(source, Results)
    ]
    reading: Reading = how["reading"]
    if flat:
        named = replace(run_names, given=[name for _, name in flat])
        files = [source for source, _ in flat]
        results = evaluate(qrels, files, measures, settings, run_names=named, **how)
        beside, called = results.runs[0], "the candidate"
    else:
        nothing = Prepared(qrels, settings=settings, reading=reading)
        results = results_of_runs(nothing, [])
        beside = _expected(qrels, measures, settings, reading, systems[0][0])
        called = "this gate"
    evaluated = iter(results.runs)
    found: list[list[RunResult]] = []
    for number, sources in enumerate(systems):
        words = "the baseline" if number == 0 else "the candidate"
        other = "the baseline" if number and called != "this gate" else called
        found.append(
            [
                comparable_run(source, results.qrels, beside, words, other)
                if isinstance(source, Results)
                else next(evaluated)
                for source in sources
            ]
        )
    runs = [
        _system(of_one, path) for of_one, path in zip(found, [baseline, *candidates], strict=True)
    ]
    if any(len(sources) > 1 or isinstance(sources[0], Results) for sources in systems):
        renamed = replace(run_names, given=given).name([one.run for one in runs])
        runs = [replace(one, run=run) for one, run in zip(runs, renamed, strict=True)]
    sides = [_side(one, sources, orders) for one, sources in zip(runs, systems, strict=True)]
    saved = [
        one.run
        for one, sources in zip(runs[1:], systems[1:], strict=True)
        if isinstance(sources[0], Results)
    ]
    single = {
        id(of_one[0]): one.run for of_one, one in zip(found, runs, strict=True) if len(of_one) == 1
    }
    shown = [single.get(id(run), run) for run in results.runs]
    return Sides(
        baseline=sides[0],
        candidates=tuple(sides[1:]),
        golden=_golden(qrels, golden, drifting, settings, runs[0].run, results, orders, how),
        runs=(*shown, *saved),
        results=results,
    )


def _golden(
    qrels: Qrels,
    golden: Source | None,
    measures: str,
    settings: Settings,
    beside: RunResult,
    results: Results,
    orders: Orders,
    how: dict[str, Any],
) -> Side | None:
    """Evaluate or load the golden baseline for the measures of its rules; None if it has none."""
    if golden is None or not measures:
        return None
    (source,) = _sources([golden], settings, how)
    if not isinstance(source, Results):
        run = evaluate(qrels, [source], measures, settings, **how).runs[0]
        return _side(System(run), [source], orders)
    asked = asked_measures(measures, qrels, settings)
    names = {str(one.measure) for one in asked}
    only = replace(beside, scores=tuple(one for one in beside.scores if one.measure in names))
    words = "the golden baseline"
    return _side(
        System(comparable_run(source, results.qrels, only, words, "the baseline")), [source], orders
    )


def _sources(
    given: Sequence[Source], settings: Settings, how: dict[str, Any], *, seeds: bool = False
) -> list[Any]:
    """Return saved results, and runs that can be read again; several for a path with {seed}."""
    form = settings.form(how["reading"].run())
    runs_of = _runs_of if seeds else lambda source: [source]
    found = [results_of(run) for source in given for run in runs_of(source)]
    return [
        one if isinstance(one, Results) else RunSource.of(one).again(form, jobs=how["jobs"])
        for one in found
    ]


def _runs_of(source: Source) -> Sequence[Source]:
    """Return the runs of a path with {seed}; another source as it is."""
    path = file_given(source)
    return runs_of_system(path) if path else [source]


def _system(runs: Sequence[RunResult], source: Source) -> System:
    if len(runs) == 1:
        return System(runs[0])
    return System(averaged(runs, file_given(source)), tuple(runs))


def averaged(runs: Sequence[RunResult], path: str) -> RunResult:
    """Return the mean by topic over the runs of one system; NaN where one of them has no value.

    UsageError for a measure that is not a function of the values of topics alone.
    """
    first = runs[0]
    scores = []
    for i, score in enumerate(first.scores):
        values = np.mean([run.scores[i].values for run in runs], axis=0)
        scores.append(replace(score, values=values, aggregate=over_topics(score, values)))
    missing = dict.fromkeys(topic for run in runs for topic in run.missing)
    return replace(
        first,
        name=path,
        path=path,
        scores=tuple(scores),
        warnings=(),
        missing=tuple(missing),
        tied=max(run.tied for run in runs),
    )


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


def _side(system: System, sources: Sequence[Any], orders: Orders) -> Side:
    """Score the runs whose scores tie with the ties broken."""
    saved = any(isinstance(source, Results) for source in sources)
    if not system.run.tied:
        return Side(system, system, system, saved=saved)
    runs = system.seeds or (system.run,)
    extremes = [
        Extremes(run, run, all_equal=False)
        if not run.tied or isinstance(source, Results)
        else orders(run=source)
        for run, source in zip(runs, sources, strict=True)
    ]
    return Side(
        system,
        _like(system, [one.favourable for one in extremes]),
        _like(system, [one.unfavourable for one in extremes]),
        all_equal=any(one.all_equal for one in extremes),
        saved=saved,
    )


def _like(system: System, runs: Sequence[RunResult]) -> System:
    if not system.seeds:
        return System(runs[0])
    whole = averaged(runs, system.run.path)
    return System(replace(whole, name=system.run.name), tuple(runs))


def _expected(
    qrels: Qrels, measures: str, settings: Settings, reading: Reading, saved: Results
) -> RunResult:
    """Return a run without values that has the measures and conventions of this gate."""
    asked = asked_measures(measures, qrels, settings)
    over = aggregation(settings.aggregate, None, None)
    of_saved = {one.measure: one for one in saved.runs[0].scores}
    scores = []
    for named in asked:
        name, definition = str(named.measure), named.measure.definition
        signature = signature_of(named.measure, settings, over, qrels.digest, (), reading)
        if named.measure.considers and name in of_saved:  # optional data, which runs bring along
            signature = of_saved[name].signature
        scores.append(
            Score(
                measure=name,
                as_given=named.as_given,
                values=np.full(len(saved.runs[0].topics), np.nan),
                aggregate=float("nan"),
                rule=over.rule_for(definition).name,
                loss=definition.loss,
                signature=signature,
                span=named.measure.range if np.isfinite(named.measure.range).all() else None,
            )
        )
    return replace(saved.runs[0], scores=tuple(scores))
