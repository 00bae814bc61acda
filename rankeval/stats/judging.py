"""The statistical choices of a gate's verdict."""

import math
from enum import Enum
from typing import TypedDict

from rankeval.choices import Bound, Correction, GateTest
from rankeval.errors import UsageError
from rankeval.stats.arrays import require_fraction, require_risk
from rankeval.stats.randomization import PERMUTATIONS
from rankeval.support.frozen import frozen


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
