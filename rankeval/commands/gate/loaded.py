"""Load the input of a gate: runs with their values, topics in groups, and measured rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from rankeval.base.arrays import Integers
from rankeval.base.frozen import frozen
from rankeval.base.threads import usable_threads
from rankeval.commands.gate.decision import Decision
from rankeval.commands.gate.rules.all_kinds import parse_rule
from rankeval.commands.gate.rules.measured_rules import (
    MeasuredRule,
    measured_rules,
    require_every_topic,
    require_golden,
    require_one_run,
    rules_in_groups,
)
from rankeval.commands.gate.rules.rule import Rule
from rankeval.commands.gate.rules.rule_case import System
from rankeval.errors import UsageError
from rankeval.evaluation.aggregation import GroupsLike, aggregation
from rankeval.evaluation.comparable_runs import RunsOrResults, comparable_run, runs_or_results
from rankeval.evaluation.conventions import signature_of
from rankeval.evaluation.evaluate import evaluate, results_of_runs
from rankeval.evaluation.prepared import (
    CostsLike,
    Prepared,
    asked_measures,
    judgments_of,
    require_topics,
)
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import QrelsFacts, Results, RunResult, Score
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.saved_results import results_of
from rankeval.evaluation.seeds import averaged, members, system_path
from rankeval.evaluation.settings import Settings
from rankeval.measures import MeasuresLike, measure_names, parse_measures
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.run_source import RunLike, RunSource, name_given, refuse_stdin_twice

USUAL = Decision()
Source = RunLike | Results
Candidates = RunsOrResults
"""One candidate or several, or {name: candidate}: runs, or saved results."""


@frozen(eq=False)
class GateRequest:
    """The arguments of `gate`."""

    qrels: QrelsLike
    baseline: RunLike | Results
    candidates: Candidates
    rules: str | Rule | Iterable[str | Rule]
    settings: Settings
    golden: RunLike | Results | None = None
    groups: GroupsLike | None = None
    measures: MeasuresLike = ()
    decision: Decision = USUAL
    costs: CostsLike | None = None
    reading: Reading = AS_FOUND
    run_names: RunNames = BY_TAG
    jobs: int | None = None


@frozen(eq=False)
class Loaded:
    """All that a gate judges.

    request    the arguments of the gate
    baseline   the baseline, and so on
    golden     the golden baseline; None without rules about it
    runs       the runs that were evaluated or loaded, with their warnings
    qrels      the facts about the judgments
    groups     the indices of the topics of each group; empty without groups
    rules      the rules, in every group
    warnings   doubts about versions and groups
    """

    request: GateRequest
    baseline: System
    candidates: tuple[System, ...]
    golden: System | None
    runs: tuple[RunResult, ...]
    qrels: QrelsFacts
    groups: Mapping[str, Integers]
    rules: list[MeasuredRule]
    warnings: tuple[str, ...]

    @property
    def before(self) -> RunResult:
        """The baseline."""
        return self.baseline.run

    @property
    def after(self) -> list[RunResult]:
        """The candidates."""
        return [system.run for system in self.candidates]

    def compared_with(self, measured: MeasuredRule) -> System:
        """Return the system that a rule compares with: the baseline, or the golden one."""
        return self.golden if measured.kind.golden and self.golden else self.baseline


def loaded(request: GateRequest) -> Loaded:
    """Read and evaluate the runs of a gate; InputError or UsageError if they cannot be judged."""
    settings, golden, reading = request.settings, request.golden, request.reading
    asked = [request.rules] if isinstance(request.rules, str | Rule) else request.rules
    parsed = [rule if isinstance(rule, Rule) else parse_rule(rule) for rule in asked]
    rules = measured_rules(parsed, settings)
    run_names = request.run_names
    runs, given = runs_or_results(request.candidates, reading.run().columns)
    if not runs:
        raise UsageError("no candidate to judge", expected="one run or more")
    named = name_given(request.baseline)
    if given is not None or named:
        of_baseline = [named] if named else run_names.given_for(1)[:1]
        run_names = replace(run_names, given=[*of_baseline, *(given or run_names.given[1:])])
    require_every_topic(settings)
    require_golden([one.rule for one in rules], golden)
    paths = [request.baseline, *runs]
    require_one_run(rules, paths)
    refuse_stdin_twice(request.qrels, *paths, *([golden] if golden is not None else []))
    names = " ".join(
        dict.fromkeys([*(one.rule.measure for one in rules), *measure_names(request.measures)])
    )
    require_topics(parse_measures(names, settings.meanings))
    scoring = _Scoring(
        judgments_of(request.qrels, names, reading),
        names,
        settings,
        reading,
        request.costs,
        usable_threads(request.jobs),
    )
    systems, shown, results = _systems(scoring, paths, run_names)
    drifting = " ".join(dict.fromkeys(one.rule.measure for one in rules if one.kind.golden))
    before, first = (system.run for system in systems[:2])
    was, now = (run.scores[0].signature.partition("|")[0] for run in (before, first))
    versions = [f"{before.name}: written by {was}, compared by {now}"] if was != now else []
    labels = aggregation(None, None, request.groups)
    topics = [topic.encode("utf-8", "surrogateescape") for topic in before.topics]
    members = labels.members(topics)
    return Loaded(
        request=request,
        baseline=systems[0],
        candidates=tuple(systems[1:]),
        golden=_golden(scoring, golden, drifting, before, results.qrels)
        if golden is not None and drifting
        else None,
        runs=shown,
        qrels=results.qrels,
        groups=members,
        rules=rules_in_groups(rules, list(members)),
        warnings=(*versions, *labels.warnings(topics)),
    )


@frozen(eq=False)
class _Scoring:
    """The judgments, measures and rules by which the runs of a gate are evaluated."""

    judgments: Qrels
    names: str
    settings: Settings
    reading: Reading
    costs: CostsLike | None
    jobs: int

    def evaluated(
        self, runs: Sequence[RunSource], names: str, run_names: RunNames = BY_TAG
    ) -> Results:
        """Evaluate runs in measures."""
        return evaluate(
            self.judgments,
            runs,
            names,
            self.settings,
            run_names=run_names,
            costs=self.costs,
            reading=self.reading,
            jobs=self.jobs,
        )

    def source(self, source: Source) -> RunSource | Results:
        """Return saved results, or a run that can be read again."""
        found = results_of(source)
        if isinstance(found, Results):
            return found
        form = self.settings.form(self.reading.run())
        return RunSource.of(found).again(form, jobs=self.jobs)

    def sources(self, given: Source) -> list[RunSource | Results]:
        """Return the source of a run; those of several runs for `Seeds` and a path with {seed}."""
        runs = [given] if isinstance(given, Results) else members(given)
        return [self.source(run) for run in runs]


def _systems(
    scoring: _Scoring, paths: Sequence[Source], run_names: RunNames
) -> tuple[list[System], tuple[RunResult, ...], Results]:
    """Evaluate or load the baseline and the candidates, and make them comparable.

    Return them, the runs that were evaluated or loaded, with their warnings, and the evaluation,
    of no run where all values were saved. InputError if saved values are not of these judgments,
    topics, measures or conventions.
    """
    given = run_names.given_for(len(paths))
    systems = [scoring.sources(path) for path in paths]
    results, found = _values(scoring, systems, given, run_names)
    runs = [
        System(of_one[0])
        if isinstance(path, Results) or len(of_one) == 1
        else System(averaged(of_one, system_path(path)), tuple(of_one))
        for of_one, path in zip(found, paths, strict=True)
    ]
    if any(len(sources) > 1 or isinstance(sources[0], Results) for sources in systems):
        renamed = replace(run_names, given=given).name([one.run for one in runs])
        runs = [replace(one, run=run) for one, run in zip(runs, renamed, strict=True)]
    shown = [
        run if one.seeds else one.run
        for one, of_one, sources in zip(runs, found, systems, strict=True)
        for run, source in zip(of_one, sources, strict=True)
        if not isinstance(source, Results)
    ]
    saved = [
        one.run
        for one, sources in zip(runs[1:], systems[1:], strict=True)
        if isinstance(sources[0], Results)
    ]
    return runs, (*shown, *saved), results


def _values(
    scoring: _Scoring,
    systems: Sequence[Sequence[RunSource | Results]],
    given: Sequence[str | None],
    run_names: RunNames,
) -> tuple[Results, list[list[RunResult]]]:
    """Return the evaluation of all runs that are not saved, and the runs of each system."""
    flat = [
        (source, name if len(sources) == 1 else None)
        for sources, name in zip(systems, given, strict=True)
        for source in sources
        if not isinstance(source, Results)
    ]
    first = systems[0][0]
    if isinstance(first, Results) and not flat:
        nothing = Prepared(scoring.judgments, settings=scoring.settings, reading=scoring.reading)
        results = results_of_runs(nothing, [])
        other_run, called = _expected(scoring, first), "this gate"
    else:
        named = replace(run_names, given=[name for _, name in flat])
        results = scoring.evaluated([source for source, _ in flat], scoring.names, named)
        other_run, called = results.runs[0], "the candidate"
    evaluated = iter(results.runs)
    found: list[list[RunResult]] = []
    for number, sources in enumerate(systems):
        words = "the candidate" if number else "the baseline"
        other = "the baseline" if number and flat else called
        found.append(
            [
                comparable_run(source, results.qrels, other_run, words, other)
                if isinstance(source, Results)
                else next(evaluated)
                for source in sources
            ]
        )
    return results, found


def _golden(
    scoring: _Scoring, golden: Source, measures: str, other_run: RunResult, qrels: QrelsFacts
) -> System:
    """Evaluate or load the golden baseline for the measures of its rules."""
    source = scoring.source(golden)
    if isinstance(source, Results):
        asked = asked_measures(measures, scoring.judgments, scoring.settings)
        names = {str(one.measure) for one in asked}
        only = replace(
            other_run, scores=tuple(score for score in other_run.scores if score.measure in names)
        )
        run = comparable_run(source, qrels, only, "the golden baseline", "the baseline")
    else:
        run = scoring.evaluated([source], measures).runs[0]
    return System(run)


def _expected(scoring: _Scoring, saved: Results) -> RunResult:
    """Return a run without values that has the measures and conventions of this gate."""
    qrels, settings = scoring.judgments, scoring.settings
    asked = asked_measures(scoring.names, qrels, settings)
    over = aggregation(settings.aggregate, None, None)
    of_saved = {score.measure: score for score in saved.runs[0].scores}
    scores = []
    for named in asked:
        name, definition = str(named.measure), named.measure.definition
        signature = signature_of(named.measure, settings, over, qrels, (), scoring.reading)
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
