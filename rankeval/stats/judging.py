"""The statistical choices of a gate's verdict."""

import math
from enum import Enum
from typing import TypedDict

from rankeval.base.frozen import frozen
from rankeval.choices import Bound, Correction, GateTest
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import require_count, require_fraction, require_risk
from rankeval.stats.paired import PERMUTATIONS


class PlannedFor(Enum):
    """The verdicts that topics are planned for."""

    ALL = "all"
    OPEN = "open"  # those that are "cannot tell", or may be after a correction for the family
    NONE = "none"


class GateOptions(TypedDict, total=False):
    """Keyword arguments of `gate_verdicts`, `gate_verdict` and `equivalence_verdict`."""

    bound: Bound | str
    alpha: float
    power: float
    planned_drop: float | None
    test: GateTest | str
    correction: Correction | str
    resamples: int
    seed: int
    family: int | None
    planning: PlannedFor


@frozen
class Judging:
    """The choices behind a verdict, with their defaults.

    ============ =========================================================================
    bound        confidence bound of the drop: betting, t or both
    alpha        risk of a wrong verdict, below 0.5
    power        power of the planning figures, above alpha
    planned_drop true drop that topics are planned for, above 0; None for twice the limit
    test         one-sided test of "no drop": bound, that of the bound's own method; betting; or a
                 paired test
    correction   correction of p-values of measures that are judged together
    resamples    permutations or bootstrap samples, for tests that draw
    seed         of tests that draw, and of planning
    family       number of tests that are corrected together, which topics are planned for; None
                 for those of the call
    planning     the verdicts that topics are planned for, which takes most of the time
    ============ =========================================================================
    """

    bound: Bound | str = Bound.BETTING
    alpha: float = 0.05
    power: float = 0.8
    planned_drop: float | None = None
    test: GateTest | str = GateTest.BOUND
    correction: Correction | str = Correction.HOLM
    resamples: int = PERMUTATIONS
    seed: int = 0
    family: int | None = None
    planning: PlannedFor = PlannedFor.ALL

    def __post_init__(self) -> None:
        require_risk(self.alpha, "alpha")
        require_fraction(self.power, "power")
        if self.alpha >= 0.5:
            problem = f"alpha is {self.alpha}"
            raise UsageError(problem, expected="a risk below 0.5, usually 0.05")
        if self.power <= self.alpha:
            problem = f"power {self.power} is not above alpha {self.alpha}"
            raise UsageError(problem, expected="a power above alpha")
        require_planned_drop(self.planned_drop)


def require_planned_drop(drop: float | None) -> None:
    """Raise UsageError for a drop to plan for that is not above 0."""
    if drop is not None and not (math.isfinite(drop) and drop > 0.0):
        problem = f"the drop to plan for is {drop}"
        raise UsageError(problem, expected="a number above 0, in the measure's own units")


WHOLE = 2.11
"""Sum of 1 / ((k + 1) ln(k + 1)^2) over all k from 1; 2.1097 rounded up."""

MOST_LOOKS = 10**9
"""A look every second for thirty years."""


def alpha_of_look(alpha: float, look: int) -> float:
    r"""Return the share of alpha that the k-th look may spend, so that all looks spend alpha.

    .. math:: \alpha_k = \frac{\alpha}{2.11\,(k + 1) \ln^2 (k + 1)}, \qquad
        \sum_{k \ge 1} \alpha_k \le \alpha

    Bounds at level 1 - alpha_k on look k are a confidence sequence: with probability 1 - alpha or
    more all of them hold at once, however many looks there are, whatever was decided after the
    earlier ones, and however much the looks depend on each other. Nightly runs over the same topics
    need this: each night has another candidate, but no new topics.

    Edge cases: a look that is no whole number from 1 to 10^9, or an alpha outside 0 to 1:
    UsageError.

    Source: Darling and Robbins, "Confidence sequences for mean, variance, and median", PNAS 58(1),
    1967; Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform, nonparametric, nonasymptotic
    confidence sequences", Annals of Statistics 49(2), 2021.

    >>> [round(alpha_of_look(0.05, look), 5) for look in (1, 10, 200)]
    [0.02466, 0.00037, 0.0]
    """
    require_fraction(alpha, "alpha")
    place = require_count(look, "look") + 1
    if look > MOST_LOOKS:
        raise UsageError(f"look is above {MOST_LOOKS:,}", expected="the number of looks so far")
    return alpha / (WHOLE * place * math.log(place) ** 2)
