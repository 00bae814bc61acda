"""The statistics of a gate: bounds, correction and the policy."""

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen, shown_changes
from rankeval.choices import Bound, Correction, GatePolicy
from rankeval.stats.checked_arrays import require_fraction, require_risk


@checked
@frozen
class Decision:
    """The statistical choices of a gate; docs/statistics/verdicts.md explains them.

    ============ =========================================================================
    policy       the verdicts that open the gate: observed, not-shown-worse,
                 not-shown-beyond-limit or shown-not-worse
    alpha, power significance level of verdicts, and power of the topics needed
    correction   correction of the p-values of the max-drop rules of a candidate
    bound        confidence bound of a drop, and test of "no drop": betting or t
    ============ =========================================================================
    """

    policy: GatePolicy = GatePolicy.OBSERVED
    alpha: float = 0.05
    power: float = 0.8
    correction: Correction = Correction.HOLM
    bound: Bound = Bound.BETTING

    __repr__ = shown_changes

    def __post_init__(self) -> None:
        require_risk(self.alpha, "alpha")
        require_fraction(self.power, "power")
