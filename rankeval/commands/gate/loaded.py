"""Load the input of a gate: runs with their values, topics in groups, and measured rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from rankeval.base.arrays import Integers
from rankeval.base.frozen import frozen
from rankeval.base.threads import usable_threads
from rankeval.choices import GatePolicy
from rankeval.commands.gate.decision import Decision
from rankeval.commands.gate.rules.all_kinds import parse_rule
from rankeval.commands.gate.rules.measured_rules import (
    MeasuredRule,
    measured_rules,
    require_collection,
    require_every_topic,
    require_golden,
    require_known_ties,
    require_test,
    rules_in_groups,
    rules_on_costs,
)
from rankeval.commands.gate.rules.rule import Rule
from rankeval.commands.gate.sides import (
    Extremes,
    Side,
    System,
    extreme_results,
    side_of,
)
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
    prepare,
    require_topics,
)
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import QrelsFacts, Results, RunResult, Score
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.saved_results import results_of
from rankeval.evaluation.seeds import averaged, members, system_path
from rankeval.evaluation.settings import Settings
from rankeval.io.formats.named_values import CostTable, read_costs_of_runs
from rankeval.measures import MeasuresLike, measure_names, parse_measures
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.run_source import RunLike, RunSource, name_given, refuse_stdin_twice

USUAL = Decision()
Source = RunLike | Results
Candidates = RunsOrResults
"""One candidate or several, or {name: candidate}: runs, or saved results."""


@frozen(eq=False)
class GateRequest:
    """The arguments of `gate`, on one collection.

    `collection` is the one that the files are of, `part_of` the one that it is a part of, and
    `over` are rules on several collections, whose measures are evaluated, too.
    """

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
    collection: str = ""
    part_of: str = ""
    over: tuple[Rule, ...] = ()
    run_costs: str | None = None

    def parsed(self) -> list[Rule]:
        """Return the rules."""
        given = [self.rules] if isinstance(self.rules, str | Rule) else self.rules
        return [rule if isinstance(rule, Rule) else parse_rule(rule) for rule in given]

    def measured(self, parsed: Sequence[Rule]) -> list[MeasuredRule]:
        """Return the rules with their measures; UsageError unless there is one."""
        require_collection(parsed, self.collection)
        if self.over and all(rule.of_costs for rule in parsed):
            return []
        return measured_rules(parsed, self.settings)


Order = tuple[str, str]
"""The orders of equal scores of baselines and of candidates, named as a side has them."""
AS_ASKED: Order = ("system", "system")
OTHERS: tuple[Order, ...] = (("unfavourable", "favourable"), ("favourable", "unfavourable"))
AGAINST_CANDIDATES: Order = ("system", "unfavourable")


@frozen(eq=False)
class Loaded:
    """All that a gate judges on one collection.

    request    the arguments of the gate
    baseline   the baseline, and so on
    golden     the golden baseline; None without rules about it
    runs       the runs that were evaluated or loaded, with their warnings
    qrels      the facts about the judgments
    groups     the indices of the topics of each group; empty without groups
    rules      the rules, in every group
    over       the rules on several collections
    cost_rules the rules on what runs cost
    run_costs  these costs; None without rules on them
    warnings   doubts about versions and groups
    """

    request: GateRequest
    baseline: Side
    candidates: tuple[Side, ...]
    golden: Side | None
    runs: tuple[RunResult, ...]
    qrels: QrelsFacts
    groups: Mapping[str, Integers]
    rules: list[MeasuredRule]
    over: list[MeasuredRule]
    cost_rules: list[Rule]
    run_costs: CostTable | None
    warnings: tuple[str, ...]

    @property
    def before(self) -> RunResult:
        """The baseline."""
        return self.baseline.system.run

    @property
    def after(self) -> list[RunResult]:
        """The candidates."""
        return [side.system.run for side in self.candidates]

    @property
    def whole(self) -> str:
        """The collection that counts once in a macro mean."""
        return self.request.part_of or self.request.collection

    @property
    def called(self) -> str:
        """The beginning of lines about the collection; "" for a gate without collections."""
        return f"{self.request.collection}: " if self.request.collection else ""

    @property
    def orders(self) -> tuple[Order, ...]:
        """The order of equal scores that was asked for; and, if ties matter, others.

        These break ties for the candidates and against them; under the policy shown-not-worse also
        those of the candidates alone against them.
        """
        sides = [side for side in (self.baseline, self.golden, *self.candidates) if side]
        if all(side.favourable is side.unfavourable is side.system for side in sides):
            return (AS_ASKED,)
        shown = self.request.decision.policy is GatePolicy.NONINFERIOR
        return (AS_ASKED, *OTHERS, *([AGAINST_CANDIDATES] if shown else []))

    def both(self, measured: MeasuredRule, candidate: int, order: Order) -> tuple[System, System]:
        """Return the systems that a rule compares: the baseline, or the golden one, and after."""
        old = self.golden if measured.kind.golden and self.golden else self.baseline
        return getattr(old, order[0]), getattr(self.candidates[candidate], order[1])


def loaded(request: GateRequest) -> Loaded:
    """Read and evaluate the runs of a gate; InputError or UsageError if they cannot be judged."""
    settings, golden, reading = request.settings, request.golden, request.reading
    parsed = request.parsed()
    rules, cost_rules = request.measured(parsed), rules_on_costs(parsed, request.run_costs)
    over = measured_rules(request.over, settings) if request.over else []
    asked = [*rules, *over]
    run_names = request.run_names
    runs, given = runs_or_results(request.candidates, reading.run().columns)
    if not runs:
        raise UsageError("no candidate to judge", expected="one run or more")
    named = name_given(request.baseline)
    if given is not None or named:
        of_baseline = [named] if named else run_names.given_for(1)[:1]
        run_names = replace(run_names, given=[*of_baseline, *(given or run_names.given[1:])])
    require_every_topic(settings)
    require_golden([one.rule for one in asked], golden)
    paths = [request.baseline, *runs]
    require_test(request.decision.test, [rule.rule for rule in rules], request.over, paths)
    refuse_stdin_twice(request.qrels, *paths, *([golden] if golden is not None else []))
    names = " ".join(
        dict.fromkeys([*(one.rule.measure for one in asked), *measure_names(request.measures)])
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
    sides, shown, results = _sides(scoring, paths, run_names)
    drifting = " ".join(dict.fromkeys(one.rule.measure for one in asked if one.kind.golden))
    before, first = (side.system.run for side in sides[:2])
    labels = aggregation(None, None, request.groups)
    topics = [topic.encode("utf-8", "surrogateescape") for topic in before.topics]
    require_known_ties(rules, [side.system.run.path for side in sides[1:] if side.saved])
    members = labels.members(topics)
    return Loaded(
        request=request,
        baseline=sides[0],
        candidates=tuple(sides[1:]),
        golden=_golden(scoring, golden, drifting, before, results.qrels)
        if golden is not None and drifting
        else None,
        runs=shown,
        qrels=results.qrels,
        groups=members,
        rules=rules_in_groups(rules, list(members)),
        over=over,
        cost_rules=cost_rules,
        run_costs=read_costs_of_runs(request.run_costs)
        if request.run_costs is not None and cost_rules
        else None,
        warnings=(*_version_warnings(before, first), *labels.warnings(topics)),
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

    def side(self, system: System, sources: Sequence[RunSource | Results]) -> Side:
        """Return the side of a system; runs whose scores tie are scored with the ties broken."""
        extremes = []
        for run, source in zip(system.seeds or (system.run,), sources, strict=True):
            if not system.run.tied:
                break
            if not run.tied or isinstance(source, Results):
                extremes.append(Extremes(run, run, all_equal=False))
            else:
                prepared = prepare(
                    self.judgments, self.names, self.settings, self.reading, costs=self.costs
                )
                extremes.append(extreme_results(prepared, source, self.jobs))
        saved = any(isinstance(source, Results) for source in sources)
        return side_of(system, extremes, saved=saved)


def _sides(
    scoring: _Scoring, paths: Sequence[Source], run_names: RunNames
) -> tuple[list[Side], tuple[RunResult, ...], Results]:
    """Evaluate or load the baseline and the candidates, and make them comparable.

    Return them, the runs that were evaluated or loaded, with their warnings, and the evaluation,
    of no run where all values were saved. InputError if saved values are not of these judgments,
    topics, measures or conventions.
    """
    given = run_names.given_for(len(paths))
    systems = [scoring.sources(path) for path in paths]
    results, found = _values(scoring, systems, given, run_names)
    runs = [_system(of_one, path) for of_one, path in zip(found, paths, strict=True)]
    if any(len(sources) > 1 or isinstance(sources[0], Results) for sources in systems):
        renamed = replace(run_names, given=given).name([one.run for one in runs])
        runs = [replace(one, run=run) for one, run in zip(runs, renamed, strict=True)]
    sides = [scoring.side(one, sources) for one, sources in zip(runs, systems, strict=True)]
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
    return sides, (*shown, *saved), results


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


def _system(runs: Sequence[RunResult], source: Source) -> System:
    if isinstance(source, Results) or len(runs) == 1:
        return System(runs[0])
    return System(averaged(runs, system_path(source)), tuple(runs))


def _golden(
    scoring: _Scoring, golden: Source, measures: str, other_run: RunResult, qrels: QrelsFacts
) -> Side:
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
    return scoring.side(System(run), [source])


def _expected(scoring: _Scoring, saved: Results) -> RunResult:
    """Return a run without values that has the measures and conventions of this gate."""
    qrels, settings = scoring.judgments, scoring.settings
    asked = asked_measures(scoring.names, qrels, settings)
    over = aggregation(settings.aggregate, None, None)
    of_saved = {score.measure: score for score in saved.runs[0].scores}
    scores = []
    for named in asked:
        name, definition = str(named.measure), named.measure.definition
        signature = signature_of(named.measure, settings, over, qrels.digest, (), scoring.reading)
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


def _version_warnings(before: RunResult, after: RunResult) -> list[str]:
    """Return a warning if another version of the same series wrote the baseline."""
    was = before.scores[0].signature.partition("|")[0]
    now = after.scores[0].signature.partition("|")[0]
    return [f"{before.name}: written by {was}, compared by {now}"] if was != now else []
