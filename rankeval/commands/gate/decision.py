"""The statistics of a gate: tests, corrections, bounds and the policy."""

from rankeval.base.dicts import choice
from rankeval.base.frozen import frozen, shown_changes
from rankeval.choices import POLICIES, Bound, Correction, Family, GatePolicy, GateTest, TestName
from rankeval.stats.checked_arrays import require_fraction, require_risk, require_seed
from rankeval.stats.judging import GateOptions, PlannedFor, require_planned_drop
from rankeval.stats.statistical_tests import names_of_gate_tests


@frozen
class Decision:
    """The statistical choices of a gate; docs/statistics/verdicts.md explains them.

    ============ =========================================================================
    policy       the verdicts that open the gate: observed, not-shown-worse,
                 not-shown-beyond-limit or shown-not-worse
    alpha, power significance level of verdicts, and power of planning figures
    test         the test of "no drop", one-sided: bound, by the method of the bound, so that both
                 agree; betting; or a paired test
    correction   correction of the p-values of max-drop rules within a family
    family       rules: a family for each candidate; candidates: one family for all of them;
                 suites: one family for all suites of the call
    bound        confidence bound of a drop: betting, t or both
    planned_drop true drop that topics are planned for, in the measure's units; None for twice the
                 limit
    seed         seed of tests that draw at random
    ============ =========================================================================
    """

    policy: GatePolicy = GatePolicy.OBSERVED
    alpha: float = 0.05
    power: float = 0.8
    test: GateTest | TestName = GateTest.BOUND
    correction: Correction = Correction.HOLM
    family: Family = Family.RULES
    bound: Bound = Bound.BETTING
    planned_drop: float | None = None
    seed: int = 0

    __repr__ = shown_changes

    def __post_init__(self) -> None:
        vars(self).update(
            policy=policy_named(self.policy),
            test=choice("test", self.test, names_of_gate_tests()),
            correction=choice("correction", self.correction, Correction),
            family=choice("family", self.family, Family),
            bound=choice("bound", self.bound, Bound),
        )
        require_risk(self.alpha, "alpha")
        require_fraction(self.power, "power")
        require_planned_drop(self.planned_drop)
        require_seed(self.seed)


def policy_named(name: str) -> GatePolicy:
    """Return the policy of a name, or of a name that it had; UsageError lists the names."""
    if name in [*GatePolicy]:
        return GatePolicy(name)
    return POLICIES[choice("policy", name, POLICIES)]


def options_of(decision: Decision, family: int, planning: PlannedFor) -> GateOptions:
    """Return the options of a verdict; topics are planned for a family of `family` drops.

    P-values are corrected later, when all of a family are there.
    """
    return {
        "test": decision.test,
        "correction": Correction.NONE,
        "bound": decision.bound,
        "alpha": decision.alpha,
        "power": decision.power,
        "planned_drop": decision.planned_drop,
        "seed": decision.seed,
        "family": 1 if decision.correction == Correction.NONE else family,
        "planning": planning,
    }
