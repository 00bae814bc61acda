"""Apply rules to the values of two runs: limits, drops and verdicts."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter

import numpy as np

from rankeval.base.arrays import Integers
from rankeval.base.frozen import frozen
from rankeval.base.numbers import finite
from rankeval.choices import Family, GatePolicy
from rankeval.commands.gate.both_runs import both_runs, score_of
from rankeval.commands.gate.decision import Decision, options_of
from rankeval.commands.gate.measures import ROUNDING, MeasuredRule
from rankeval.commands.gate.report import RuleOutcome, ShownMeasure, TopicDrop
from rankeval.commands.gate.requirements import require_resolution
from rankeval.commands.gate.rules import CORRECTED, TESTED, Rule, RuleKind
from rankeval.commands.gate.sides import System
from rankeval.evaluation.results import RunResult, Score
from rankeval.stats import GateVerdict, Verdict, equivalence_verdict, gate_passes, gate_verdicts
from rankeval.stats.differences import ordered_mean
from rankeval.stats.gate_decisions import corrected
from rankeval.stats.judging import PlannedFor
from rankeval.stats.macro_gate import seeded_verdict

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

    def old(self, rule: Rule) -> System:
        """Return the system that a rule compares candidates with."""
        if rule.kind is RuleKind.MAX_DRIFT and self.golden is not None:
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
        [_RuleCase(one, compared, after, ends) for one in rules]
        for after, ends in zip(compared.candidates, compared.ends, strict=True)
    ]
    for of_one in cases:
        n_drops = sum(case.rule.kind in CORRECTED for case in of_one)
        together = 1 if decision.family is Family.RULES else len(cases)
        _judge(of_one, decision, family or n_drops * together, planning=planning)
    return [[case.outcome(decision.policy) for case in of_one] for of_one in cases]


def corrected_outcomes(
    outcomes: Sequence[RuleOutcome], decision: Decision
) -> tuple[RuleOutcome, ...]:
    """Return the outcomes with the p-values of their drops corrected as one family."""
    tested = [one for one in outcomes if one.rule.kind in CORRECTED and one.verdict is not None]
    verdicts = corrected([one.verdict for one in tested if one.verdict], decision.correction)
    found = {
        id(one): replace(one, verdict=verdict, passed=_opens(one, verdict, decision.policy))
        for one, verdict in zip(tested, verdicts, strict=True)
    }
    return tuple(found.get(id(one), one) for one in outcomes)


def _opens(one: RuleOutcome, verdict: GateVerdict, policy: GatePolicy) -> bool:
    return gate_passes(verdict, policy) and not one.lost


def _judge(
    cases: Sequence["_RuleCase"], decision: Decision, family: int, *, planning: PlannedFor
) -> None:
    """Set the verdicts of tested rules; topics are planned for a family of so many drops."""
    for case in cases:
        if case.rule.kind is RuleKind.EQUIVALENT:
            with _timed([case]):
                case.set_verdict(case.equivalence(decision, planning=planning))
    for case in cases:
        if case.rule.kind in CORRECTED and case.runs.has_seeds:
            with _timed([case]):
                case.set_verdict(case.seeded(decision))
    drops = [case for case in cases if case.rule.kind in CORRECTED and not case.runs.has_seeds]
    if not drops:
        return
    require_resolution(decision, family)
    by_group: dict[str, list[_RuleCase]] = {}
    for case in drops:
        by_group.setdefault(case.rule.group, []).append(case)
    for of_group in by_group.values():
        with _timed(of_group):
            verdicts = gate_verdicts(
                np.stack([case.runs.old for case in of_group], axis=1),
                np.stack([case.runs.new for case in of_group], axis=1),
                limits=[case.rule.limit for case in of_group],
                shares=[case.rule.relative for case in of_group],
                ranges=[case.runs.span for case in of_group],
                **options_of(decision, family, planning),
            )
        for case, verdict in zip(of_group, verdicts, strict=True):
            case.set_verdict(verdict)


@contextmanager
def _timed(cases: Sequence["_RuleCase"]) -> Iterator[None]:
    """Share the time of some work equally among the cases that it is done for."""
    begun = perf_counter()
    yield
    took = (perf_counter() - begun) / len(cases)
    for case in cases:
        case.seconds += took


class _RuleCase:
    """One rule for one candidate."""

    def __init__(
        self, one: MeasuredRule, compared: Compared, after: System, ends: tuple[System, System]
    ) -> None:
        self.rule, self.seconds, begun = one.rule, 0.0, perf_counter()
        members = compared.members(one.rule)
        self.runs = both_runs(one.name, compared.old(one.rule), after, members)
        self._lost, self._gained = self.runs.lost, self.runs.gained
        self._tie_range: tuple[float, float] | None = None
        if one.rule.kind is RuleKind.MAX_TIE_GAP:
            of_ends = both_runs(one.name, *ends, members)
            self._tie_range = of_ends.before.aggregate, of_ends.after.aggregate
        self._verdict: GateVerdict | None = None
        self.seconds += perf_counter() - begun

    @property
    def limit(self) -> float:
        """Return the limit in the measure's units; a share for relative limits of single topics."""
        whole = self.rule.relative and self.rule.kind in TESTED
        return self.rule.limit * (abs(self._means()[0] or 0.0) if whole else 1.0)

    def _means(self) -> tuple[float | None, float | None]:
        """Return the means of both runs; tested rules only take topics that have both values."""
        before, after = self.runs.before, self.runs.after
        both = ~np.isnan(before.values + after.values)
        if self.rule.kind in TESTED and not both.all():
            return ordered_mean(before.values[both]), ordered_mean(after.values[both])
        return finite(before.aggregate), finite(after.aggregate)

    def equivalence(self, decision: Decision, *, planning: PlannedFor) -> GateVerdict:
        """Test if the candidate differs by less than the margin."""
        return equivalence_verdict(
            self.runs.old,
            self.runs.new,
            margin=self.rule.limit,
            share=self.rule.relative,
            span=self.runs.span,
            bound=decision.bound,
            alpha=decision.alpha,
            power=decision.power,
            seed=decision.seed,
            planning=planning,
        )

    def seeded(self, decision: Decision) -> GateVerdict:
        """Test the drop between means over seeds, whose spread counts."""
        return seeded_verdict(
            self.runs.old_by_run,
            self.runs.new_by_run,
            limit=self.rule.limit,
            share=self.rule.relative,
            alpha=decision.alpha,
            power=decision.power,
        )

    def set_verdict(self, verdict: GateVerdict) -> None:
        """Set the verdict, from the topics for which both runs have values.

        If a topic has only one value, "cannot tell" replaces "not worse" and "equivalent".
        """
        shown = verdict.verdict in (Verdict.NOT_WORSE, Verdict.EQUIVALENT)
        if (self._lost or self._gained) and shown:
            verdict = replace(verdict, verdict=Verdict.CANNOT_TELL)
        self._verdict = verdict

    def outcome(self, policy: GatePolicy) -> RuleOutcome:
        """Return the outcome of the rule."""
        begun = perf_counter()
        worse, verdict, runs = self._worse(), self._verdict, self.runs
        if verdict is not None:
            if self.rule.kind is RuleKind.EQUIVALENT:
                opens = verdict.verdict is Verdict.EQUIVALENT
            else:
                opens = gate_passes(verdict, policy)
            passed, drop = opens and not self._lost, verdict.drop
        else:
            mean = runs.after.aggregate
            drop = finite(runs.sign * (runs.before.aggregate - mean))
            if self.rule.kind is RuleKind.MAX_TOPIC_DROP:
                worse = [one for one in worse if self._breaks(one)]
                passed = not worse and not self._lost
            elif self._tie_range is not None:
                worst, best = self._tie_range
                passed = abs(best - worst) <= self.limit + ROUNDING
            elif self.rule.kind is RuleKind.MIN:
                passed = mean >= self.limit - ROUNDING
            else:
                passed = mean <= self.limit + ROUNDING
        whole = self.rule.kind is RuleKind.MAX_TOPIC_DROP
        baseline, candidate = self._means()
        return RuleOutcome(
            run=runs.run.name,
            rule=self.rule,
            measure=runs.after.measure,
            loss=runs.after.loss,
            signature=runs.after.signature,
            passed=bool(passed),
            limit=self.limit,
            baseline=baseline,
            candidate=candidate,
            drop=drop,
            verdict=verdict,
            topics=tuple(worse if whole else worse[:MOVED_SHOWN]),
            n_worse=len(worse),
            lost=self._lost,
            gained=self._gained,
            seeds=tuple(score.aggregate for score in runs.seeds),
            baseline_seeds=tuple(score.aggregate for score in runs.seeds_before),
            tie_range=self._tie_range,
            seconds=self.seconds + perf_counter() - begun,
        )

    def _worse(self) -> list[TopicDrop]:
        drops = self.runs.old - self.runs.new
        old, new = self.runs.before.values, self.runs.after.values
        order = np.argsort(-drops, kind="stable")
        return [
            TopicDrop(self.runs.run.topics[i], float(old[i]), float(new[i]), float(drops[i]))
            for i in order.tolist()
            if drops[i] > ROUNDING
        ]

    def _breaks(self, one: TopicDrop) -> bool:
        limit = self.rule.limit * (abs(one.baseline) if self.rule.relative else 1.0)
        return one.drop > limit + ROUNDING


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
