"""Pairs of systems by their mean ranks, with Holm's correction."""

import math
from itertools import combinations

import numpy.typing as npt

from rankeval.choices import Correction
from rankeval.stats.corrections import adjust_p_values
from rankeval.stats.friedman import RankedPair, friedman


def holm_rank_pairs(values: npt.ArrayLike, control: int | None = None) -> tuple[RankedPair, ...]:
    r"""Compare every pair of systems by mean ranks, with normal p-values and Holm's correction.

    With a `control`, the number of a system, only the pairs of it with each other system, the
    control first; the correction is for these m - 1 pairs.

    .. math::
        z_{ij} = \frac{\bar R_j - \bar R_i}{\sqrt{m (m + 1) / (6 n)}}

    The p-values are those of a standard normal z, two-sided, and are corrected for these pairs.
    Holm's procedure assumes nothing of how pairs depend on each other, and tells at least as many
    pairs apart as Bonferroni's. Nemenyi's test (`nemenyi`) has one critical difference for all.

    Shapes: values (n, m), one row per topic or collection, one column per system, m >= 2;
    m (m - 1) / 2 pairs.

    Edge cases
        - A row with a NaN is left out for all systems.
        - No row: p = 1.0.

    Source: Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006;
    all pairs: Garcia and Herrera, "An extension on 'Statistical comparisons of classifiers over
    multiple data sets' for all pairwise comparisons", JMLR 9, 2008.

    >>> [round(pair.p_value, 4) for pair in holm_rank_pairs([[0.9, 0.7, 0.5]] * 8)]
    [0.091, 0.0002, 0.091]
    """
    test = friedman(values)
    m, n, ranks = test.df + 1, test.n_topics, test.mean_ranks
    pairs = (
        list(combinations(range(m), 2))
        if control is None
        else [(control, other) for other in range(m) if other != control]
    )
    if ranks is None:
        return tuple(RankedPair(first, second, None, 1.0) for first, second in pairs)
    error = math.sqrt(m * (m + 1) / (6.0 * n))
    differences = [ranks[second] - ranks[first] for first, second in pairs]
    p_values = [math.erfc(abs(one) / error / math.sqrt(2.0)) for one in differences]
    adjusted = adjust_p_values(p_values, correction=Correction.HOLM)
    return tuple(
        RankedPair(*pair, difference, float(p_value))
        for pair, difference, p_value in zip(pairs, differences, adjusted, strict=True)
    )
