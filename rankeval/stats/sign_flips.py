"""Fisher's randomization test: flip the signs of the differences."""

from functools import partial

import numpy as np
import numpy.typing as npt

from rankeval.base.progress import report_progress
from rankeval.choices import TestName
from rankeval.stats.checked_arrays import NOISE, Floats, random_numbers, require_count
from rankeval.stats.paired import (
    NO_DIFFERENCE,
    PERMUTATIONS,
    Alternative,
    Outcome,
    PairedTest,
    as_extreme,
    outcomes_by_column,
)

# Entries of a block of signs (8 MB), about: larger blocks fall out of the processor's cache.
BLOCK = 2**20


def randomization(
    differences: npt.ArrayLike,
    *,
    alternative: Alternative | str = Alternative.TWO_SIDED,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> tuple[PairedTest, ...]:
    r"""Test the hypothesis that swapping two systems' values of a topic makes no difference.

    Under the hypothesis each difference could have had either sign, and all 2^n sign vectors are
    equally likely:

    .. math:: p = \Pr_{s \in \{-1, 1\}^n} \bigl( |\textstyle\sum_t s_t d_t| \ge |\sum_t d_t| \bigr)

    (one-sided without the bars). The statistic is the mean difference. Topics that do not differ
    have no effect. With k others, all 2^k sign vectors are enumerated if they are at most
    `permutations`. Otherwise `permutations` of them are drawn, and the p-value is (1 + c) / (1 +
    draws) with c draws at least as extreme; the 1 counts the observed signs, so p is never 0.

    Shapes: differences (n, m), or (n,) for one column, give m outcomes. The columns share their
    sign vectors, drawn in blocks and applied by matrix multiplication; a column's outcome does not
    depend on the other columns.

    Edge cases
        - No topic, or none that differs: p = 1.0.
        - One topic: p = 1.0, and 0.5 for the one-sided alternative that it supports.
        - NaN: the pair is left out.

    Source: Fisher, The Design of Experiments, 1935; Smucker, Allan and Carterette, CIKM 2007; for
    1 + c, Phipson and Smyth, Statistical Applications in Genetics and Molecular Biology 9(1), 2010.
    """
    draws = require_count(permutations, "permutations")
    arithmetic = partial(_outcomes, permutations=draws, seed=seed)
    return outcomes_by_column(TestName.RANDOMIZATION, differences, alternative, arithmetic)


def _outcomes(
    differences: Floats, alternative: Alternative, *, permutations: int, seed: int
) -> list[Outcome]:
    outcomes: dict[int, Outcome] = {}
    to_sample = []
    for column, values in enumerate(differences.T):
        moved = values[values != 0.0]
        if not moved.size:
            outcomes[column] = Outcome(0.0, 1.0, exact=True, note=NO_DIFFERENCE)
        elif 2**moved.size <= permutations:
            outcomes[column] = _enumerated(moved, len(values), alternative)
        else:
            to_sample.append(column)
    if to_sample:
        sampled = _sampled(differences[:, to_sample], alternative, permutations, seed)
        outcomes.update(zip(to_sample, sampled, strict=True))
    return [outcomes[column] for column in range(differences.shape[1])]


def _enumerated(moved: Floats, n_topics: int, alternative: Alternative) -> Outcome:
    sums = np.zeros(1)
    for difference in moved:
        sums = np.concatenate((sums - difference, sums + difference))
    observed = moved.sum(keepdims=True)
    noise = NOISE * np.abs(moved).sum(keepdims=True)
    extreme = as_extreme(sums[:, np.newaxis], observed, noise, alternative)
    return Outcome(
        float(observed[0]) / n_topics, float(extreme.mean()), resamples=sums.size, exact=True
    )


def _sampled(
    differences: Floats, alternative: Alternative, permutations: int, seed: int
) -> list[Outcome]:
    n_topics, n_columns = differences.shape
    rng = random_numbers(seed)
    words = -(-n_topics // 64)
    # Padded to whole words of random bits, so that no bit needs to be cut off; 0 adds nothing.
    padded = np.zeros((words * 64, n_columns))
    padded[:n_topics] = differences
    observed = differences.sum(axis=0)
    noise = NOISE * np.abs(differences).sum(axis=0)
    rows = max(1, BLOCK // len(padded))
    count = np.zeros(n_columns, dtype=np.int64)
    for start in range(0, permutations, rows):
        # One row is a whole number of 64-bit draws: the size of the blocks does not change them.
        draws = rng.integers(
            0, 2**64, size=(min(rows, permutations - start), words), dtype=np.uint64
        )
        kept = np.unpackbits(draws.astype("<u8", copy=False).view(np.uint8), axis=1)
        # The sum with signs is the sum over those kept minus the sum over the others.
        sums = 2.0 * (kept.astype(np.float64) @ padded) - observed
        count += as_extreme(sums, observed, noise, alternative).sum(axis=0)
        report_progress("permutations", min(start + rows, permutations), permutations)
    return [
        Outcome(
            float(observed[i]) / n_topics,
            float(1 + count[i]) / (1 + permutations),
            resamples=permutations,
            seed=seed,
        )
        for i in range(n_columns)
    ]
