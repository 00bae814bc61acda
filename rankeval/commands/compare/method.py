"""The method of a comparison: test, correction, interval, margins."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any, Literal, Self, TypedDict

from rankeval.base.checked import checked
from rankeval.base.dicts import read_only
from rankeval.base.frozen import frozen, shown_changes
from rankeval.choices import (
    Correction,
    CorrectionText,
    IntervalMethod,
    PosteriorTest,
    SystemsTest,
    TestName,
    TestText,
)
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import require_margin, require_power, require_risk
from rankeval.stats.statistical_tests import (
    POSTERIOR_TESTS,
    SYSTEMS_TESTS,
    statistical_test,
)

AnyTest = TestName | SystemsTest | PosteriorTest


class MethodFields(TypedDict, total=False):
    """The fields of `Method`, as keywords of functions."""

    test: AnyTest | TestText
    correction: Correction | CorrectionText | None
    interval: IntervalMethod | Literal["t", "bca"]
    alpha: float
    all_pairs: bool
    power: float
    difference: float
    relative: bool
    margins: Mapping[str, float]
    seed: int


MARGIN = 0.01
"""Default margin of practical equivalence: half the width of the region."""
BONFERRONI: Literal["bonferroni"] = "bonferroni"
"""How tests of all systems, which correct for pairs themselves, are corrected over measures."""


@checked
@frozen
class Method:
    """The way to compare runs; docs/statistics.md helps to choose.

    ========== ============================================================================
    test       a paired test; tukey, randomized-tukey or dunnett for all systems at once; or
               bayes, for probabilities instead of p-values
    correction correction of the p-values of all comparisons of all measures, holm by default;
               the tests of all systems correct for pairs themselves, and for measures and groups
               by Bonferroni's correction unless it is none
    interval   interval of the difference: t or bca; tukey and dunnett have their own
    alpha      significance level; intervals have the confidence level 1 - alpha, all together
               where p-values are corrected by holm or are those of a test of all systems, by
               Bonferroni's correction or the test's own distribution, and else each by itself
    all_pairs  True to compare every run with every other one, not with the baseline only
    power      probability of detecting `difference`, for planning
    difference the difference to plan for, in the measure's units or as a share of the
               baseline's mean
    relative   True if `difference` is a share
    margins    by measure, the smallest difference that is not equivalent. These measures get a
               test of equivalence; for others, bayes takes 0.01 as practically equal
    seed       seed of tests and intervals that draw at random, and of planning
    ========== ============================================================================

    >>> from rankeval import compare
    >>> from rankeval.options import Method
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> bm25 = {"q1": {"d7": 2, "d1": 1}, "q2": {"d2": 1}}
    >>> dense = {"q1": {"d1": 2, "d7": 1}, "q2": {"d2": 1}}
    >>> method = Method(test="wilcoxon", alpha=0.01)
    >>> compare(qrels, bm25, dense, "RR", method=method).method.alpha
    0.01
    """

    test: AnyTest | TestText = TestName.STUDENT_T
    correction: Correction | CorrectionText | None = None
    interval: IntervalMethod | Literal["t", "bca"] = IntervalMethod.STUDENT_T
    alpha: float = 0.05
    all_pairs: bool = False
    power: float = 0.8
    difference: float = 0.05
    relative: bool = True
    margins: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0

    __repr__ = shown_changes

    def __post_init__(self) -> None:
        self.__dict__["margins"] = read_only(self.margins)
        require_risk(self.alpha, "alpha")
        require_power(self.alpha, self.power)
        for margin in self.margins.values():
            require_margin(margin)
        if self.gives_probabilities and self.corrected is not Correction.NONE:
            raise UsageError(
                f"{self.test} gives probabilities, which {self.correction} cannot correct",
                expected=f"--test {self.test} without --correction",
            )
        if self.all_pairs and statistical_test(self.test).baseline_only:
            raise UsageError(
                f"{statistical_test(self.test).title} compares with the baseline only",
                expected="tukey or randomized-tukey for all pairs",
            )
        if self.of_systems and self.corrected not in (BONFERRONI, Correction.NONE):
            raise UsageError(
                f"{self.test} cannot be corrected by {self.correction}: its p-values already hold "
                "for all pairs of a measure",
                expected="none, or no correction, which means Bonferroni's over measures",
            )

    @classmethod
    def from_options(
        cls,
        test: str = "t",
        correction: str | None = None,
        interval: str = "t",
        difference: str | float = "5%",
        *,
        alpha: float = 0.05,
        all_pairs: bool = False,
        power: float = 0.8,
        equivalent: Iterable[str] = (),
        seed: int = 0,
    ) -> Self:
        """Make a method from the values of options.

        `difference` is a number such as 0.01, or a share such as 5%; `equivalent` holds margins
        such as nDCG@10=0.01.
        """
        text = str(difference).strip()
        try:
            wanted = float(text.removesuffix("%"))
        except ValueError:
            wanted = math.nan
        if not (math.isfinite(wanted) and wanted > 0):
            raise UsageError(
                f"'{text}' is not a difference to plan for", expected="a number above 0, or 5%"
            )
        relative = text.endswith("%")
        words: dict[str, Any] = {  # which become members when the method is made
            "test": test,
            "correction": correction,
            "interval": interval,
        }
        return cls(
            **words,
            alpha=alpha,
            all_pairs=all_pairs,
            power=power,
            difference=wanted / 100 if relative else wanted,
            relative=relative,
            margins=dict(map(_margin, equivalent)),
            seed=seed,
        )

    @property
    def of_systems(self) -> bool:
        """Return True if the test is one of all systems at once."""
        return self.test in SYSTEMS_TESTS

    @property
    def gives_probabilities(self) -> bool:
        """Return True if the test gives probabilities instead of p-values."""
        return self.test in POSTERIOR_TESTS

    @property
    def corrected(self) -> Correction | Literal["bonferroni"]:
        """Return the correction of the p-values: the chosen one, or the test's default."""
        if self.correction is not None:
            return Correction(self.correction)
        if self.gives_probabilities:
            return Correction.NONE
        return BONFERRONI if self.of_systems else Correction.HOLM

    @property
    def has_own_intervals(self) -> bool:
        """Return True if intervals are those of the test of all systems."""
        return self.test in (SystemsTest.TUKEY, SystemsTest.DUNNETT)

    @property
    def together(self) -> bool:
        """Return True if the intervals hold together, and not each by itself."""
        return self.of_systems or self.corrected is Correction.HOLM


def _margin(text: str) -> tuple[str, float]:
    """Read a margin of equivalence, such as nDCG@10=0.01."""
    measure, _, number = text.rpartition("=")
    wrong = UsageError(
        f"'{text}' is not a margin of equivalence", expected="MEASURE=MARGIN, as in nDCG@10=0.01"
    )
    if not measure.strip():
        raise wrong
    try:
        return measure.strip(), float(number)
    except ValueError as error:
        raise wrong from error
