"""Judge candidates over several collections: on each of them, and by rules on several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np

from rankeval.base.digest import short_digest
from rankeval.base.frozen import frozen
from rankeval.base.numbers import finite
from rankeval.choices import Family
from rankeval.commands.gate.decision import Decision
from rankeval.commands.gate.draft import GateDraft
from rankeval.commands.gate.report import GateReport, JudgedCollection, RuleOutcome, ShownMeasure
from rankeval.commands.gate.request import Loaded
from rankeval.commands.gate.rules.measured_rules import MeasuredRule
from rankeval.commands.gate.rules.over_case import OnCollection, OverCase
from rankeval.commands.gate.rules.rule import MACRO_MEAN
from rankeval.commands.gate.rules.rule_case import both_runs
from rankeval.commands.gate.rules.rule_outcomes import (
    Compared,
    outcomes_of,
    undefined_where_missing,
)
from rankeval.commands.gate.sequence import GateSequence
from rankeval.commands.gate.suite import Files
from rankeval.evaluation.results import QrelsFacts
from rankeval.stats.judging import PlannedFor


@frozen(eq=False)
class LoadedCollection:
    """A collection with all that is judged there."""

    name: str
    part_of: str
    found: Loaded

    @property
    def whole(self) -> str:
        """The collection that counts once in a macro mean."""
        return self.part_of or self.name


def collections_draft(
    collections: Sequence[LoadedCollection],
    files: Files,
    systems: Files,
    decision: Decision,
    sequence: GateSequence | None = None,
    family: int = 0,
    *,
    golden: str = "",
) -> GateDraft:
    """Judge candidates over collections, but for the correction of p-values.

    `files` are those of the suite, and `systems` the same with the names of baseline and
    candidates; `family` is as in `gate_draft`, and `golden` the suite's golden baseline.
    """
    if sequence is not None:
        sequence = sequence.with_look([one.found.looked() for one in collections], decision)
        decision = sequence.decision_of_look(decision, len(systems.runs))
    n_orders = max(len(one.found.orders) for one in collections)
    if not family:
        n_drops = sum(
            one.kind.corrected for one in (*collections[0].found.over, *_own_rules(collections))
        )
        family = n_drops * (1 if decision.family is Family.RULES else len(systems.runs))
    outcomes = [tuple(_outcomes(collections, order, decision, family)) for order in range(n_orders)]
    report = GateReport(
        baseline=systems.baseline,
        candidates=systems.runs,
        topics=sum(len(one.found.before.topics) for one in collections),
        qrels=_all_qrels(collections, systems.qrels),
        decision=decision,
        outcomes=outcomes[0],
        shown=tuple(_shown(collections, systems.runs)),
        missing={
            f"{one.name}: {run.name}": run.missing
            for one in collections
            for run in one.found.after
            if run.missing
        },
        undefined={
            f"{one.name}: {run.name}": told
            for one in collections
            for run in one.found.after
            if (told := undefined_where_missing(run))
        },
        runs=tuple(
            replace(run, name=f"{one.name}: {run.name}")
            for one in collections
            for run in one.found.sides.runs
        ),
        warnings=tuple(f"{one.name}: {line}" for one in collections for line in one.found.warnings),
        paths=(files.baseline, *files.runs),
        sequence=sequence,
        golden=golden if collections[0].found.golden else "",
        collections=tuple(
            JudgedCollection(
                one.name,
                one.part_of,
                len(one.found.before.topics),
                one.found.sides.results.qrels,
            )
            for one in collections
        ),
    )
    return GateDraft(
        report,
        tuple(outcomes[1:]),
        frozenset().union(*(one.found.all_equal for one in collections)),
    )


def _own_rules(collections: Sequence[LoadedCollection]) -> Iterator[MeasuredRule]:
    return (rule for one in collections for rule in one.found.rules)


def _all_qrels(collections: Sequence[LoadedCollection], path: str) -> QrelsFacts:
    """Return the judgments of all collections, counted together."""
    every = [one.found.sides.results.qrels for one in collections]
    return QrelsFacts(
        path,
        sum(facts.topics for facts in every),
        sum(facts.judgments for facts in every),
        short_digest(f"{facts.digest}\n".encode() for facts in every),
    )


def _outcomes(
    collections: Sequence[LoadedCollection], order: int, decision: Decision, family: int
) -> Iterator[RuleOutcome]:
    """Yield the outcomes of each candidate, those over several collections first."""
    compared = [one.found.orders[order % len(one.found.orders)] for one in collections]
    planning = PlannedFor.NONE if order else PlannedFor.OPEN
    own = [
        outcomes_of(values, one.found.rules, decision, family, planning=planning)
        for one, values in zip(collections, compared, strict=True)
    ]
    for candidate in range(len(compared[0].candidates)):
        for number, one in enumerate(collections[0].found.over):
            begun = perf_counter()
            case = _over_case(collections, compared, number, candidate)
            outcome = one.kind.over(case, decision, family, planning) if one.kind.over else None
            if outcome is not None:
                yield replace(outcome, seconds=perf_counter() - begun)
        for of_collection in own:
            yield from of_collection[candidate]


def _over_case(
    collections: Sequence[LoadedCollection],
    compared: Sequence[Compared],
    number: int,
    candidate: int,
) -> OverCase:
    """Return the case of a rule on several collections, by number, for a candidate."""
    rule = collections[0].found.over[number].rule
    wholes: dict[str, list[OnCollection]] = {}
    for one, values in zip(collections, compared, strict=True):
        of_whole = rule.collection == one.part_of
        if rule.over_collections or of_whole:
            measured = one.found.over[number]
            after = values.candidates[candidate]
            runs = both_runs(measured.name, values.old(measured), after)
            name = one.name if of_whole else one.whole
            wholes.setdefault(name, []).append(OnCollection(one.name, runs))
    return OverCase(rule, wholes)


def _shown(collections: Sequence[LoadedCollection], runs: Sequence[str]) -> Iterator[ShownMeasure]:
    """Yield the macro means of the measures that no rule on the macro mean is about."""
    first = collections[0].found
    ruled = {one.name for one in first.over if one.rule.collection == MACRO_MEAN}
    for candidate, name in enumerate(runs):
        for place, score in enumerate(first.before.scores):
            if score.measure in ruled:
                continue
            wholes: dict[str, list[tuple[float, float]]] = {}
            for one in collections:
                old, new = one.found.before.scores[place], one.found.after[candidate].scores[place]
                wholes.setdefault(one.whole, []).append((old.aggregate, new.aggregate))
            means = np.mean([np.mean(values, axis=0) for values in wholes.values()], axis=0)
            was, now = (finite(float(mean)) for mean in means)
            drop = None if was is None or now is None else (was - now) * (-1 if score.loss else 1)
            yield ShownMeasure(name, f"{score.measure} on {MACRO_MEAN}", was, now, drop)
