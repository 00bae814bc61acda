"""Paired tests on ranks and signs: Wilcoxon's, the sign test, and Fisher's randomization test."""

import math
from functools import partial

import numpy as np
import numpy.typing as npt

from rankeval.base.threads import report_progress
from rankeval.stats.checked_arrays import NOISE, Floats, random_numbers, require_count
from rankeval.stats.choices import TestName
from rankeval.stats.paired import (
    NO_DIFFERENCE,
    PERMUTATIONS,
    Alternative,
    Outcome,
    PairedTest,
    as_extreme,
    outcomes_by_column,
)


def sign(
    differences: npt.ArrayLike, *, alternative: Alternative | str = Alternative.TWO_SIDED
) -> tuple[PairedTest, ...]:
    r"""Test the hypothesis that a topic that differs is won or lost with equal probability.

    With w wins among the k topics that differ, W binomial(k, 1/2):

    .. math:: p = \min(1, 2 \min(\Pr(W \le w), \Pr(W \ge w)))

    and one of the two probabilities if one-sided. The statistic is w. The size of a difference has
    no effect, so the test has little power, and a system with many small wins can look better than
    one with a higher mean.

    Shapes: differences (n, m), or (n,) for one column, give m outcomes.

    Edge cases
        - No topic, or none that differs: p = 1.0.
        - One topic that differs: p = 1.0, and 0.5 for the one-sided alternative that it supports.
        - Topics that do not differ are dropped.
        - NaN: the pair is left out.

    Source: Conover, Practical Nonparametric Statistics, 3rd edition, 1999, section 3.4; against
    it for retrieval: Smucker et al., CIKM 2007.
    """
    return outcomes_by_column(TestName.SIGN, differences, alternative, _sign_outcomes)


def _sign_outcomes(differences: Floats, alternative: Alternative) -> list[Outcome]:
    from scipy.special import bdtr

    wins = np.count_nonzero(differences > 0, axis=0)
    losses = np.count_nonzero(differences < 0, axis=0)
    moved = np.maximum(wins + losses, 1)
    less = bdtr(wins.astype(np.float64), moved, 0.5)
    greater = bdtr(losses.astype(np.float64), moved, 0.5)
    p_values = {
        Alternative.LESS: less,
        Alternative.GREATER: greater,
        Alternative.TWO_SIDED: np.minimum(1.0, 2.0 * np.minimum(less, greater)),
    }[alternative]
    return [
        Outcome(float(wins[i]), float(p_values[i]), exact=True)
        if wins[i] or losses[i]
        else Outcome(0.0, 1.0, exact=True, note=NO_DIFFERENCE)
        for i in range(differences.shape[1])
    ]


# With more differing topics than this, the normal approximation is used, as in R and scipy.
EXACT_TOPICS = 50


def wilcoxon(
    differences: npt.ArrayLike, *, alternative: Alternative | str = Alternative.TWO_SIDED
) -> tuple[PairedTest, ...]:
    r"""Test whether the differences are symmetric around 0, by their ranks.

    Topics that do not differ are dropped (Wilcoxon's own treatment). The others are ranked by the
    size of their difference, equal sizes sharing their mean rank; the statistic is

    .. math:: W^+ = \sum_{t : d_t > 0} \mathrm{rank}(|d_t|)

    Up to 50 differing topics its distribution over the 2^k equally likely signs is computed
    exactly, ties included; above, it is taken as normal with mean k(k+1)/4 and variance
    k(k+1)(2k+1)/24 - sum over groups of ties (u^3 - u)/48, without continuity correction.

    The null hypothesis is about symmetry, not about means: with skewed measures the test can reject
    although the means are equal. It is therefore not the default.

    Shapes: differences (n, m), or (n,) for one column, give m outcomes.

    Edge cases
        - No topic, or none that differs: p = 1.0.
        - One topic that differs: p = 1.0, and 0.5 for the one-sided alternative that it supports.
        - Sizes that agree in ten decimals of the largest one are ties.
        - NaN: the pair is left out.

    Source: Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1(6), 1945;
    against it for retrieval: Smucker et al., CIKM 2007; Urbano et al., SIGIR 2019.
    """
    return outcomes_by_column(TestName.WILCOXON, differences, alternative, _outcomes)


def _outcomes(differences: Floats, alternative: Alternative) -> list[Outcome]:
    return [_outcome(column[column != 0.0], alternative) for column in differences.T]


def _outcome(moved: Floats, alternative: Alternative) -> Outcome:
    if not moved.size:
        return Outcome(0.0, 1.0, exact=True, note=NO_DIFFERENCE)
    sizes = np.abs(moved)
    _, group, tied = np.unique(
        np.round(sizes / sizes.max(), 10), return_inverse=True, return_counts=True
    )
    # Twice the mean rank of each group is a whole number: last place + first place.
    last = np.cumsum(tied)
    doubled_ranks = (2 * last - tied + 1)[group]
    statistic = float(doubled_ranks[moved > 0].sum()) / 2.0
    exact = moved.size <= EXACT_TOPICS
    tails = _exact_tails if exact else _normal_tails
    less, greater = tails(statistic, doubled_ranks, tied)
    p_value = {
        Alternative.LESS: less,
        Alternative.GREATER: greater,
        Alternative.TWO_SIDED: min(1.0, 2.0 * min(less, greater)),
    }[alternative]
    return Outcome(statistic, p_value, exact=exact)


def _exact_tails(
    statistic: float, doubled_ranks: npt.NDArray[np.int64], _tied: npt.NDArray[np.int64]
) -> tuple[float, float]:
    """Return P(W+ <= statistic) and P(W+ >= statistic), each rank counted with probability 1/2."""
    probability = np.ones(1)
    for rank in doubled_ranks:
        longer = np.zeros(probability.size + int(rank))
        longer[: probability.size] = probability
        longer[rank:] += probability
        probability = longer / 2.0
    place = round(2.0 * statistic)
    return min(1.0, float(probability[: place + 1].sum())), min(
        1.0, float(probability[place:].sum())
    )


def _normal_tails(
    statistic: float, doubled_ranks: npt.NDArray[np.int64], tied: npt.NDArray[np.int64]
) -> tuple[float, float]:
    from scipy.special import ndtr

    k = doubled_ranks.size
    tied = tied.astype(np.float64)
    variance = k * (k + 1) * (2 * k + 1) / 24.0 - float((tied**3 - tied).sum()) / 48.0
    z = (statistic - k * (k + 1) / 4.0) / math.sqrt(variance)
    return float(ndtr(z)), float(ndtr(-z))


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
    arithmetic = partial(_randomized, permutations=draws, seed=seed)
    return outcomes_by_column(TestName.RANDOMIZATION, differences, alternative, arithmetic)


def _randomized(
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
