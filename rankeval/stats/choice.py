"""Choose a paired test by its name."""

from functools import partial
from typing import TYPE_CHECKING

import numpy.typing as npt

from rankeval.choices import TestName
from rankeval.stats.checked_arrays import as_vector
from rankeval.stats.mean_tests import student_t
from rankeval.stats.paired import Alternative, PairedTest
from rankeval.stats.rank_tests import sign, wilcoxon
from rankeval.stats.resampling import bootstrap
from rankeval.stats.sign_flips import PERMUTATIONS, randomization

if TYPE_CHECKING:
    from collections.abc import Callable


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
    Definitions, edge cases and sources stand with each test: `student_t`, `randomization`,
    `bootstrap`, `wilcoxon`, `sign`.
    """
    tests: dict[TestName, Callable[..., tuple[PairedTest, ...]]] = {
        TestName.STUDENT_T: student_t,
        TestName.RANDOMIZATION: partial(randomization, permutations=resamples, seed=seed),
        TestName.BOOTSTRAP: partial(bootstrap, samples=resamples, seed=seed),
        TestName.BOOTSTRAP_T: partial(bootstrap, samples=resamples, seed=seed, studentized=True),
        TestName.WILCOXON: wilcoxon,
        TestName.SIGN: sign,
    }
    return tests[TestName(test)](differences, alternative=alternative)


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
