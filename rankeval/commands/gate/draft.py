"""Finish gates: correct the p-values of one or several, and mark what ties could change."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial

from rankeval.base.frozen import frozen
from rankeval.choices import Family, GatePolicy
from rankeval.commands.compare.run_pairs import CAUTIONS
from rankeval.commands.gate.report import GateReport, RuleOutcome
from rankeval.commands.gate.rules.rule_outcomes import corrected_outcomes
from rankeval.stats import Verdict

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
    return [
        f"{one.run}, {one.rule}: {CAUTIONS[one.verdict.test.note]}"
        for one in found
        if one.verdict is not None and one.verdict.test.note in CAUTIONS
    ]


def _verdict(outcome: RuleOutcome) -> tuple[bool, Verdict | None]:
    return outcome.passed, outcome.verdict.verdict if outcome.verdict else None
