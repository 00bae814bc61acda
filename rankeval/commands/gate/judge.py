"""Judge a candidate by rules: the values of both runs, the verdicts, and what passes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.base.wording import finite
from rankeval.choices import GatePolicy
from rankeval.commands.compare.run_pairs import score_of
from rankeval.commands.gate.report import RuleOutcome, TopicDrop
from rankeval.commands.gate.rules import (
    KINDS,
    OF_MEANS,
    OF_TOPICS,
    ROUNDING,
    Decision,
    Rule,
    Values,
    drop_verdict,
    in_groups,
    limit_of,
    over,
)
from rankeval.evaluation.results import RunResult, Score
from rankeval.evaluation.run_names import over_topics
from rankeval.stats import GateVerdict, Verdict
from rankeval.stats.gate_decisions import corrected
from rankeval.stats.paired import ordered_mean

SHOWN = (Verdict.NOT_WORSE, Verdict.EQUIVALENT, Verdict.BETTER)
"""Verdicts that a topic with a value on one side only rules out."""
MOST_TOPICS = 50
"""Topics that an outcome names."""
SIDES = {"min-gain": (-1,), "equivalent": (1, -1)}
"""The limits as drops; of other kinds a limit is a drop itself."""


class Case(NamedTuple):
    """A rule, the run that a candidate is compared with, the values of both, and the verdict."""

    rule: Rule
    before: RunResult
    values: Values
    verdict: GateVerdict | None


def judge(
    rules: Sequence[Rule],
    baseline: RunResult,
    candidate: RunResult,
    decision: Decision,
    golden: RunResult | None = None,
    groups: Mapping[str, Integers] | None = None,
) -> tuple[RuleOutcome, ...]:
    """Judge a candidate by rules, each of which holds in every group of topics, too.

    Rules have canonical names of measures, which both runs were evaluated with over the same
    topics. `groups` are the places of their topics. p-values of drops are corrected together.
    """
    groups = groups or {}
    cases: list[Case] = []
    for rule in in_groups(rules, [*groups]):
        kind = KINDS[rule.kind]
        before = golden if kind.golden and golden else baseline
        at = _values(rule, before, candidate, groups.get(rule.group))
        verdict = kind.test(rule, at, decision) if kind.test else None
        if verdict is not None and verdict.verdict in SHOWN and (at.lost or at.gained):
            verdict = replace(verdict, verdict=Verdict.INCONCLUSIVE)
        cases.append(Case(rule, before, at, verdict))
    family = [n for n, case in enumerate(cases) if KINDS[case.rule.kind].test is drop_verdict]
    together = corrected([verdict for n in family if (verdict := cases[n].verdict)])
    for n, verdict in zip(family, together, strict=True):
        cases[n] = cases[n]._replace(verdict=verdict)
    return tuple(_outcome(case, candidate, decision.policy) for case in cases)


def _values(rule: Rule, before: RunResult, after: RunResult, members: Integers | None) -> Values:
    """Return the values of both runs in the measure of a rule, over the topics of its group."""
    at = np.arange(len(after.topics)) if members is None else members
    topics = [after.topics[i] for i in at.tolist()]
    old, new = (score_of(run, rule.measure) for run in (before, after))
    sign = -1.0 if new.loss else 1.0
    a, b = old.values[at], new.values[at]
    both = ~np.isnan(a + b)
    means: list[float | None] = [old.aggregate, new.aggregate]
    if KINDS[rule.kind].test and not both.all():
        means = [ordered_mean(one[both]) for one in (a, b)]
    elif members is not None:
        means = [over_topics(old, a), over_topics(new, b)]
    return Values(
        topics=topics,
        old=sign * a,
        new=sign * b,
        old_runs=sign * _of_runs(old, at),
        new_runs=sign * _of_runs(new, at),
        means=(_or_nan(means[0]), _or_nan(means[1])),
        sign=sign,
        span=new.span if sign > 0 or not new.span else (-new.span[1], -new.span[0]),
        lost=_named(topics, np.isnan(b) & ~np.isnan(a)),
        gained=_named(topics, np.isnan(a) & ~np.isnan(b)),
    )


def _of_runs(score: Score, at: Integers) -> Floats:
    return np.stack([one.values[at] for one in score.seeds or (score,)], axis=1)


def _or_nan(mean: float | None) -> float:
    return float("nan") if mean is None else mean


def _named(topics: Sequence[str], marked: Booleans) -> tuple[str, ...]:
    return tuple(topics[i] for i in np.flatnonzero(marked).tolist())


def _outcome(case: Case, after: RunResult, policy: GatePolicy) -> RuleOutcome:
    rule, before, at, verdict = case
    score, drops, of_topics = score_of(after, rule.measure), at.old - at.new, rule.kind in OF_TOPICS
    worse = over(rule, at) if of_topics else drops > ROUNDING
    order = [i for i in np.argsort(-drops, kind="stable").tolist() if worse[i]]
    values = np.stack([at.sign * at.old, at.sign * at.new, drops], axis=1)
    same = (drops == 0) | (np.isnan(at.old) & np.isnan(at.new))
    passes = KINDS[rule.kind].passes(rule, at, verdict, policy)
    found = RuleOutcome(
        run=after.name,
        rule=rule,
        loss=score.loss,
        signature=score.signature,
        passed=bool(passes) and not (at.lost and rule.kind not in OF_MEANS),
        limit=rule.limit if of_topics else limit_of(rule, at),
        baseline=finite(at.means[0]),
        candidate=finite(at.means[1]),
        drop=verdict.drop if verdict else finite(at.sign * (at.means[0] - at.means[1])),
        verdict=verdict,
        topics=tuple(TopicDrop(at.topics[i], *values[i].tolist()) for i in order[:MOST_TOPICS]),
        n_worse=len(order),
        n_differing=int(np.count_nonzero(~same)),
        lost=at.lost,
        gained=at.gained,
        inconclusive=verdict is not None and _is_inconclusive(rule, verdict, policy),
        seeds=tuple(seed.aggregate for seed in score.seeds),
        baseline_seeds=tuple(seed.aggregate for seed in score_of(before, rule.measure).seeds),
    )
    return replace(found, tied=_tied(found, _ranges(before), _ranges(after)))


def _is_inconclusive(rule: Rule, found: GateVerdict, policy: GatePolicy) -> bool:
    """Return True if the policy asks for a test, and the test does not decide."""
    unclear = found.verdict is Verdict.INCONCLUSIVE
    if rule.kind == "equivalent" or policy is GatePolicy.SHOWN_NOT_WORSE:
        return unclear
    if KINDS[rule.kind].test is not drop_verdict or not found.exceeds:
        return False
    shown = found.beyond if policy is GatePolicy.NOT_SHOWN_BEYOND_LIMIT else not unclear
    return policy is not GatePolicy.OBSERVED and not shown


Ranges = Mapping[str, tuple[float, float]]
"""The least and the greatest mean that orders of equal scores give, by measure."""


def _ranges(run: RunResult) -> Ranges:
    """Return the ranges that the warning about ties has; those of other measures are points."""
    return {name: ends for one in run.warnings for name, ends in one.ranges.items()}


def _tied(outcome: RuleOutcome, before: Ranges, after: Ranges) -> bool:
    """Return True if the limit lies within what other orders of equal scores give.

    Of a group of topics, and of single topics, the range of all topics is taken.
    """
    rule, name = outcome.rule, outcome.rule.measure
    old, new = outcome.baseline, outcome.candidate
    if old is None or new is None or outcome.drop is None:
        return False
    sign = -1 if outcome.loss else 1
    of_old = [end - old for end in before.get(name, (old, old))]
    of_new = [end - new for end in after.get(name, (new, new))]
    if rule.kind in OF_MEANS:
        ends, limits = [new + change for change in of_new], [outcome.limit]
    else:
        ends = [outcome.drop + sign * (was - now) for was in of_old for now in of_new]
        limits = [sign * outcome.limit for sign in SIDES.get(rule.kind, (1,))]
    return any(min(ends) < one - ROUNDING and max(ends) > one + ROUNDING for one in limits)
