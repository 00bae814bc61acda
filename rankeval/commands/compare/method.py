"""The method of a comparison: test, correction, margins of equivalence."""

from collections.abc import Mapping
from typing import TypedDict

from rankeval.base.checked import checked
from rankeval.base.frozen import field, frozen
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import require_margin, require_power, require_risk
from rankeval.stats.choices import (
    Correction,
    CorrectionText,
    IntervalMethod,
    PosteriorTest,
    SystemsTest,
    TestName,
    TestText,
)
from rankeval.stats.statistical_tests import PAIRED_TESTS, SYSTEMS_TESTS

AnyTest = TestName | SystemsTest | PosteriorTest | TestText
AnyCorrection = Correction | CorrectionText | None


class MethodFields(TypedDict, total=False):
    """The fields of `Method`, as keywords of functions."""

    test: AnyTest
    correction: AnyCorrection
    alpha: float
    all_pairs: bool
    power: float
    difference: float | None
    relative: bool
    margins: Mapping[str, float]
    seed: int


MARGIN = 0.01
"""Default margin of practical equivalence: half the width of the region."""


@checked
@frozen
class Method:
    """The way to compare runs; docs/statistics.md helps to choose.

    ========== ============================================================================
    test       a paired test; tukey, randomized-tukey or dunnett for all systems at once; or
               bayes, for probabilities instead of p-values
    correction correction of the p-values of each measure, over the runs that are compared with
               the baseline, or over all pairs: holm by default; the tests of all systems correct
               for them themselves
    alpha      significance level; intervals have the confidence level 1 - alpha, and are
               adjusted as the p-values are
    all_pairs  True to compare every run with every other one, not with the baseline only
    power      probability of detecting `difference`, for planning
    difference the difference to plan for, in the measure's units or as a share of the
               baseline's mean; None plans nothing
    relative   True if `difference` is a share
    margins    by measure, the smallest difference that is not equivalent. These measures get a
               test of equivalence; for others, bayes takes 0.01 as practically equal
    seed       seed of tests and intervals that draw at random
    ========== ============================================================================

    >>> from rankeval import compare
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> bm25 = {"q1": {"d7": 2, "d1": 1}, "q2": {"d2": 1}}
    >>> dense = {"q1": {"d1": 2, "d7": 1}, "q2": {"d2": 1}}
    >>> compare(qrels, bm25, dense, "RR", test="wilcoxon", alpha=0.01).method.alpha
    0.01
    """

    test: AnyTest = TestName.STUDENT_T
    correction: AnyCorrection = None
    alpha: float = 0.05
    all_pairs: bool = False
    power: float = 0.8
    difference: float | None = None
    relative: bool = True
    margins: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0

    def __post_init__(self) -> None:
        require_risk(self.alpha, "alpha")
        require_power(self.alpha, self.power)
        for margin in self.margins.values():
            require_margin(margin)
        if self.correction not in (None, Correction.NONE) and self.test not in PAIRED_TESTS:
            raise UsageError(
                f"{self.test} cannot be corrected by {self.correction}",
                expected=f"--test {self.test} without --correction",
            )
        if self.difference is not None and self.test is not TestName.STUDENT_T:
            raise UsageError(
                f"topics are planned for the test t only, not {self.test}",
                expected="--test t, or no --power",
            )
        if self.all_pairs and self.test is SystemsTest.DUNNETT:
            raise UsageError(
                "Dunnett's test compares with the baseline only",
                expected="tukey or randomized-tukey for all pairs",
            )

    @property
    def of_systems(self) -> bool:
        """True if the test is one of all systems at once."""
        return self.test in SYSTEMS_TESTS

    @property
    def gives_probabilities(self) -> bool:
        """True if the test gives probabilities instead of p-values."""
        return self.test is PosteriorTest.BAYES

    @property
    def corrected(self) -> Correction:
        """The correction of the p-values: the chosen one, or the test's default."""
        default = Correction.HOLM if self.test in PAIRED_TESTS else Correction.NONE
        return Correction(self.correction or default)

    @property
    def interval(self) -> IntervalMethod:
        """The interval of differences: BCa for the bootstrap test, Student's t for others."""
        return IntervalMethod.BCA if self.test is TestName.BOOTSTRAP else IntervalMethod.STUDENT_T

    @property
    def has_own_intervals(self) -> bool:
        """True if intervals are those of the test of all systems."""
        return self.test in (SystemsTest.TUKEY, SystemsTest.DUNNETT)

    @property
    def adjusts(self) -> bool:
        """True if p-values and intervals are adjusted for the number of runs."""
        return self.of_systems or self.corrected is not Correction.NONE

    def n_pairs(self, n_runs: int) -> int:
        """Return the number of pairs of each measure, which form a family."""
        return n_runs * (n_runs - 1) // 2 if self.all_pairs else n_runs - 1
