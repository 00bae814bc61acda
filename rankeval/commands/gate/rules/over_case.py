"""Apply a rule on several collections: on their macro mean, on the worst one, or on all parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rankeval.base.wording import finite
from rankeval.choices import Correction
from rankeval.commands.gate.decision import Decision, options_of
from rankeval.commands.gate.report import CollectionDrop, RuleOutcome
from rankeval.commands.gate.rules.rule import ROUNDING, WORST_COLLECTION, Rule
from rankeval.commands.gate.rules.rule_case import BothRuns
from rankeval.stats import GateVerdict, Verdict, adjust_p_values, macro_verdict
from rankeval.stats.judging import PlannedFor, called, gate_passes, with_plan
from rankeval.stats.macro_gate import macro_drop

if TYPE_CHECKING:
    from rankeval.commands.gate.sequence import NightLook


class OnCollection(NamedTuple):
    """Both runs on one collection in the measure of a rule."""

    collection: str
    runs: BothRuns


class OverCase:
    """A rule on several collections for one candidate.

    `wholes` has the collections that count once each, with their parts; for a rule on a collection
    with parts, these are its parts. `look` is the one of a sequence; None for a gate alone.
    """

    def __init__(
        self,
        rule: Rule,
        wholes: Mapping[str, Sequence[OnCollection]],
        look: NightLook | None = None,
    ) -> None:
        self.rule, self.wholes, self.look = rule, wholes, look
        self.parts = [part for parts in wholes.values() for part in parts]

    def limited(self, *, low: bool) -> RuleOutcome:
        """Return the outcome of a rule on the candidate's mean, the lowest one or the highest."""
        means = [(name, _macro(parts)) for name, parts in self.wholes.items()]
        worst = ""
        if self.rule.collection != WORST_COLLECTION:
            old, new = (float(np.mean([m[i] for _, m in means])) for i in (0, 1))
        else:
            undefined = -np.inf if low else np.inf
            worst, (old, new) = (min if low else max)(
                means, key=lambda one: undefined if np.isnan(one[1][1]) else one[1][1]
            )
        passed = new >= self.rule.limit - ROUNDING if low else new <= self.rule.limit + ROUNDING
        drops = [self._drop(name, parts) for name, parts in self.wholes.items()]
        return self._outcome(
            passed=bool(passed),
            old=finite(old),
            new=finite(new),
            verdict=None,
            drops=drops,
            worst=worst,
        )

    def tested(self, decision: Decision, family: int, planning: PlannedFor) -> RuleOutcome:
        """Return the outcome of a rule on a drop."""
        worst = ""
        if self.rule.collection != WORST_COLLECTION:
            verdict = self._judged(list(self.wholes.values()), decision, family, planning=planning)
            drops = [self._drop(name, parts) for name, parts in self.wholes.items()]
        else:
            each = [
                self._judged([parts], decision, family, planning=PlannedFor.NONE)
                for parts in self.wholes.values()
            ]
            place, verdict = _worst(each, decision.correction)
            worst = list(self.wholes)[place]
            if planning is not PlannedFor.NONE and verdict.verdict is not Verdict.NOT_WORSE:
                shares = family * len(self.wholes)
                parts = self.wholes[worst]
                planned = self._judged([parts], decision, shares, planning=PlannedFor.ALL)
                verdict = with_plan(verdict, planned)
            drops = [
                self._drop(name, parts, one.verdict)
                for (name, parts), one in zip(self.wholes.items(), each, strict=True)
            ]
        lost, gained = self._topics("lost"), self._topics("gained")
        if (lost or gained) and verdict.verdict is Verdict.NOT_WORSE:
            verdict = replace(verdict, verdict=Verdict.CANNOT_TELL)
        sign = self.parts[0].runs.sign
        old, new = (
            None if value is None else sign * value
            for value in (verdict.baseline_mean, verdict.candidate_mean)
        )
        passed = gate_passes(verdict, decision.policy) and not lost
        return self._outcome(
            passed=passed,
            old=old,
            new=new,
            verdict=verdict,
            drops=drops,
            worst=worst,
            lost=lost,
            gained=gained,
        )

    def _judged(
        self,
        wholes: Sequence[Sequence[OnCollection]],
        decision: Decision,
        family: int,
        *,
        planning: PlannedFor,
    ) -> GateVerdict:
        """Judge the macro mean over some collections."""
        parts = [part for of_one in wholes for part in of_one]
        old = [part.runs.old_by_run for part in parts]
        new = [part.runs.new_by_run for part in parts]
        weights = [1.0 / len(wholes) / len(of_one) for of_one in wholes for _ in of_one]
        spans = [part.runs.span for part in parts]
        share = self.rule.relative
        found = macro_verdict(
            old,
            new,
            limit=self.rule.limit,
            weights=weights,
            share=share,
            spans=spans,
            **options_of(decision, family, planning),
        )
        if self.look is None:
            return found
        named = f" ({parts[0].collection})" if len(wholes) < len(self.wholes) else ""
        drop = macro_drop(old, new, weights, share=share, spans=spans)
        run = parts[0].runs.run.name
        return self.look.judged(found, run, f"{self.rule}{named}", drop, self.rule.limit)

    def _drop(
        self, name: str, parts: Sequence[OnCollection], verdict: Verdict | None = None
    ) -> CollectionDrop:
        old, new = _macro(parts)
        return CollectionDrop(
            name,
            sum(len(part.runs.run.topics) for part in parts),
            finite(old),
            finite(new),
            finite(parts[0].runs.sign * (old - new)),
            verdict,
        )

    def _topics(self, side: str) -> tuple[str, ...]:
        """Return the topics for which only the baseline, or only the candidate, has a value."""
        return tuple(
            f"{part.collection}: {topic}"
            for part in self.parts
            for topic in getattr(part.runs, side)
        )

    def _outcome(
        self,
        *,
        passed: bool,
        old: float | None,
        new: float | None,
        verdict: GateVerdict | None,
        drops: Sequence[CollectionDrop],
        worst: str,
        lost: tuple[str, ...] = (),
        gained: tuple[str, ...] = (),
    ) -> RuleOutcome:
        first = self.parts[0].runs
        drop = None if old is None or new is None else first.sign * (old - new)
        ordered = sorted(drops, key=lambda one: (one.name != worst, -_or_least(one.drop)))
        return RuleOutcome(
            run=first.run.name,
            rule=self.rule,
            measure=first.after.measure,
            loss=first.after.loss,
            signature=first.after.signature,
            passed=passed,
            limit=verdict.limit if verdict else self.rule.limit,
            baseline=old,
            candidate=new,
            drop=verdict.drop if verdict else drop,
            verdict=verdict,
            topics=(),
            n_worse=sum(one.drop is not None and one.drop > ROUNDING for one in drops),
            lost=lost,
            gained=gained,
            seeds=self._means_of_runs("seeds"),
            baseline_seeds=self._means_of_runs("seeds_before"),
            collections=tuple(ordered),
        )

    def _means_of_runs(self, side: str) -> tuple[float, ...]:
        """Return the macro mean of each run of a system of several."""
        if self.rule.collection == WORST_COLLECTION:
            return ()
        every = [
            np.mean([[run.aggregate for run in getattr(part.runs, side)] for part in parts], axis=0)
            for parts in self.wholes.values()
        ]
        return tuple(np.mean(every, axis=0).tolist())


def _or_least(drop: float | None) -> float:
    return -np.inf if drop is None else drop


def _macro(parts: Sequence[OnCollection]) -> tuple[float, float]:
    """Return the means of both runs over the parts of a collection."""
    old, new = ([getattr(p.runs, side).aggregate for p in parts] for side in ("before", "after"))
    return float(np.mean(old)), float(np.mean(new))


def _worst(each: Sequence[GateVerdict], correction: Correction) -> tuple[int, GateVerdict]:
    """Return the number of the worst collection, and one verdict for all.

    The worst one is that whose loss is surest among those that lose more than the limit, or else
    one without any value, or that which comes nearest to the limit.
    "Not worse" needs no correction, because it must be shown on every collection. "Worse" on any of
    them is one of several tests, so p-values are corrected over the collections.
    """
    p_values = adjust_p_values([one.p_value for one in each], correction=correction).tolist()
    beyond = adjust_p_values([one.p_beyond_limit for one in each], correction=correction)

    def order(number: int) -> tuple[bool, float, float]:
        one = each[number]
        beyond_limit = np.inf if one.drop is None else one.drop - one.limit
        return not one.exceeds, p_values[number] if one.exceeds else 0.0, -beyond_limit

    place = min(range(len(each)), key=order)
    worst = each[place]
    return place, replace(
        worst,
        verdict=called(
            exceeds=worst.exceeds,
            p_value=p_values[place],
            within=all(one.verdict is Verdict.NOT_WORSE for one in each),
            alpha=worst.alpha,
        ),
        n_topics=0 if any(not one.n_topics for one in each) else worst.n_topics,
        p_value=p_values[place],
        p_beyond_limit=float(beyond.min()),
        beyond=bool(beyond.min() < worst.alpha),
    )
