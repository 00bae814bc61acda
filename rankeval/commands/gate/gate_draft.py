"""Judge a gate on one collection or several; finish gates: correct p-values, mark ties."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter

import numpy as np

from rankeval.base.digest import short_digest
from rankeval.base.frozen import frozen
from rankeval.base.numbers import finite
from rankeval.choices import Family, GatePolicy
from rankeval.commands.gate.loaded import Loaded
from rankeval.commands.gate.report import GateReport, JudgedCollection, RuleOutcome, ShownMeasure
from rankeval.commands.gate.rules.over_case import OnCollection, OverCase
from rankeval.commands.gate.rules.rule import MACRO_MEAN
from rankeval.commands.gate.rules.rule_case import both_runs
from rankeval.commands.gate.rules.rule_outcomes import (
    HowJudged,
    corrected_outcomes,
    outcomes_of,
    undefined_where_missing,
)
from rankeval.commands.gate.sequence import GateSequence
from rankeval.commands.gate.suites.suite import Files
from rankeval.evaluation.results import QrelsFacts
from rankeval.stats import Verdict
from rankeval.stats.judging import PlannedFor

SHOWN = frozenset({Verdict.NOT_WORSE, Verdict.EQUIVALENT})
"""Verdicts that the policy noninferior asks for."""


@frozen(eq=False)
class GateDraft:
    """A gate whose p-values are not corrected yet.

    report    the report, with outcomes in the order of equal scores that was asked for
    in_orders the outcomes with ties broken for the candidates, and against them; and, under the
              policy noninferior, with only those of the candidates broken against them. Empty if no
              ties matter
    all_equal the candidates whose scores tell no two documents of a topic apart
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
    if sequence is not None:
        sequence = sequence.with_look([one.looked() for one in found], decision)
        decision = sequence.decision_of_look(decision, len(names))
    if not family:
        rules = [*first.over, *(rule for one in found for rule in one.rules)]
        together = 1 if decision.family is Family.RULES else len(names)
        family = sum(rule.kind.corrected for rule in rules) * together
    outcomes = []
    for number in range(max(len(one.orders) for one in found)):
        orders = [one.orders[number % len(one.orders)] for one in found]
        planning = PlannedFor.NONE if number else PlannedFor.OPEN
        how = [HowJudged(decision, order, family, planning) for order in orders]
        outcomes.append(tuple(_outcomes(found, how)))
    undefined = {
        one.called + run.name: undefined_where_missing(run) for one in found for run in one.after
    }
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
        undefined={name: measures for name, measures in undefined.items() if measures},
        runs=tuple(
            replace(run, name=one.called + run.name) if one.called else run
            for one in found
            for run in one.runs
        ),
        warnings=tuple(one.called + line for one in found for line in one.warnings),
        paths=tuple(runs) if files is None else (files.baseline, *files.runs),
        sequence=sequence,
        golden=golden.path or golden.name if golden else "",
        collections=tuple(
            JudgedCollection(
                one.request.collection, one.request.part_of, len(one.before.topics), one.qrels
            )
            for one in found
            if one.called
        ),
    )
    all_equal = {side.system.run.name for one in found for side in one.candidates if side.all_equal}
    return GateDraft(report, tuple(outcomes[1:]), frozenset(all_equal))


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
    own = [outcomes_of(one, of_one) for one, of_one in zip(found, how, strict=True)]
    for candidate in range(len(found[0].candidates)):
        for number, one in enumerate(found[0].over):
            if one.kind.over is not None:
                begun = perf_counter()
                case = _over_case(found, how, number, candidate)
                outcome = one.kind.over(case, how[0].decision, how[0].family, how[0].planning)
                yield replace(outcome, seconds=perf_counter() - begun)
        for of_collection in own:
            yield from of_collection[candidate]


def _over_case(
    found: Sequence[Loaded], how: Sequence[HowJudged], number: int, candidate: int
) -> OverCase:
    """Return the case of a rule on several collections, by number, for a candidate."""
    rule = found[0].over[number].rule
    wholes: dict[str, list[OnCollection]] = {}
    for one, of_one in zip(found, how, strict=True):
        of_whole = rule.collection == one.request.part_of
        if rule.over_collections or of_whole:
            measured = one.over[number]
            runs = both_runs(measured.name, *one.both(measured, candidate, of_one.order))
            name = one.request.collection if of_whole else one.whole
            wholes.setdefault(name, []).append(OnCollection(one.request.collection, runs))
    return OverCase(rule, wholes)


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
        outcomes = corrected_outcomes([found[i][j] for i, j in places], decision)
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
    one: RuleOutcome, best: RuleOutcome, worst: RuleOutcome, *, all_equal: frozenset[str]
) -> RuleOutcome:
    """Return the outcome, with "cannot tell" where an order of equal scores is what shows more.

    `best` and `worst` are the outcomes with ties broken for the candidate, and against it.
    """
    if one.verdict is None:
        return one
    doubt = ""
    if one.run in all_equal and best.candidate != worst.candidate:
        doubt = "All scores of the candidate are equal, so that their order decides"
    elif one.verdict.verdict in SHOWN and _verdict(worst) != _verdict(one):
        doubt = "The worst order of the candidate's equal scores does not show it"
    if not doubt:
        return one
    verdict = replace(one.verdict, verdict=Verdict.CANNOT_TELL)
    return replace(one, passed=False, verdict=verdict, doubt=doubt)


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
