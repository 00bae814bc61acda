"""Load what a gate judges: runs with their values, topics in groups, and measured rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from rankeval.base.arrays import Integers
from rankeval.base.frozen import frozen
from rankeval.base.threads import usable_threads
from rankeval.choices import GatePolicy
from rankeval.commands.gate.decision import Decision
from rankeval.commands.gate.requirements import (
    require_collection,
    require_every_topic,
    require_golden,
    require_known_ties,
    require_test,
)
from rankeval.commands.gate.rules.all_kinds import parse_rule
from rankeval.commands.gate.rules.measured_rules import (
    MeasuredRule,
    measured_rules,
    rules_in_groups,
)
from rankeval.commands.gate.rules.rule import Rule
from rankeval.commands.gate.rules.rule_outcomes import Compared
from rankeval.commands.gate.sequence import GateSequence, Looked
from rankeval.commands.gate.sides import Side, Sides, loaded_sides
from rankeval.commands.gate.tie_extremes import extreme_results
from rankeval.errors import UsageError
from rankeval.evaluation.aggregation import GroupsLike, aggregation
from rankeval.evaluation.comparable_runs import RunsOrResults, runs_or_results
from rankeval.evaluation.prepared import CostsLike, judgments_of, require_topics
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.settings import Settings
from rankeval.measures import MeasuresLike, measure_names, parse_measures
from rankeval.ranking.qrels_source import QrelsLike
from rankeval.ranking.run_source import RunLike, refuse_stdin_twice

USUAL = Decision()
Candidates = RunsOrResults
"""One candidate or several, or {name: candidate}: runs, or saved results."""


@frozen(eq=False)
class GateRequest:
    """The arguments of `gate`.

    `collection` is the one that the files are of, and `over` are rules on several collections,
    whose measures are evaluated, too.
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
    sequence: GateSequence | None = None
    costs: CostsLike | None = None
    reading: Reading = AS_FOUND
    run_names: RunNames = BY_TAG
    jobs: int | None = None
    collection: str = ""
    over: tuple[Rule, ...] = ()

    def measured(self) -> list[MeasuredRule]:
        """Return the rules with their measures; UsageError unless there is one."""
        given = [self.rules] if isinstance(self.rules, str | Rule) else self.rules
        parsed = [rule if isinstance(rule, Rule) else parse_rule(rule) for rule in given]
        require_collection(parsed, self.collection)
        if self.over and not parsed:
            return []
        return measured_rules(parsed, self.settings)


@frozen(eq=False)
class Loaded:
    """All that a gate judges.

    sides    the runs with their values
    orders   the values in the order of equal scores that was asked for; and, if that matters, with
             ties broken for the candidates and against them; under the policy noninferior also with
             those of the candidates alone broken against them
    rules    the rules, in every group
    over     the rules on several collections
    warnings doubts about versions and groups
    """

    sides: Sides
    orders: tuple[Compared, ...]
    rules: list[MeasuredRule]
    over: list[MeasuredRule]
    warnings: tuple[str, ...]

    @property
    def before(self) -> RunResult:
        """The baseline."""
        return self.sides.baseline.system.run

    @property
    def after(self) -> list[RunResult]:
        """The candidates."""
        return [side.system.run for side in self.sides.candidates]

    @property
    def golden(self) -> str:
        """The path or the name of the golden baseline; "" without one."""
        golden = self.sides.golden
        return "" if golden is None else golden.system.run.path or golden.system.run.name

    @property
    def all_equal(self) -> frozenset[str]:
        """The candidates whose scores tell no two documents of a topic apart."""
        sides = self.sides.candidates
        return frozenset(side.system.run.name for side in sides if side.all_equal)

    def looked(self) -> Looked:
        """Return what a look of a sequence sees."""
        sides = (self.sides.golden, *self.sides.candidates)
        rules = [(one.rule, one.name) for one in (*self.rules, *self.over)]
        return self.before, [side.system.run for side in sides if side], rules


def loaded(request: GateRequest) -> Loaded:
    """Read and evaluate what a gate judges; InputError or UsageError for what cannot be judged."""
    settings, golden, reading = request.settings, request.golden, request.reading
    rules = request.measured()
    over = measured_rules(request.over, settings) if request.over else []
    asked = [*rules, *over]
    run_names = request.run_names
    runs, given = runs_or_results(request.candidates, reading.run().columns)
    if not runs:
        raise UsageError("no candidate to judge", expected="one run or more")
    if given is not None:
        run_names = replace(run_names, given=[*run_names.given_for(1)[:1], *given])
    require_every_topic(settings)
    require_golden([one.rule for one in asked], golden)
    require_test(
        request.decision.test,
        [one.rule for one in rules],
        request.over,
        [request.baseline, *runs],
    )
    drifting = [one.rule.measure for one in asked if one.kind.golden]
    refuse_stdin_twice(
        request.qrels, request.baseline, *runs, *([golden] if golden is not None else [])
    )
    others = measure_names(request.measures)
    names = " ".join(dict.fromkeys([*(one.rule.measure for one in asked), *others]))
    require_topics(parse_measures(names, settings.meanings))
    judgments = judgments_of(request.qrels, names, reading)
    how: Any = {"costs": request.costs, "reading": reading, "jobs": usable_threads(request.jobs)}
    sides = loaded_sides(
        judgments,
        request.baseline,
        runs,
        golden,
        names,
        " ".join(dict.fromkeys(drifting)),
        settings,
        run_names,
        partial(extreme_results, judgments, measures=names, settings=settings, **how),
        how,
    )
    before, first = sides.baseline.system.run, sides.candidates[0].system.run
    labels = aggregation(None, None, request.groups)
    topics = [topic.encode("utf-8", "surrogateescape") for topic in before.topics]
    require_known_ties(rules, [one.system.run.path for one in sides.candidates if one.saved])
    policy = request.decision.policy
    return Loaded(
        sides=sides,
        orders=tuple(_orders(sides, labels.members(topics), policy)),
        rules=rules_in_groups(rules, list(labels.members(topics))),
        over=over,
        warnings=(*_version_warnings(before, first), *labels.warnings(topics)),
    )


def _orders(sides: Sides, groups: Mapping[str, Integers], policy: GatePolicy) -> Iterator[Compared]:
    """Yield the values in the order asked for, and those with ties broken if there are any."""
    golden = sides.golden
    shown = policy is GatePolicy.NONINFERIOR
    every = [one for one in (sides.baseline, golden, *sides.candidates) if one is not None]
    for old, new in (
        ("system", "system"),
        ("unfavourable", "favourable"),
        ("favourable", "unfavourable"),
        *([("system", "unfavourable")] if shown else []),
    ):
        yield Compared(
            baseline=getattr(sides.baseline, old),
            golden=None if golden is None else getattr(golden, old).run,
            candidates=tuple(getattr(side, new) for side in sides.candidates),
            ends=tuple((side.unfavourable, side.favourable) for side in sides.candidates),
            groups=groups,
        )
        if not any(map(_ties, every)):
            return


def _ties(side: Side) -> bool:
    """Return True if another order of equal scores may change the values."""
    return side.favourable is not side.system or side.unfavourable is not side.system


def _version_warnings(before: RunResult, after: RunResult) -> list[str]:
    """Return a warning if another version of the same series wrote the baseline."""
    was = before.scores[0].signature.partition("|")[0]
    now = after.scores[0].signature.partition("|")[0]
    return [f"{before.name}: written by {was}, compared by {now}"] if was != now else []
