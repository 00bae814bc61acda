"""Paired tests of every two of many systems, in one measure."""

from collections.abc import Sequence
from typing import Self

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.base.checked import checked
from rankeval.base.frozen import frozen, shown_changes
from rankeval.choices import Correction, CorrectionText, TestName, TestNameText
from rankeval.errors import UsageError
from rankeval.evaluation.results import RunResult
from rankeval.stats import adjust_p_values, paired_tests
from rankeval.stats.checked_arrays import require_risk

TESTED = ("mean", "sum")
"""Rules of aggregation whose values over topics can be tested in pairs."""
COLUMNS_AT_ONCE = 512
"""Pairs tested at once, so that memory does not grow with their number."""


@checked
@frozen
class PairwiseTest:
    """The way to test pairs of systems.

    test and correction are as in `Method`; without a correction, as usual for these statistics, a
    share `alpha` of pairs of equal systems is found significant.
    """

    test: TestName | TestNameText = TestName.STUDENT_T
    correction: Correction | CorrectionText = Correction.NONE
    alpha: float = 0.05
    seed: int = 0

    __repr__ = shown_changes

    def __post_init__(self) -> None:
        require_risk(self.alpha, "alpha")

    @classmethod
    def from_options(
        cls, test: str | None, correction: str | None, alpha: float | None, seed: int | None
    ) -> Self:
        """Make the test from the values of options; None is the default."""
        return cls(
            test or TestName.STUDENT_T,  # type: ignore[arg-type]  # checked when it is made
            correction or Correction.NONE,  # type: ignore[arg-type]  # as the test
            0.05 if alpha is None else alpha,
            seed or 0,
        )

    def __str__(self) -> str:
        """Name the test, and what differs from no correction and from an alpha of 0.05.

        >>> str(PairwiseTest()), str(PairwiseTest(correction="holm", alpha=0.01))
        ('paired t test', 'paired t test, correction holm, alpha 0.01')
        """
        words = [f"paired {self.test} test"]
        if self.correction is not Correction.NONE:
            words.append(f"correction {self.correction}")
        if self.alpha != 0.05:
            words.append(f"alpha {self.alpha:g}")
        return ", ".join(words)


USUAL_TEST = PairwiseTest()


@frozen(eq=False)
class SystemPairs:
    """All pairs of S systems, and whether their values differ.

    first, second  the places of the two systems, first below second, shape (m,)
    gains          mean gain of the second over the first, shape (m,)
    p_values       after correction over these pairs, shape (m,)
    """

    first: Integers
    second: Integers
    gains: Floats
    p_values: Floats


def system_pairs(gains: Floats, how: PairwiseTest = USUAL_TEST) -> SystemPairs:
    """Test every two systems on the topics for which both have a value.

    Shapes: gains (n, S), more being better, topics in rows; NaN where a value is undefined.
    """
    first, second = np.triu_indices(gains.shape[1], 1)
    p_values, means = np.ones(first.size), np.zeros(first.size)
    for start in range(0, first.size, COLUMNS_AT_ONCE):
        some = slice(start, start + COLUMNS_AT_ONCE)
        differences = gains[:, second[some]] - gains[:, first[some]]
        there = ~np.isnan(differences)
        counts = np.maximum(there.sum(axis=0), 1)
        means[some] = np.where(there, differences, 0.0).sum(axis=0) / counts
        found = paired_tests(differences, test=how.test, seed=how.seed)
        p_values[some] = [one.p_value for one in found]
    return SystemPairs(first, second, means, adjust_p_values(p_values, correction=how.correction))


def values_by_system(runs: Sequence[RunResult], place: int) -> Floats:
    """Return the values of the runs in one of their measures, more being better, (topics, runs).

    UsageError if the runs have different topics.
    """
    if len({run.topics for run in runs}) > 1:
        raise UsageError(
            "the runs have different topics, which cannot be compared",
            expected="--topics judged",
        )
    scores = [run.scores[place] for run in runs]
    found = np.stack([score.values for score in scores], axis=1)
    return -found if scores[0].loss else found


def rank_of(system: int, gains: Floats) -> int | None:
    """Return the rank of a system, equal ones being at the same rank; None for NaN."""
    gain = gains[system]
    return None if np.isnan(gain) else 1 + int((gains > gain).sum())


def ranks_of(gains: Floats) -> list[int | None]:
    """Return the rank of each system, as `rank_of` does."""
    return [rank_of(system, gains) for system in range(len(gains))]


def aggregates(runs: Sequence[RunResult], place: int) -> Floats:
    """Return the value over all topics of each run in one measure, more being better."""
    scores = [run.scores[place] for run in runs]
    return np.array([-score.aggregate if score.loss else score.aggregate for score in scores])
