"""Rules about single topics, and about equal scores: max-topic-drop and max-tie-gap."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from rankeval.base.wording import count, number
from rankeval.commands.gate.rules.rule import ROUNDING, Rule
from rankeval.commands.gate.rules.rule_kind import RuleKind, require_difference
from rankeval.commands.gate.rules.rule_words import changed, measure_words, worse_topics

if TYPE_CHECKING:
    from rankeval.choices import GatePolicy
    from rankeval.commands.gate.report import RuleOutcome, TopicDrop
    from rankeval.commands.gate.rules.rule_case import RuleCase


def _breaks(rule: Rule, drop: TopicDrop) -> bool:
    limit = rule.limit * (abs(drop.baseline) if rule.relative else 1.0)
    return drop.drop > limit + ROUNDING


def _passes(case: RuleCase, _policy: GatePolicy) -> bool:
    return not (case.lost or any(_breaks(case.rule, drop) for drop in case.worse()))


def _say(outcome: RuleOutcome, digits: int) -> list[str]:
    limit = str(outcome.rule).rpartition("=")[2]
    where = f" in {outcome.rule.group}" if outcome.rule.group else ""
    worse = f"{where} got worse by more than {limit}"
    if not outcome.topics:
        return [f"no topic{worse}"]
    return [f"{count(outcome.n_worse, 'topic')}{worse}: {worse_topics(outcome, digits)}"]


MAX_TOPIC_DROP = RuleKind(
    name="max-topic-drop",
    help="Largest drop on any topic: nDCG@10=0.5, or 50%.",
    expected="a drop such as nDCG@10=0.5 or nDCG@10=50%",
    accepts=lambda limit, _relative: limit >= 0,
    require=require_difference,
    golden=False,
    of_ties=False,
    corrected=False,
    test=None,
    passes=_passes,
    breaks=_breaks,
    over=None,
    glance=lambda outcome, _digits: count(outcome.n_worse, "topic") if outcome.topics else "",
    say=_say,
)


def _tie_passes(case: RuleCase, _policy: GatePolicy) -> bool:
    worst, best = case.tie_range or (math.nan, math.nan)
    return abs(best - worst) <= case.limit + ROUNDING


def _gap(outcome: RuleOutcome, digits: int) -> str:
    worst, best = outcome.tie_range or (math.nan, math.nan)
    return number(abs(best - worst), digits)


def _say_ties(outcome: RuleOutcome, digits: int) -> list[str]:
    """Return the values that orders of equal scores give, and how far they are apart."""
    worst, best = outcome.tie_range or (math.nan, math.nan)
    limit, gap = f"the most is {outcome.rule.limit:.12g}", _gap(outcome, digits)
    if not (math.isfinite(worst) and math.isfinite(best)):
        said = "is undefined"
    elif worst == best:
        said = f"is {number(worst, digits)} in any order of equal scores; {limit}"
    else:
        low, high = (number(end, digits) for end in sorted((worst, best)))
        said = f"is {low} to {high} as equal scores are ordered, {gap} apart; {limit}"
    return [f"{measure_words(outcome)} {said}", changed(outcome, digits)]


MAX_TIE_GAP = RuleKind(
    name="max-tie-gap",
    help="Largest difference that the order of the candidate's equal scores makes to its mean: "
    "nDCG@10=0.01.",
    expected="a difference such as nDCG@10=0.01",
    accepts=lambda limit, relative: limit >= 0 and not relative,
    require=partial(require_difference, share=False),
    golden=False,
    of_ties=True,
    corrected=False,
    test=None,
    passes=_tie_passes,
    breaks=None,
    over=None,
    glance=lambda outcome, digits: f"{_gap(outcome, digits)} apart" if outcome.tie_range else "",
    say=_say_ties,
)
