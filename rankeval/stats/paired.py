"""Paired tests: the alternatives and the outcome that all tests share, and a test by its name."""

from collections.abc import Callable, Sequence
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.choices import TestName
from rankeval.stats.checked_arrays import Floats, as_columns, as_vector, complete_groups
from rankeval.stats.statistical_tests import PAIRED_TESTS

# Standard error of a p-value near 0.05 with this many samples: 0.0007.
PERMUTATIONS = 100_000


class Alternative(StrEnum):
    """The alternative hypotheses to "no difference"."""

    TWO_SIDED = "two-sided"  # the systems differ
    GREATER = "greater"  # the candidate is better: its mean difference is above 0
    LESS = "less"  # the candidate is worse


@frozen
class PairedTest:
    """The outcome of one paired test.

    ===========  ==================================================================================
    test         which test; of a gate also betting, or both of betting and t
    alternative  which alternative hypothesis
    n_topics     pairs that count
    n_excluded   pairs left out because a value is NaN
    statistic    t, mean difference, sum of the ranks of the wins, or number of wins, as the test
                 defines it; None where it has no finite value
    p_value      always a number from 0 to 1
    resamples    sign vectors or bootstrap samples looked at; None for a test that draws none
    exact        whether the p-value has no approximation and no sampling error in it, given what
                 the test assumes
    seed         of the samples; None if nothing was drawn
    note         "" or, in a few words, why the outcome was decided rather than computed
    ===========  ==================================================================================
    """

    test: str
    alternative: Alternative
    n_topics: int
    n_excluded: int
    statistic: float | None
    p_value: float
    resamples: int | None = None
    exact: bool = False
    seed: int | None = None
    note: str = ""


@frozen
class Outcome:
    """The result of one test's arithmetic for one column of complete differences."""

    statistic: float | None
    p_value: float
    resamples: int | None = None
    exact: bool = False
    seed: int | None = None
    note: str = ""


ONE_TOPIC = "one topic has no variance"
NO_TOPIC = "no topics"
NO_DIFFERENCE = "no topic differs"
CONSTANT = "every topic differs by the same amount"
FEW = "too few topics, or too few that differ"


def outcomes_by_column(
    test: str,
    differences: npt.ArrayLike,
    alternative: Alternative | str,
    arithmetic: Callable[[Floats, Alternative], Sequence[Outcome]],
) -> tuple[PairedTest, ...]:
    """Apply a test's arithmetic to each column of differences, pairs with NaN left out.

    `arithmetic` sees complete differences of shape (n, k), n >= 1, and returns k outcomes. Without
    any topic the p-value is 1.0, because there is no evidence against the null hypothesis.
    """
    columns = as_columns(differences, "differences")
    side = Alternative(alternative)
    found: dict[int, PairedTest] = {}
    for members, complete in complete_groups(columns):
        n_topics = len(complete)
        outcomes = (
            arithmetic(complete, side)
            if n_topics
            else [Outcome(None, 1.0, note=NO_TOPIC)] * len(members)
        )
        for column, outcome in zip(members, outcomes, strict=True):
            found[column] = PairedTest(
                test=test,
                alternative=side,
                n_topics=n_topics,
                n_excluded=len(columns) - n_topics,
                statistic=outcome.statistic,
                p_value=outcome.p_value,
                resamples=outcome.resamples,
                exact=outcome.exact,
                seed=outcome.seed,
                note=outcome.note,
            )
    return tuple(found[column] for column in range(columns.shape[1]))


def as_extreme(
    sums: Floats, observed: Floats, noise: Floats, alternative: Alternative
) -> npt.NDArray[np.bool_]:
    """Mark the resampled statistics that are at least as extreme as the observed one.

    Shapes: sums (rows, m), observed and noise (m,), result (rows, m). `noise` is the largest
    rounding error of a sum: without it, rounding would decide whether samples equal to the observed
    one count.
    """
    extreme: npt.NDArray[np.bool_]
    if alternative is Alternative.GREATER:
        extreme = sums >= observed - noise
    elif alternative is Alternative.LESS:
        extreme = sums <= observed + noise
    else:
        extreme = np.abs(sums) >= np.abs(observed) - noise
    return extreme


@checked
def paired_tests(
    differences: npt.ArrayLike,
    *,
    test: TestName | str = TestName.STUDENT_T,
    alternative: Alternative | str = Alternative.TWO_SIDED,
    resamples: int = PERMUTATIONS,
    seed: int = 0,
) -> tuple[PairedTest, ...]:
    """Apply the test of that name to each column of paired differences.

    `resamples` (permutations or bootstrap samples) and `seed` apply to tests that draw samples; the
    outcome's fields of these names are None if the test did not use them.

    Shapes: differences (n, m), one column per measure or pair of systems, give m outcomes.
    Definitions, edge cases and sources are with each test: `student_t`, `randomization`,
    `bootstrap`, `wilcoxon`, `sign`.
    """
    if test not in PAIRED_TESTS:
        raise ValueError(f"'{test}' is not one of {', '.join(PAIRED_TESTS)}")
    outcomes: tuple[PairedTest, ...] = PAIRED_TESTS[test].apply(
        differences, alternative=alternative, resamples=resamples, seed=seed
    )
    return outcomes


@checked
def paired_test(
    differences: npt.ArrayLike,
    *,
    test: TestName | str = TestName.STUDENT_T,
    alternative: Alternative | str = Alternative.TWO_SIDED,
    resamples: int = PERMUTATIONS,
    seed: int = 0,
) -> PairedTest:
    """Apply the test of that name to the paired differences of one comparison, shape (n,)."""
    (outcome,) = paired_tests(
        as_vector(differences, "differences"),
        test=test,
        alternative=alternative,
        resamples=resamples,
        seed=seed,
    )
    return outcome
