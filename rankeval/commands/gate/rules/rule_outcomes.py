"""Apply rules to the values of two runs: limits, drops and verdicts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np

from rankeval.base.arrays import Integers
from rankeval.base.frozen import frozen
from rankeval.base.numbers import finite
from rankeval.choices import Family, GatePolicy
from rankeval.commands.gate.decision import Decision
from rankeval.commands.gate.report import RuleOutcome, ShownMeasure
from rankeval.commands.gate.rules.all_kinds import kind_of
from rankeval.commands.gate.rules.measured_rules import MeasuredRule
from rankeval.commands.gate.rules.rule import Rule
from rankeval.commands.gate.rules.rule_case import RuleCase, both_runs, score_of
from rankeval.commands.gate.sides import System
from rankeval.evaluation.results import RunResult, Score
from rankeval.stats import gate_passes
from rankeval.stats.gate_decisions import corrected
from rankeval.stats.judging import PlannedFor

MOVED_SHOWN = 5


@frozen(eq=False)
class Compared:
    """The values that rules apply to.

    baseline   the baseline
    golden     the golden baseline, of rules on drift
    candidates the candidates
    ends       each candidate under the worst and the best order of its equal scores
    groups     the indices of the topics of each group; empty without groups
    """

    baseline: System
    golden: RunResult | None
    candidates: tuple[System, ...]
    ends: tuple[tuple[System, System], ...]
    groups: Mapping[str, Integers]

    def old(self, one: MeasuredRule) -> System:
        """Return the system that a rule compares candidates with."""
        if one.kind.golden and self.golden is not None:
            return System(self.golden)
        return self.baseline

    def members(self, rule: Rule) -> Integers | None:
        """Return the indices of the topics of a rule's group; None for a rule without one."""
        return self.groups[rule.group] if rule.group else None


def outcomes_of(
    compared: Compared,
    rules: Sequence[MeasuredRule],
    decision: Decision,
    family: int = 0,
    *,
    planning: PlannedFor = PlannedFor.OPEN,
) -> list[list[RuleOutcome]]:
    """Return the outcome of each rule for each candidate, without a correction of p-values.

    `corrected_outcomes` corrects them. `family` is the number of drops that are corrected together,
    for planning; 0 for those of the decision's family within this call. `planning` are the verdicts
    that topics are planned for.
    """
    cases = [
        [_case(one, compared, after, ends) for one in rules]
        for after, ends in zip(compared.candidates, compared.ends, strict=True)
    ]
    together = 1 if decision.family is Family.RULES else len(cases)
    family = family or sum(one.kind.corrected for one in rules) * together
    for of_candidate in cases:
        _judge(of_candidate, decision, family, planning)
    return [[_outcome(case, decision.policy) for case in of_candidate] for of_candidate in cases]


def corrected_outcomes(
    outcomes: Sequence[RuleOutcome], decision: Decision
) -> tuple[RuleOutcome, ...]:
    """Return the outcomes with the p-values of their drops corrected as one family."""
    tested = [
        (one, one.verdict)
        for one in outcomes
        if one.verdict is not None and kind_of(one.rule).corrected
    ]
    verdicts = corrected([verdict for _, verdict in tested], decision.correction)
    found = {
        id(one): replace(
            one, verdict=verdict, passed=gate_passes(verdict, decision.policy) and not one.lost
        )
        for (one, _), verdict in zip(tested, verdicts, strict=True)
    }
    return tuple(found.get(id(one), one) for one in outcomes)


def _case(
    one: MeasuredRule, compared: Compared, after: System, ends: tuple[System, System]
) -> RuleCase:
    begun, members = perf_counter(), compared.members(one.rule)
    runs = both_runs(one.name, compared.old(one), after, members)
    tie_range = None
    if one.kind.of_ties:
        of_ends = both_runs(one.name, *ends, members)
        tie_range = of_ends.before.aggregate, of_ends.after.aggregate
    case = RuleCase(one.rule, runs, tie_range, tested=one.kind.test is not None)
    case.seconds = perf_counter() - begun
    return case


def _judge(
    cases: Sequence[RuleCase], decision: Decision, family: int, planning: PlannedFor
) -> None:
    """Set the verdicts of tested rules; each takes an equal share of the time of its test."""
    for test in dict.fromkeys(kind_of(case.rule).test for case in cases):
        if test is None:
            continue
        together = [case for case in cases if kind_of(case.rule).test is test]
        begun = perf_counter()
        for batch, verdicts in test(together, decision, family, planning):
            now = perf_counter()
            for case, verdict in zip(batch, verdicts, strict=True):
                case.set_verdict(verdict)
                case.seconds += (now - begun) / len(batch)
            begun = perf_counter()


def _outcome(case: RuleCase, policy: GatePolicy) -> RuleOutcome:
    """Return the outcome of a case that has its verdict."""
    begun = perf_counter()
    kind, runs, worse = kind_of(case.rule), case.runs, case.worse()
    if kind.breaks is not None:
        worse = [drop for drop in worse if kind.breaks(case.rule, drop)]
    baseline, candidate = case.means()
    return RuleOutcome(
        run=runs.run.name,
        rule=case.rule,
        measure=runs.after.measure,
        loss=runs.after.loss,
        signature=runs.after.signature,
        passed=bool(kind.passes(case, policy)),
        limit=case.limit,
        baseline=baseline,
        candidate=candidate,
        drop=case.verdict.drop
        if case.verdict
        else finite(runs.sign * (runs.before.aggregate - runs.after.aggregate)),
        verdict=case.verdict,
        topics=tuple(worse[:MOVED_SHOWN] if kind.breaks is None else worse),
        n_worse=len(worse),
        lost=case.lost,
        gained=case.gained,
        seeds=tuple(score.aggregate for score in runs.seeds),
        baseline_seeds=tuple(score.aggregate for score in runs.seeds_before),
        tie_range=case.tie_range,
        seconds=case.seconds + perf_counter() - begun,
    )


def shown_measure(before: RunResult, run: RunResult, score: Score) -> ShownMeasure:
    """Compare the means of a measure without a rule."""
    was = score_of(before, score.measure).aggregate
    drop = (was - score.aggregate) * (-1.0 if score.loss else 1.0)
    return ShownMeasure(run.name, score.measure, finite(was), finite(score.aggregate), finite(drop))


def undefined_where_missing(run: RunResult) -> tuple[str, ...]:
    """Return the measures that are undefined for some of the topics that a run lacks."""
    missing = set(run.missing)
    lacking = np.array([topic in missing for topic in run.topics], dtype=bool)
    return tuple(
        dict.fromkeys(
            score.measure for score in run.scores if np.isnan(score.values[lacking]).any()
        )
    )
