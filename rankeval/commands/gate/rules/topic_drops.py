"""Rules about single topics: max-topic-drop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankeval.base.wording import count
from rankeval.commands.gate.rules.rule import ROUNDING, Rule
from rankeval.commands.gate.rules.rule_kind import RuleKind, require_difference
from rankeval.commands.gate.rules.rule_words import worse_topics

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
    corrected=False,
    test=None,
    passes=_passes,
    breaks=_breaks,
    glance=lambda outcome, _digits: count(outcome.n_worse, "topic") if outcome.topics else "",
    say=_say,
)
