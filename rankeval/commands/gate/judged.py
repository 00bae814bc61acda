"""Judge candidates by the rules of a gate: verdicts, corrected p-values, and marks of ties."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np

from rankeval.base.wording import finite
from rankeval.choices import GatePolicy
from rankeval.commands.gate.decision import Decision
from rankeval.commands.gate.loaded import Loaded
from rankeval.commands.gate.report import GateReport, RuleOutcome, ShownMeasure
from rankeval.commands.gate.rules.all_kinds import kind_of
from rankeval.commands.gate.rules.measured_rules import MeasuredRule
from rankeval.commands.gate.rules.rule import ROUNDING
from rankeval.commands.gate.rules.rule_case import RuleCase, both_runs
from rankeval.evaluation.results import RunResult, TieNotice
from rankeval.stats import gate_passes
from rankeval.stats.gate_decisions import corrected

MOVED_SHOWN = 5


def judged(found: Loaded) -> GateReport:
    """Judge every candidate by every rule."""
    decision, names = found.request.decision, tuple(run.name for run in found.after)
    outcomes = [
        outcome
        for candidate in range(len(found.candidates))
        for outcome in _outcomes(found, candidate, decision)
    ]
    golden = found.golden.run if found.golden else None
    warnings = list(found.warnings)
    for name in names:
        of_one = [one for one in outcomes if one.run == name]
        changed = ", ".join(str(one.rule) for one in of_one if one.tied)
        if changed:
            warnings.append(f"{name}: another order of equal scores could change {changed}")
        warnings += _cautions(of_one)
    return GateReport(
        baseline=found.before.name,
        candidates=names,
        topics=len(found.before.topics),
        qrels=found.qrels,
        decision=decision,
        outcomes=tuple(outcomes),
        shown=tuple(_shown(found)),
        missing={run.name: run.missing for run in found.after if run.missing},
        undefined={run.name: names for run in found.after if (names := _undefined(run))},
        runs=found.runs,
        warnings=tuple(warnings),
        paths=tuple(run.path for run in (found.before, *found.after)),
        golden=golden.path or golden.name if golden else "",
    )


def _outcomes(found: Loaded, candidate: int, decision: Decision) -> tuple[RuleOutcome, ...]:
    """Return the outcome of each rule for a candidate."""
    cases = [_case(rule, found, candidate) for rule in found.rules]
    _judge(cases, decision)
    outcomes = [_outcome(case, decision.policy) for case in cases]
    ranges = [_ranges(found.compared_with(rule).run) for rule in found.rules]
    after = _ranges(found.after[candidate])
    return tuple(
        replace(one, tied=_tied(one, before, after))
        for one, before in zip(_corrected_outcomes(outcomes, decision), ranges, strict=True)
    )


def _corrected_outcomes(
    outcomes: Sequence[RuleOutcome], decision: Decision
) -> tuple[RuleOutcome, ...]:
    """Return the outcomes with the p-values of their drops corrected as one family."""
    tested = [
        (outcome, outcome.verdict)
        for outcome in outcomes
        if outcome.verdict is not None and kind_of(outcome.rule).corrected
    ]
    verdicts = corrected([verdict for _, verdict in tested], decision.correction)
    found = {
        id(one): replace(
            one, verdict=verdict, passed=gate_passes(verdict, decision.policy) and not one.lost
        )
        for (one, _), verdict in zip(tested, verdicts, strict=True)
    }
    return tuple(found.get(id(one), one) for one in outcomes)


def _case(measured: MeasuredRule, found: Loaded, candidate: int) -> RuleCase:
    begun = perf_counter()
    members = found.groups[measured.rule.group] if measured.rule.group else None
    old, new = found.compared_with(measured), found.candidates[candidate]
    runs = both_runs(measured.name, old, new, members)
    case = RuleCase(measured.rule, runs, tested=measured.kind.test is not None)
    case.seconds = perf_counter() - begun
    return case


def _judge(cases: Sequence[RuleCase], decision: Decision) -> None:
    """Set the verdicts of tested rules; each takes an equal share of the time of its test."""
    for test in dict.fromkeys(kind_of(case.rule).test for case in cases):
        if test is None:
            continue
        together = [case for case in cases if kind_of(case.rule).test is test]
        begun = perf_counter()
        for batch, verdicts in test(together, decision):
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
        seconds=case.seconds + perf_counter() - begun,
    )


def _undefined(run: RunResult) -> tuple[str, ...]:
    """Return the measures that are undefined for some of the topics that a run lacks."""
    missing = set(run.missing)
    lacking = np.array([topic in missing for topic in run.topics], dtype=bool)
    return tuple(
        dict.fromkeys(
            score.measure for score in run.scores if np.isnan(score.values[lacking]).any()
        )
    )


def _shown(found: Loaded) -> Iterator[ShownMeasure]:
    """Yield the means of the measures that no rule is about."""
    ruled = {one.name for one in found.rules}
    for run in found.after:
        for place, score in enumerate(found.before.scores):
            if score.measure in ruled:
                continue
            was, now = finite(score.aggregate), finite(run.scores[place].aggregate)
            drop = None if was is None or now is None else (was - now) * (-1 if score.loss else 1)
            yield ShownMeasure(run.name, score.measure, was, now, drop)


Ranges = Mapping[str, tuple[float, float]]
"""The least and the greatest mean that orders of equal scores give, by measure."""


def _ranges(run: RunResult) -> Ranges:
    """Return the ranges that the warning about ties has; those of other measures are points."""
    notices = [one for one in run.warnings if isinstance(one, TieNotice)]
    return {tie.measure: (tie.least, tie.greatest) for one in notices for tie in one.ranges}


def _tied(outcome: RuleOutcome, before: Ranges, after: Ranges) -> bool:
    """Return True if the limit lies within what other orders of equal scores give.

    Of a group of topics, and of single topics, the range of all topics is taken.
    """
    name, drops = outcome.measure, outcome.rule.kind not in ("min", "max")
    if (name not in after and (name not in before or not drops)) or outcome.drop is None:
        return False
    old, new = (
        [end - mean for end in ranges.get(name, (mean, mean))]
        for ranges, mean in (
            (before, outcome.baseline or 0.0),
            (after, outcome.candidate or 0.0),
        )
    )
    if not drops:
        ends = [(outcome.candidate or 0.0) + change for change in new]
        return min(ends) < outcome.limit - ROUNDING and max(ends) > outcome.limit + ROUNDING
    sign = -1.0 if outcome.loss else 1.0
    ends = [outcome.drop + sign * (was - now) for was in old for now in new]
    limits = {"min-gain": (-outcome.limit,), "equivalent": (-outcome.limit, outcome.limit)}
    return any(
        min(ends) < limit - ROUNDING and max(ends) > limit + ROUNDING
        for limit in limits.get(outcome.rule.kind, (outcome.limit,))
    )


def _cautions(found: Sequence[RuleOutcome]) -> list[str]:
    """Return warnings of p-values that were set by convention, because the test is undefined."""
    noted = [(one, one.verdict.test.note) for one in found if one.verdict and one.verdict.test.note]
    if not noted:
        return []
    from rankeval.commands.compare.run_pairs import CAUTIONS

    return [f"{one.run}, {one.rule}: {CAUTIONS[note]}" for one, note in noted if note in CAUTIONS]
