"""Rules about the candidate's mean, whatever the baseline's is: min and max."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rankeval.base.wording import number
from rankeval.commands.gate.rules.rule import ROUNDING, Rule, place_of
from rankeval.commands.gate.rules.rule_kind import RuleKind, require_value
from rankeval.commands.gate.rules.rule_words import changed, measure_words
from rankeval.errors import UsageError

if TYPE_CHECKING:
    from rankeval.choices import GatePolicy
    from rankeval.commands.gate.report import RuleOutcome
    from rankeval.commands.gate.rules.rule_case import RuleCase
    from rankeval.evaluation.settings import Settings
    from rankeval.measures import Measure


def _require_floor(rule: Rule, measure: Measure, settings: Settings) -> None:
    """Raise UsageError for a floor that no value of the measure reaches, or needs."""
    if measure.definition.loss:
        raise UsageError(
            f"smaller values of {measure} are better, so a floor makes no sense",
            place=place_of(rule),
            remedy=f"set a ceiling: --max {rule.measure}=LIMIT",
        )
    require_value(rule, measure, settings)


def _at_least(case: RuleCase, _policy: GatePolicy) -> bool:
    return case.runs.after.aggregate >= case.limit - ROUNDING


def _at_most(case: RuleCase, _policy: GatePolicy) -> bool:
    return case.runs.after.aggregate <= case.limit + ROUNDING


def _say(side: str, outcome: RuleOutcome, digits: int) -> list[str]:
    value = f"{measure_words(outcome)} is {number(outcome.candidate, digits)}"
    return [f"{value}; {side} is {outcome.rule.limit:.12g}", changed(outcome, digits)]


MIN = RuleKind(
    name="min",
    help="Lowest mean of the candidate: R@100=0.8.",
    expected="a floor such as R@100=0.8",
    accepts=lambda _limit, relative: not relative,
    require=_require_floor,
    golden=False,
    corrected=False,
    test=None,
    passes=_at_least,
    breaks=None,
    glance=lambda _outcome, _digits: "",
    say=partial(_say, "the least"),
)
MAX = replace(
    MIN,
    name="max",
    help="Highest mean of the candidate, for measures where less is better: Unjudged@10=0.1.",
    expected="a ceiling such as Unjudged@10=0.1",
    require=require_value,
    passes=_at_most,
    say=partial(_say, "the most"),
)
