"""A rule of a gate."""

from dataclasses import field

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen

IN = " in "
"""Stands between a measure and the group of topics that a rule names."""
ROUNDING = 1e-12
"""Rounding error allowed in a comparison with a limit; as in `rankeval.stats`."""


@checked
@frozen
class Rule:
    """One limit.

    ======== ==========================================================================
    kind     max-drop: the largest drop of the mean over topics;
             max-topic-drop: the largest drop of any topic;
             min, max: the smallest and the largest mean, whatever the baseline's mean is;
             equivalent: the margin within which the mean must be shown to lie;
             max-drop-from-golden: the largest drop of the mean from the golden baseline;
             min-gain: the smallest gain of the mean
    measure  name of the measure, as it is written in the rule
    limit    0 or more for drops; a share, 0.02 for 2%, if the rule is relative
    relative True if the limit is a share of the baseline's value
    group    the group of topics in which the rule holds; "" for a rule that names none
    place    file and table in which the rule is written, "" for rules from elsewhere; it does
             not count when rules are compared
    ======== ==========================================================================
    """

    kind: str
    measure: str
    limit: float
    relative: bool = False
    group: str = ""
    place: str = field(default="", compare=False, repr=False)

    def __str__(self) -> str:
        limit = f"{100 * self.limit:.12g}%" if self.relative else f"{self.limit:.12g}"
        named = IN + self.group if self.group else ""
        return f"{self.kind} {self.measure}{named}={limit}"


def place_of(rule: Rule) -> str:
    """Return where a rule is written, for errors: its place, or the option of its kind."""
    return rule.place or f"--{rule.kind}"
