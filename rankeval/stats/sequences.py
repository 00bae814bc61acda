"""Confidence sequences: one risk for all looks at a candidate that keeps changing."""

import math

from rankeval.errors import UsageError
from rankeval.stats.arrays import require_count, require_fraction

WHOLE = 2.11
"""Sum of 1 / ((k + 1) ln(k + 1)^2) over all k from 1; 2.1097 rounded up."""

MOST_LOOKS = 10**9
"""A look every second for thirty years."""


def alpha_of_look(alpha: float, look: int) -> float:
    r"""Return the share of alpha that the k-th look may spend, so that all looks spend alpha.

    .. math:: \alpha_k = \frac{\alpha}{2.11\,(k + 1) \ln^2 (k + 1)}, \qquad
        \sum_{k \ge 1} \alpha_k \le \alpha

    Bounds at level 1 - alpha_k on look k are a confidence sequence: with probability 1 - alpha or
    more all of them hold at once, however many looks there are, whatever was decided after the
    earlier ones, and however much the looks depend on each other. Nightly runs over the same topics
    need this: each night has another candidate, but no new topics.

    Edge cases: a look that is no whole number from 1 to 10^9, or an alpha outside 0 to 1:
    UsageError.

    Source: Darling and Robbins, "Confidence sequences for mean, variance, and median", PNAS 58(1),
    1967; Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform, nonparametric, nonasymptotic
    confidence sequences", Annals of Statistics 49(2), 2021.

    >>> [round(alpha_of_look(0.05, look), 5) for look in (1, 10, 200)]
    [0.02466, 0.00037, 0.0]
    """
    require_fraction(alpha, "alpha")
    place = require_count(look, "look") + 1
    if look > MOST_LOOKS:
        raise UsageError(f"look is above {MOST_LOOKS:,}", expected="the number of looks so far")
    return alpha / (WHOLE * place * math.log(place) ** 2)
