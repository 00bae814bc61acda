"""Judge a gate on one collection or several; finish gates: correct p-values, mark ties."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from rankeval.base.arrays import short_digest
from rankeval.base.frozen import frozen
from rankeval.base.wording import finite
from rankeval.choices import Family, GatePolicy
from rankeval.commands.gate.decision import Decision
from rankeval.commands.gate.loaded import Loaded, Order
from rankeval.commands.gate.report import GateReport, JudgedCollection, RuleOutcome, ShownMeasure
from rankeval.commands.gate.rules.all_kinds import kind_of
from rankeval.commands.gate.rules.measured_rules import MeasuredRule
from rankeval.commands.gate.rules.rule import MACRO_MEAN
from rankeval.commands.gate.rules.rule_case import RuleCase, both_runs, cost_cases
from rankeval.commands.gate.suites.suite import Files
from rankeval.evaluation.results import QrelsFacts, RunResult
from rankeval.stats import Verdict, gate_passes
from rankeval.stats.gate_decisions import corrected
from rankeval.stats.judging import PlannedFor

if TYPE_CHECKING:
    from rankeval.commands.gate.rules.over_case import OverCase
    from rankeval.commands.gate.sequence import GateSequence, NightLook

MOVED_SHOWN = 5
SHOWN = frozenset({Verdict.NOT_WORSE, Verdict.EQUIVALENT, Verdict.BETTER})
"""Verdicts that the policy shown-not-worse asks for."""


@frozen
class HowJudged:
    """The choices by which rules are judged.

    ======== ===========================================================================
    decision the statistical choices
    order    the order of equal scores
    family   number of drops that are corrected together, for planning
    planning the verdicts that topics are planned for
    look     the look of a sequence; None for a gate alone
    ======== ===========================================================================
    """

    decision: Decision
    order: Order
    family: int
    planning: PlannedFor
    look: NightLook | None = None


@frozen(eq=False)
class GateDraft:
    """A gate whose p-values are not corrected yet.

    report    the report, with outcomes in the order of equal scores that was asked for
    in_orders the outcomes with ties broken for the candidates, and against them; and, under the
              policy shown-not-worse, with only those of the candidates broken against them. Empty
              if no ties matter
    all_equal the candidates with the same score for all documents of a topic
    """

    report: GateReport
    in_orders: tuple[tuple[RuleOutcome, ...], ...] = ()
    all_equal: frozenset[str] = frozenset()


def gate_draft(
    found: Sequence[Loaded],
    sequence: GateSequence | None = None,
    family: int = 0,
    files: Files | None = None,
) -> GateDraft:
    """Judge candidates on one collection or several, but for the correction of p-values.

    `family` is the number of drops that are corrected together; 0 for those of this gate. `files`
    are those of a suite over collections.
    """
    first = found[0]
    decision, names = first.request.decision, [run.name for run in first.after]
    renamed = sequence.continued(names) if sequence else {}
    decision = sequence.decision_of_look(decision) if sequence else decision
    if not family:
        rules = [*first.over, *(rule for one in found for rule in one.rules)]
        together = 1 if decision.family is Family.RULES else len(names)
        family = sum(rule.kind.corrected for rule in rules) * together
    outcomes, state = [], None
    for number in range(max(len(one.orders) for one in found)):
        orders = [one.orders[number % len(one.orders)] for one in found]
        planning = PlannedFor.NONE if number else PlannedFor.OPEN
        look = _look(sequence, renamed)
        how = [HowJudged(decision, order, family, planning, look) for order in orders]
        outcomes.append(tuple(_outcomes(found, how)))
        if not number and look is not None:
            state = look.state()
    golden = first.golden.system.run if first.golden else None
    runs = [run.path for run in (first.before, *first.after)]
    report = GateReport(
        baseline=first.before.name,
        candidates=tuple(names),
        topics=sum(len(one.before.topics) for one in found),
        qrels=first.qrels if files is None else _all_qrels(found, files.qrels),
        decision=decision,
        outcomes=outcomes[0],
        shown=tuple(_shown(found)),
        missing={
            one.called + run.name: run.missing for one in found for run in one.after if run.missing
        },
        undefined={
            one.called + run.name: measures
            for one in found
            for run in one.after
            if (measures := _undefined(run))
        },
        runs=tuple(
            replace(run, name=one.called + run.name) if one.called else run
            for one in found
            for run in one.runs
        ),
        warnings=(
            *(one.called + line for one in found for line in one.warnings),
            *(f"{new} continues the sequence of {old}" for new, old in renamed.items()),
        ),
        paths=tuple(runs) if files is None else (files.baseline, *files.runs),
        sequence=state,
        golden=golden.path or golden.name if golden else "",
        collections=tuple(_collections(found)),
    )
    all_equal = {side.system.run.name for one in found for side in one.candidates if side.all_equal}
    return GateDraft(report, tuple(outcomes[1:]), frozenset(all_equal))


def _collections(found: Sequence[Loaded]) -> Iterator[JudgedCollection]:
    """Yield the collections of a suite; none for a suite without any."""
    for one in found:
        if one.called:
            name, part_of = one.request.collection, one.request.part_of
            yield JudgedCollection(name, part_of, len(one.before.topics), one.qrels)


def _look(sequence: GateSequence | None, renamed: Mapping[str, str]) -> NightLook | None:
    if sequence is None:
        return None
    from rankeval.commands.gate.sequence import NightLook

    return NightLook(sequence, renamed)


def _all_qrels(found: Sequence[Loaded], path: str) -> QrelsFacts:
    """Return the judgments of all collections, counted together."""
    every = [one.qrels for one in found]
    return QrelsFacts(
        path,
        sum(facts.topics for facts in every),
        sum(facts.judgments for facts in every),
        short_digest(f"{facts.digest}\n".encode() for facts in every),
    )


def _outcomes(found: Sequence[Loaded], how: Sequence[HowJudged]) -> Iterator[RuleOutcome]:
    """Yield the outcomes of each candidate, those over several collections first."""
    own = [_outcomes_on(one, of_one) for one, of_one in zip(found, how, strict=True)]
    for candidate in range(len(found[0].candidates)):
        for number, one in enumerate(found[0].over):
            if one.kind.over is not None:
                begun = perf_counter()
                case = _over_case(found, how, number, candidate)
                outcome = one.kind.over(case, how[0].decision, how[0].family, how[0].planning)
                yield replace(outcome, seconds=perf_counter() - begun)
        for of_collection in own:
            yield from of_collection[candidate]


def _outcomes_on(found: Loaded, how: HowJudged) -> list[list[RuleOutcome]]:
    """Return the outcome of each rule for each candidate, without a correction of p-values.

    `_corrected_outcomes` corrects them.
    """
    outcomes = []
    for candidate in range(len(found.candidates)):
        cases = [_case(rule, found, candidate, how.order) for rule in found.rules]
        if found.run_costs is not None:
            cases += cost_cases(
                found.cost_rules, found.run_costs, found.before, found.after[candidate]
            )
        _judge(cases, how)
        if how.look is not None:
            for case in cases:
                if case.verdict is not None and kind_of(case.rule).corrected:
                    case.set_verdict(
                        how.look.judged(
                            case.verdict,
                            case.runs.run.name,
                            f"{found.called}{case.rule}",
                            case.loss(),
                            case.rule.limit,
                        )
                    )
        outcomes.append([_outcome(case, how.decision.policy) for case in cases])
    return outcomes


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


def _case(measured: MeasuredRule, found: Loaded, candidate: int, order: Order) -> RuleCase:
    begun, members = (
        perf_counter(),
        found.groups[measured.rule.group] if measured.rule.group else None,
    )
    runs = both_runs(measured.name, *found.both(measured, candidate, order), members)
    tie_range = None
    if measured.kind.of_ties:
        side = found.candidates[candidate]
        ends = both_runs(measured.name, side.unfavourable, side.favourable, members)
        tie_range = ends.before.aggregate, ends.after.aggregate
    case = RuleCase(measured.rule, runs, tie_range, tested=measured.kind.test is not None)
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


def _undefined(run: RunResult) -> tuple[str, ...]:
    """Return the measures that are undefined for some of the topics that a run lacks."""
    missing = set(run.missing)
    lacking = np.array([topic in missing for topic in run.topics], dtype=bool)
    return tuple(
        dict.fromkeys(
            score.measure for score in run.scores if np.isnan(score.values[lacking]).any()
        )
    )


def _over_case(
    found: Sequence[Loaded], how: Sequence[HowJudged], number: int, candidate: int
) -> OverCase:
    """Return the case of a rule on several collections, by number, for a candidate."""
    from rankeval.commands.gate.rules.over_case import OnCollection, OverCase

    rule = found[0].over[number].rule
    wholes: dict[str, list[OnCollection]] = {}
    for one, of_one in zip(found, how, strict=True):
        of_whole = rule.collection == one.request.part_of
        if rule.over_collections or of_whole:
            measured = one.over[number]
            runs = both_runs(measured.name, *one.both(measured, candidate, of_one.order))
            name = one.request.collection if of_whole else one.whole
            wholes.setdefault(name, []).append(OnCollection(one.request.collection, runs))
    return OverCase(rule, wholes, how[0].look)


def _shown(found: Sequence[Loaded]) -> Iterator[ShownMeasure]:
    """Yield the means, or the macro means, of the measures that no rule on these is about."""
    first = found[0]
    on = f" on {MACRO_MEAN}" if first.called else ""
    about = [one for one in first.over if one.rule.collection == MACRO_MEAN]
    ruled = {one.name for one in (about if first.called else first.rules)}
    for candidate, run in enumerate(first.after):
        for place, score in enumerate(first.before.scores):
            if score.measure in ruled:
                continue
            wholes: dict[str, list[tuple[float, float]]] = {}
            for one in found:
                old, new = one.before.scores[place], one.after[candidate].scores[place]
                wholes.setdefault(one.whole, []).append((old.aggregate, new.aggregate))
            means = np.mean([np.mean(values, axis=0) for values in wholes.values()], axis=0)
            was, now = (finite(float(mean)) for mean in means)
            drop = None if was is None or now is None else (was - now) * (-1 if score.loss else 1)
            yield ShownMeasure(run.name, f"{score.measure}{on}", was, now, drop)


def finished(drafts: Sequence[GateDraft]) -> list[GateReport]:
    """Correct p-values by the families of the decisions; return the reports with warnings.

    Gates whose family is `suites` are corrected together; their decisions must share alpha and
    correction.
    """
    found = _corrected(drafts, lambda draft: draft.report.outcomes)
    others = [_corrected(drafts, partial(_in_order, number)) for number in range(3)]
    reports = []
    for draft, outcomes, best, against, worst in zip(drafts, found, *others, strict=True):
        marked = _marked_as_tied(outcomes, best, against)
        if draft.report.decision.policy is GatePolicy.NONINFERIOR:
            marked = tuple(
                _unless_ties_decide(*one, all_equal=draft.all_equal)
                for one in zip(marked, best, worst, strict=True)
            )
        warnings = list(draft.report.warnings)
        for name in draft.report.candidates:
            of_one = [one for one in marked if one.run == name]
            warnings += _tie_warnings(of_one) + _cautions(of_one)
        reports.append(replace(draft.report, outcomes=marked, warnings=tuple(warnings)))
    return reports


def _in_order(number: int, draft: GateDraft) -> Sequence[RuleOutcome]:
    there = number < len(draft.in_orders)
    return draft.in_orders[number] if there else draft.report.outcomes


def _corrected(
    drafts: Sequence[GateDraft], outcomes_of: Callable[[GateDraft], Sequence[RuleOutcome]]
) -> list[list[RuleOutcome]]:
    """Return the outcomes of each draft, corrected within their families."""
    found = [list(outcomes_of(draft)) for draft in drafts]
    families: dict[Hashable, list[tuple[int, int]]] = {}
    for i, draft in enumerate(drafts):
        for j, one in enumerate(found[i]):
            family = {Family.SUITES: (), Family.CANDIDATES: (i,), Family.RULES: (i, one.run)}
            families.setdefault(family[draft.report.decision.family], []).append((i, j))
    for places in families.values():
        decision = drafts[places[0][0]].report.decision
        outcomes = _corrected_outcomes([found[i][j] for i, j in places], decision)
        for (i, j), one in zip(places, outcomes, strict=True):
            found[i][j] = one
    return found


def _marked_as_tied(
    found: Sequence[RuleOutcome], *others: Sequence[RuleOutcome]
) -> tuple[RuleOutcome, ...]:
    """Mark the outcomes that another order of equal scores changes."""
    return tuple(
        replace(one, tied=any(_verdict(other[i]) != _verdict(one) for other in others))
        for i, one in enumerate(found)
    )


def _unless_ties_decide(
    outcome: RuleOutcome, best: RuleOutcome, worst: RuleOutcome, *, all_equal: frozenset[str]
) -> RuleOutcome:
    """Return the outcome, with "cannot tell" if only an order of equal scores shows more.

    `best` and `worst` are the outcomes with ties broken for the candidate, and against it.
    """
    if outcome.verdict is None:
        return outcome
    doubt = ""
    if outcome.run in all_equal and best.candidate != worst.candidate:
        doubt = "All scores of the candidate are equal, so that their order decides"
    elif outcome.verdict.verdict in SHOWN and _verdict(worst) != _verdict(outcome):
        doubt = "The worst order of the candidate's equal scores does not show it"
    if not doubt:
        return outcome
    verdict = replace(outcome.verdict, verdict=Verdict.CANNOT_TELL)
    return replace(outcome, passed=False, verdict=verdict, doubt=doubt)


def _tie_warnings(found: Sequence[RuleOutcome]) -> list[str]:
    changed = ", ".join(str(one.rule) for one in found if one.tied)
    warning = f"{found[0].run}: another order of equal scores could change {changed}"
    return [warning] if changed else []


def _cautions(found: Sequence[RuleOutcome]) -> list[str]:
    """Return warnings of p-values that were set by convention, because the test is undefined."""
    noted = [(one, one.verdict.test.note) for one in found if one.verdict and one.verdict.test.note]
    if not noted:
        return []
    from rankeval.commands.compare.run_pairs import CAUTIONS

    return [f"{one.run}, {one.rule}: {CAUTIONS[note]}" for one, note in noted if note in CAUTIONS]


def _verdict(outcome: RuleOutcome) -> tuple[bool, Verdict | None]:
    return outcome.passed, outcome.verdict.verdict if outcome.verdict else None
