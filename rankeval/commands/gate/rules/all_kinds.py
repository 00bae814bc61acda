"""All kinds of rules, and the notation of rules."""

import math

from rankeval.commands.gate.rules.drops import (
    EQUIVALENT,
    MAX_DROP,
    MAX_DROP_FROM_GOLDEN,
    MIN_GAIN,
)
from rankeval.commands.gate.rules.means import MAX, MIN
from rankeval.commands.gate.rules.rule import IN, Rule
from rankeval.commands.gate.rules.rule_kind import RuleKind
from rankeval.commands.gate.rules.topic_drops import MAX_TOPIC_DROP
from rankeval.errors import UsageError

KINDS = (MAX_DROP, MIN, MAX, MIN_GAIN, MAX_TOPIC_DROP, EQUIVALENT, MAX_DROP_FROM_GOLDEN)
"""All kinds, in the order of the options."""


def kind_of(rule: Rule) -> RuleKind:
    """Return the record of a rule's kind."""
    return kind_named(rule.kind)


def kind_named(name: str) -> RuleKind:
    """Return the record of a kind; UsageError for an unknown one."""
    for kind in KINDS:
        if name == kind.name:
            return kind
    raise UsageError(
        f"no kind of rule is called '{name}'",
        expected=f"one of {', '.join(kind.name for kind in KINDS)}, such as: max-drop nDCG@10=2%",
    )


def parse_rule(text: str, kind: str | None = None) -> Rule:
    """Read a rule such as `max-drop nDCG@10=2%`, or `nDCG@10=2%` if its kind is given.

    ==== ===================================================================================
    text the rule; without its first word, if its kind is given
    kind "max-drop", "min" or another kind of docs/ci.md
    ==== ===================================================================================

    `max-drop nDCG@10 in hard=5%` holds in the group of topics "hard" only.

    >>> from rankeval.gating import parse_rule
    >>> rule = parse_rule("max-drop nDCG@10=2%")
    >>> rule.measure, rule.limit, rule.relative
    ('nDCG@10', 0.02, True)
    """
    if kind is None:
        kind, text = [*text.split(None, 1), "", ""][:2]
    found = kind_named(kind)
    name, sign, amount = text.rpartition("=")
    if not sign or not name.strip():
        raise UsageError(
            f"'{text}' is not a rule", place=f"--{found.name}", expected=found.expected
        )
    return rule(found, name.strip(), amount)


def rule(kind: RuleKind, measure: str, amount: str | float, *, place: str = "") -> Rule:
    """Make a rule from a measure's name and a limit: a number, or a text such as 2%.

    The name may go on with a group of topics: nDCG@10 in hard.
    """
    measure, _, group = (part.strip() for part in measure.partition(IN))
    text = str(amount).strip()
    relative = text.endswith("%")
    try:
        limit = float(text.removesuffix("%")) / (100 if relative else 1)
    except ValueError:
        limit = math.nan
    if not (math.isfinite(limit) and kind.accepts(limit, relative)):
        raise UsageError(
            f"'{text}' is not a limit for {measure}",
            place=place or f"--{kind.name}",
            expected=kind.expected,
        )
    return Rule(kind.name, measure, limit, relative, group, place)
