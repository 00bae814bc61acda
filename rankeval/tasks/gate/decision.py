"""How a gate decides: tests, corrections, bounds and the policy."""

from enum import StrEnum

from rankeval.stats import Bound, Correction, GatePolicy, TestName
from rankeval.stats.arrays import require_fraction
from rankeval.support.frozen import frozen


class Family(StrEnum):
    """Whose p-values are corrected together."""

    RULES = "rules"  # the drops that are limited, of each candidate by itself
    CANDIDATES = "candidates"  # those of all candidates


@frozen
class Decision:
    """What a gate asks of the statistics; docs/statistics.md has what they mean.

    ============ =========================================================================
    policy       which verdicts open the gate: observed, significant, beyond or noninferior
    alpha, power the risks that verdicts and planning figures are taken at
    test         the paired test, one-sided
    correction   of the p-values of a family of drops that are limited
    family       rules: those of one candidate; candidates: those of all of them
    bound        how drops are bounded: betting, t or both
    seed         of tests that draw
    ============ =========================================================================
    """

    policy: GatePolicy = GatePolicy.OBSERVED
    alpha: float = 0.05
    power: float = 0.8
    test: TestName = TestName.STUDENT_T
    correction: Correction = Correction.HOLM
    family: Family = Family.RULES
    bound: Bound = Bound.BETTING
    seed: int = 0

    def __post_init__(self) -> None:
        require_fraction(self.alpha, "alpha")
        require_fraction(self.power, "power")
