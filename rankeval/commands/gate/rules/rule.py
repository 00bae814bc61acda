"""A rule of a gate."""

from dataclasses import field

from rankeval.base.frozen import frozen

IN = " in "
"""Stands between a measure and the group of topics that a rule names."""
ON = " on "
"""Stands between a measure and the collection, or the collections, that a rule names."""
MACRO_MEAN, WORST_COLLECTION = "macro mean", "worst collection"
"""The names for rules on the mean over collections, or on the collection that lost most."""
OVER_COLLECTIONS = frozenset({MACRO_MEAN, WORST_COLLECTION})
ROUNDING = 1e-12
"""Rounding error allowed in a comparison with a limit; as in `rankeval.stats`."""


MAX_COST, MAX_COST_VALUE = "max-cost", "max-cost-value"
"""The kinds of rules on costs of runs, whose `measure` is a column of the file of costs."""
OPTIONS = {"max-drift": "max-drop-from-golden"}
"""The options of kinds of rules that JSON has another name for."""


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
             the candidate's equal scores;
             min-gain: the smallest gain of the mean;
             max-cost: the largest increase of the mean cost; max-cost-value: the largest mean cost
    measure  name of the measure, or of the cost, as it is written in the rule
    limit    0 or more for drops and gaps; a share, 0.02 for 2%, if the rule is relative
    relative True if the limit is a share of the baseline's value
    group    the group of topics in which the rule holds; "" for a rule that names none
    place    file and table in which the rule is written, "" for rules from elsewhere; it does
             not count when rules are compared
    collection the collection in which the rule holds, "macro mean" or "worst collection"; "" for a
             rule that names none
    ======== ==========================================================================
    """

    kind: str
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

    @property
    def of_costs(self) -> bool:
        """Return True for a rule on costs of runs, which is about no measure."""
        return self.kind in (MAX_COST, MAX_COST_VALUE)

    def __str__(self) -> str:
        limit = f"{100 * self.limit:.12g}%" if self.relative else f"{self.limit:.12g}"
        named = f"{ON + self.collection if self.collection else ''}"
        named += f"{IN + self.group if self.group else ''}"
        return f"{self.kind} {self.measure}{named}={limit}"


def place_of(rule: Rule) -> str:
    """Return where a rule is written, for errors: its place, or the option of its kind."""
    return rule.place or f"--{OPTIONS.get(rule.kind, rule.kind)}"
