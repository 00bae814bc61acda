"""The statistical choices behind a gate's verdict, and the verdict."""

from enum import StrEnum
from typing import TypedDict

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.choices import Bound, Correction, GatePolicy
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import require_fraction, require_risk
from rankeval.stats.paired import PairedTest


class GateOptions(TypedDict, total=False):
    """Keyword arguments of `gate_verdicts`, `gate_verdict` and `equivalence_verdict`."""

    bound: Bound | str
    alpha: float
    power: float
    correction: Correction | str


@frozen
class Judging:
    """The choices behind a verdict, with their defaults.

    ========== ===========================================================================
    bound      confidence bound of the drop, and test of "no drop": betting or t
    alpha      risk of a wrong verdict, below 0.5
    power      power of `topics_needed`, above alpha
    correction correction of p-values of measures that are judged together
    ========== ===========================================================================
    """

    bound: Bound | str = Bound.BETTING
    alpha: float = 0.05
    power: float = 0.8
    correction: Correction | str = Correction.HOLM

    def __post_init__(self) -> None:
        require_risk(self.alpha, "alpha")
        require_fraction(self.power, "power")
        if self.alpha >= 0.5:
            problem = f"alpha is {self.alpha}"
            raise UsageError(problem, expected="a risk below 0.5, usually 0.05")
        if self.power <= self.alpha:
            problem = f"power {self.power} is not above alpha {self.alpha}"
            raise UsageError(problem, expected="a power above alpha")


class Verdict(StrEnum):
    """The verdicts on a candidate."""

    WORSE = "worse"
    NOT_WORSE = "not worse"
    INCONCLUSIVE = "inconclusive"
    EQUIVALENT = "equivalent"
    NOT_EQUIVALENT = "not equivalent"
    BETTER = "better"
    NOT_BETTER = "not better"


@frozen
class GateVerdict:
    """The drop from baseline to candidate, tested and bounded; above 0, the candidate is worse.

    =================  ============================================================================
    verdict            worse, not worse, or inconclusive; see `gate_verdicts`; on equivalence
                       equivalent, not equivalent, or inconclusive; see `equivalence_verdict`
    limit              the tolerated drop, in the measure's own units
    alpha, power       the risks that the verdict and `topics_needed` are taken at
    bound              how the drop was bounded: as asked, but t for a measure without a range
    bounded            whether the measure has a range; without one every bound is by t, which is a
                       normal approximation
    n_topics           pairs that count
    n_excluded         pairs left out because a value is NaN
    n_changed          pairs that differ
    baseline_mean      None without topics
    candidate_mean     None without topics
    drop               mean of baseline - candidate; None without topics
    exceeds            whether the observed drop is above the limit
    low, high          one-sided confidence bounds of the drop, each at 1 - alpha; None where the
                       topics do not bound it. Of a relative limit they are bounds of the share,
                       times the baseline's mean
    interval           the two-sided confidence interval of the drop at 1 - alpha, likewise
    test               the one-sided test of "no drop", for its name, statistic and raw p-value
    p_value            its p-value, corrected for the measures that were judged together
    p_beyond_limit     one-sided p-value of "the drop is at most the limit", from the bound: below
                       alpha, the drop is shown to be beyond the limit and not merely to exist
    beyond             whether that is so, after correction for what was judged together
    topics_needed      about how many topics call an equal candidate not worse, or equivalent, with
                       this power; None for limit 0, or if unknown
    =================  ============================================================================
    """

    verdict: Verdict
    limit: float
    alpha: float
    power: float
    bound: Bound
    bounded: bool
    n_topics: int
    n_excluded: int
    n_changed: int
    baseline_mean: float | None
    candidate_mean: float | None
    drop: float | None
    exceeds: bool
    low: float | None
    high: float | None
    interval: tuple[float | None, float | None]
    test: PairedTest
    p_value: float
    p_beyond_limit: float
    beyond: bool
    topics_needed: int | None = None


def called(*, exceeds: bool, p_value: float, within: bool, alpha: float) -> Verdict:
    """Return the verdict on a drop.

    `exceeds` is True if the drop is larger than the limit, `p_value` is that of "no drop", and
    `within` is True if the test has shown that the true drop is within the limit.
    """
    if exceeds:
        return Verdict.WORSE if p_value < alpha else Verdict.INCONCLUSIVE
    return Verdict.NOT_WORSE if within else Verdict.INCONCLUSIVE


def agreeing_bound(high: float | None, limit: float, *, within: bool) -> float | None:
    """Return an upper bound that a search has found, on the side of the limit that a test shows."""
    if high is None:
        return None
    return min(high, limit) if within else max(high, limit)


@checked
def gate_passes(verdict: GateVerdict, policy: GatePolicy | str) -> bool:
    """Return True if a gate with this policy opens for one verdict.

    ======================  =========================  ========  =========  ===========
    policy                  asks                       worse     not worse  inconclusive
    ======================  =========================  ========  =========  ===========
    observed                is the drop <= the limit?  closed    open       as observed
    not-shown-worse         is it not shown worse?     closed    open       open
    not-shown-beyond-limit  is it not shown to have    as shown  open       as shown
                            lost more than the limit?
    shown-not-worse         is it shown not worse?     closed    open       closed
    ======================  =========================  ========  =========  ===========

    Edge case: without any topic every policy keeps the gate closed.
    """
    if verdict.n_topics == 0:
        return False
    opens = {
        GatePolicy.OBSERVED: not verdict.exceeds,
        GatePolicy.NOT_SHOWN_WORSE: verdict.verdict is not Verdict.WORSE,
        GatePolicy.NOT_SHOWN_BEYOND_LIMIT: not verdict.beyond,
        GatePolicy.SHOWN_NOT_WORSE: verdict.verdict is Verdict.NOT_WORSE,
    }
    return opens[GatePolicy(policy)]
