"""Apply rules to the values of two runs: limits, drops and verdicts."""

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.base.numbers import finite
from rankeval.choices import GatePolicy
from rankeval.commands.gate.decision import Decision
from rankeval.commands.gate.loaded import Loaded, Order
from rankeval.commands.gate.report import RuleOutcome
from rankeval.commands.gate.rules.all_kinds import kind_of
from rankeval.commands.gate.rules.measured_rules import MeasuredRule
from rankeval.commands.gate.rules.rule_case import RuleCase, both_runs
from rankeval.evaluation.results import RunResult
from rankeval.stats import gate_passes
from rankeval.stats.gate_decisions import corrected
from rankeval.stats.judging import PlannedFor

MOVED_SHOWN = 5


@frozen
class HowJudged:
    """The choices by which rules are judged.

    ======== ===========================================================================
    decision the statistical choices
    order    the order of equal scores
    family   number of drops that are corrected together, for planning
    planning the verdicts that topics are planned for
    ======== ===========================================================================
    """

    decision: Decision
    order: Order
    family: int
    planning: PlannedFor


def outcomes_of(found: Loaded, how: HowJudged) -> list[list[RuleOutcome]]:
    """Return the outcome of each rule for each candidate, without a correction of p-values.

    `corrected_outcomes` corrects them.
    """
    outcomes = []
    for candidate in range(len(found.candidates)):
        cases = [_case(one, found, candidate, how.order) for one in found.rules]
        _judge(cases, how)
        outcomes.append([_outcome(case, how.decision.policy) for case in cases])
    return outcomes


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


def _case(one: MeasuredRule, found: Loaded, candidate: int, order: Order) -> RuleCase:
    begun, members = perf_counter(), found.groups[one.rule.group] if one.rule.group else None
    runs = both_runs(one.name, *found.both(one, candidate, order), members)
    tie_range = None
    if one.kind.of_ties:
        side = found.candidates[candidate]
        ends = both_runs(one.name, side.unfavourable, side.favourable, members)
        tie_range = ends.before.aggregate, ends.after.aggregate
    case = RuleCase(one.rule, runs, tie_range, tested=one.kind.test is not None)
    case.seconds = perf_counter() - begun
    return case


def _judge(cases: Sequence[RuleCase], how: HowJudged) -> None:
    """Set the verdicts of tested rules; each takes an equal share of the time of its test."""
    for test in dict.fromkeys(kind_of(case.rule).test for case in cases):
        if test is None:
            continue
        together = [case for case in cases if kind_of(case.rule).test is test]
        begun = perf_counter()
        for batch, verdicts in test(together, how.decision, how.family, how.planning):
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


def undefined_where_missing(run: RunResult) -> tuple[str, ...]:
    """Return the measures that are undefined for some of the topics that a run lacks."""
    missing = set(run.missing)
    lacking = np.array([topic in missing for topic in run.topics], dtype=bool)
    return tuple(
        dict.fromkeys(
            score.measure for score in run.scores if np.isnan(score.values[lacking]).any()
        )
    )
