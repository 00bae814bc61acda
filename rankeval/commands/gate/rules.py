"""The rules by which a gate judges candidates, and their notation."""

import math
from dataclasses import field
from enum import StrEnum

from rankeval.base.frozen import frozen
from rankeval.errors import UsageError


class RuleKind(StrEnum):
    """The quantity that a rule limits."""

    MAX_DROP = "max-drop"
    MIN = "min"
    MAX = "max"
    MAX_TOPIC_DROP = "max-topic-drop"
    EQUIVALENT = "equivalent"
    MAX_DRIFT = "max-drift"
    MAX_TIE_GAP = "max-tie-gap"


CORRECTED = frozenset({RuleKind.MAX_DROP, RuleKind.MAX_DRIFT})
"""Kinds that limit a drop of the mean; their p-values are corrected together."""
TESTED = frozenset({*CORRECTED, RuleKind.EQUIVALENT})
"""Kinds that limit a difference of means, and get a verdict from a test."""
DROPS = frozenset({*TESTED, RuleKind.MAX_TOPIC_DROP})
"""Kinds whose limit can be a share of the baseline's value."""
DIFFERENCES = frozenset({*DROPS, RuleKind.MAX_TIE_GAP})
"""Kinds whose limit is a difference of values, 0 or more."""

IN = " in "
"""Stands between a measure and the group of topics that a rule names."""
ON = " on "
"""Stands between a measure and the collection, or the collections, that a rule names."""
MACRO_MEAN, WORST_COLLECTION = "macro mean", "worst collection"
"""What a rule names to limit the mean over collections, or the collection that lost most."""
OVER_COLLECTIONS = frozenset({MACRO_MEAN, WORST_COLLECTION})

_MEANING = {
    RuleKind.MAX_DROP: "a drop such as nDCG@10=0.01 or nDCG@10=2%",
    RuleKind.MIN: "a floor such as R@100=0.8",
    RuleKind.MAX: "a ceiling such as Unjudged@10=0.1",
    RuleKind.MAX_TOPIC_DROP: "a drop such as nDCG@10=0.5 or nDCG@10=50%",
    RuleKind.EQUIVALENT: "a margin above 0 such as nDCG@10=0.01 or nDCG@10=2%",
    RuleKind.MAX_DRIFT: "a drop such as nDCG@10=0.02 or nDCG@10=4%",
    RuleKind.MAX_TIE_GAP: "a difference such as nDCG@10=0.01",
}


@frozen
class Rule:
    """One limit.

    ======== ==========================================================================
    kind     max-drop: the largest drop of the mean over topics;
             max-topic-drop: the largest drop of any topic;
             min, max: the smallest and the largest mean, whatever the baseline's mean is;
             equivalent: the margin within which the mean must be shown to lie;
             max-drift: the largest drop of the mean from the golden baseline;
             max-tie-gap: the largest difference of the means under the best and the worst order of
             the candidate's equal scores
    measure  name of the measure, as it is written in the rule
    limit    0 or more for drops and gaps; a share, 0.02 for 2%, if the rule is relative
    relative True if the limit is a share of the baseline's value
    group    the group of topics in which the rule holds; "" for a rule that names none
    place    file and table in which the rule is written, "" for rules from elsewhere; it does
             not count when rules are compared
    collection the collection in which the rule holds, "macro mean" or "worst collection"; "" for a
             rule that names none
    ======== ==========================================================================
    """

    kind: RuleKind
    measure: str
    limit: float
    relative: bool = False
    group: str = ""
    place: str = field(default="", compare=False, repr=False)
    collection: str = ""

    @property
    def over_collections(self) -> bool:
        """Return True for a rule on the macro mean or on the worst collection."""
        return self.collection in OVER_COLLECTIONS

    def __str__(self) -> str:
        limit = f"{100 * self.limit:.12g}%" if self.relative else f"{self.limit:.12g}"
        named = f"{ON + self.collection if self.collection else ''}"
        named += f"{IN + self.group if self.group else ''}"
        return f"{self.kind} {self.measure}{named}={limit}"


def parse_rule(text: str, kind: RuleKind | str | None = None) -> Rule:
    """Read a rule such as `max-drop nDCG@10=2%`, or `nDCG@10=2%` if its kind is given.

    `max-drop nDCG@10 in hard=5%` holds in the group of topics "hard" only. In a suite over several
    collections, `max-drop nDCG@10 on macro mean=1%` limits the drop of the mean of their means,
    `on worst collection` that of each, and `on scifact` that of one.

    >>> from rankeval import parse_rule
    >>> rule = parse_rule("max-drop nDCG@10=2%")
    >>> rule.measure, rule.limit, rule.relative
    ('nDCG@10', 0.02, True)
    """
    if kind is None:
        word, text = [*text.split(None, 1), "", ""][:2]
        if word not in set(RuleKind):
            raise UsageError(
                f"no kind of rule is called '{word}'",
                expected=f"one of {', '.join(RuleKind)}, such as: max-drop nDCG@10=2%",
            )
        kind = word
    kind = RuleKind(kind)
    name, sign, amount = text.rpartition("=")
    if not sign or not name.strip():
        raise UsageError(f"'{text}' is not a rule", place=f"--{kind}", expected=_MEANING[kind])
    return rule(kind, name.strip(), amount)


def rule(kind: RuleKind, measure: str, amount: str | float, *, place: str = "") -> Rule:
    """Make a rule from a measure's name and a limit: a number, or a text such as 2%.

    The name may go on with a collection and a group of topics: nDCG@10 on scifact in hard.
    """
    measure, _, group = (part.strip() for part in measure.partition(IN))
    measure, _, collection = (part.strip() for part in measure.partition(ON))
    text = str(amount).strip()
    relative = text.endswith("%")
    try:
        limit = float(text.removesuffix("%")) / (100 if relative else 1)
    except ValueError:
        limit = math.nan
    wrong = not math.isfinite(limit) or (kind in DIFFERENCES and limit < 0)
    wrong = wrong or (kind is RuleKind.EQUIVALENT and limit == 0)
    if wrong or (relative and kind not in DROPS):
        raise UsageError(
            f"'{text}' is not a limit for {measure}",
            place=place or f"--{kind}",
            expected=_MEANING[kind],
        )
    return Rule(kind, measure, limit, relative, group, place, collection)
